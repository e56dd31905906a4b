"""The steps of bursts: the time of each message of a row of messages that were sent one after the other from rest."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np
from attrs import frozen

from msgauge.model import Cell, Kernel, KernelKind, Pairs, Samples
from msgauge.results.dataset import CellSamples, Dataset

SERIES = ("sent", "received")
USUAL_STEPS = 100
FEWEST_STEPS = 20


@frozen(eq=False)
class Trace:
    """``steps_ns``: time of each message in order, shape (launches, steps), positive."""

    stack: str
    kernel: str
    size_bytes: int
    ranks: int
    options: Pairs
    steps_ns: np.ndarray
    series: str = "sent"


def make_traces(dataset: Dataset, kernels: Iterable[Kernel]) -> tuple[Trace, ...]:
    """One trace for each stack, cell and series of bursts, one row a launch; none when shorter than 20 steps.

    ``kernels``: the facts of those that the run measured; a burst is what kernels of the kind ``curve`` send.
    """
    curves = {kernel.name for kernel in kernels if kernel.kind is KernelKind.CURVE}
    cells = {cell.id: cell for cell in dataset.plan.cells if cell.kernel in curves}
    return tuple(
        trace
        for one in dataset.cells.values()
        if one.key.cell in cells
        for trace in _traces_of_cell(one, cells[one.key.cell])
    )


def _traces_of_cell(one: CellSamples, cell: Cell) -> Iterator[Trace]:
    """A frame holds one burst after the other, each the time since its first send at which message 1, 2, ... had left
    (or had come); the median step over the bursts of a launch is its row.
    """
    points = int(dict(cell.options).get("messages", str(USUAL_STEPS)))
    frames = {series.name: series.frames for series in one.series}
    for name in SERIES:
        steps = _steps(frames.get(name, ()), points)
        if steps.size:
            yield Trace(one.key.stack, cell.kernel, cell.size_bytes, cell.ranks, cell.options, steps, name)


def _steps(frames: Sequence[Samples], points: int) -> np.ndarray:
    """Shape (launches, steps), cut to the shortest launch; empty where no launch is long enough."""
    rows = [row for frame in frames if (row := _row(frame, points)).size >= FEWEST_STEPS]
    if not rows:
        return np.empty((0, 0))
    shortest = min(row.size for row in rows)
    return np.vstack([np.maximum(row[:shortest], 1.0) for row in rows])


def _row(frame: Samples, points: int) -> np.ndarray:
    bursts = frame.per_event[: frame.values.size // points * points].reshape(-1, points)
    if not bursts.size:
        return np.array([])
    return np.asarray(np.median(np.diff(bursts, axis=1, prepend=0.0), axis=0))
