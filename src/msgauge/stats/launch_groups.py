"""Launches of a stack that fall into two groups: the same binary is fast in some starts and slow in others.

Slow launches (``stats.slow_launches``) may take any time; of two groups each must be one, with a scatter of its own
that is small beside the gap. So this is told more rarely, but also of groups that lie nearer to each other, and where
most launches are the slow ones.
"""

from __future__ import annotations

from math import exp, hypot, sqrt

import numpy as np
from attrs import frozen

from msgauge.stats.slow_launches import (
    Views,
    keep_shared_rounds,
    look_around,
    measure_gaps,
    measure_paces,
    without_the_machine,
)

LEAST_GAP = 1.05
"""Groups that are nearer to each other than this are one."""
FEWEST_LAUNCHES = 8
FEWEST_IN_GROUP = 3
"""Two launches that take the same time by a coarse clock are no group."""
LEVEL = 0.05
"""In so many runs of stacks of one mode any is told to have two, of all stacks and cells together."""
_RAREST = 0.01
"""A group may scatter as much as lets it look so narrow in such a share of cells."""


@frozen
class LaunchGroups:
    """How many launches are in each group, their medians, ns, and how many times slower the slow ones are on average.

    ``p_value`` is corrected for all stacks and cells that were looked at, and for every place of the gap.
    """

    fast: int
    slow: int
    fast_ns: float
    slow_ns: float
    factor: float
    factor_low: float
    factor_high: float
    p_value: float


def find_launch_groups(times: np.ndarray) -> dict[tuple[int, int], LaunchGroups]:
    """Those of every stack in every cell, by the indices of both; the key is missing where launches are one group.

    ``times``: launch medians, ns, shape (stacks, cells, rounds), nan where missing; all cells of a stack in a round are
    of one launch. Nothing is told of fewer than eight launches, or where the other stacks were slow in the same rounds:
    that is the machine, whose pace also explains groups of a stack without others where they take turns too rarely. Of
    several stacks a launch counts in rounds that another one has a launch in too.
    """
    times = keep_shared_rounds(times)
    stacks, cells, _ = times.shape
    there = np.isfinite(times) & (times > 0)
    times = np.where(there, times, np.nan)
    examined = int((there.sum(axis=2) >= FEWEST_LAUNCHES).sum())
    paces, found = measure_paces(times), {}
    for stack, cell in np.ndindex(stacks, cells):
        mine = there[stack, cell]
        if mine.sum() < FEWEST_LAUNCHES:
            continue
        medians = times[stack, cell, mine]
        split, chance = _split(medians)
        p_value = examined * chance
        views = [(own[mine], others[:, mine]) for own, others in look_around(times, paces, stack, cell)]
        if p_value < LEVEL and _is_own(split, medians, views):
            found[stack, cell] = _describe(split, medians, p_value)
    return found


def _split(medians: np.ndarray) -> tuple[np.ndarray, float]:
    """Which launches are slow, bool (launches,), at the gap that one group leaves most rarely, and how rarely (p).

    The larger group is what most launches do. A scatter of all launches whose tail is exponential leaves such a gap
    below the others rarely, as in ``slow_launches``; nor are the others accidents that delay single launches by an
    exponential, of which the least would be about as far from most as they are from each other. The gap must be rare
    for both. Where most launches are slow, the same is asked of the fast ones downwards. Launches that take the same
    time were read off a coarse clock: its step, the least difference, may be between them, and less is in the gap.

    Source: Epstein and Sobel 1953, theorem 3 (gaps); Berger 1982 (both of two tests); Dunn 1961 (one of several gaps).
    """
    least, most = measure_gaps(medians)
    counts = range(FEWEST_IN_GROUP, medians.size - FEWEST_IN_GROUP + 1)
    chances: list[float] = []
    for fast in counts:
        upwards = 2 * fast >= medians.size
        pair = (least, most) if upwards else (least[::-1], most[::-1])
        below = fast if upwards else medians.size - fast
        chances.append(_chance_of_gap(*pair, below) if least[fast - 1] > np.log(LEAST_GAP) else 1.0)
    best = int(np.argmin(chances))
    return medians >= np.sort(medians)[counts[best]], min(1.0, len(counts) * chances[best])


