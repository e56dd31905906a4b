"""The same stack in two runs: the ratio of launch medians that share no round, with interval and p."""

from __future__ import annotations

from functools import cache
from math import comb

import numpy as np

from msgauge.stats.location import LEVEL
from msgauge.stats.ratio import Ratio

LEAST_FOR_RANKS = 4
"""Below four launches on a side no rank interval covers 95 %; Welch's t on the logarithms stands in."""
_LARGEST_EXACT = 40


def compare_unpaired(base: np.ndarray, other: np.ndarray) -> Ratio:
    """Ratio = exp(Hodges-Lehmann shift of the logarithms), its 95 % interval by inverting the Mann-Whitney test.

    ``base`` and ``other``: positive launch medians, shapes (n,) and (m,), ns, in any order. ``rounds`` of the result is
    the smaller of n and m. p joins the exact Mann-Whitney test and Welch's t by Bonferroni, as for paired rounds: ranks
    bear a disturbed launch, t can fall below the smallest p that few ranks can give.

    Source: Hodges and Lehmann 1963; Mann and Whitney 1947; Welch 1947. Oracle: scipy.stats.mannwhitneyu, ttest_ind.

    Raises:
        ValueError: when a median is not positive.
    """
    if base.size and other.size and min(base.min(), other.min()) <= 0:
        raise ValueError("launch medians must be positive for a ratio")
    fewest = min(base.size, other.size)
    if fewest < 2:
        return Ratio(_shift(base, other), np.nan, np.nan, np.nan, int(fewest))
    first, second = np.log(base), np.log(other)
    differences = np.sort((second[:, None] - first[None, :]).ravel())
    middle = float(np.median(differences))
    low, high, p_student = _welch(first, second)
    p = p_student
    if fewest >= LEAST_FOR_RANKS:
        depth = _depth(base.size, other.size)
        low, high = float(differences[depth]), float(differences[-depth - 1])
        p = min(1.0, 2 * min(p_student, _rank_p(first, second)))
    ratio, low, high = (float(np.exp(value)) for value in (middle, low, high))
    return Ratio(ratio, low, high, p, int(fewest))


def _shift(base: np.ndarray, other: np.ndarray) -> float:
    return float(np.median(other) / np.median(base)) if base.size and other.size else float("nan")


def _welch(first: np.ndarray, second: np.ndarray) -> tuple[float, float, float]:
    """Low, high and p of the difference of means, Welch's t."""
    from scipy.special import stdtr, stdtrit

    parts = np.array([first.var(ddof=1) / first.size, second.var(ddof=1) / second.size])
    error = float(np.sqrt(parts.sum()))
    shift = float(second.mean() - first.mean())
    if error == 0:
        return shift, shift, float(shift == 0)
    freedom = parts.sum() ** 2 / (parts[0] ** 2 / (first.size - 1) + parts[1] ** 2 / (second.size - 1))
    reach = float(stdtrit(freedom, (1 + LEVEL) / 2)) * error
    return shift - reach, shift + reach, float(2 * stdtr(freedom, -abs(shift) / error))


def _rank_p(first: np.ndarray, second: np.ndarray) -> float:
    """Two-sided p of the Mann-Whitney test; ties count half to each side."""
    above = float((second[:, None] > first).sum() + 0.5 * (second[:, None] == first).sum())
    smaller = min(above, first.size * second.size - above)
    return min(1.0, 2 * _below(first.size, second.size, int(np.ceil(smaller))))


def _depth(n: int, m: int) -> int:
    """How many differences to leave out at each end, so that the interval covers at least 95 %."""
    depth = 0
    while _below(n, m, depth) <= (1 - LEVEL) / 2:
        depth += 1
    return max(depth - 1, 0)


def _below(n: int, m: int, u: int) -> float:
    """P(U <= u) when nothing differs: exact for few launches, normal with continuity correction for many."""
    if max(n, m) > _LARGEST_EXACT:
        from scipy.special import ndtr

        return float(ndtr((u + 0.5 - n * m / 2) / np.sqrt(n * m * (n + m + 1) / 12)))
    return float(sum(_ways(n, m)[: u + 1]) / comb(n + m, n))


@cache
def _ways(n: int, m: int) -> tuple[int, ...]:
    """Numbers of orders of n and m values that give U = 0, 1, ..., n m (Gaussian binomial coefficients)."""
    if n == 0 or m == 0:
        return (1,)
    with_largest, without = _ways(n - 1, m), _ways(n, m - 1)
    ways = [0] * (n * m + 1)
    for u, count in enumerate(with_largest):
        ways[u + m] += count
    for u, count in enumerate(without):
        ways[u] += count
    return tuple(ways)
