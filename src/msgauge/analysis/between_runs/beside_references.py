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
class RunsBesideReferences:
    """Runs beside their references: times of the other stacks, as they would be at the pace of the median run."""

    runs: tuple[Mapping[Quantile, RunLevels], ...]
    references: tuple[str, ...]
    """As they are told: without their versions, unless one version was named."""
    warnings: tuple[Notice, ...] = ()


_Named = dict[str, list[SeriesKey]]
"""References by the name by which they are told, each with its series: several where it has several versions."""
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


def divide_by_references(
    runs: Sequence[MeasuredRun], names: Sequence[str], quantile: Quantile = "p50"
) -> RunsBesideReferences:
    """Take out of every run what its references took; ``names``: specs, or without a version, or families.

    A time of a launch is divided by that of the reference in the same round and test (the geometric mean of several, of
    which versions that one name has count as one), and multiplied by what the reference took in the median run. A
    series counts in a run that has all references which any run has beside it; one that never has any is left out.
    Warnings, about what is asked for of each launch (``quantile``), say so.

    Raises:
        UsageError: a name that no run has, or that leaves no stack or no test to be followed.
    """
    references = _find_references(runs, names)
    labels = tuple(dict.fromkeys(references.values()))
    by_quantile = {one: _follow(runs, one, references) for one in _QUANTILES}
    followed = by_quantile[quantile]
    if not any(run.medians_ns for run in followed) and any(run.launches[quantile] for run in runs):
        raise UsageError(
            f"no test has {' and '.join(labels)} and another stack in the same rounds",
            remedy="name stacks that were measured in the tests that are to be followed",
        )
    found = tuple({one: by_quantile[one][number] for one in _QUANTILES} for number in range(len(runs)))
    launches = [run.launches[quantile] for run in runs]
    warnings = (*_warn_of_changed(runs, references), *_warn_of_missing(launches, followed, references))
    return RunsBesideReferences(found, labels, warnings)


def _find_references(runs: Sequence[MeasuredRun], names: Sequence[str]) -> dict[str, str]:
    """The specs of stacks that are named, each with the name by which it is told, in the order of the names."""
    specs = list(dict.fromkeys(key.stack for run in runs for key in run.levels.medians_ns))
    found = dict[str, str]()
    for name in names:
        exact = [spec for spec in specs if name == spec]
        mine = exact or [spec for spec in specs if name in (leave_out_version(spec), name_family(spec))]
        if not mine:
            raise UsageError(
                f"no run has a stack {name!r}", remedy=f"those of the runs are: {', '.join(specs) or 'none'}"
            )
        found |= {spec: name if exact else leave_out_version(spec) for spec in mine if spec not in found}
    if set(found) >= set(specs):
        raise UsageError("every stack of these runs is named as a reference", remedy="leave one to be followed")
    return found


def _follow(runs: Sequence[MeasuredRun], quantile: Quantile, references: Mapping[str, str]) -> list[RunLevels]:
    """The levels of every run by one quantile."""
    beside = [_find_beside(run, run.launches[quantile], references) for run in runs]
    needed = dict[SeriesKey, set[str]]()
    for of_run in beside:
        for key, found in of_run.items():
            needed.setdefault(leave_out_version_of(key), set()).update(found)
    ratios = [
        dict(_divide(run, run.launches[quantile], of_run, needed)) for run, of_run in zip(runs, beside, strict=True)
    ]
    paces: dict[_Beside, list[float]] = {}
    for one in ratios:
        here: dict[_Beside, list[float]] = {}
        for key, ratio in one.items():
            here.setdefault((key.of(""), ratio.beside), []).append(ratio.pace)
        for place, some in here.items():
            paces.setdefault(place, []).append(float(np.mean(some)))
    usual_ns = {place: float(np.exp(np.median(some))) for place, some in paces.items()}
    return [_scale(run.levels, one, usual_ns, references) for run, one in zip(runs, ratios, strict=True)]


def _find_beside(run: MeasuredRun, launches: Launches, references: Mapping[str, str]) -> dict[SeriesKey, _Named]:
    """For each series that is followed, the references that ran its test and share the pace of its machine."""
    tests: dict[SeriesKey, list[SeriesKey]] = {}
    for key in launches:
        if key.stack in references:
            tests.setdefault(key.of(""), []).append(key)
    found: dict[SeriesKey, _Named] = {}
    for key in launches:
        if key.stack not in references:
            kinds = [kind for kind in run.levels.kinds if key.stack in kind]
            mine = found.setdefault(key, {})
            for other in tests.get(key.of(""), ()):
                if all(other.stack in kind for kind in kinds):
                    mine.setdefault(references[other.stack], []).append(other)
    return found


