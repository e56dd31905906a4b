"""Runs beside stacks that did not change: what these took in the same rounds is taken out of the others' times.

A machine that is slower for a week slows down all its stacks, and the history of each shows a change. What is left of a
stack beside references that share the machine with it does not.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import reduce

import numpy as np
from attrs import evolve, frozen

from msgauge.analysis.between_runs.history import name_runs
from msgauge.analysis.between_runs.measured_runs import Launches, LaunchTimes, MeasuredRun, Quantile
from msgauge.analysis.between_runs.run_levels import RunLevels, SeriesKey
from msgauge.analysis.between_runs.run_quantiles import leave_out_version_of
from msgauge.errors import UsageError
from msgauge.model import Notice
from msgauge.model.stack_names import leave_out_version, name_family
from msgauge.stats.error_bounds import bound_log
from msgauge.units import format_count

_QUANTILES: tuple[Quantile, ...] = ("p50", "p95", "p99")


@frozen(eq=False)
class RunsBeside:
    """Runs beside their references: times of the other stacks, as they would be at the pace of the median run."""

    runs: tuple[Mapping[Quantile, RunLevels], ...]
    references: tuple[str, ...]
    """Without their versions."""
    warnings: tuple[Notice, ...] = ()


_Beside = tuple[SeriesKey, frozenset[str]]
"""A test, of no stack, and the references in it."""


@frozen(eq=False)
class _Ratios:
    """One series of one run over its references, the geometric mean of several."""

    beside: frozenset[str]
    values: np.ndarray
    """Shape (rounds that hold all of them,)."""
    pace: float
    """Logarithm of what the references took, ns: the median of these rounds."""
    step: float
    """By how much steps of the clocks may have moved the logarithm of a ratio."""


def put_beside(runs: Sequence[MeasuredRun], names: Sequence[str]) -> RunsBeside:
    """Take out of every run what its references took; ``names``: specs, with a version or without, or families.

    A time of a launch is divided by that of the reference in the same round and test (the geometric mean of several),
    and multiplied by what the reference took in the median run. A series counts in a run that has all references which
    any run has beside it; one that never has any is left out. Warnings say so.

    Raises:
        UsageError: a name that no run has, or that leaves no stack or no test to be followed.
    """
    references = _find_references(runs, names)
    by_quantile = {quantile: _follow(runs, quantile, references) for quantile in _QUANTILES}
    if not any(run.medians_ns for run in by_quantile["p50"]):
        raise UsageError(
            f"no test has {' and '.join(references)} and another stack in the same rounds",
            remedy="name stacks that were measured in the tests that are to be followed",
        )
    found = tuple({quantile: by_quantile[quantile][number] for quantile in _QUANTILES} for number in range(len(runs)))
    warnings = (*_warn_of_changed(runs, references), *_warn_of_missing(runs, by_quantile["p50"], references))
    return RunsBeside(found, references, warnings)


def tell_references(references: Sequence[str]) -> tuple[str, ...]:
    """What times are, in a sentence; none where there are no references."""
    if not references:
        return ()
    what = f"what {' and '.join(references)} took in the same rounds is taken out"
    return (f"Times are those at the pace of the median run: {what}.",)


def _find_references(runs: Sequence[MeasuredRun], names: Sequence[str]) -> tuple[str, ...]:
    """The stacks that are named, without their versions, in the order of the names."""
    specs = list(dict.fromkeys(key.stack for run in runs for key in run.levels.medians_ns))
    found = dict[str, None]()
    for name in names:
        mine = [spec for spec in specs if name in (spec, leave_out_version(spec), name_family(spec))]
        if not mine:
            raise UsageError(f"no run has a stack {name!r}", remedy=f"those of the runs are: {', '.join(specs)}")
        found |= dict.fromkeys(map(leave_out_version, mine))
    if set(found) >= set(map(leave_out_version, specs)):
        raise UsageError("every stack of these runs is named as a reference", remedy="leave one to be followed")
    return tuple(found)


def _follow(runs: Sequence[MeasuredRun], quantile: Quantile, references: Sequence[str]) -> list[RunLevels]:
    """The levels of every run by one quantile."""
    needed = dict[SeriesKey, set[str]]()
    for run in runs:
        for key in _list_followed(run.launches[quantile], references):
            needed.setdefault(leave_out_version_of(key), set()).update(_find_beside(run, quantile, key, references))
    ratios = [dict(_divide(run, quantile, references, needed)) for run in runs]
    paces: dict[_Beside, list[float]] = {}
    for of_run in ratios:
        here: dict[_Beside, list[float]] = {}
        for key, one in of_run.items():
            here.setdefault((key.of(""), one.beside), []).append(one.pace)
        for place, some in here.items():
            paces.setdefault(place, []).append(float(np.mean(some)))
    usual_ns = {place: float(np.exp(np.median(some))) for place, some in paces.items()}
    return [_scale(run.levels, of_run, usual_ns, references) for run, of_run in zip(runs, ratios, strict=True)]


def _list_followed(launches: Launches, references: Sequence[str]) -> list[SeriesKey]:
    return [key for key in launches if leave_out_version(key.stack) not in references]


def _find_beside(
    run: MeasuredRun, quantile: Quantile, key: SeriesKey, references: Sequence[str]
) -> Mapping[str, SeriesKey]:
    """The references that ran the same test and share the machine's pace with this stack, by their names."""
    kinds = [kind for kind in run.levels.kinds if key.stack in kind]
    return {
        leave_out_version(other.stack): other
        for other in run.launches[quantile]
        if other.of("") == key.of("")
        and leave_out_version(other.stack) in references
        and all(other.stack in kind for kind in kinds)
    }


