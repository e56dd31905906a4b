"""Whether stacks compare otherwise in the rounds after a break than in those before it, as when a run goes on later.

The break is known, so nothing is searched for: means of log ratios before and after it, all pairs and tests together.
What chance gives other choices of as many rounds show, the same for all of them, the largest against the largest.

Source: Westfall and Young 1993 (max-T over permutations).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

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
    for held, rows in _group_by_rounds(np.isfinite(apart)):
        columns = np.flatnonzero(held)
        places = orders[:, columns].argsort(axis=1).argsort(axis=1)
        for (at, end), part in product(enumerate(breaks), _in_parts(rows)):
            before, count = int((columns < end).sum()), columns.size
            if 1 < before < count - 1:
                after = (places >= before).T.astype(float)
                sums = _centre(apart[np.ix_(part, columns)]) @ after
                found = _student(sums / np.sqrt(before * (count - before) / count), count)
                seen[at, part] = found[:, 0]
                np.maximum(largest, found.max(axis=0), out=largest)
    chance = (largest[None, :] >= seen.max(axis=0)[:, None] * (1 - 1e-9)).mean(axis=1)
    return np.where(chance <= LEVEL, np.array(breaks)[seen.argmax(axis=0)], 0)


def _group_by_rounds(held: np.ndarray) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """The rounds that some series have, bool (rounds,), with the numbers of these series.

    Each is shuffled over its own rounds in the order of all.
    """
    patterns, of = np.unique(held, axis=0, return_inverse=True)
    return ((pattern, np.flatnonzero(of.ravel() == number)) for number, pattern in enumerate(patterns))


def _in_parts(rows: np.ndarray) -> list[np.ndarray]:
    return [rows[start : start + _AT_ONCE] for start in range(0, rows.size, _AT_ONCE)]


def _student(distances: np.ndarray, rounds: int) -> np.ndarray:
    """Student's t of two means, from their distance in scatters of the whole: few rounds and many are on one scale."""
    alike = np.minimum(np.abs(distances) / np.sqrt(rounds - 1), 1 - _NOTHING)
    return np.asarray(alike * np.sqrt((rounds - 2) / (1 - alike**2)))


def _centre(apart: np.ndarray) -> np.ndarray:
    """Series without missing rounds, with mean 0 and scatter 1, odd rounds drawn in; 0 where nothing scatters."""
    middle = np.median(apart, axis=1, keepdims=True)
    reach = _REACH * 1.4826 * np.median(np.abs(apart - middle), axis=1, keepdims=True)
    inside = np.where(reach > 0, np.clip(apart, middle - reach, middle + reach), apart)
    centred = inside - inside.mean(axis=1, keepdims=True)
    scatter = np.sqrt((centred**2).sum(axis=1, keepdims=True) / (apart.shape[1] - 1))
    return np.asarray(np.where(scatter > _NOTHING, centred / np.maximum(scatter, _NOTHING), 0.0))
