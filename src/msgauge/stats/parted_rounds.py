"""Whether stacks compare otherwise in the rounds after a break than in those before it, as when a run goes on later.

The break is known, so nothing is searched for: means of log ratios before and after it, all pairs and tests together.
What chance gives other choices of as many rounds show, the same for all of them, the largest against the largest.

Source: Westfall and Young 1993 (max-T over permutations).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

LEVEL = 0.01
"""Chance that a run of one law is called parted: there are few such runs, and a false word costs an "equivalent"."""
DRAWS = 999
_REACH = 20.0
"""Ratios count at most so many typical scatters of their series: enough to tell levels apart."""
_NOTHING = 1e-9
_AT_ONCE = 2000
"""Series in one product."""


def find_parted(apart: np.ndarray, breaks: Sequence[int], seed: int = 1) -> np.ndarray:
    """For each series the break at which it surely changes most, as the number of rounds before it; 0 where none.

    ``apart``: log ratios, shape (series, rounds), nan where there is none. ``breaks``: each between the first round and
    the last. Returns integers of shape (series,).
    """
    rounds = apart.shape[1]
    breaks = sorted({one for one in breaks if 1 < one < rounds - 1})
    if not breaks or not len(apart):
        return np.zeros(len(apart), dtype=int)
    random = np.random.default_rng(seed)
    orders = np.array([np.arange(rounds), *(random.permutation(rounds) for _ in range(DRAWS))])
    seen, largest = np.zeros((len(breaks), len(apart))), np.zeros(len(orders))
    for at, end in enumerate(breaks):
        after = (orders >= end).T.astype(float)
        for rows in _in_parts(len(apart)):
            distances = np.abs(_centre(apart[rows]) @ after) / np.sqrt(end * (rounds - end) / rounds)
            seen[at, rows] = distances[:, 0]
            np.maximum(largest, distances.max(axis=0), out=largest)
    chance = (largest[None, :] >= seen.max(axis=0)[:, None] * (1 - 1e-9)).mean(axis=1)
    return np.where(chance <= LEVEL, np.array(breaks)[seen.argmax(axis=0)], 0)


def _in_parts(rows: int) -> Iterator[slice]:
    return (slice(start, start + _AT_ONCE) for start in range(0, rows, _AT_ONCE))


def _centre(apart: np.ndarray) -> np.ndarray:
    """Series with mean 0 and scatter 1, odd rounds drawn in; 0 where a round is missing, or where nothing scatters."""
    there = np.isfinite(apart)
    series = np.where(there.any(axis=1, keepdims=True), np.where(there, apart, np.nan), 0.0)
    middle = np.nanmedian(series, axis=1, keepdims=True)
    reach = _REACH * 1.4826 * np.nanmedian(np.abs(series - middle), axis=1, keepdims=True)
    inside = np.where(reach > 0, np.clip(series, middle - reach, middle + reach), series)
    centred = np.nan_to_num(inside - np.nanmean(inside, axis=1, keepdims=True))
    scatter = np.sqrt((centred**2).sum(axis=1, keepdims=True) / max(apart.shape[1] - 1, 1))
    return np.asarray(np.where(scatter > _NOTHING, centred / np.maximum(scatter, _NOTHING), 0.0))
