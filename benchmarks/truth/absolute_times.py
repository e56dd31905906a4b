"""Absolute times, in which the pace of a machine does not cancel: under drift, in two modes, at looks, at the stop."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
from benchmarks.truth.machines import SCATTER, SLOW_FACTOR, SLOW_SHARE, correlate
from benchmarks.truth.simulation import Figure, Simulation, generator
from scipy.special import erfinv

from msgauge.model import Stopping
from msgauge.stats.dependence import locate_series
from msgauge.stats.group_sequential import REPORTED_LEVEL, STOPPING_LEVEL
from msgauge.stats.location import median_interval
from msgauge.stats.look_schedule import interval_level_after, looks_of_run
from msgauge.stats.pairwise import INTERVAL_LEVEL

SERIES = 20


def absolute_coverage(correlation: float, rounds: int, trials: int) -> Figure:
    """Share of absolute intervals that hold the long-run level, rounds AR(1); before: order statistics as they are."""
    random = generator(5)

    def draw() -> np.ndarray:
        return SCATTER * correlate(random.normal(0, 1, (SERIES, rounds)), correlation)

    case, shares = f"AR(1) {correlation}, {rounds} rounds, {SERIES} series", _shares_held(draw, 0.0, trials)
    return Figure("absolute intervals hold under drift", "93 to 97 %", case, *shares, trials * SERIES)


def absolute_of_common_pace(correlation: float, rounds: int, noise: float, series: int, trials: int) -> Figure:
    """As ``absolute_coverage``, of series that share the pace of the machine, with ``noise`` of its scatter each.

    However many they are, they say of the pace what one does, and miss together: a run counts once. Before: order
    statistics as they are. Nothing is promised of five rounds.
    """
    random = generator(7)

    def draw() -> np.ndarray:
        pace = correlate(random.normal(0, 1, (1, rounds)), correlation)
        return SCATTER * np.asarray(pace + noise * random.normal(0, 1, (series, rounds)))

    case = f"common pace AR(1) {correlation}, own noise {noise}, {rounds} rounds, {series} series"
    shares = _shares_held(draw, 0.0, trials)
    promised = "at least 93 %" if rounds > 5 else ""
    return Figure("absolute intervals hold where all series share the pace", promised, case, *shares, trials)


def absolute_on_a_trend(rise: float, rounds: int, series: int, trials: int) -> Figure:
    """Share of absolute intervals that hold the mean over the rounds measured, where the machine slows down all along.

    All series rise by ``rise`` scatters from the first round to the last one, and each launch scatters by itself.
    Before: order statistics as they are, which on a trend are too wide.
    """
    random, trend = generator(8), rise * np.linspace(-0.5, 0.5, rounds)

    def draw() -> np.ndarray:
        return SCATTER * np.asarray(trend + random.normal(0, 1, (series, rounds)))

    case = f"trend of {rise} scatters, {rounds} rounds, {series} series"
    shares = _shares_held(draw, 0.0, trials)
    claim = "absolute intervals hold the mean of the rounds while the machine slows down"
    return Figure(claim, "at least 93 %", case, *shares, trials)


def absolute_in_modes(correlation: float, rounds: int, lasting: bool, trials: int) -> Figure:
    """As ``absolute_coverage``, of launches of which 30 % are slow by 1.3.

    ``lasting``: slow launches follow each other as rounds do, and nothing else does. Else each launch is slow by
    itself, beside a pace that is AR(1). No share is promised where modes last for several rounds: of a series that was
    in one of them alone nothing tells that it has another one.
    """
    random, limit = generator(6), float(np.sqrt(2) * erfinv(1 - 2 * SLOW_SHARE))
    scatter = SCATTER / 2 if lasting else SCATTER
    long = random.normal(0, scatter, 10**6) + np.log(SLOW_FACTOR) * (random.random(10**6) < SLOW_SHARE)
    truth = float(np.median(long))

    def draw() -> np.ndarray:
        pace = correlate(random.normal(0, 1, (SERIES, rounds)), correlation)
        slow = pace > limit if lasting else random.random(pace.shape) < SLOW_SHARE
        noise = random.normal(0, 1, pace.shape) if lasting else pace
        return scatter * noise + np.log(SLOW_FACTOR) * np.asarray(slow)

    modes = "modes that last, AR(1)" if lasting else "modes launch by launch, pace AR(1)"
    shares = _shares_held(draw, truth, trials)
    promised = "" if lasting and correlation > 0.5 else "at least 93 %"
    claim = "absolute intervals hold under drift with launches in two modes"
    return Figure(claim, promised, f"{modes} {correlation}, {rounds} rounds, {SERIES} series", *shares, trials * SERIES)


def absolute_at_looks(correlation: float, rounds: int, trials: int) -> Figure:
    """Share of absolute times of which any interval misses the long-run level, at any look or in the report.

    Rounds are AR(1). Before: 95 % each.
    """
    random, stopping = generator(98), Stopping(minimum_rounds=5, maximum_rounds=rounds)
    looks = looks_of_run(stopping)
    now, before = [], []
    for _ in range(trials):
        values = SCATTER * correlate(random.normal(0, 1, (SERIES, rounds)), correlation)
        missed, formerly = np.zeros((2, SERIES), dtype=bool)
        for n in looks:
            level = interval_level_after(stopping, n, is_end=n == rounds)
            missed |= _misses_level(values[:, :n], level)
            formerly |= _misses_level(values[:, :n], INTERVAL_LEVEL)
        now.append(missed.mean())
        before.append(formerly.mean())
    case = f"AR(1) {correlation}, looks up to {rounds} rounds, {SERIES} series"
    shares = float(np.mean(now)), float(np.mean(before))
    claim = "no interval of an absolute time misses at any look of a run"
    return Figure(claim, "<= 5 %", case, *shares, trials * SERIES)


def absolute_at_stop(correlation: float, series: int, trials: int) -> Figure:
    """Share of absolute intervals that hold where a run of one stack ended as all of them were known to 2 %.

    Before: stopped and reported at 95 %.
    """
    random, stopping = generator(99), Stopping(minimum_rounds=5, maximum_rounds=30)
    end = interval_level_after(stopping, stopping.maximum_rounds, is_end=True)
    now, before = [], []
    for _ in range(trials):
        values = SCATTER / 2 * correlate(random.normal(0, 1, (series, stopping.maximum_rounds)), correlation)
        now.append(1 - _missed_at_stop(values, stopping, (STOPPING_LEVEL, REPORTED_LEVEL, end)))
        before.append(1 - _missed_at_stop(values, stopping, (INTERVAL_LEVEL,) * 3))
    case = f"AR(1) {correlation}, {series} series, scatter 1 %, looks up to 30 rounds"
    shares = float(np.mean(now)), float(np.mean(before))
    return Figure("absolute intervals hold at the adaptive stop", "at least 93 %", case, *shares, trials * series)


def simulations() -> Iterator[Simulation]:
    """Those of absolute times."""
    for correlation in (0.0, 0.5, 0.7, 0.8):
        for rounds in (5, 7, 10, 20):
            yield Simulation(absolute_coverage, (correlation, rounds), 1500)
    yield from _of_common_pace()
    for correlation, lasting in ((0.0, False), (0.5, False), (0.8, False), (0.5, True), (0.8, True)):
        for rounds in (5, 7, 20):
            yield Simulation(absolute_in_modes, (correlation, rounds, lasting), 800)
    for correlation in (0.0, 0.5, 0.7):
        yield Simulation(absolute_at_looks, (correlation, 20), 400)
    for correlation in (0.0, 0.5):
        for series in (1, 20):
            yield Simulation(absolute_at_stop, (correlation, series), 1000 // series)


def _of_common_pace() -> Iterator[Simulation]:
    """One series without noise and twenty with little at every coefficient, the others at none and at the largest."""
    for correlation in (0.0, 0.5, 0.7, 0.8):
        for rounds in (5, 7, 10, 20):
            for noise, series in ((0.0, 1), (0.3, 20)):
                yield Simulation(absolute_of_common_pace, (correlation, rounds, noise, series), 1200)
    for correlation in (0.0, 0.8):
        for rounds in (7, 10, 20):
            for noise, series in ((0.0, 20), (1.0, 20), (0.3, 4), (1.0, 4)):
                yield Simulation(absolute_of_common_pace, (correlation, rounds, noise, series), 1200)
    for rise in (1.0, 3.0):
        for rounds in (7, 20):
            for series in (1, 20):
                yield Simulation(absolute_on_a_trend, (rise, rounds, series), 400)


def _shares_held(draw: Callable[[], np.ndarray], truth: float, trials: int) -> tuple[float, float]:
    """Shares of the series that are drawn, logarithms of shape (series, rounds), whose intervals hold the truth.

    Those of now, and those of order statistics as they are.
    """
    held = np.zeros(2)
    for _ in range(trials):
        values = draw()
        by_order = tuple(np.log(limit) for limit in median_interval(np.exp(values)))
        held += [((low <= truth) & (high >= truth)).mean() for low, high in (locate_series(list(values)), by_order)]
    now, before = held / trials
    return float(now), float(before)


def _missed_at_stop(values: np.ndarray, stopping: Stopping, levels: tuple[float, float, float]) -> float:
    """``levels``: of the intervals that end a run, of those that it then reports, and of those after the last round."""
    for n in looks_of_run(stopping):
        low, high = locate_series(list(values[:, :n]), 1 - levels[0])
        if n == stopping.maximum_rounds or (high - low <= 2 * stopping.ratio_precision).all():
            break
    return float(_misses_level(values[:, :n], levels[1 if n < stopping.maximum_rounds else 2]).mean())


def _misses_level(values: np.ndarray, level: float) -> np.ndarray:
    low, high = locate_series(list(values), 1 - level)
    return np.asarray((low > 0) | (high < 0))
