"""When to look, and when enough is enough."""

from __future__ import annotations

from math import log

from msgauge.stats.ratio import Ratio
from msgauge.stats.verdict import MARGIN, within

GROWTH = 1.41


def checkpoints(first: int, last: int) -> tuple[int, ...]:
    """The rounds after which results may decide about going on: about x 1.4 apart (5, 7, 10, 14, 20, 28, ...).

    Looking after every round and stopping at the first success would find differences that are not there.

    Raises:
        ValueError: when ``first`` is less than 1 or greater than ``last``.
    """
    if not 1 <= first <= last:
        raise ValueError(f"checkpoints run from 1 or more upwards, not from {first} to {last}")
    places, place = [], float(first)
    while round(place) < last:
        places.append(round(place))
        place = max(place * GROWTH, place + 1)
    return (*places, last)


def half_width(low: float, high: float) -> float:
    """Relative half-width of an interval of positive numbers, (ln high - ln low) / 2: 0.02 is about ±2 %."""
    if not 0 < low <= high:
        return float("nan")
    return (log(high) - log(low)) / 2


def is_settled(ratio: Ratio, precision: float, margin: float = MARGIN) -> bool:
    """Whether further rounds would add nothing that matters.

    True when the ratio is known to ``precision``, or lies wholly inside the margin, or wholly outside of it. A mere p
    below 5 % is no reason to stop: stopping at the first such look finds differences between identical stacks.
    """
    outside = ratio.low > 1 + margin or ratio.high < 1 / (1 + margin)
    return half_width(ratio.low, ratio.high) <= precision or within(ratio, margin) or outside
