"""Claims about differences: one that may be zero or less is never divided by.

That left / right is ``factor`` at least says that left - factor × right is not below zero. That has an interval in
every sample, whatever the signs of the rounds; a ratio, and its logarithm, only where what divides is surely above
zero.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import inf, isfinite, nan

import numpy as np
from attrs import frozen

from msgauge.stats.dependence import Pace
from msgauge.stats.location import LEAST_FOR_ORDER

_DOUBLINGS, _HALVINGS = 60, 60


@frozen(eq=False)
class DifferenceRatio:
    """Both sides of a case, ns, in the rounds that they share, shape (rounds,) each, of whatever sign."""

    left: np.ndarray
    right: np.ndarray
    half_steps: tuple[float, float]
    """By how much steps of the clock may have moved each side, ns."""
    paces: tuple[Pace, ...]
    """Each tells how much wider intervals are at most, as rounds resemble those before them."""

    @property
    def value(self) -> float:
        """The ratio at which left - ratio × right has the median zero; nan where that of right is not above zero."""
        return self._find_zero(lambda factor: float(np.median(self._subtract(factor))))

    @property
    def left_over(self) -> np.ndarray:
        """Left - value × right in each round, ns; left alone where there is no value."""
        return self._subtract(self.value if isfinite(self.value) else 0.0)

    def subtract_times(self, factor: float, level: float) -> tuple[float, float, float]:
        """Median over rounds of left - factor × right, low and high, ns; the limits are nan below five rounds."""
        reach = self.half_steps[0] + abs(factor) * self.half_steps[1]
        return self._locate(self._subtract(factor), reach, level)

    def limits(self, level: float) -> tuple[float, float]:
        """Those ratios that are not excluded; nan where right may be zero or less, infinite where left is unknown."""
        _, least, most = self._locate(self.right, self.half_steps[1], level)
        if not (least > 0 and isfinite(most)):
            return nan, nan
        if not isfinite(self.half_steps[0]):
            return -inf, inf
        return (
            self._find_zero(lambda factor: self.subtract_times(factor, level)[1]),
            self._find_zero(lambda factor: self.subtract_times(factor, level)[2]),
        )

    def _locate(self, values: np.ndarray, reach: float, level: float) -> tuple[float, float, float]:
        low, high = limit_difference(self.paces, values, level)
        return float(np.median(values)), float(low - reach), float(high + reach)

    def _subtract(self, factor: float) -> np.ndarray:
        return self.left - factor * self.right

    def _find_zero(self, falling: Callable[[float], float]) -> float:
        """Where a function of the factor falls through zero; nan where it does not."""
        divisor = float(np.median(self.right))
        if divisor <= 0:
            return nan
        middle, reach = float(np.median(self.left)) / divisor, float(np.abs(self.left).max()) / divisor or 1.0
        for _ in range(_DOUBLINGS):
            low, high = middle - reach, middle + reach
            if falling(low) >= 0 >= falling(high):
                break
            reach *= 2
        else:
            return nan
        for _ in range(_HALVINGS):
            middle = (low + high) / 2
            low, high = (middle, high) if falling(middle) > 0 else (low, middle)
        return (low + high) / 2


def limit_difference(paces: Sequence[Pace], values: np.ndarray, level: float) -> tuple[np.ndarray, np.ndarray]:
    """Of the median over rounds, ns, from five rounds on: as wide as the pace says that widens the least.

    ``values``: shape (..., rounds), to two of shape (...).
    """
    rounds = values.shape[-1]
    if rounds < LEAST_FOR_ORDER:
        nothing = np.full(values.shape[:-1], nan)
        return nothing, nothing
    return min(paces, key=lambda one: one.factor(rounds, level)).limits(values, level)