def _divide(
    run: MeasuredRun, launches: Launches, beside: Mapping[SeriesKey, _Named], needed: Mapping[SeriesKey, set[str]]
) -> Iterator[tuple[SeriesKey, _Ratios]]:
    """Each series of a run that has all references which are needed, and rounds with all of them."""
    for key, named in beside.items():
        if not named or named.keys() != needed[leave_out_version_of(key)]:
            continue
        every = [one for keys in named.values() for one in keys]
        rounds = reduce(np.intersect1d, (launches[one].rounds for one in (key, *every)))
        if not rounds.size:
            continue
        logs = {one: np.log(_take_rounds(launches[one], rounds)) for one in (key, *every)}
        pace = np.mean([np.mean([logs[one] for one in keys], axis=0) for keys in named.values()], axis=0)
        step, *others = (
            bound_log(run.levels.half_steps_ns.get(one, 0.0), float(np.median(launches[one].times_ns)))
            for one in (key, *every)
        )
        told = step + float(np.mean(others))
        yield key, _Ratios(frozenset(named), np.exp(logs[key] - pace), float(np.median(pace)), told)


def _take_rounds(one: LaunchTimes, rounds: np.ndarray) -> np.ndarray:
    """Its times in these rounds, all of which it has, in ns."""
    order = np.argsort(one.rounds, kind="stable")
    return one.times_ns[order[np.searchsorted(one.rounds[order], rounds)]]


def _scale(
    run: RunLevels,
    ratios: Mapping[SeriesKey, _Ratios],
    usual_ns: Mapping[_Beside, float],
    references: Mapping[str, str],
) -> RunLevels:
    """The run by what is left of its times, at the pace that references usually have."""
    times = {key: one.values * usual_ns[key.of(""), one.beside] for key, one in ratios.items()}
    steps = {key: float(np.median(times[key]) * -np.expm1(-one.step)) for key, one in ratios.items()}
    stacks = tuple(stack for stack in run.stacks if stack.spec not in references)
    return evolve(run, stacks=stacks, medians_ns=times, half_steps_ns=steps)


def _warn_of_changed(runs: Sequence[MeasuredRun], references: Mapping[str, str]) -> Iterator[Notice]:
    """References that were not one build in all runs; of one whose build a run does not tell, its version counts."""
    measured = [{key.stack for key in run.levels.medians_ns} & references.keys() for run in runs]
    changed = []
    for name in dict.fromkeys(references.values()):
        specs = {spec for mine in measured for spec in mine if references[spec] == name}
        told = {run.levels.identities.get(spec, "") for run in runs for spec in specs} - {""}
        if len(specs) > 1 or len(told) > 1:
            changed.append((name, f"{max(len(specs), len(told))} builds"))
    if changed:
        names = ", ".join(name for name, _ in changed)
        what = f"not one build in all runs: {names}; a change of a reference looks like one of all stacks beside it"
        yield Notice("references-changed", what, "name references that stayed as they were", tuple(changed))


def _warn_of_missing(
    launches: Sequence[Launches], followed: Sequence[RunLevels], references: Mapping[str, str]
) -> Iterator[Notice]:
    """Series without a reference, and runs that lack one which others have."""
    had = [{leave_out_version_of(key) for key in one if key.stack not in references} for one in launches]
    left = [{leave_out_version_of(key) for key in run.medians_ns} for run in followed]
    every, somewhere = set[SeriesKey]().union(*had), set[SeriesKey]().union(*left)
    if alone := every - somewhere:
        stacks = ", ".join(sorted({key.stack for key in alone}))
        what = f"{len(alone)} of {len(every)} series have no reference beside them and are left out ({stacks})"
        yield Notice("references-missing", what, "measure the references in the same tests, or name others")
    lacking = [run for run, mine, kept in zip(followed, had, left, strict=True) if (mine & somewhere) - kept]
    if lacking:
        of, named = format_count(len(followed), "run"), name_runs(lacking)
        what = f"{len(lacking)} of {of} lack a reference in some tests, which do not count there: {named}"
        yield Notice("runs-without-reference", what, "leave these runs out, or name other references")
