"""Launches that are slow as a whole: what share of them, and by what factor, each with its interval."""

from __future__ import annotations

import warnings
from collections.abc import Sequence

import numpy as np

from msgauge.model import SlowLaunches

LEAST_FACTOR = 1.25
"""A launch less than this above the others is scatter, not a mode."""
LEAST_DISTANCE = 6.0
"""And it stands so many scatters of the others above them."""
FEWEST = 5
TOGETHER = 1.28
"""Stacks that are slow in the same rounds by so many standard deviations more often than by chance follow a machine."""
_LEVEL = 0.05
"""In so many runs without slow launches any may be told, of all stacks and cells together."""
_LONGEST_STEP = 1.05
"""Times the shortest time, which is one step at least, as far as whole nanoseconds tell."""
_BROAD = 3.0
"""Slow launches within so many of their deviations of those that did not count may be the upper part of a mode."""

Views = Sequence[tuple[np.ndarray, np.ndarray]]
"""What shows the machine: times of a stack itself, shape (rounds,), and those of the others, shape (stacks, rounds)."""


def find_slow_launches(times: np.ndarray) -> dict[tuple[int, int], SlowLaunches]:
    """Those of every stack in every cell, by the indices of both; the key is missing where there are none.

    ``times``: launch medians, ns, shape (stacks, cells, rounds), nan where missing; all cells of a stack in a round are
    of one launch. A launch that is slow in one of its cells alone, and the only one of that cell, is an odd value and
    no slow launch: of a thousand values with heavy tails, some are as far away. Of several stacks a launch counts in
    rounds that another one has a launch in too.
    """
    times = keep_shared_rounds(times)
    stacks, cells, _ = times.shape
    error = _LEVEL / max(1, int((((times > 0) & np.isfinite(times)).sum(axis=2) >= FEWEST).sum()))
    marks, paces = np.zeros(times.shape, dtype=bool), measure_paces(times)
    for stack, cell in np.ndindex(stacks, cells):
        marks[stack, cell] = _mark_slow(times[stack, cell], look_around(times, paces, stack, cell), error)
    slow_cells = marks.sum(axis=1)
    found = {}
    for stack, cell in np.argwhere(marks.any(axis=2)).tolist():
        mine = marks[stack, cell]
        alone = np.isfinite(times[stack][:, mine]).sum() == 1
        if mine.sum() > 1 or alone or (slow_cells[stack][mine] > 1).all():
            found[stack, cell] = _describe(times[stack, cell], mine)
    return found


def keep_shared_rounds(times: np.ndarray) -> np.ndarray:
    """Times of rounds in which another stack has a launch too, else nan: alone, none is told from the machine.

    ``times``: shape (stacks, cells, rounds), nan where missing; of a single stack as they are.
    """
    launched = ((times > 0) & np.isfinite(times)).any(axis=1)
    if launched.any(axis=1).sum() < 2:
        return times
    others = launched.sum(axis=0) > launched
    return np.where(others[:, None], times, np.nan)


def _mark_slow(medians: np.ndarray, views: Views, error: float) -> np.ndarray:
    """Which launches of a stack are slow in a cell, bool (rounds,); none of fewer than five launches.

    ``medians``: launch medians, ns, shape (rounds,), nan where missing. ``views``: as of ``look_around``. ``error``: in
    so many cells whose launches scatter any may be marked.

    A round in which the others are slow too, by half as much in logarithms, shows the machine and not the stack; it
    counts among the launches, but not as slow. Where every slow launch is next to such a round, or in the first or the
    last one, none counts as slow: the pace of the machine changed between two launches of a round. Where stacks are
    slow together more often than by chance, the machine has such paces, and a pace may last for a single launch: then
    none counts as slow, unless the stack has so many that the same machine would hardly give them to it and not to the
    others. What is normal for the others is told by the rounds' own ratios: two stacks that follow one machine may each
    be slow in about half of the rounds, and would else be told different levels. Fewer than half of the launches can be
    slow: what most of them do is the level.
    """
    there = np.isfinite(medians) & (medians > 0)
    marks = np.zeros(medians.shape, dtype=bool)
    if there.sum() < FEWEST:
        return marks
    slow = _stand_apart(medians[there], error) & _stand_out(np.log(medians[there]))
    if slow.any():
        slow = without_the_machine(slow, medians[there], [(own[there], others[:, there]) for own, others in views])
    if 2 * slow.sum() < slow.size:
        marks[there] = slow
    return marks


