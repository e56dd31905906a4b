"""The steps of bursts: the time of each message of a row of messages that were sent one after the other from rest."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

import numpy as np
from attrs import frozen

from msgauge.analysis.verdicts.clock_steps import half_step, list_steps
from msgauge.model import CacheMode, Cell, Kernel, KernelKind, Mode, Pairs, Samples
from msgauge.models.anomalies import SHORTEST_LEVEL
from msgauge.results.dataset import CellSamples, Dataset
from msgauge.stats.error_bounds import bound_ratio

SERIES = ("sent", "received")
USUAL_STEPS = 100
FEWEST_STEPS = 20


@frozen(eq=False)
class Trace:
    """``steps_ns``: time of each message in order, shape (launches, steps), positive.

    ``half_step_ns``: of the clock that they were read off.
    """

    stack: str
    kernel: str
    size_bytes: int
    ranks: int
    options: Pairs
    steps_ns: np.ndarray
    series: str = "sent"
    half_step_ns: float = 0.0
    mode: Mode = "batch"
    cache: CacheMode = "hot"

    @property
    def reach(self) -> float:
        """How far steps of the clock may move the logarithm of a ratio of two levels: as of the fastest for both."""
        whole = self.steps_ns[:, : self.steps_ns.shape[1] // SHORTEST_LEVEL * SHORTEST_LEVEL]
        levels = np.median(whole.reshape(whole.shape[0], -1, SHORTEST_LEVEL), axis=(0, 2))
        fastest = self.half_step_ns, float(levels.min(initial=np.inf))
        return bound_ratio(fastest, fastest)


def make_traces(dataset: Dataset, kernels: Iterable[Kernel]) -> tuple[Trace, ...]:
    """One trace for each stack, cell and series of bursts, one row a launch; none when shorter than 20 steps.

    ``kernels``: the facts of those that the run measured; a burst is what kernels of the kind ``curve`` send.
    """
    curves = {kernel.name for kernel in kernels if kernel.kind is KernelKind.CURVE}
    cells = {cell.id: cell for cell in dataset.plan.cells if cell.kernel in curves}
    clock = list_steps(dataset)
    return tuple(
        trace
        for one in dataset.cells.values()
        if one.key.cell in cells
        for trace in _traces_of_cell(one, cells[one.key.cell], {} if one.key.stack in dataset.simulated else clock)
    )


def _traces_of_cell(one: CellSamples, cell: Cell, clock: Mapping[int, float]) -> Iterator[Trace]:
    """A frame holds one burst after the other, each the time since its first send at which message 1, 2, ... had left
    (or had come); the median step over the bursts of a launch is its row. ``clock``: its step in each launch, ns.
    """
    points = int(dict(cell.options).get("messages", str(USUAL_STEPS)))
    frames = {series.name: series.frames for series in one.series}
    for name in SERIES:
        steps = _steps(frames.get(name, ()), points)
        if steps.size:
            half_ns = half_step(frames[name], clock) if clock else 0.0
            test = one.key.stack, cell.kernel, cell.size_bytes, cell.ranks, cell.options
            yield Trace(*test, steps, name, half_ns, cell.mode, cell.cache)


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
