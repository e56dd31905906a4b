"""From the data set of a run to the findings that every run gets beside its comparisons: guidelines and anomalies."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from attrs import evolve

from msgauge.analysis.estimates.burst_traces import make_traces
from msgauge.analysis.findings.anomaly_findings import BurstCourse, Speeds, find_anomalies
from msgauge.analysis.findings.ranking import rank
from msgauge.analysis.verdicts.clock_steps import half_step, list_steps
from msgauge.model import Analysis, Kernel, KernelKind, LaunchRecord
from msgauge.results.dataset import Dataset

LONGEST = 512
"""Batches of a launch that are looked at, as means of neighbours where there are more."""


def add_anomalies(dataset: Dataset, analysis: Analysis, kernels: Sequence[Kernel]) -> Analysis:
    """The analysis with its findings of guidelines and anomalies, ranked together with all others."""
    found = find_anomalies(
        analysis.estimates,
        burst_courses(dataset, kernels),
        [one for one in make_traces(dataset, kernels) if one.series == "sent"],
        speeds(dataset.records),
        1 - analysis.interval_level,
    )
    return evolve(analysis, findings=rank((*analysis.findings, *found)))


def burst_courses(dataset: Dataset, kernels: Sequence[Kernel]) -> tuple[BurstCourse, ...]:
    """The batches of every stack and cell, launches cut to the shortest of them.

    Samples that are points of a curve, or of pairs of ranks, have no level that could drift, and are left out.
    """
    curves = {kernel.name for kernel in kernels if kernel.kind in (KernelKind.CURVE, KernelKind.MATRIX)}
    cells, steps = {cell.id: cell for cell in dataset.plan.cells}, list_steps(dataset)
    found = []
    for one in dataset.cells.values():
        cell, stack = cells[one.key.cell], one.key.stack
        if cell.kernel in curves:
            continue
        shortest = min(frame.values.size for frame in one.frames)
        table = np.vstack([_downsample(frame.values[:shortest] / float(frame.divisor)) for frame in one.frames])
        simulated = stack in dataset.simulated
        half_ns = 0.0 if simulated else half_step(one.frames, steps)
        test = stack, cell.kernel, cell.size_bytes, cell.ranks
        found.append(BurstCourse(*test, table, simulated, half_ns, cell.options, cell.mode, cell.cache))
    return tuple(found)


def speeds(records: Sequence[LaunchRecord]) -> tuple[Speeds, ...]:
    """The fixed loop of every rank, for each stack and number of ranks, of launches whose ranks have all told it."""
    groups: dict[tuple[str, int], list[LaunchRecord]] = {}
    for record in records:
        known = all("loop_ns" in dict(place.condition) for place in record.placement)
        if record.placement and known and len(record.placement) == record.launch.ranks:
            groups.setdefault((record.launch.stack, record.launch.ranks), []).append(record)
    return tuple(
        Speeds(
            stack,
            tuple(place.host for place in group[0].placement),
            np.array([[float(dict(place.condition)["loop_ns"]) for place in one.placement] for one in group]),
        )
        for (stack, _), group in groups.items()
    )


def _downsample(row: np.ndarray) -> np.ndarray:
    """At most ``LONGEST`` values: medians of neighbours, so that single interruptions do not count as drift."""
    step = -(-row.size // LONGEST)
    whole = row.size // step * step
    return np.asarray(np.median(row[:whole].reshape(-1, step), axis=1))
