"""Violated guidelines and anomalies of each stack: findings of every run, whatever its study.

An anomaly must be significant among all of its kind that were examined in the run: its p is multiplied by their number
(Bonferroni). Of one kind, the strongest test of each stack and kernel is reported, with how many more there are.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from math import exp, log
from typing import Protocol

import numpy as np
from attrs import evolve, frozen

from msgauge.analysis.estimates.burst_traces import Trace
from msgauge.analysis.estimates.launch_tables import look_at_launches
from msgauge.analysis.findings.burst_effects import find_rate_changes
from msgauge.analysis.findings.ranking import rank, weigh
from msgauge.model import CacheMode, Estimate, Finding, Mode, Pairs
from msgauge.model.measured_way import MeasuredTest, note_marks
from msgauge.models import anomalies, guidelines
from msgauge.models.anomalies import LEVEL, MINIMUM_LAUNCHES, SMALLEST_EXCESS, Anomaly
from msgauge.stats.error_bounds import bound_log, bound_ratio, widen
from msgauge.stats.launch_groups import LaunchGroups, find_launch_groups
from msgauge.units import format_count, format_size

FEWEST_BATCHES = 9
FEWEST_RANKS = 3


@frozen(eq=False)
class BurstCourse:
    """The batches of every launch of one stack in one cell, after the warm-up: ``batches_ns`` (launches, batches).

    ``half_step_ns``: of the clock that they were read off.
    """

    stack: str
    kernel: str
    size_bytes: int
    ranks: int
    batches_ns: np.ndarray
    simulated: bool = False
    half_step_ns: float = 0.0
    options: Pairs = ()
    mode: Mode = "batch"
    cache: CacheMode = "hot"


@frozen(eq=False)
class Speeds:
    """How long a fixed loop took on each rank of a stack's launches: ``loop_ns`` (launches, ranks); where ranks ran."""

    stack: str
    hosts: tuple[str, ...]
    loop_ns: np.ndarray


class _Placed(MeasuredTest, Protocol):
    """A test with its size and its number of ranks."""

    @property
    def size_bytes(self) -> int: ...

    @property
    def ranks(self) -> int: ...


@frozen
class AnomalyFinding:
    """An anomaly and where it was seen."""

    stack: str
    kernel: str
    place: str
    anomaly: Anomaly


def find_anomalies(
    estimates: Sequence[Estimate],
    courses: Sequence[BurstCourse],
    traces: Sequence[Trace],
    speeds: Sequence[Speeds] = (),
    level: float = guidelines.LEVEL,
) -> tuple[Finding, ...]:
    """All findings of guidelines and anomalies of a run, each with its weight (``ranking``).

    ``level``: what guidelines may err in together.
    """
    tests = len({one.cell for one in estimates if not one.failed})
    salient = [*_of_sizes(estimates), *_of_launches(estimates), *_of_courses(courses), *_of_traces(traces)]
    salient += _of_speeds(speeds)
    return rank((*_find_violations(estimates, tests, level), *_merge_cells(salient, tests)))


def _find_violations(estimates: Sequence[Estimate], tests: int, level: float) -> list[Finding]:
    """Each violated guideline; a violation is one test of the run."""
    violated = [one for one in guidelines.judge(estimates, level=level) if one.verdict == "violated"]
    return [evolve(one.finding(), weight=weigh([(one.ratio.value, 1 - one.p_adjusted)], tests)) for one in violated]