def _describe(medians: np.ndarray, slow: np.ndarray) -> SlowLaunches:
    """Share and factor of the launches marked as slow.

    The interval of the share is exact (Clopper-Pearson). The factor is that of the geometric means; its interval adds
    the squares of what Student's t leaves open for the one and for the other, each by its own scatter, which holds
    however unlike they scatter. One slow launch does not tell how such launches scatter, and has no interval. Nor does
    the interval reach below the least factor of a launch that counts as slow; down to that it reaches where the slow
    ones, or others that did not count, lie so that the mode may reach further down than what counted.

    Source: Clopper and Pearson 1934; Banerjee 1961.
    """
    there = np.isfinite(medians) & (medians > 0)
    count, launches = int(slow.sum()), int(there.sum())
    low, high = share_interval(count, launches)
    limits = np.exp(_factor(np.log(medians[slow]), np.log(medians[there & ~slow])))
    return SlowLaunches(count, launches, count / launches, low, high, *map(float, limits))


def share_interval(count: int, of: int, level: float = 0.95) -> tuple[float, float]:
    """Exact interval of a share, ``count`` of ``of`` seen. Source: Clopper and Pearson 1934."""
    from scipy.special import betaincinv

    tail = (1 - level) / 2
    low = float(betaincinv(count, of - count + 1, tail)) if count else 0.0
    high = float(betaincinv(count + 1, of - count, 1 - tail)) if count < of else 1.0
    return low, high


def _stand_apart(medians: np.ndarray, error: float) -> np.ndarray:
    """Which launches lie beyond a gap that scatter would hardly leave, and are slower by the least factor; (rounds,).

    ``medians``: positive, without nan, five or more. The gap below the slowest, the two slowest, and so on for fewer
    than half of the launches is tested against a scatter whose tail is exponential: then the gap below the ``k``
    slowest is, times ``k``, an exponential of the same scale as all gaps below it, each times the launches above it.
    Scatter with a shorter tail, as the normal, leaves such a gap more rarely. Of the gaps that pass the surest one
    counts.

    Source: Epstein and Sobel 1953, theorem 3 (gaps); Dunn 1961 (one of several gaps).
    """
    order, (least, wide) = np.sort(np.log(medians)), measure_gaps(medians)
    most = (medians.size - 1) // 2
    above = np.arange(medians.size - 1, 0, -1)
    slowest = np.arange(1, most + 1)
    freedom = medians.size - 1 - slowest
    scale = np.cumsum(wide * above)[freedom - 1] / freedom
    with np.errstate(divide="ignore", invalid="ignore"):  # launches that take the same time to the last digit
        surprise = freedom * np.log1p((least * above)[freedom] / scale / freedom)
    surprise[~(order[freedom + 1] - _level(order) > np.log(LEAST_FACTOR))] = 0.0
    best = int(np.argmax(np.nan_to_num(surprise, posinf=np.inf)))
    if not surprise[best] > np.log(most / error):
        return np.zeros(medians.shape, dtype=bool)
    return np.asarray(np.log(medians) >= order[freedom[best] + 1])


