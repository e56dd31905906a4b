"""Which rounds the test of differences leaves out as outliers: what is said of its reach rests on the others too."""

from __future__ import annotations

import numpy as np

from msgauge.stats.sign_flips import OUTLYING


def without_outliers(differences: np.ndarray) -> np.ndarray:
    """The log ratios that the test keeps, nan for the others.

    ``differences``: shape (series, rounds), nan where a round has none; all series that are judged together, for what
    is usual among them is no outlier in one that happens to scatter less. Never less than half of a series is kept.
    """
    there = np.isfinite(differences)
    known = differences[there.any(axis=1)]
    if not known.size:
        return np.full(differences.shape, np.nan)
    middle = np.nanmedian(known, axis=1, keepdims=True)
    usual = float(np.median(1.4826 * np.nanmedian(np.abs(known - middle), axis=1)))
    sizes = np.where(there, np.abs(differences), np.inf)
    limits = np.full((len(differences), 1), usual)
    limits[there.any(axis=1)] = np.maximum(np.nanmedian(np.abs(known), axis=1, keepdims=True), usual)
    return np.asarray(np.where(sizes <= OUTLYING * limits + 1e-12, differences, np.nan))