def _merge_cells(found: Iterable[AnomalyFinding], tests: int) -> list[Finding]:
    """One sentence for each stack, kernel and kind: about the largest effect, with an interval as far as those of all.

    So it holds the effect of whichever is the largest by chance.
    """
    groups: dict[tuple[str, str, str], list[AnomalyFinding]] = {}
    for one in found:
        groups.setdefault((one.stack, one.kernel, one.anomaly.kind), []).append(one)
    merged = []
    for group in groups.values():
        worst = max(group, key=lambda one: abs(log(one.anomaly.effect.value)))
        effects = [one.anomaly.effect for one in group]
        limits = min(one.low for one in effects), max(one.high for one in effects)
        effect = evolve(worst.anomaly.effect, low=limits[0], high=limits[1])
        finding = evolve(worst.anomaly, effect=effect).finding(f"{worst.stack} in {worst.kernel}{worst.place}")
        more = f" Also in {format_count(len(group) - 1, 'more test')} of this kernel." if len(group) > 1 else ""
        merged.append(
            evolve(
                finding,
                sentence=finding.sentence + more,
                evidence=(*finding.evidence, ("stack", worst.stack), ("kernel", worst.kernel)),
                weight=weigh([(one.anomaly.effect.value, 1 - one.anomaly.p_value) for one in group], tests),
            )
        )
    return merged


def _select_salient(found: Sequence[tuple[Anomaly | None, str, str, str]], examined: int) -> list[AnomalyFinding]:
    """Those that are significant after correction for all that was examined."""
    salient = []
    for anomaly, stack, kernel, place in found:
        if anomaly is not None and anomaly.p_value * max(examined, 1) < LEVEL:
            corrected = min(1.0, anomaly.p_value * examined)
            salient.append(AnomalyFinding(stack, kernel, place, evolve(anomaly, p_value=corrected)))
    return salient


def _widen_effect(found: Anomaly, reach: float) -> Anomaly:
    """With limits as far as steps of a clock leave open: ``reach`` of the logarithm of the effect."""
    low, high = widen(found.effect.low, found.effect.high, reach)
    return evolve(found, effect=evolve(found.effect, low=low, high=high))


def _allow_for_steps(found: Anomaly | None, reach: float) -> Anomaly | None:
    """Widened; None where steps of a clock leave so much open that there may be no effect."""
    if found is None or reach <= 0:
        return found
    wider = _widen_effect(found, reach)
    return wider if wider.effect.low > 1 or wider.effect.high < 1 else None


# --- of sizes and launches: from estimates ----------------------------------------------------------------------


def _of_sizes(estimates: Sequence[Estimate]) -> list[AnomalyFinding]:
    """Sizes off the powers of two, in kernels measured at enough sizes."""
    rows: dict[tuple[object, ...], list[Estimate]] = {}
    for one in estimates:
        if not one.failed and one.size_bytes > 0:
            rows.setdefault((one.stack, one.kernel, one.ranks, one.options, one.mode, one.cache), []).append(one)
    ordered = [sorted(cells, key=lambda one: one.size_bytes) for cells in rows.values()]
    tables = [(cells, _table(cells)) for cells in ordered]
    examined = [(cells, table) for cells, table in tables if table is not None]
    found = []
    for cells, table in examined:
        stack, kernel, place = cells[0].stack, cells[0].kernel, _place(cells[0], sized=False)
        found += [(one, stack, kernel, place) for one in _odd_sizes(cells, table, len(examined))]
    return _select_salient(found, len(examined))


def _odd_sizes(cells: Sequence[Estimate], table: np.ndarray, tables: int) -> Iterator[Anomaly]:
    """A size that a breakpoint of the protocol explains is not odd: the next power of two costs as much or more.

    Nor is one whose excess steps of the clock may have made.
    """
    sizes = np.array([one.size_bytes for one in cells], float)
    medians, powers = np.median(table, axis=0), np.log2(sizes) % 1 == 0
    steps = np.array([bound_log(one.half_step_ns, time) for one, time in zip(cells, medians.tolist(), strict=True)])
    for one in anomalies.off_power_of_two(sizes, table, tables):
        below, here, above = powers & (sizes < one.where), sizes == one.where, powers & (sizes > one.where)
        beside = max(steps[below][-1], steps[above][0])
        reach = float(steps[here][0] + beside)
        if medians[here][0] > medians[above].min() and one.effect.value * exp(-reach) >= 1 + SMALLEST_EXCESS:
            yield _widen_effect(one, reach)


