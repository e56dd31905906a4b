"""Wilcoxon's signed-rank test and the Hodges-Lehmann estimate, exact for few pairs, vectorised over cells."""

from __future__ import annotations

from functools import cache

import numpy as np

_ALL_PAIRS = 32
_LAGS, _FEWEST_LAGS, _AVERAGES = 16, 4, 4096


def walsh_averages(differences: np.ndarray) -> np.ndarray:
    """Means of all pairs (each with itself too), sorted; shape (..., n) to (..., n (n + 1) / 2), unit kept."""
    first, second = np.triu_indices(differences.shape[-1])
    return np.sort((differences[..., first] + differences[..., second]) / 2, axis=-1)


def hodges_lehmann(walsh: np.ndarray) -> np.ndarray:
    """Median of sorted Walsh averages, shape (..., m) to (...).

    Source: Hodges and Lehmann 1963, "Estimates of location based on rank tests", section 3.
    """
    return np.asarray(np.median(walsh, axis=-1))


def p_value(walsh: np.ndarray, n: int) -> np.ndarray:
    """Exact two-sided p of "no difference" for ``n`` pairs, from their Walsh averages; shape (..., m) to (...).

    The statistic is the number of positive Walsh averages, zeros counting half and rounded towards no difference.

    Source: Tukey 1949, the equivalence of the signed-rank statistic with counts of Walsh averages.
    """
    positive = (walsh > 0).sum(axis=-1) + (walsh == 0).sum(axis=-1) / 2
    smaller = np.minimum(positive, walsh.shape[-1] - positive)
    return np.asarray(np.minimum(1.0, 2 * cumulative(n)[np.ceil(smaller).astype(int)]))


def locate_centres(values: np.ndarray) -> np.ndarray:
    """Hodges-Lehmann estimate along the last axis, shape (..., n) to (...), at a cost that grows as n does.

    Up to 32 values all pairs are averaged. Beyond, each value is paired with itself and with 16 others (of more than
    256 values fewer, at least 4), evenly far away in their order: the scatter of the estimate grows by 2 % or less.

    Source: Hodges and Lehmann 1963; Brown and Kildea 1978, "Reduced U-statistics and the Hodges-Lehmann estimator".
    """
    n = values.shape[-1]
    if n <= _ALL_PAIRS:
        return hodges_lehmann(walsh_averages(values))
    lags = np.unique(np.linspace(1, n // 2, max(_FEWEST_LAGS, min(_LAGS, _AVERAGES // n))).astype(int))
    averages = [values, *((values + np.roll(values, lag, axis=-1)) / 2 for lag in lags)]
    return np.asarray(np.median(np.concatenate(averages, axis=-1), axis=-1))


@cache
def cumulative(n: int) -> np.ndarray:
    """P(T <= t) of the signed-rank statistic for t = 0 .. n (n + 1) / 2 under no difference, by its recursion."""
    chance: np.ndarray = np.ones(1)
    for rank in range(1, n + 1):
        without = np.concatenate([chance, np.zeros(rank)])
        chance = (without + np.concatenate([np.zeros(rank), chance])) / 2
    return np.asarray(np.cumsum(chance))