def _divide(
    run: MeasuredRun, quantile: Quantile, references: Sequence[str], needed: Mapping[SeriesKey, set[str]]
) -> Iterator[tuple[SeriesKey, _Ratios]]:
    """Each series of a run that has all references which are needed, and rounds with all of them."""
    launches, levels = run.launches[quantile], run.levels
    for key in _list_followed(launches, references):
        beside = _find_beside(run, quantile, key, references)
        if not beside or beside.keys() != needed[leave_out_version_of(key)]:
            continue
        held = [launches[one] for one in (key, *beside.values())]
        rounds = reduce(np.intersect1d, (one.rounds for one in held))
        if not rounds.size:
            continue
        mine, *theirs = (np.log(_take_rounds(one, rounds)) for one in held)
        pace = np.mean(theirs, axis=0)
        step, *others = (
            bound_log(levels.half_steps_ns.get(one, 0.0), float(np.median(launches[one].times_ns)))
            for one in (key, *beside.values())
        )
        yield (
            key,
            _Ratios(frozenset(beside), np.exp(mine - pace), float(np.median(pace)), step + float(np.mean(others))),
        )


def _take_rounds(one: LaunchTimes, rounds: np.ndarray) -> np.ndarray:
    """Its times in these rounds, all of which it has, in ns."""
    order = np.argsort(one.rounds, kind="stable")
    return one.times_ns[order[np.searchsorted(one.rounds[order], rounds)]]


def _scale(
    run: RunLevels, ratios: Mapping[SeriesKey, _Ratios], usual_ns: Mapping[_Beside, float], references: Sequence[str]
) -> RunLevels:
    """The run by what is left of its times, at the pace that references usually have."""
    times = {key: one.values * usual_ns[key.of(""), one.beside] for key, one in ratios.items()}
    steps = {key: float(np.median(times[key]) * -np.expm1(-one.step)) for key, one in ratios.items()}
    stacks = tuple(stack for stack in run.stacks if leave_out_version(stack.spec) not in references)
    return evolve(run, stacks=stacks, medians_ns=times, half_steps_ns=steps)


def _warn_of_changed(runs: Sequence[MeasuredRun], references: Sequence[str]) -> Iterator[Notice]:
    """References that were not one build in all runs."""
    changed = []
    for name in references:
        specs = [{key.stack for key in run.levels.medians_ns if leave_out_version(key.stack) == name} for run in runs]
        builds = {run.levels.identities.get(spec, spec) for run, mine in zip(runs, specs, strict=True) for spec in mine}
        if len(builds) > 1:
            changed.append((name, f"{len(builds)} builds"))
    if changed:
        names = ", ".join(name for name, _ in changed)
        what = f"not one build in all runs: {names}; a change of a reference looks like one of all stacks beside it"
        yield Notice("references-changed", what, "name references that stayed as they were", tuple(changed))


def _warn_of_missing(
    runs: Sequence[MeasuredRun], followed: Sequence[RunLevels], references: Sequence[str]
) -> Iterator[Notice]:
    """Series without a reference, and runs that lack one which others have."""
    had = [{leave_out_version_of(key) for key in _list_followed(run.launches["p50"], references)} for run in runs]
    left = [{leave_out_version_of(key) for key in run.medians_ns} for run in followed]
    every, somewhere = set[SeriesKey]().union(*had), set[SeriesKey]().union(*left)
    if alone := every - somewhere:
        stacks = ", ".join(sorted({key.stack for key in alone}))
        what = f"{len(alone)} of {len(every)} series have no reference beside them and are left out ({stacks})"
        yield Notice("references-missing", what, "measure the references in the same tests, or name others")
    lacking = [run.levels for run, mine, kept in zip(runs, had, left, strict=True) if (mine & somewhere) - kept]
    if lacking:
        of, named = format_count(len(runs), "run"), name_runs(lacking)
        what = f"{len(lacking)} of {of} lack a reference in some tests, which do not count there: {named}"
        yield Notice("runs-without-reference", what, "leave these runs out, or name other references")
