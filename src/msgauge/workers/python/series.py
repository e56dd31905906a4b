"""Statistics on one series of samples, as native/series.hpp: where the warm-up ends, how well the middle is known."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, floor, inf, sqrt

GROUP = 5


def mser5(values: Sequence[int]) -> tuple[int, bool]:
    """How many samples at the front belong to the transient, and whether it ended within the first half.

    Source: White 1997, "An effective truncation heuristic for bias reduction in simulation output".
    """
    groups = len(values) // GROUP
    if groups < 4:
        return 0, len(values) < GROUP
    low, high = _fences(values)
    origin = values[len(values) // 2]
    means = [
        sum(min(max(value, low), high) - origin for value in values[at * GROUP : at * GROUP + GROUP]) / GROUP
        for at in range(groups)
    ]
    latest, fewest_kept = groups // 2, max(10, groups // 10)
    total = squares = 0.0
    best = best_beyond = inf
    cut = 0
    for left in range(groups - 1, -1, -1):
        total += means[left]
        squares += means[left] * means[left]
        kept = groups - left
        spread = max(0.0, squares - total * total / kept) / (kept * kept)
        if left > latest:
            if kept >= fewest_kept:
                best_beyond = min(best_beyond, spread)
        elif spread <= best:
            best, cut = spread, left
    return cut * GROUP, cut < latest and best <= best_beyond


def median_precision(values: Sequence[int]) -> float:
    """Half the width of the 95 % order-statistics interval of the median, as a fraction of it."""
    if len(values) < 6:
        return inf
    ordered = sorted(values)
    reach = 0.98 * sqrt(len(values))
    low = max(0, floor(0.5 * len(values) - reach))
    high = min(len(values) - 1, ceil(0.5 * len(values) + reach))
    middle = ordered[len(values) // 2]
    if ordered[0] == ordered[-1]:
        return 0.0  # simulated time that stands still
    return 0.5 * (ordered[high] - ordered[low]) / middle if middle > 0 else inf


def _fences(values: Sequence[int]) -> tuple[float, float]:
    """Three interquartile ranges around the quartiles."""
    ordered = sorted(values)
    lower, upper = ordered[len(values) // 4], ordered[len(values) * 3 // 4]
    return lower - 3 * (upper - lower), upper + 3 * (upper - lower)
