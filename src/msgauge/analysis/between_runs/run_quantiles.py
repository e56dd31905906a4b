"""Runs by the tails of their launches: P95 and P99 are compared, and have a history, as medians do.

A tail is a family of its own, as in one run: verdicts on medians are what they are without it. Whoever asks for medians
is told of a tail that changed where its median did not.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress

from attrs import evolve, frozen

from msgauge.analysis.between_runs.cell_names import describe_cell
from msgauge.analysis.between_runs.history import Change, History, trace_history
from msgauge.analysis.between_runs.measured_runs import Quantile
from msgauge.analysis.between_runs.run_comparison import RunsCompared, compare_runs
from msgauge.analysis.between_runs.run_levels import RunLevels, SeriesKey
from msgauge.analysis.verdicts.tails import QUANTILES
from msgauge.errors import UsageError
from msgauge.model import Comparison, Notice
from msgauge.model.stack_names import leave_out_version
from msgauge.stats.launch_quantiles import count_needed
from msgauge.units import format_count

_MOST_NAMED = 3
_TAILS: tuple[Quantile, ...] = ("p95", "p99")


def leave_out_copies(runs: Sequence[Mapping[Quantile, RunLevels]]) -> list[Mapping[Quantile, RunLevels]]:
    """Each run once: that copies agree tells nothing of how runs vary. Of them the one with most launches counts."""
    origins = [run["p50"].origin for run in runs]
    launches = [sum(one.size for one in run["p50"].medians_ns.values()) for run in runs]
    kept = [at for at, origin in enumerate(origins) if not origin]
    for origin in {origin for origin in origins if origin}:
        copies = [at for at, other in enumerate(origins) if other == origin]
        kept.append(max(copies, key=lambda at: (launches[at], -at)))
    return [runs[at] for at in sorted(kept)]


def choose_quantile(runs: Sequence[Mapping[Quantile, RunLevels]], quantile: Quantile) -> list[RunLevels]:
    """The runs by one quantile.

    Raises:
        UsageError: no test of any of them has that tail.
    """
    chosen = [run[quantile] for run in runs]
    if any(run.medians_ns for run in chosen):
        return chosen
    what, needed = f"no test of these runs has a {name_quantile(quantile)}", count_needed(QUANTILES[quantile])
    if any(key.mode == "single" for run in runs for key in run["p50"].medians_ns):
        raise UsageError(
            f"{what}: in each, launches timed fewer than {needed} operations one by one",
            remedy="measure with a longer 'cell_budget' in a study file, or leave out --quantile",
        )
    raise UsageError(
        f"{what}: no launch timed {needed} operations one by one",
        remedy='measure with mode = "single" in a study file, or leave out --quantile',
    )


def leave_out_short_tails(
    sides: Sequence[Sequence[Mapping[Quantile, RunLevels]]], quantile: Quantile
) -> tuple[list[list[dict[Quantile, RunLevels]]], tuple[Notice, ...]]:
    """The same runs with the tails of a test that every run has in which it was measured, and what is left out.

    Which runs lack one may depend on how slow they were: their launches timed the fewer operations. ``quantile``: the
    one that is asked for, of which it is told.
    """
    runs = [run for side in sides for run in side]
    short = {name: find_short_tails(runs, name) for name in _TAILS}
    kept = [[_without(run, short) for run in side] for side in sides]
    return kept, warn_of_short_tails(runs, quantile, "is not compared")


def warn_of_short_tails(
    runs: Sequence[Mapping[Quantile, RunLevels]], quantile: Quantile, what: str
) -> tuple[Notice, ...]:
    """That tests lack the tail in some runs and have it in others; ``what`` of it follows. Medians lack nothing."""
    short = frozenset() if quantile == "p50" else find_short_tails(runs, quantile)
    keys = {key for run in runs for key in run["p50"].medians_ns if leave_out_version_of(key) in short}
    if not keys:
        return ()
    tests, needed = sorted({describe_cell(key) for key in keys}), count_needed(QUANTILES[quantile])
    told = (
        f"{name_quantile(quantile)} {what} in {_list_tests(tests)}; launches of some runs, the slower ones, timed "
        f"fewer than {needed} operations one by one"
    )
    return (Notice("short-tails", told, "measure with a longer 'cell_budget', or take another --quantile"),)


def find_short_tails(runs: Iterable[Mapping[Quantile, RunLevels]], quantile: Quantile) -> frozenset[SeriesKey]:
    """Series, of whatever version, without the tail in a run, and with it in another."""
    lacking, having = set[SeriesKey](), set[SeriesKey]()
    for run in runs:
        single = {key for key in run["p50"].medians_ns if key.mode == "single"}
        having |= {leave_out_version_of(key) for key in single & run[quantile].medians_ns.keys()}
        lacking |= {leave_out_version_of(key) for key in single - run[quantile].medians_ns.keys()}
    return frozenset(lacking & having)


def _without(
    run: Mapping[Quantile, RunLevels], short: Mapping[Quantile, frozenset[SeriesKey]]
) -> dict[Quantile, RunLevels]:
    kept = dict(run)
    for quantile, keys in short.items():
        known = {key: one for key, one in run[quantile].medians_ns.items() if leave_out_version_of(key) not in keys}
        kept[quantile] = evolve(run[quantile], medians_ns=known)
    return kept


def name_quantile(quantile: Quantile) -> str:
    """``P99``; of the median ``median``."""
    return "median" if quantile == "p50" else quantile.upper()


def name_time(quantile: Quantile) -> str:
    """What stands above times: ``time``, or ``P99 of time``."""
    return "time" if quantile == "p50" else f"{name_quantile(quantile)} of time"


def tell_of(sentences: Iterable[str], quantile: Quantile) -> tuple[str, ...]:
    """Sentences with the tail that they speak of; those on medians as they are."""
    return tuple(one if quantile == "p50" else f"{name_quantile(quantile)}: {one}" for one in sentences)


def tell_gate_of(sentence: str, quantile: Quantile) -> str:
    """What a gate found, with the tail that it looked at; of medians as it is."""
    return (
        sentence if quantile == "p50" else sentence.replace("--fail-on:", f"--fail-on at {name_quantile(quantile)}:", 1)
    )


def warn_of_changed_tails(
    old: Sequence[Mapping[Quantile, RunLevels]],
    new: Sequence[Mapping[Quantile, RunLevels]],
    compared: RunsCompared,
    named: Sequence[str],
) -> tuple[Notice, ...]:
    """Tests of two versions whose tail is surely slower or faster, and whose median is not; each by its longest tail.

    ``compared``: the same by medians; ``named``: the references, as for it. A notice for each stack and direction.
    """
    longest = _Longest.of([*old, *new])
    with suppress(UsageError):  # of a reference that has no tail
        tails = compare_runs(longest.take(old), longest.take(new), named)
        said = {_place(one).of(one.other): one.verdict for one in compared.judged}
        changed = [
            (f"{one.other} is {one.verdict}", longest.choose(_place(one).of(one.other)), "", describe_cell(one))
            for one in tails.judged
            if one.verdict in {"faster", "slower"} and said.get(_place(one).of(one.other)) != one.verdict
        ]
        return tuple(_warn(changed))
    return ()


def warn_of_tails_in_history(runs: Sequence[Mapping[Quantile, RunLevels]], history: History) -> tuple[Notice, ...]:
    """Series whose tail changed at a run at which their median did not; each by its longest tail.

    A notice for each stack, direction and run.
    """
    longest = _Longest.of(runs)
    with suppress(UsageError):  # of tails that no two runs have in common
        known = {one.key: one.changes for one in history.series}
        changed = [
            (
                f"{one.key.stack} is {'slower' if change.factor > 1 else 'faster'}",
                longest.choose(one.key),
                f" from run {history.runs[change.first].name} on",
                describe_cell(one.key),
            )
            for one in trace_history(longest.take(runs)).series
            for change in one.changes
            if not any(_goes_with(change, other) for other in known.get(one.key, ()))
        ]
        return tuple(_warn(changed))
    return ()


def _goes_with(tail: Change, median: Change) -> bool:
    """Whether both may have come with one run, in one direction."""
    together = median.earliest <= tail.latest and tail.earliest <= median.latest
    return together and (tail.factor > 1) == (median.factor > 1)


def _place(one: Comparison) -> SeriesKey:
    """The test of a comparison, without its stacks."""
    return SeriesKey("", one.kernel, one.size_bytes, one.ranks, one.options, one.mode, one.cache)


@frozen
class _Longest:
    """The tail by which each series is looked at: P99 where all runs that have a tail of it have that one, else P95.

    ``short``: series, of whatever version, that have P95 alone in some run.
    """

    short: frozenset[SeriesKey]

    @classmethod
    def of(cls, runs: Iterable[Mapping[Quantile, RunLevels]]) -> _Longest:
        p95_alone = (run["p95"].medians_ns.keys() - run["p99"].medians_ns for run in runs)
        return cls(frozenset(leave_out_version_of(key) for keys in p95_alone for key in keys))

    def choose(self, key: SeriesKey) -> Quantile:
        return "p95" if leave_out_version_of(key) in self.short else "p99"

    def take(self, runs: Iterable[Mapping[Quantile, RunLevels]]) -> list[RunLevels]:
        """Each run by these tails."""
        found = []
        for run in runs:
            tails = {key: run[self.choose(key)].medians_ns.get(key) for key in run["p50"].medians_ns}
            known = {key: one for key, one in tails.items() if one is not None}
            found.append(evolve(run["p50"], medians_ns=known))
        return found


def leave_out_version_of(key: SeriesKey) -> SeriesKey:
    """The same series of any version of its stack."""
    return key.of(leave_out_version(key.stack))


def _list_tests(tests: Sequence[str]) -> str:
    """``5 tests: A; B; C; and 2 more``."""
    more = f"; and {len(tests) - _MOST_NAMED} more" if len(tests) > _MOST_NAMED else ""
    return f"{format_count(len(tests), 'test')}: {'; '.join(tests[:_MOST_NAMED])}{more}"


def _warn(changed: Sequence[tuple[str, Quantile, str, str]]) -> Iterator[Notice]:
    """``changed``: what is said of a stack, of which tail, since when, and the test; a notice for each that is said."""
    groups: dict[tuple[str, Quantile, str], list[str]] = {}
    for what, quantile, since, test in changed:
        groups.setdefault((what, quantile, since), []).append(test)
    for (what, quantile, since), tests in groups.items():
        told = f"{what} at {name_quantile(quantile)}, which medians do not show,{since} in {_list_tests(tests)}"
        yield Notice("tails-changed", told, f"see by how much: --quantile {quantile}")
