"""What was measured, as models, claims and tables take it: launch medians of one stack, cell and series."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import nan

import numpy as np
from attrs import evolve, frozen

from msgauge.model import Cell, Kernel, Pairs, Pattern, Samples
from msgauge.results.dataset import Dataset, Series
from msgauge.stats.dependence import Pace

LEAST_NS = 1e-3
"""A median of nothing would have no logarithm."""


@frozen
class Observation:
    """One series of one stack in one cell: ``medians_ns`` a launch each, per event; their ``rounds`` they are of."""

    stack: str
    kernel: str
    size_bytes: int
    ranks: int
    options: Pairs
    series: str
    rounds: tuple[int, ...]
    medians_ns: tuple[float, ...]
    minimum_ns: float = nan
    mean_ns: float = nan
    maximum_ns: float = nan
    """Of all samples, like the minimum."""
    simulated: bool = False
    oversubscribed: bool = False
    timer_ns: float = 0.0
    """Overhead of one read of the clock in these launches."""
    pattern: Pattern = Pattern.NONE
    """By which models predict the kernel, as the run's facts state it."""

    local: bool = False
    """Its ranks stayed on the present computer while those of other stacks stood on hosts."""

    @property
    def median_ns(self) -> float:
        """Median over launches, ns."""
        return float(np.median(self.medians_ns))


def find_paces(observed: Iterable[Observation]) -> dict[str, Pace]:
    """The pace that each stack shares with all of its kind (on hosts, here beside them, in simulated time), by stack.

    Of each cell the series that is compared, which is its first one.
    """
    kinds: dict[tuple[bool, bool], dict[tuple[object, ...], np.ndarray]] = {}
    stacks: dict[str, tuple[bool, bool]] = {}
    for one in observed:
        kind = stacks.setdefault(one.stack, (one.simulated, one.local))
        place = (one.stack, one.kernel, one.size_bytes, one.ranks, one.options)
        kinds.setdefault(kind, {}).setdefault(place, np.array(one.medians_ns))
    paces = {kind: Pace.of(series.values()) for kind, series in kinds.items()}
    return {stack: paces[kind] for stack, kind in stacks.items()}


def make_observations(dataset: Dataset, kernels: Iterable[Kernel]) -> tuple[Observation, ...]:
    """One for each stack, cell and series that counts; ``kernels``: the facts of those that the run measured."""
    return tuple(_observations(dataset, {kernel.name: kernel.pattern for kernel in kernels}))


def _observations(dataset: Dataset, patterns: Mapping[str, Pattern]) -> Iterator[Observation]:
    cells = {cell.id: cell for cell in dataset.plan.cells}
    timer_ns = {record.launch.number: record.timer_cost_ns for record in dataset.records}
    for one in dataset.cells.values():
        for series in one.series:
            costs_ns = [timer_ns[launch.number] for launch in series.launches]
            cell = cells[one.key.cell]
            found = _observe(series, cell, dataset, costs_ns)
            yield evolve(found, pattern=patterns.get(cell.kernel, Pattern.NONE))


def _observe(series: Series, cell: Cell, dataset: Dataset, timer_costs_ns: Sequence[float]) -> Observation:
    return Observation(
        stack=series.key.stack,
        kernel=cell.kernel,
        size_bytes=cell.size_bytes,
        ranks=cell.ranks,
        options=cell.options,
        series=series.name,
        rounds=tuple(series.pairs.tolist()),
        medians_ns=tuple(np.maximum(series.medians_ns, LEAST_NS).tolist()),
        minimum_ns=min(float(np.min(frame.values)) / frame.divisor for frame in series.frames),
        mean_ns=float(np.mean([_mean(frame) for frame in series.frames])),
        maximum_ns=max(float(np.max(frame.values)) / frame.divisor for frame in series.frames),
        simulated=series.key.stack in dataset.simulated,
        local=series.key.stack in dataset.local,
        oversubscribed=series.oversubscribed,
        timer_ns=float(np.median(timer_costs_ns)),
    )


def _mean(frame: Samples) -> float:
    return float(np.mean(frame.values)) / frame.divisor
