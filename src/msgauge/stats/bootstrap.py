"""The hierarchical bootstrap: resample launches, and inside each drawn launch blocks of its batches."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np


def hierarchical_interval(
    launches: Sequence[np.ndarray], random: np.random.Generator, draws: int = 1000, level: float = 0.95
) -> tuple[float, float]:
    """Percentile interval of the median of launch medians, an alternative to order statistics from ten launches on.

    ``launches``: one float array of shape (batches,) each, in order of time, ns per event. Returns low and high in ns.
    Batches are drawn in circular blocks of about the square root of their number, so that autocorrelation survives.
    It is only as good as the launches are many, which is why order statistics are the default.

    Raises:
        ValueError: with fewer than two launches, or an empty one.

    Source: Davison and Hinkley 1997, section 3.8 (hierarchical data); Politis and Romano 1992 (circular blocks).
    """
    if len(launches) < 2 or any(batches.size == 0 for batches in launches):
        raise ValueError("the bootstrap needs at least two launches, each with samples")
    redrawn = np.stack([_redrawn_medians(batches, random, draws) for batches in launches])
    chosen = random.integers(len(launches), size=(len(launches), draws))
    medians = np.median(redrawn[chosen, np.arange(draws)], axis=0)
    low, high = np.quantile(medians, [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high)


def _redrawn_medians(batches: np.ndarray, random: np.random.Generator, draws: int) -> np.ndarray:
    """Medians of ``draws`` circular block resamples of one launch, shape (draws,)."""
    n = batches.size
    block = max(1, round(np.sqrt(n)))
    starts = random.integers(n, size=(draws, -(-n // block)))
    places = (starts[:, :, None] + np.arange(block)) % n
    return np.asarray(np.median(batches[places.reshape(draws, -1)[:, :n]], axis=1))
