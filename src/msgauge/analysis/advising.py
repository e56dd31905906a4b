"""From a run folder to the findings that every run gets beside its comparisons: guidelines and anomalies."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from attrs import evolve

from msgauge.advise.advice import Course, Speeds, advice
from msgauge.analysis.gather import attribute, primary_series
from msgauge.analysis.observing import counted_records
from msgauge.analysis.paper_run import traces_of
from msgauge.model import Analysis, LaunchRecord, Samples
from msgauge.store import RunFolder

CURVES = frozenset({"burst"})
"""Kernels whose samples are points of a curve: they have no level that could drift."""
LONGEST = 512
"""Batches of a launch that are looked at, as means of neighbours where there are more."""


def with_advice(folder: RunFolder, analysis: Analysis) -> Analysis:
    """The analysis with its findings of guidelines and anomalies, the weightiest of all first.

    Raises:
        StoreError: the samples are damaged.
    """
    records, frames = folder.records(), list(folder.samples())
    found = advice(
        analysis.estimates,
        courses(records, frames, folder),
        [one for one in traces_of(records, frames, folder) if one.series == "sent"],
        np.random.default_rng(folder.plan.seed),
        speeds(records),
    )
    ordered = sorted((*analysis.findings, *found), key=lambda finding: -finding.weight)
    return evolve(analysis, findings=tuple(ordered))


def courses(records: Sequence[LaunchRecord], frames: Sequence[Samples], folder: RunFolder) -> tuple[Course, ...]:
    """The batches of every stack and cell, launches cut to the shortest of them."""
    cells = {cell.id: cell for cell in folder.plan.cells}
    simulated = {stack.spec for stack in folder.stacks if stack.simulated}
    counted = counted_records(records)
    parts: dict[tuple[str, int], list[Samples]] = {}
    for frame in frames:
        record = counted.get(frame.launch)
        measured = frame.values.size and attribute(frame, "status", "ok") == "ok"
        if record is not None and measured and cells[frame.cell].kernel not in CURVES:
            parts.setdefault((record.launch.stack, frame.cell), []).append(frame)
    found = []
    for (stack, number), group in parts.items():
        cell, primary = cells[number], primary_series([frame.series for frame in group])
        rows = [frame.per_event for frame in group if frame.series == primary]
        shortest = min(row.size for row in rows)
        table = np.vstack([_thinned(row[:shortest]) for row in rows])
        found.append(Course(stack, cell.kernel, cell.size_bytes, cell.ranks, table, stack in simulated))
    return tuple(found)


def speeds(records: Sequence[LaunchRecord]) -> tuple[Speeds, ...]:
    """The fixed loop of every rank, for each stack and number of ranks, of launches whose ranks have all told it."""
    groups: dict[tuple[str, int], list[LaunchRecord]] = {}
    for record in records:
        told = all("loop_ns" in dict(place.condition) for place in record.placement)
        if record.placement and told and len(record.placement) == record.launch.ranks:
            groups.setdefault((record.launch.stack, record.launch.ranks), []).append(record)
    return tuple(
        Speeds(
            stack,
            tuple(place.host for place in group[0].placement),
            np.array([[float(dict(place.condition)["loop_ns"]) for place in one.placement] for one in group]),
        )
        for (stack, _), group in groups.items()
    )


def _thinned(row: np.ndarray) -> np.ndarray:
    """At most ``LONGEST`` values: medians of neighbours, so that single interruptions do not count as drift."""
    step = -(-row.size // LONGEST)
    whole = row.size // step * step
    return np.asarray(np.median(row[:whole].reshape(-1, step), axis=1))
