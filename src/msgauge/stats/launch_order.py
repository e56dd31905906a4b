"""Whether launches are slow for their place in the order: the first of their block, or right after a certain stack.

Verdicts take each launch for independent of the one before it. The stacks of a block come in random order, so that a
test of that needs no model: under it the paces would be as they are in every other order that could have been drawn
(Fisher 1935).
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from attrs import frozen

LEVEL = 0.02
DRAWS = 999
LEAST = 1.02
"""Smaller effects are not told: where the machine slows down all along, the first of a block come earlier."""
FIRST = -1
"""The place of the first launch of a block; others are named by the stack that went right before."""
_FEWEST_BLOCKS = 5
_SEED, _SWEEPS = 9, 50
_AS_CLEAR = 0.9
"""Of two stacks who follows the one does not follow the other: the slow are named, not the fast."""


@frozen
class OrderEffect:
    """Launches of one place, beside others of the same groups."""

    place: int
    factor: float
    """So many times as slow as the others."""
    launches: int
    p_value: float
    """That the order has no say, corrected for all places."""


def find_order_effect(
    paces: np.ndarray, groups: np.ndarray, stacks: np.ndarray, blocks: np.ndarray, *, balanced: bool
) -> OrderEffect | None:
    """The place with the clearest effect, where there is one of ``LEAST`` and more.

    Args:
        paces: natural logarithm of how slow each launch was, float64 of shape (launches,), in the order of their
            beginning; NaN where that is not known.
        groups: what launches are compared within, their stack and number of ranks, int64 of shape (launches,).
        stacks: the stack of each, int64 of shape (launches,).
        blocks: within which the order was random, int64 of shape (launches,), those of one block next to each other.
        balanced: whether each block begins with the stack that the one before it ended with.
    """
    parts = np.cumsum(np.concatenate([[0], np.diff(blocks) != 0]))
    known = np.isfinite(paces)
    if parts.size == 0 or np.unique(parts[known]).size < _FEWEST_BLOCKS or np.unique(stacks[known]).size < 2:
        return None
    _, groups = np.unique(groups, return_inverse=True)
    ranks = _rank_within(_without_common_pace(paces, parts), groups, known)
    table = _Places(stacks, groups, parts, known, ranks)
    as_it_was = np.arange(paces.size)
    seen = table.effects(as_it_was)
    others = [np.abs(table.effects(order)).max() for order in _draw_orders(stacks, parts, balanced)]
    p_value = (1 + int((np.array(others) >= np.abs(seen).max() - 1e-12).sum())) / (DRAWS + 1)
    if p_value > LEVEL:
        return None
    place = FIRST + int(seen.argmax() if seen.max() > _AS_CLEAR * np.abs(seen).max() else seen.argmin())
    there = table.places(as_it_was, place) & known
    swept = _sweep(np.array([paces, there])[:, known], groups[known], parts[known])
    factor = float(np.exp((swept[0] * swept[1]).sum() / max((swept[1] ** 2).sum(), 1e-9)))
    return OrderEffect(place, factor, int(there.sum()), p_value) if max(factor, 1 / factor) >= LEAST else None


def _draw_orders(stacks: np.ndarray, parts: np.ndarray, balanced: bool) -> Iterator[np.ndarray]:
    """Other orders of the launches that might have been drawn, ``DRAWS`` of them, each of shape (launches,)."""
    random = np.random.default_rng(_SEED)
    kinds, blocks = int(stacks.max()) + 1, np.arange(parts[-1] + 1)
    for _ in range(DRAWS):
        keys = random.random((blocks.size, kinds))
        if balanced:
            steps = random.integers(1, max(kinds, 2), blocks.size)
            ends = (random.integers(kinds) + np.cumsum([0, *steps])) % kinds
            keys[blocks, ends[:-1]], keys[blocks, ends[1:]] = -1, 1
        yield np.lexsort((keys[parts, stacks], parts))


def _without_common_pace(paces: np.ndarray, parts: np.ndarray) -> np.ndarray:
    """Of three launches and more a block the mean is the machine's; of two it would hide what one of them did."""
    known = np.isfinite(paces)
    counts = np.bincount(parts, weights=known)
    means = np.bincount(parts, weights=np.where(known, paces, 0)) / np.maximum(counts, 1)
    return np.asarray(paces - np.where(counts > 2, means, 0)[parts])


def _sweep(values: np.ndarray, groups: np.ndarray, parts: np.ndarray) -> np.ndarray:
    """What is left of each row without the means of groups and blocks (alternating projections, von Neumann 1949)."""
    left = values.astype(float)
    for _ in range(_SWEEPS):
        for kinds in (groups, parts):
            sizes = np.maximum(np.bincount(kinds), 1)
            left -= np.array([np.bincount(kinds, weights=row) / sizes for row in left])[:, kinds]
    return left


def _rank_within(paces: np.ndarray, groups: np.ndarray, known: np.ndarray) -> np.ndarray:
    """Ranks within each group, around 0, so that one accident weighs no more than another launch; 0 where not known."""
    ranks = np.zeros(paces.size)
    for group in np.unique(groups):
        mine = np.flatnonzero((groups == group) & known)
        _, place, count = np.unique(paces[mine], return_inverse=True, return_counts=True)
        middle = np.cumsum(count) - (count + 1) / 2
        ranks[mine] = (middle[place] - (mine.size - 1) / 2) / max(mine.size, 1)
    return ranks


class _Places:
    """How ranks go with places under one order of the launches."""

    def __init__(
        self, stacks: np.ndarray, groups: np.ndarray, parts: np.ndarray, known: np.ndarray, ranks: np.ndarray
    ) -> None:
        self._stacks, self._groups, self._known, self._ranks = stacks, groups, known, ranks
        self._begins = np.concatenate([[True], np.diff(parts) != 0])
        self._kinds = int(stacks.max()) + 1
        self._sizes = np.bincount(groups, weights=known)
        self._length = float(np.sqrt((ranks**2).sum()))

    def effects(self, order: np.ndarray) -> np.ndarray:
        """Correlation of the ranks with each place, the first of a block before the stacks, shape (stacks + 1,)."""
        before = np.full(order.size, self._kinds)
        before[order[1:]] = self._stacks[order[:-1]]
        first = order[self._begins]
        found = np.zeros(self._kinds + 1)
        known = np.bincount(self._groups[first], weights=self._known[first], minlength=self._sizes.size)
        found[0] = self._one(self._ranks[first].sum(), known)
        sums = np.bincount(before, weights=self._ranks, minlength=self._kinds + 1)
        cells = self._groups * (self._kinds + 1) + before
        table = np.bincount(cells, weights=self._known, minlength=self._sizes.size * (self._kinds + 1))
        table = table.reshape(self._sizes.size, self._kinds + 1)
        for stack in range(self._kinds):
            found[stack + 1] = self._one(sums[stack], table[:, stack])
        return found

    def places(self, order: np.ndarray, place: int) -> np.ndarray:
        """Which launches stand there, bool of shape (launches,)."""
        chosen = np.zeros(order.size, dtype=bool)
        chosen[order[self._begins] if place == FIRST else order[1:][self._stacks[order[:-1]] == place]] = True
        return chosen

    def _one(self, total: float, counts: np.ndarray) -> float:
        length = float(np.sqrt((counts - counts**2 / np.maximum(self._sizes, 1)).sum()))
        return total / (length * self._length) if length * self._length > 0 else 0.0
