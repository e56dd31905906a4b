"""What a run says though nobody asked: broken guidelines, and anomalies of each stack, the same on every run.

An anomaly must stand out of everything of its kind that was looked at in the run: its p is multiplied by the number of
cells (Bonferroni). Of one kind, the strongest cell of each stack and kernel is told, with how many more there are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from math import log

import numpy as np
from attrs import evolve, frozen

from msgauge.advise.bursts import settled_changes
from msgauge.advise.traces import Trace
from msgauge.model import Estimate, Finding
from msgauge.models import anomalies, guidelines
from msgauge.models.anomalies import LEVEL, MINIMUM_LAUNCHES, Anomaly
from msgauge.units import format_size

FEWEST_BATCHES = 9
FEWEST_FOR_MODES = 8
FEWEST_RANKS = 3


@frozen(eq=False)
class Course:
    """The batches of every launch of one stack in one cell, after the warm-up: ``batches_ns`` (launches, batches)."""

    stack: str
    kernel: str
    size_bytes: int
    ranks: int
    batches_ns: np.ndarray
    simulated: bool = False


@frozen(eq=False)
class Speeds:
    """How long a fixed loop took on each rank of a stack's launches: ``loop_ns`` (launches, ranks); where ranks ran."""

    stack: str
    hosts: tuple[str, ...]
    loop_ns: np.ndarray


@frozen
class Told:
    """An anomaly and where it was seen."""

    stack: str
    kernel: str
    place: str
    anomaly: Anomaly


def advice(
    estimates: Sequence[Estimate],
    courses: Sequence[Course],
    traces: Sequence[Trace],
    rng: np.random.Generator,
    speeds: Sequence[Speeds] = (),
) -> tuple[Finding, ...]:
    """All findings of guidelines and anomalies of a run, each at its weight."""
    broken = guidelines.findings(guidelines.judge(estimates))
    told = [*_of_sizes(estimates), *_of_launches(estimates, rng), *_of_courses(courses), *_of_traces(traces)]
    told += _of_speeds(speeds)
    return (*broken, *_findings(told))


def _findings(told: Iterable[Told]) -> list[Finding]:
    """One sentence for each stack, kernel and kind."""
    groups: dict[tuple[str, str, str], list[Told]] = {}
    for one in told:
        groups.setdefault((one.stack, one.kernel, one.anomaly.kind), []).append(one)
    found = []
    for group in groups.values():
        worst = max(group, key=lambda one: abs(log(one.anomaly.effect.value)))
        finding = worst.anomaly.finding(f"{worst.stack} in {worst.kernel}{worst.place}")
        more = f" The same in {len(group) - 1} more of its cells." if len(group) > 1 else ""
        evidence = (*finding.evidence, ("stack", worst.stack), ("kernel", worst.kernel))
        found.append(evolve(finding, sentence=finding.sentence + more, evidence=evidence))
    return sorted(found, key=lambda finding: -finding.weight)


def _kept(found: Sequence[tuple[Anomaly | None, str, str, str]], looked_at: int) -> list[Told]:
    """Those that stand out of all that was looked at."""
    told = []
    for anomaly, stack, kernel, place in found:
        if anomaly is not None and anomaly.p_value * max(looked_at, 1) < LEVEL:
            corrected = min(1.0, anomaly.p_value * looked_at)
            told.append(Told(stack, kernel, place, evolve(anomaly, p_value=corrected)))
    return told


# --- of sizes and launches: from estimates ----------------------------------------------------------------------


def _of_sizes(estimates: Sequence[Estimate]) -> list[Told]:
    """Sizes off the powers of two, in kernels measured at enough sizes."""
    rows: dict[tuple[object, ...], list[Estimate]] = {}
    for one in estimates:
        if not one.failed and one.size_bytes > 0:
            rows.setdefault((one.stack, one.kernel, one.ranks, one.options), []).append(one)
    found, looked = [], 0
    for cells in rows.values():
        table = _table(sorted(cells, key=lambda one: one.size_bytes))
        if table is None:
            continue
        looked += 1
        sizes = np.array(sorted(one.size_bytes for one in cells), float)
        first = cells[0]
        found += [(one, first.stack, first.kernel, _place(0, first.ranks)) for one in _odd_sizes(sizes, table)]
    return _kept(found, looked)


