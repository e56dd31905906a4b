"""A fitted number with its interval, or the reason why there is none."""

from __future__ import annotations

from math import isfinite, nan, sqrt

import numpy as np
from attrs import frozen

CONFIDENCE = 0.95


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


def from_replicates(replicates: np.ndarray, launches: int) -> ParameterEstimate:
    """The first replicate is the estimate, the others are its bootstrap over ``launches`` launches.

    The interval is value ± t(launches - 1) × s × sqrt(n / (n - 1)), with s the distance between the 2.5 % and 97.5 %
    points of the replicates divided by 2 × 1.96. Percentiles alone are too narrow with the ten launches that a run has:
    a bootstrap of n values under-states their variance by (n - 1) / n and knows nothing of Student's t.

    Args:
        replicates: float64 of shape (1 + B,).
        launches: how many launches were resampled.

    Raises:
        Nothing: without two launches the interval is unknown (nan).

    Source: Efron and Tibshirani, An Introduction to the Bootstrap, 1993, section 12.
    """
    from scipy.stats import t as student

    value = float(replicates[0])
    finite = replicates[1:][np.isfinite(replicates[1:])]
    if launches < 2 or finite.size < 20 or not isfinite(value):
        return ParameterEstimate(value)
    low, high = np.percentile(finite, [2.5, 97.5])
    spread = float(high - low) / (2 * 1.96) * sqrt(launches / (launches - 1))
    half = float(student.ppf(0.5 + CONFIDENCE / 2, launches - 1)) * spread
    return ParameterEstimate(value, value - half, value + half)


def resample_medians(times: np.ndarray, replicates: int, rng: np.random.Generator) -> np.ndarray:
    """Medians over launches: first of the data, then of ``replicates`` resamplings of whole launches.

    A launch is resampled as a block, so whatever made all its cells slow at once stays together.

    Args:
        times: float64 of shape (launches, points); nan where a launch has no value.

    Returns:
        float64 of shape (1 + replicates, points).

    Source: Künsch 1989 (block bootstrap), with the launch as the block.
    """
    launches = times.shape[0]
    draws = rng.integers(0, launches, size=(replicates, launches))
    rows = np.vstack([np.arange(launches)[None, :], draws])
    if np.isnan(times).any():
        return _nan_median(times[rows])
    return np.asarray(np.median(times[rows], axis=1))


def _nan_median(stacked: np.ndarray) -> np.ndarray:
    """Median over axis 1 of (rows, launches, points) without nan; nan, and no warning, where nothing is known."""
    ordered = np.sort(stacked, axis=1)
    count = np.sum(~np.isnan(stacked), axis=1)
    lower = np.maximum((count - 1) // 2, 0)[:, None, :]
    upper = np.maximum(count // 2, 0)[:, None, :]
    upper = np.minimum(upper, stacked.shape[1] - 1)
    middle = (np.take_along_axis(ordered, lower, 1) + np.take_along_axis(ordered, upper, 1))[:, 0, :] / 2
    return np.where(count > 0, middle, np.nan)
