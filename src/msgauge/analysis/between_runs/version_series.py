"""Which versions of a stack are one series of a history: those that follow each other, not those side by side."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from attrs import frozen

from msgauge.analysis.between_runs.run_levels import RunLevels
from msgauge.model import Notice
from msgauge.model.stack_names import leave_out_version
from msgauge.stats.change_points import FEWEST_RUNS
from msgauge.units import format_count


@frozen
class SeriesNames:
    """The names of series."""

    of_runs: tuple[Mapping[str, str], ...]
    """For each run the spec of a stack to the name of its series; a spec that is not there is in none."""
    warnings: tuple[Notice, ...] = ()


def name_series(runs: Sequence[RunLevels]) -> SeriesNames:
    """Versions of a stack are one series unless most of the runs that hold the stack hold several of its versions.

    Where some runs hold several, one counts there: that which the run before counts with, else that of the next run,
    else the last. The others are series of their own where so many runs have one beside as a change needs.
    ``runs``: in order of time.
    """
    versions = _list_versions(runs)
    found = [{spec: spec for spec in _list_unknown(run)} for run in runs]
    warnings = []
    for name, held in versions.items():
        specs = {spec for some in held.values() for spec in some}
        several = [number for number, some in held.items() if len(some) > 1]
        if len(specs) == 1 or 2 * len(several) > len(held):
            for number, some in held.items():
                found[number] |= {spec: spec for spec in some}
            if any(specs != set(some) for some in held.values()):
                warnings.append(_warn_apart(name, len(several), len(held)))
            continue
        chosen = dict(zip(held, _choose_versions(list(held.values())), strict=True))
        beside = Counter(spec for number in several for spec in held[number] if spec != chosen[number])
        for number, some in held.items():
            found[number] |= {spec: spec for spec in some if beside[spec] >= FEWEST_RUNS} | {chosen[number]: name}
        if several:
            warnings.append(_warn_chosen(name, [(runs[one].name, chosen[one]) for one in several], len(held)))
    return SeriesNames(tuple(found), tuple(warnings))


def _list_unknown(run: RunLevels) -> set[str]:
    """Specs of stacks that were measured and of which nothing else is known."""
    return {key.stack for key in run.medians_ns} - {stack.spec for stack in run.stacks}


def _list_versions(runs: Sequence[RunLevels]) -> dict[str, dict[int, list[str]]]:
    """Name of a stack without its version to the specs of its versions in each run that holds any."""
    found: dict[str, dict[int, list[str]]] = {}
    for number, run in enumerate(runs):
        for stack in run.stacks:
            found.setdefault(leave_out_version(stack.spec), {}).setdefault(number, []).append(stack.spec)
    return found


def _choose_versions(held: Sequence[Sequence[str]]) -> list[str]:
    """Of the versions that each run holds, the one that counts."""
    chosen: list[str] = []
    for place, some in enumerate(held):
        later = (spec for after in held[place + 1 :] if len(after) == 1 for spec in after)
        wanted = [*chosen[-1:], *later]
        chosen.append(next((spec for spec in wanted if spec in some), some[-1]))
    return chosen


def _warn_apart(name: str, several: int, of: int) -> Notice:
    what = f"{several} of {of} runs of {name} hold several of its versions, so each version is a series of its own"
    remedy = "to see changes from version to version, name runs that hold one each, or see msgauge diff OLD NEW"
    return Notice("versions-apart", f"{what}: what changed with an upgrade is not seen", remedy)


def _warn_chosen(name: str, chosen: Sequence[tuple[str, str]], of: int) -> Notice:
    held = "hold" if len(chosen) > 1 else "holds"
    what = f"{len(chosen)} of {format_count(of, 'run')} of {name} {held} several of its versions, of which one counts"
    named = "; ".join(f"{spec} in {run}" for run, spec in chosen[:3])
    more = f"; and {len(chosen) - 3} more" if len(chosen) > 3 else ""
    remedy = "measure versions that are no part of the history in a folder of runs of their own"
    return Notice("versions-beside", f"{what}: {named}{more}", remedy, tuple(chosen))