def _chance_of_gap(least: np.ndarray, most: np.ndarray, below: int) -> float:
    """How rarely scatter or accidents leave the gap after so many launches; ``measure_gaps``, larger group first.

    Never, where all launches of a group take the same time and no step of a clock makes them so: nothing scatters.
    """
    above = np.arange(least.size, 0, -1)
    gap, rarest = float((least * above)[below - 1]), 0.0
    for inner in ((most * above)[: below - 1], (most * above)[below:]):
        scatter = float(inner.sum())
        rarest = max(rarest, (scatter / (scatter + gap)) ** inner.size)
    return rarest


def _is_own(slow: np.ndarray, medians: np.ndarray, views: Views) -> bool:
    """Whether the groups are the stack's own: most of the smaller one, of which the other stacks show nothing.

    Of a stack alone whether fast and slow launches take turns, in as many runs as by chance but for a deviation.

    Source: Wald and Wolfowitz 1940 (runs).
    """
    towards = 1 if 2 * slow.sum() <= slow.size else -1
    odd = slow if towards > 0 else ~slow
    if not views:
        turns = int(np.abs(np.diff(slow.astype(int))).sum())
        expected = 2 * int(odd.sum()) * int((~odd).sum()) / slow.size
        return turns > expected - sqrt(expected * (expected - 1) / (slow.size - 1))
    views = [(own**towards, others**towards) for own, others in views]
    own = without_the_machine(odd, medians**towards, views, LEAST_GAP)
    return bool(2 * own.sum() > odd.sum())


def _describe(slow: np.ndarray, medians: np.ndarray, p_value: float) -> LaunchGroups:
    """How far the groups are apart; the squares of what each leaves open are added, as unlike as they may scatter.

    Source: Banerjee 1961.
    """
    groups = np.log(medians[slow]), np.log(medians[~slow])
    factor = float(groups[0].mean() - groups[1].mean())
    reach = hypot(*(_reach(one, p_value) for one in groups))
    low = max(LEAST_GAP, exp(factor - reach))
    count = int(slow.sum())
    fast_ns, slow_ns = float(np.median(medians[~slow])), float(np.median(medians[slow]))
    return LaunchGroups(slow.size - count, count, fast_ns, slow_ns, exp(factor), low, exp(factor + reach), p_value)


def _reach(logs: np.ndarray, p_value: float) -> float:
    """How far the mean of a group may be from the true one; logarithms, shape (launches,), two or more.

    Groups are told because they are narrow, and so look narrower than they are. Their scatter may be as large as leaves
    5 % for one no larger than seen, among those small enough to be told; but no larger than lets one be told at all in
    1 % of cells. Student's t alone held in 62 to 84 % where slow launches scatter by 5 %.

    Source: Fithian, Sun and Taylor 2014 (inference after selection); normal within a group.
    """
    from scipy.special import gammainc, gammaincinv, stdtrit

    freedom, seen = logs.size - 1, float(logs.std(ddof=1))
    widest = seen * max(1.0, (LEVEL / max(p_value, 1e-300)) ** (1 / freedom))
    most = widest * np.sqrt(freedom / 2 / gammaincinv(freedom / 2, _RAREST))
    scatters = np.geomspace(max(seen, 1e-12), max(most, 1e-12), 400)
    inside = gammainc(freedom / 2, freedom / 2 * (seen / scatters) ** 2)
    told = gammainc(freedom / 2, freedom / 2 * (widest / scatters) ** 2)
    scatter = float(scatters[inside > LEVEL * told].max(initial=seen))
    plain = float(stdtrit(freedom, 0.975)) * seen
    return max(plain, 1.96 * scatter) / float(np.sqrt(logs.size))
