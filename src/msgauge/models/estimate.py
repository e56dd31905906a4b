"""A fitted number with its interval, or the reason why there is none."""

from __future__ import annotations

from math import isfinite, nan

import numpy as np
from attrs import frozen

from msgauge.stats.dependence import STEADY, Pace
from msgauge.stats.location import LEAST_FOR_ORDER, median_interval, student_interval

ORDER_ALONE = 8
"""From so many launches on order statistics alone make the interval."""


@frozen
class ParameterEstimate:
    """``value`` with a 95 % interval in the unit the owner states; ``reason`` says why it is not identifiable."""

    value: float = nan
    low: float = nan
    high: float = nan
    reason: str = ""

    @property
    def known(self) -> bool:
        """True when there is a number and nothing speaks against it."""
        return not self.reason and isfinite(self.value)

    def covers(self, truth: float) -> bool:
        """True when ``truth`` lies inside the interval."""
        return self.low <= truth <= self.high


def from_launches(values: np.ndarray, pace: Pace = STEADY) -> ParameterEstimate:
    """The first value is the estimate, fitted to medians over launches; the others are what each launch alone gives.

    The interval is that of the median launch: order statistics from eight launches on, whatever launches are like; with
    two to four Student's t, which supposes that they scatter normally; with five to seven both joined, for so few
    cannot tell which of two groups is the larger. It holds the estimate in any case. Tried and left: a bootstrap over
    launches with Student's t, which covers 98 % where launches scatter normally and 85 % where they fall into two
    groups, at five launches and at seven (``benchmarks/truth/models.py``); both joined always, which at fifteen
    launches in two groups is eight times wider and no better. What is a time is widened as all absolute times are.

    Args:
        values: float64 of shape (1 + launches,), launches in their order; nan where one has not measured all it takes.
        pace: how much launches resemble each other, where the value follows the pace of the machine; a ratio does not.

    Raises:
        Nothing: without two launches the interval is unknown (nan).

    Source: Hettmansperger and Sheather 1986 (``stats.location.median_interval``); ``stats.dependence``.
    """
    value = float(values[0])
    finite = values[1:][np.isfinite(values[1:])]
    if finite.size < 2 or not isfinite(value):
        return ParameterEstimate(value)
    ways = [student_interval(finite)] if finite.size < ORDER_ALONE else []
    ways += [median_interval(finite)] if finite.size >= LEAST_FOR_ORDER else []
    middle, factor = float(np.median(finite)), pace.factor(finite.size)
    low, high = min(float(low) for low, _ in ways) - middle, max(float(high) for _, high in ways) - middle
    return ParameterEstimate(value, min(value, middle + factor * low), max(value, middle + factor * high))


def median_and_launches(times: np.ndarray) -> np.ndarray:
    """Medians over launches, then the launches themselves: what is fitted to each row has its interval in the others.

    Args:
        times: float64 of shape (launches, points); nan where a launch has no value.

    Returns:
        float64 of shape (1 + launches, points); nan, and no warning, where no launch has a value.
    """
    ordered = np.sort(times, axis=0)
    count = np.sum(~np.isnan(times), axis=0)
    columns = np.arange(times.shape[1])
    lower = ordered[np.maximum((count - 1) // 2, 0), columns]
    upper = ordered[np.minimum(count // 2, times.shape[0] - 1), columns]
    return np.vstack([np.where(count > 0, (lower + upper) / 2, np.nan), times])
