"""What was measured, as models, claims and tables take it: launch medians of one stack, cell and series."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import nan

import numpy as np
from attrs import evolve, frozen

from msgauge.analysis.verdicts.clock_steps import half_step, list_steps
from msgauge.analysis.verdicts.round_starts import read_starts
from msgauge.model import CacheMode, Cell, Kernel, Mode, Pairs, Pattern, Samples
from msgauge.results.dataset import Dataset, Series
from msgauge.stats.dependence import Pace
from msgauge.stats.round_memory import measure_memory

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
    starts: tuple[tuple[int, str], ...] = ()
    """How the rounds began (``model.starts``), of the launches that say it."""
    minimum_ns: float = nan
    mean_ns: float = nan
    maximum_ns: float = nan
    """Of all samples, like the minimum."""
    simulated: bool = False
    oversubscribed: bool = False
    timer_ns: float = 0.0
    """Overhead of one read of the clock in these launches."""
    half_step_ns: float = 0.0
    """Half the step of their clock, per event: by so much the medians may be wrong, however many there are."""
    pattern: Pattern = Pattern.NONE
    """By which models predict the kernel, as the run's facts state it."""

    local: bool = False
    """Its ranks stayed on the present computer while those of other stacks stood on hosts."""
    mode: Mode = "batch"
    cache: CacheMode = "hot"

    @property
    def median_ns(self) -> float:
        """Median over launches, ns."""
        return float(np.median(self.medians_ns))


def find_paces(observed: Iterable[Observation]) -> dict[str, Pace]:
    """The pace that each stack shares with all of its kind (on hosts, here beside them, in simulated time), by stack.

    Of each cell the series that is compared, which is its first one.
    """
    first = _find_first(observed)
    paces = {kind: Pace.of(np.array(one.medians_ns) for one in compared) for kind, compared in first.items()}
    return {one.stack: paces[kind] for kind, compared in first.items() for one in compared}


def find_memory_factors(observed: Iterable[Observation]) -> dict[str, float]:
    """By how much launches that resemble those before them widen what is said of each stack; series as ``find_paces``.

    Simulated time has no memory.
    """
    factors: dict[str, float] = {}
    for (simulated, _), compared in _find_first(observed).items():
        factors |= {one.stack: 1.0 for one in compared} if simulated else _factors(compared)
    return factors


def _find_first(observed: Iterable[Observation]) -> dict[tuple[bool, bool], list[Observation]]:
    """The series that is compared of each cell of each stack, by kind (simulated, local)."""
    found: dict[tuple[bool, bool], dict[tuple[object, ...], Observation]] = {}
    for one in observed:
        found.setdefault((one.simulated, one.local), {}).setdefault((one.stack, *_cell(one)), one)
    return {kind: list(compared.values()) for kind, compared in found.items()}


def _cell(one: Observation) -> tuple[object, ...]:
    return one.kernel, one.size_bytes, one.ranks, one.options, one.mode, one.cache


def _factors(compared: Sequence[Observation]) -> dict[str, float]:
    stacks = {stack: row for row, stack in enumerate(dict.fromkeys(one.stack for one in compared))}
    cells = {cell: column for column, cell in enumerate(dict.fromkeys(map(_cell, compared)))}
    rounds = 1 + max((max(one.rounds, default=-1) for one in compared), default=-1)
    times = np.full((len(stacks), len(cells), rounds), nan)
    for one in compared:
        times[stacks[one.stack], cells[_cell(one)], list(one.rounds)] = one.medians_ns
    return dict(zip(stacks, measure_memory(times).of(np.arange(len(stacks))).tolist(), strict=True))


def make_observations(dataset: Dataset, kernels: Iterable[Kernel]) -> tuple[Observation, ...]:
    """One for each stack, cell and series that counts; ``kernels``: the facts of those that the run measured."""
    return tuple(_observations(dataset, {kernel.name: kernel.pattern for kernel in kernels}))


def _observations(dataset: Dataset, patterns: Mapping[str, Pattern]) -> Iterator[Observation]:
    cells = {cell.id: cell for cell in dataset.plan.cells}
    timer_ns = {record.launch.number: record.timer_cost_ns for record in dataset.records}
    steps = list_steps(dataset)
    for one in dataset.cells.values():
        starts = tuple(read_starts(one).items())
        for series in one.series:
            costs_ns = [timer_ns[launch.number] for launch in series.launches]
            cell = cells[one.key.cell]
            found = evolve(_observe(series, cell, dataset), timer_ns=float(np.median(costs_ns)))
            half_ns = 0.0 if found.simulated else half_step(series.frames, steps)
            yield evolve(found, starts=starts, half_step_ns=half_ns, pattern=patterns.get(cell.kernel, Pattern.NONE))


def _observe(series: Series, cell: Cell, dataset: Dataset) -> Observation:
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
        mode=cell.mode,
        cache=cell.cache,
    )


def _mean(frame: Samples) -> float:
    return float(np.mean(frame.values)) / frame.divisor
