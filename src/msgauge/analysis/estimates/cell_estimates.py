"""Where each stack stands in each cell: location over launch medians with its interval, tails over all samples."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isnan, nan

import numpy as np
from attrs import evolve, frozen

from msgauge.analysis.estimates.launch_tables import look_at_launches
from msgauge.analysis.verdicts.clock_errors import clock_error_ns
from msgauge.analysis.verdicts.clock_steps import find_half_steps
from msgauge.analysis.verdicts.round_starts import read_starts
from msgauge.model import Cell, CellKey, Estimate, Failure, Kernel, KernelKind, Place, Refusal, Samples, SlowLaunches
from msgauge.model.kernel_arithmetic import bytes_moved
from msgauge.results.dataset import WARMUP, CellSamples, Dataset
from msgauge.stats.dependence import locate_series
from msgauge.stats.error_bounds import bound_ratio, widen
from msgauge.stats.group_sequential import STOPPING_LEVEL
from msgauge.stats.percentiles import tails
from msgauge.stats.slow_launches import LEAST_FACTOR, find_slow_launches

_LEAST_NS = 1e-3
"""A median of zero (a clock that is too coarse) has a logarithm all the same."""


def estimate_cells(
    dataset: Dataset, kernels: Mapping[str, Kernel], *, with_tails: bool = True, level: float = 0.95
) -> tuple[Estimate, ...]:
    """One for every stack and cell that was measured, in the order of the plan; ``level``: of the intervals.

    Without tails no sample is touched: launch medians are there already; mean, minimum and percentiles stay nan.
    """
    found = []
    half_ns = find_half_steps(dataset)
    cells, intervals = dataset.cells, _locate(dataset, half_ns, level)
    for cell in dataset.plan.cells:
        for stack in dataset.plan.stacks:
            one = cells.get(CellKey(stack, cell.id))
            if one is not None:
                estimate = _estimate(one, cell, kernels.get(cell.kernel), intervals[one.key])
                estimate = evolve(_mark_kind(estimate, dataset), half_step_ns=half_ns[one.key])
                found.append(_with_tails(estimate, one, cell) if with_tails else estimate)
    return tuple(found)


def add_failed(
    dataset: Dataset, estimates: Sequence[Estimate], failures: Sequence[Failure], refusals: Sequence[Refusal]
) -> tuple[Estimate, ...]:
    """With an estimate for each cell that was started, not refused, and delivered nothing; in the order of the plan."""
    measured = {one.key: one for one in estimates}
    refused = {one.key for one in refusals}
    found = []
    for cell in dataset.plan.cells:
        for stack in dataset.plan.stacks:
            key = CellKey(stack, cell.id)
            if key in measured:
                found.append(measured[key])
            elif key in dataset.started and key not in refused:
                failed = _make_failed(stack, cell, failures)
                found.append(_mark_kind(failed, dataset))
    return tuple(found)


def place(estimates: Sequence[Estimate], places: Mapping[CellKey, Place]) -> tuple[Estimate, ...]:
    """With where each stack may stand in its cell; a cell that failed has no place."""
    return tuple(one if one.failed else evolve(one, place=places.get(one.key)) for one in estimates)


def add_slow_launches(estimates: Sequence[Estimate]) -> tuple[Estimate, ...]:
    """With the launches that were slow as a whole while the other stacks of their rounds were not."""
    found = look_at_launches(estimates, find_slow_launches)
    return tuple(
        evolve(one, slow_launches=_allow_for_steps(found[one.key], one) if one.key in found else None)
        for one in estimates
    )


def _allow_for_steps(slow: SlowLaunches, one: Estimate) -> SlowLaunches:
    """With limits of the factor that reach as far as the steps of the clock leave both of its times open."""
    if isnan(slow.factor_low):
        return slow
    level = one.median_ns
    reach = bound_ratio((one.half_step_ns, level), (one.half_step_ns, slow.factor * level))
    low, high = widen(slow.factor_low, slow.factor_high, reach)
    return evolve(slow, factor_low=max(low, LEAST_FACTOR), factor_high=high)


@frozen
class _Interval:
    """Of the location of one stack in one cell, ns, and whether more rounds would tell it better than was asked for."""

    low_ns: float
    high_ns: float
    settled: bool


def _locate(dataset: Dataset, half_ns: Mapping[CellKey, float], level: float) -> dict[CellKey, _Interval]:
    """Intervals of all locations, as wide as the rounds of the run resemble each other (``stats.dependence``), and half
    a step of the clock further."""
    found: dict[CellKey, _Interval] = {}
    for kind in dataset.kinds:
        mine = [key for key in dataset.cells if key.stack in kind]
        series = [np.log(np.maximum(dataset.cells[key].medians_ns, _LEAST_NS)) for key in mine]
        low, high = locate_series(series, level)
        first, last = locate_series(series, 1 - STOPPING_LEVEL)
        settled = last - first <= 2 * dataset.plan.stopping.ratio_precision
        with np.errstate(over="ignore"):  # the limit of two launches far apart may be beyond all numbers
            least, most = np.exp(low), np.exp(high)
        for at, key in enumerate(mine):
            half = half_ns[key]
            found[key] = _Interval(max(float(least[at]) - half, 0.0), float(most[at]) + half, bool(settled[at]))
    return found


def _estimate(one: CellSamples, cell: Cell, kernel: Kernel | None, interval: _Interval) -> Estimate:
    middle = float(np.median(one.medians_ns))
    return evolve(
        _identity(one.key.stack, cell),
        median_ns=middle,
        low_ns=min(interval.low_ns, middle),
        high_ns=max(interval.high_ns, middle),
        settled=interval.settled,
        bandwidth_bytes_per_s=_bandwidth(kernel, cell, middle),
        messages_per_s=_message_rate(kernel, middle),
        kernel_kind=kernel.kind if kernel else KernelKind.OPERATION,
        launches=int(one.medians_ns.size),
        emulated=one.compared.emulated,
        stationary=one.compared.stationary,
        oversubscribed=one.compared.oversubscribed,
        clock_error_ns=clock_error_ns(one.frames),
        launch_medians_ns=tuple(one.medians_ns.tolist()),
        rounds=one.compared.rounds,
        starts=tuple(read_starts(one).items()),
        series=tuple(
            (series.name, float(np.median(series.medians_ns))) for series in one.further if series.name != WARMUP
        ),
    )


def _with_tails(estimate: Estimate, one: CellSamples, cell: Cell) -> Estimate:
    shape = tails(all_samples(one.frames), single=cell.mode == "single")
    return evolve(
        estimate,
        mean_ns=shape.mean,
        minimum_ns=shape.minimum,
        p5_ns=shape.p5,
        p95_ns=shape.p95,
        p99_ns=shape.p99,
        p999_ns=shape.p999,
        samples=sum(frame.values.size for frame in one.frames),
    )


def _identity(stack: str, cell: Cell) -> Estimate:
    test = stack, cell.id, cell.kernel, cell.size_bytes, cell.ranks, cell.options
    return Estimate(*test, mode=cell.mode, cache=cell.cache)


def all_samples(frames: Sequence[Samples]) -> np.ndarray:
    """Float64 of shape (samples of all launches,), ns per event; a copy that may be reordered."""
    last = [(frame.compared, frame.divisor) for frame in frames]
    whole = np.empty(sum(values.size for values, _ in last))
    start = 0
    for values, divisor in last:
        np.divide(values, divisor, out=whole[start : start + values.size])
        start += values.size
    return whole


def _bandwidth(kernel: Kernel | None, cell: Cell, median_ns: float) -> float:
    """Bytes per second by the kernel's own arithmetic; nan when it moves none or is not known."""
    moved = bytes_moved(kernel, cell.size_bytes, cell.ranks) if kernel else 0.0
    return moved / median_ns * 1e9 if moved > 0 and median_ns > 0 else nan


def _message_rate(kernel: Kernel | None, median_ns: float) -> float:
    """Messages per second of a kernel that is asked for them; nan of the others."""
    return 1e9 / median_ns if kernel and kernel.headline == "messages" and median_ns > 0 else nan


def _mark_kind(one: Estimate, dataset: Dataset) -> Estimate:
    """With where its messages went, by which it is compared (``Dataset.kinds``)."""
    return evolve(one, simulated=one.stack in dataset.simulated, local=one.stack in dataset.local)


def _make_failed(stack: str, cell: Cell, failures: Sequence[Failure]) -> Estimate:
    """The estimate of a cell that was started and delivered nothing: its reason, or that of the whole stack."""
    own = [failure for failure in failures if failure.stack == stack and failure.cell in {cell.id, -1}]
    own.sort(key=lambda failure: failure.cell, reverse=True)
    reason = own[0].reason if own else "it was started, but no samples of it arrived"
    return evolve(_identity(stack, cell), failed=reason)