def measure_gaps(medians: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """How far neighbours in order are apart at least and at most, logarithms, shape (launches - 1,).

    ``medians``: positive, any unit. Launches that take the same time were read off a coarse clock, whose step is the
    least difference of others; where that is longer than the shortest time, it is no step, and nothing scatters.
    """
    order = np.sort(medians)
    gaps, apart = np.diff(np.log(order)), np.diff(order)
    least = float(apart[apart > 0].min(initial=np.inf))
    if (apart > 0).all() or least > _LONGEST_STEP * order[0]:
        return gaps, gaps
    step = np.log1p(least / order[:-1])
    return np.maximum(gaps - step, 0.0), np.maximum(gaps, step)


def _stand_out(logs: np.ndarray, least: float = LEAST_FACTOR) -> np.ndarray:
    """Which launches are far above the level of most; logarithms, nan where missing, shape (rounds,).

    That alone is no mode, which is told only beyond a gap, but it finds what a machine may have slowed down.

    Source: Rousseeuw and Croux 1993, eq. 1.2 (scatter).
    """
    there = logs[np.isfinite(logs)]
    if there.size < FEWEST:
        return np.zeros(logs.shape, dtype=bool)
    limit = max(np.log(least), LEAST_DISTANCE * _scatter(there - _level(there)))
    return np.asarray(logs - _level(there) > limit)


def measure_paces(times: np.ndarray) -> np.ndarray:
    """How slow each launch was in the middle of its cells, relative to the stack's others; (stacks, rounds)."""
    logs = _log(times)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # nothing was measured there
        return np.asarray(np.exp(np.nanmedian(logs - np.nanmedian(logs, axis=2, keepdims=True), axis=1)))


def look_around(times: np.ndarray, paces: np.ndarray, stack: int, cell: int) -> Views:
    """What shows whether the machine slowed a stack down in a cell; none of a stack that has no others.

    Their paces, for it slows a launch down as a whole, and their medians in the same cell, for what else runs may take
    what few of the cells need, such as the caches. ``times``: launch medians, shape (stacks, cells, rounds), nan where
    missing; ``paces``: of ``measure_paces``.
    """
    if len(times) < 2:
        return []
    return [(table[stack], np.delete(table, stack, axis=0)) for table in (paces, times[:, cell])]


def without_the_machine(slow: np.ndarray, medians: np.ndarray, views: Views, least: float = LEAST_FACTOR) -> np.ndarray:
    """Those of the ``slow`` launches that are the stack's own; bool (rounds,), none where the machine explains them.

    ``medians``: of the stack, shape (rounds,), positive; ``views``: of the same rounds (``look_around``), positive, nan
    in the others where missing. ``least``: a factor that makes a launch slow.
    """
    logs = np.log(medians)
    excess = logs - _level(logs)
    for own, others in views:
        machine = _machine(np.log(own), others)
        slow = slow & (excess > 2 * machine)
        if not (excess[slow] > 2 * _reach_to_neighbours(machine)[slow]).any():
            return np.zeros_like(slow)
        if _fall_together(np.vstack([own, others]), least) and not _stands_alone(own, others, least):
            return np.zeros_like(slow)
    return slow


def _fall_together(paces: np.ndarray, least: float) -> bool:
    """Whether pairs of stacks are slow in the same rounds more often than by chance; paces, shape (stacks, rounds).

    The coincidences of all pairs, against their mean and variance where each stack's slow rounds are any so many.
    """
    slow = np.array([_stand_out(_log(row), least) for row in paces])
    rounds, counts = slow.shape[1], slow.sum(axis=1)
    spread = counts * (rounds - counts)
    variance = (spread.sum() ** 2 - (spread**2).sum()) / 2 / (rounds**2 * (rounds - 1))
    expected = (counts.sum() ** 2 - (counts**2).sum()) / 2 / rounds
    both = slow.sum(axis=0)
    return bool((both * (both - 1)).sum() / 2 > expected + TOGETHER * np.sqrt(variance))


def _stands_alone(own: np.ndarray, others: np.ndarray, least: float) -> bool:
    """Whether a machine that slows any stack's launch alike would hardly give any one of them so many of its own."""
    from scipy.special import bdtrc

    table = np.vstack([own, others])
    mine, *theirs = (_count_own(table[row], np.delete(table, row, axis=0), least) for row in range(len(table)))
    return bool(bdtrc(mine - 1, mine + sum(theirs), 1 / len(table)) <= _LEVEL / len(table))


def _count_own(medians: np.ndarray, others: np.ndarray, least: float) -> int:
    there = np.isfinite(medians) & (medians > 0)
    logs = np.log(medians[there])
    if logs.size < FEWEST:
        return 0
    return int((_stand_out(logs, least) & (logs - _level(logs) > 2 * _machine(logs, others[:, there]))).sum())


def _level(logs: np.ndarray) -> float:
    return float(np.median(logs))


def _scatter(excess: np.ndarray) -> float:
    """Of the lower half, mirrored: slow launches must not widen the measure by which they are told."""
    below = -excess[excess <= 0]
    return 1.4826 * float(np.median(below)) if below.size else 0.0


def _machine(own: np.ndarray, others: np.ndarray) -> np.ndarray:
    """How far the other stacks were above ``own`` level in each round: median over stacks, shape (rounds,).

    ``own``: logarithms, shape (rounds,), from which each other stack stands the median of its log ratios away.
    """
    logs = _log(others)
    rows = np.isfinite(logs).sum(axis=1) >= FEWEST
    if not rows.any():
        return np.zeros(others.shape[1])
    ratios = logs[rows] - own
    excess = ratios - np.nanmedian(ratios, axis=1, keepdims=True) + own - _level(own)
    excess[:, ~np.isfinite(excess).any(axis=0)] = 0.0
    return np.asarray(np.nanmedian(excess, axis=0))


def _log(times: np.ndarray) -> np.ndarray:
    """Logarithms, nan where nothing was measured."""
    return np.asarray(np.log(np.where(times > 0, times, np.nan)))


def _reach_to_neighbours(machine: np.ndarray) -> np.ndarray:
    """The highest of each round and of those beside it, of which nothing is known at both ends; shape (rounds,)."""
    padded = np.pad(machine, 1, constant_values=np.inf)
    return np.asarray(np.maximum(machine, np.maximum(padded[:-2], padded[2:])))


def _factor(slow: np.ndarray, fast: np.ndarray) -> tuple[float, float, float]:
    """Log factor and the limits of its interval, which are nan where one launch was slow."""
    from scipy.special import stdtrit

    factor = float(slow.mean() - fast.mean())
    if slow.size < 2 or fast.size < 2:
        return factor, float("nan"), float("nan")
    reach = np.hypot(*(stdtrit(one.size - 1, 0.975) * one.std(ddof=1) / np.sqrt(one.size) for one in (slow, fast)))
    least = float(np.log(LEAST_FACTOR))
    excess = fast - _level(fast)
    is_broad = factor - _BROAD * slow.std(ddof=1) < max(least, float(excess.max()))
    is_broad |= float(excess.max()) > LEAST_DISTANCE * _scatter(excess)
    return factor, least if is_broad else max(least, float(factor - reach)), float(factor + reach)
