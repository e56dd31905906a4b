"""Where a stack stands in one cell: the median of its launch medians, with an interval that holds for few launches."""

from __future__ import annotations

from functools import cache

import numpy as np
from attrs import frozen

LEVEL = 0.95
LEAST_FOR_ORDER = 5
"""Fewer values have no interval by order statistics."""


@frozen
class Location:
    """A location with its interval, in the unit of the values; nan limits when one launch cannot give any."""

    median: float
    low: float
    high: float
    launches: int


def median_interval(values: np.ndarray, level: float = LEVEL) -> tuple[np.ndarray, np.ndarray]:
    """Interval for the population median along the last axis; holds for any continuous distribution from n = 5 on.

    ``values``: float, shape (..., n), any unit; positive when n < 5. Returns low and high, shape (...).

    From six values: order statistics, interpolated between two neighbouring coverages (plain order statistics jump,
    e.g. from 98.4 % to 87.5 % at n = 7). Five values: smallest and largest, which cover 93.75 %. Two to four: no order
    statistic covers enough, so Student's t on the logarithms, which supposes that launches scatter lognormally (with
    launches in two modes, two of them cover only about 88 %). One: nan.

    Source: Hettmansperger and Sheather 1986, "Confidence intervals based on interpolated order statistics", eq. 2.2.
    """
    n = values.shape[-1]
    if n < 2:
        nothing = np.full(values.shape[:-1], np.nan)
        return nothing, nothing.copy()
    if n < 5:
        low, high = student_interval(np.log(values), level)
        return np.exp(low), np.exp(high)
    depth, weight = interpolate_depth(n, level)
    ordered = np.sort(values, axis=-1)
    low = (1 - weight) * ordered[..., depth - 1] + weight * ordered[..., depth]
    high = (1 - weight) * ordered[..., n - depth] + weight * ordered[..., n - depth - 1]
    return low, high


def covers_by_order(n: int, level: float) -> bool:
    """Whether order statistics of n values cover ``level``; smallest and largest of five, 93.75 %, stand for 95 %.

    Tried and wrong: smallest and largest for any level. Intervals of 99.75 % held in 98.4 % after seven rounds.
    """
    return n >= LEAST_FOR_ORDER and (level <= LEVEL or 1 - 2.0 ** (1 - n) >= level)


def student_interval(values: np.ndarray, level: float = LEVEL) -> tuple[np.ndarray, np.ndarray]:
    """Student's t interval for the mean along the last axis; shape (..., n) to two of shape (...); n >= 2."""
    from scipy.special import stdtrit

    n = values.shape[-1]
    reach = stdtrit(n - 1, (1 + level) / 2) * values.std(axis=-1, ddof=1) / np.sqrt(n)
    middle = values.mean(axis=-1)
    return middle - reach, middle + reach


@cache
def interpolate_depth(n: int, level: float = LEVEL) -> tuple[int, float]:
    """Depth d (from 1) and weight of the next order statistic, so that the interval covers ``level``.

    Source: Hettmansperger and Sheather 1986; the weight is exact for Laplace and close for all symmetric distributions.
    """
    from scipy.special import bdtr

    def coverage(depth: int) -> float:
        return float(1 - 2 * bdtr(depth - 1, n, 0.5))

    depth = 1
    while 2 * (depth + 1) <= n and coverage(depth + 1) >= level:
        depth += 1
    if coverage(depth) <= level:
        return depth, 0.0
    share = (coverage(depth) - level) / (coverage(depth) - coverage(depth + 1))
    return depth, float((n - depth) * share / (depth + (n - 2 * depth) * share))
