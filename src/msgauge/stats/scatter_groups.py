"""Series parted by how much they scatter: of a noisy stack, or of tests that scatter more, and of calm ones."""

from __future__ import annotations

import numpy as np


def part_by_scatter(logs: np.ndarray, factor: float) -> np.ndarray:
    """Which series have a level of scatter in common, an index each, -1 where nothing is known of it.

    ``logs``: of variances, shape (series,), nan where unknown. They are parted in two where that explains most, and
    either part likewise, as long as the means of the two are apart by a ``factor`` in variance.

    Source: Scott and Knott 1974, "A cluster analysis method for grouping means in the analysis of variance".
    """
    order = np.argsort(logs)[: np.isfinite(logs).sum()]
    groups, number, parts = np.full(logs.shape, -1), 0, [order]
    while parts:
        part = parts.pop()
        calm = _count_calm(logs[part], float(np.log(factor)))
        if calm:
            parts += [part[:calm], part[calm:]]
        else:
            groups[part] = number
            number += 1
    return groups


def _count_calm(ordered: np.ndarray, least: float) -> int:
    """How many of these logarithms, in order of size, lie below the others by ``least``; 0 where none do."""
    if ordered.size < 2:
        return 0
    calm, sums = np.arange(1, ordered.size), np.cumsum(ordered)
    wild = ordered.size - calm
    apart = (sums[-1] - sums[:-1]) / wild - sums[:-1] / calm
    best = int(np.argmax(apart**2 * calm * wild))
    return best + 1 if apart[best] > least else 0
