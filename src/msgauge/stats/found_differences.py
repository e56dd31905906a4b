"""Limits of differences that are shown because a test has found them.

A test finds a small difference where chance has made it look larger, so the usual intervals of what was found miss
too often: of stacks 2 % apart in 40 tests, 6 % are found in ten rounds, and 65 to 75 % of their intervals hold.
Given that it was found, an estimate follows the law of what lies beyond the threshold of the test; where it lies far
beyond, that is the usual law, and where it lies next to it, next to nothing is known of how small the difference is.

Source: Zhong and Prentice 2008; Weinstein, Fithian and Benjamini 2013, "Selection adjusted confidence intervals with
more power to determine the sign".
"""

from __future__ import annotations

import numpy as np

from msgauge.stats.pairwise import interval_limits
from msgauge.stats.sign_flips import Factor

_STEP = 0.1
"""Quantiles are rounded to so much beyond the usual one, so that few intervals of different level are drawn."""
_LARGEST = 8.0

Limits = tuple[np.ndarray, np.ndarray]


def limit_found(
    series: np.ndarray,
    usual: tuple[np.ndarray, np.ndarray, np.ndarray],
    family: int,
    levels: tuple[np.ndarray, float],
    factor: Factor = 1.0,
) -> Limits:
    """Low and high of differences that were found among ``family`` ones; logarithms of ratios, shape (found,).

    ``series``: log ratios, shape (found, rounds), with nan. ``usual``: estimate, low and high of each by itself.
    ``levels``: of the test, shape (found,), and of each interval, as chances to err. ``factor``: that of the usual
    intervals, which others have too (``pairwise.estimate_intervals``). The limit away from zero is the usual one. The
    other one keeps its chance to miss among estimates beyond the threshold of the test: that of Bonferroni, which is
    never less, or the least that was found. It ends at zero, for the test has said which side.
    """
    from scipy.special import ndtr, ndtri  # scipy.stats has the same by name and takes half a second to import

    middle, low, high = usual
    table, interval = levels
    above = middle > 0
    near = np.where(above, low, high)
    strength = _strength(series, middle, near, interval)
    threshold = np.minimum(-ndtri(table / (2 * max(family, 1))), strength.min())
    plain = -float(ndtri(interval / 2))
    beyond = np.subtract(strength, threshold, out=np.zeros(strength.shape), where=strength > threshold)
    steps = np.rint((quantile_beyond(beyond, interval) - plain) / _STEP)
    factor = np.broadcast_to(factor, middle.shape)
    for more in np.unique(steps[steps > 0]):
        rows = steps == more
        limits = interval_limits(series[rows], middle[rows], 1 - 2 * float(ndtr(-plain - _STEP * more)), factor[rows])
        near[rows] = np.where(above[rows], np.minimum(limits[0], near[rows]), np.maximum(limits[1], near[rows]))
    near = np.where(strength > threshold, near, 0.0)
    return np.where(above, np.maximum(near, 0), low), np.where(above, high, np.minimum(near, 0))


def quantile_beyond(beyond: np.ndarray, interval: float) -> np.ndarray:
    """By how many standard errors a limit lies below an estimate that is ``beyond`` the threshold by so many.

    Solves sf(q) = interval / 2 * sf(q - beyond) for q, with sf that of the normal; the usual quantile where ``beyond``
    is large, and ``_LARGEST`` where it is next to nothing. Shape as ``beyond``.
    """
    from scipy.special import log_ndtr, ndtri

    least, most = np.full(beyond.shape, -ndtri(interval / 2)), np.full(beyond.shape, _LARGEST)
    for _ in range(40):
        tried = (least + most) / 2
        misses = log_ndtr(-tried) > np.log(interval / 2) + log_ndtr(np.maximum(beyond, 0) - tried)
        least, most = np.where(misses, tried, least), np.where(misses, most, tried)
    return most


def _strength(series: np.ndarray, middle: np.ndarray, near: np.ndarray, interval: float) -> np.ndarray:
    """How many standard errors of a normal an estimate is as far from zero as; by the width of its interval, which
    outlying rounds do not move, read as one of Student's t. Infinite where rounds do not scatter."""
    from scipy.special import ndtri, stdtr, stdtrit

    degrees = np.maximum(np.isfinite(series).sum(axis=1) - 1, 1)
    width = np.abs(middle - near)
    with np.errstate(divide="ignore", invalid="ignore"):
        t = stdtrit(degrees, 1 - interval / 2) * np.abs(middle) / width
    return np.where(width > 0, -ndtri(stdtr(degrees, -t)), np.inf)