def _odd_sizes(sizes: np.ndarray, table: np.ndarray) -> tuple[Anomaly, ...]:
    """A size that a breakpoint of the protocol explains is not odd: the next power of two costs as much or more."""
    odd = anomalies.off_power_of_two(sizes, table)
    medians = np.median(table, axis=0)
    powers = np.log2(sizes) % 1 == 0
    above = [float(np.min(medians[powers & (sizes > one.where)], initial=np.inf)) for one in odd]
    return tuple(one for one, limit in zip(odd, above, strict=True) if medians[sizes == one.where][0] > limit)


def _table(cells: Sequence[Estimate]) -> np.ndarray | None:
    """Launch medians (launches, sizes) over the rounds that all sizes share; None when they are too few."""
    shared = sorted(set.intersection(*(set(one.rounds) for one in cells))) if cells else []
    if len(shared) < MINIMUM_LAUNCHES or len(cells) < 3:
        return None
    columns = [dict(zip(one.rounds, one.launch_medians_ns, strict=True)) for one in cells]
    table = np.array([[column[number] for column in columns] for number in shared])
    return table if np.all(table > 0) else None


def _of_launches(estimates: Sequence[Estimate], rng: np.random.Generator) -> list[Told]:
    found: list[tuple[Anomaly | None, str, str, str]] = []
    for one in estimates:
        medians = np.array(one.launch_medians_ns)
        if not one.failed and medians.size >= FEWEST_FOR_MODES and np.all(medians > 0):
            anomaly = anomalies.bimodal_launches(medians, rng)
            found.append((anomaly, one.stack, one.kernel, _place(one.size_bytes, one.ranks)))
    return _kept(found, len(found))


# --- of the course of a launch ----------------------------------------------------------------------------------


def _of_courses(courses: Sequence[Course]) -> list[Told]:
    """A level that drifts, and launches that differ more than their batches explain; simulated clocks do neither."""
    usable = [one for one in courses if _is_long(one.batches_ns) and not one.simulated]
    kinds: tuple[Callable[[np.ndarray], Anomaly | None], ...] = (anomalies.not_stationary, anomalies.between_launches)
    told: list[Told] = []
    for kind in kinds:
        found = [(kind(one.batches_ns), one.stack, one.kernel, _place(one.size_bytes, one.ranks)) for one in usable]
        told += _kept(found, len(usable))
    return told


def _is_long(batches: np.ndarray) -> bool:
    launches, count = batches.shape
    return launches >= MINIMUM_LAUNCHES and count >= FEWEST_BATCHES and bool(np.all(batches > 0))


def _of_traces(traces: Sequence[Trace]) -> list[Told]:
    """Start-up transients and changes of the rate in bursts; the end of a start-up is no change of its own."""
    found: list[tuple[Anomaly | None, str, str, str]] = []
    usable = [one for one in traces if one.steps_ns.shape[0] >= MINIMUM_LAUNCHES]
    for one in usable:
        place = _place(one.size_bytes, one.ranks)
        start, changes = settled_changes(one.steps_ns, one.size_bytes)
        found += [(each, one.stack, "burst", place) for each in (start, *changes)]
    return _kept(found, len(usable))


def _of_speeds(speeds: Sequence[Speeds]) -> list[Told]:
    """Ranks that compute slower than the others, each with its host; the messages of the others wait for them."""
    found: list[tuple[Anomaly | None, str, str, str]] = []
    usable = [
        one for one in speeds if one.loop_ns.shape[0] >= MINIMUM_LAUNCHES and one.loop_ns.shape[1] >= FEWEST_RANKS
    ]
    for one in usable:
        for slow in anomalies.slow_ranks(one.loop_ns):
            rank = int(slow.where)
            what = f"rank {rank} on {one.hosts[rank]} computes slower than the others"
            place = f" on {one.loop_ns.shape[1]} ranks"
            found.append((evolve(slow, what=what), one.stack, "a fixed loop", place))
    return _kept(found, len(usable))


def _place(size_bytes: int, ranks: int) -> str:
    at = f" at {format_size(size_bytes)}" if size_bytes else ""
    return f"{at} on {ranks} ranks"
