"""What a reader of two versions must know of their runs: another machine, stacks or tests that only one has."""

from __future__ import annotations

from collections.abc import Sequence

from msgauge.analysis.between_runs.run_levels import RunLevels, SeriesKey, warn_of_conditions
from msgauge.analysis.between_runs.run_references import Pair
from msgauge.model import Notice
from msgauge.model.measured_way import name_marks
from msgauge.units import format_count, format_size

_MOST_NAMED = 5


def find_warnings(old: Sequence[RunLevels], new: Sequence[RunLevels], pairs: Sequence[Pair]) -> tuple[Notice, ...]:
    """What a reader must know: another machine, stacks or tests that only one version has."""
    warnings = warn_of_conditions([*old, *new], "run both on the same machine in the same state")
    known = {pair.old for pair in pairs} | {pair.new for pair in pairs}
    lonely = sorted({key.stack for run in (*old, *new) for key in run.medians_ns} - known)
    if lonely:
        message = f"only one of the versions has {', '.join(lonely)}"
        warnings.append(Notice("stacks-differ", message, "measure the same stacks in both runs"))
    changed = [one for run in (*old, *new) for one in run.changed]
    return (*changed, *warnings, *_find_lonely_tests(old, new, pairs))


def _find_lonely_tests(old: Sequence[RunLevels], new: Sequence[RunLevels], pairs: Sequence[Pair]) -> tuple[Notice, ...]:
    """Tests of compared stacks that only one version has: no row shows them, and a gate does not look at them."""
    before, after = ({key for run in runs for key in run.medians_ns} for runs in (old, new))
    gone = [key for pair in pairs for key in sorted(before) if key.stack == pair.old and key.of(pair.new) not in after]
    added = [key for pair in pairs for key in sorted(after) if key.stack == pair.new and key.of(pair.old) not in before]
    sides = [f"the {which} one has {_name_tests(keys)}" for which, keys in (("old", gone), ("new", added)) if keys]
    if not sides:
        return ()
    message = f"tests that only one of the versions has are not compared: {'; '.join(sides)}"
    return (Notice("tests-differ", message, "measure the same tests in both runs"),)


def _name_tests(keys: Sequence[SeriesKey]) -> str:
    """The first few of them, each once, and how many more there are."""
    tests = list(dict.fromkeys(_name_test(key) for key in keys))
    more = f" and {format_count(len(tests) - _MOST_NAMED, 'more test')}" if len(tests) > _MOST_NAMED else ""
    return f"{', '.join(tests[:_MOST_NAMED])}{more}"


def _name_test(key: SeriesKey) -> str:
    return " ".join([key.kernel, format_size(key.size_bytes), f"on {key.ranks} ranks", *name_marks(key)])