def _table(cells: Sequence[Estimate]) -> np.ndarray | None:
    """Launch medians (launches, sizes) over the rounds that all sizes share; None when they are too few."""
    shared = sorted(set.intersection(*(set(one.rounds) for one in cells))) if cells else []
    if len(shared) < MINIMUM_LAUNCHES or len(cells) < 3:
        return None
    columns = [one.medians_by_round for one in cells]
    table = np.array([[column[number] for column in columns] for number in shared])
    return table if np.all(table > 0) else None


def _of_launches(estimates: Sequence[Estimate]) -> list[AnomalyFinding]:
    """Launches in two groups, which are told of all stacks and tests together."""
    found = look_at_launches(estimates, find_launch_groups)
    return [
        AnomalyFinding(one.stack, one.kernel, _place(one), _two_groups(one, found[one.key]))
        for one in estimates
        if one.key in found
    ]


def _two_groups(one: Estimate, groups: LaunchGroups) -> Anomaly:
    """With limits that reach as far as the steps of the clock leave the times of both groups open."""
    reach = bound_ratio((one.half_step_ns, groups.fast_ns), (one.half_step_ns, groups.slow_ns))
    return _widen_effect(anomalies.bimodal_launches(groups), reach)


# --- of the course of a launch ----------------------------------------------------------------------------------


def _of_courses(courses: Sequence[BurstCourse]) -> list[AnomalyFinding]:
    """A level that drifts, and launches that differ more than their batches explain; simulated clocks do neither."""
    usable = [one for one in courses if _is_long(one.batches_ns) and not one.simulated]
    drifts = [
        _allow_for_steps(anomalies.not_stationary(one.batches_ns, len(usable)), bound_ratio(level, level))
        for one in usable
        for level in [(one.half_step_ns, float(np.median(one.batches_ns)))]
    ]
    salient: list[AnomalyFinding] = []
    for kind in (drifts, [anomalies.between_launches(one.batches_ns, 2 * one.half_step_ns) for one in usable]):
        found = [(anomaly, one.stack, one.kernel, _place(one)) for anomaly, one in zip(kind, usable, strict=True)]
        salient += _select_salient(found, len(usable))
    return salient


def _is_long(batches: np.ndarray) -> bool:
    launches, count = batches.shape
    return launches >= MINIMUM_LAUNCHES and count >= FEWEST_BATCHES and bool(np.all(batches > 0))


def _of_traces(traces: Sequence[Trace]) -> list[AnomalyFinding]:
    """Start-up transients and changes of the rate in bursts; the end of a start-up is no change of its own."""
    found: list[tuple[Anomaly | None, str, str, str]] = []
    usable = [one for one in traces if one.steps_ns.shape[0] >= MINIMUM_LAUNCHES]
    for one in usable:
        place = _place(one)
        start, changes = find_rate_changes(one.steps_ns, one.size_bytes)
        found += [(_allow_for_steps(each, one.reach), one.stack, one.kernel, place) for each in (start, *changes)]
    return _select_salient(found, len(usable))


def _of_speeds(speeds: Sequence[Speeds]) -> list[AnomalyFinding]:
    """Ranks that compute slower than the others, each with its host; the messages of the others wait for them."""
    found: list[tuple[Anomaly | None, str, str, str]] = []
    usable = [
        one for one in speeds if one.loop_ns.shape[0] >= MINIMUM_LAUNCHES and one.loop_ns.shape[1] >= FEWEST_RANKS
    ]
    for one in usable:
        for slow in anomalies.slow_ranks(one.loop_ns, len(usable)):
            rank = int(slow.where)
            what = f"rank {rank} on {one.hosts[rank]} computes slower than the others"
            place = f" on {one.loop_ns.shape[1]} ranks"
            found.append((evolve(slow, what=what), one.stack, "a fixed loop", place))
    return _select_salient(found, len(usable))


def _place(one: _Placed, *, sized: bool = True) -> str:
    """`` at 64 B on 4 ranks (root 1, cold cache)``; ``sized``: of its size, too."""
    at = f" at {format_size(one.size_bytes)}" if sized and one.size_bytes else ""
    marks = note_marks(one)
    return f"{at} on {one.ranks} ranks" + (f" ({', '.join(marks)})" if marks else "")
