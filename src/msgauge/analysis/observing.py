"""From the frames of a run to what claims and models take: launch medians of every stack, cell and series."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from msgauge.advise.observed import Observed
from msgauge.analysis.cautions import is_oversubscribed
from msgauge.analysis.gather import attribute, launch_median, repeated_blocks
from msgauge.model import LaunchRecord, Samples
from msgauge.store import RunFolder

BLOCKS = 1000
"""Rounds are counted in thousands, so that a repeated block is a round of its own."""


def observations(records: Sequence[LaunchRecord], frames: Iterable[Samples], folder: RunFolder) -> tuple[Observed, ...]:
    """One for each stack, cell and series; disturbed blocks that were repeated are left out, as everywhere."""
    cells = {cell.id: cell for cell in folder.plan.cells}
    simulated = {stack.spec for stack in folder.stacks if stack.simulated}
    counted = counted_records(records)
    parts: dict[tuple[str, int, str], list[tuple[int, Samples, bool]]] = {}
    for frame in frames:
        record = counted.get(frame.launch)
        if record is not None and frame.values.size and attribute(frame, "status", "ok") == "ok":
            round_ = record.launch.round * BLOCKS + record.launch.block
            key = record.launch.stack, frame.cell, frame.series
            parts.setdefault(key, []).append((round_, frame, is_oversubscribed(record)))
    found = []
    for (stack, number, series), rows in parts.items():
        cell = cells[number]
        found.append(
            Observed(
                stack=stack,
                kernel=cell.kernel,
                size_bytes=cell.size_bytes,
                ranks=cell.ranks,
                options=cell.options,
                series=series,
                rounds=tuple(round_ for round_, _, _ in rows),
                medians_ns=tuple(max(launch_median(frame), 1e-3) for _, frame, _ in rows),
                minimum_ns=min(float(np.min(frame.values)) / frame.divisor for _, frame, _ in rows),
                mean_ns=float(np.mean([float(np.mean(frame.values)) / frame.divisor for _, frame, _ in rows])),
                maximum_ns=max(float(np.max(frame.values)) / frame.divisor for _, frame, _ in rows),
                simulated=stack in simulated,
                oversubscribed=any(crowded for _, _, crowded in rows),
                timer_ns=float(np.median([counted[frame.launch].timer_cost_ns for _, frame, _ in rows])),
            )
        )
    return tuple(found)


def counted_records(records: Sequence[LaunchRecord]) -> dict[int, LaunchRecord]:
    """Records by number, without the disturbed blocks that were repeated."""
    left_out = repeated_blocks(records)
    return {
        record.launch.number: record
        for record in records
        if (record.launch.round, record.launch.ranks, record.launch.block) not in left_out
    }
