"""Straight lines through many rows at once: one for the medians over launches, one for each launch."""

from __future__ import annotations

from math import nan

import numpy as np


def theil_sen(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Theil-Sen slope of each row of ``y`` (rows, k) over ``x`` (k,); nan with fewer than two different x.

    Source: Sen 1968, the median of the slopes of all pairs.
    """
    first, second = np.triu_indices(x.size, 1)
    apart = x[second] != x[first]
    if not apart.any():
        return np.full(y.shape[0], nan)
    first, second = first[apart], second[apart]
    return np.asarray(np.median((y[:, second] - y[:, first]) / (x[second] - x[first]), axis=1))


def bound_slope(x: np.ndarray, y: np.ndarray, errors: np.ndarray) -> float:
    """By how much errors of so much in each ``y`` may change their Theil-Sen slope; 0 where there is none.

    All arrays of shape (k,). No slope of a pair errs by more than both of its errors over its distance, and the median
    of slopes lies between those of the slopes less and plus as much.
    """
    first, second = np.triu_indices(x.size, 1)
    apart = (x[second] != x[first]) & np.isfinite(y[second] - y[first])
    first, second = first[apart], second[apart]
    if not first.size:
        return 0.0
    distance = x[second] - x[first]
    slopes, reach = (y[second] - y[first]) / distance, (errors[first] + errors[second]) / np.abs(distance)
    middle = np.median(slopes)
    return float(max(np.median(slopes + reach) - middle, middle - np.median(slopes - reach)))


def relative_line(x: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Least squares of the relative errors of each row of ``y`` (rows, k): (intercepts, slopes), each of shape (rows,).

    Relative, because timing noise grows with the time; in plain least squares the largest message alone would decide,
    and the intercept, which is the parameter, would drown. Sizes that are not known are left out; with one size the
    slope is nan.
    """
    known = np.isfinite(y[0]) & (y[0] != 0)
    if not known.any():
        unknown = np.full(y.shape[0], nan)
        return unknown, unknown
    x, y = x[known], y[:, known]
    weight = 1.0 / np.abs(y[0]) ** 2
    weight = weight / weight.sum()
    mean_x, mean_y = float(weight @ x), y @ weight
    spread = float(weight @ (x - mean_x) ** 2)
    if spread == 0:
        return np.asarray(mean_y), np.full(y.shape[0], nan)
    slope = ((y - mean_y[:, None]) @ (weight * (x - mean_x))) / spread
    return np.asarray(mean_y - slope * mean_x), np.asarray(slope)
