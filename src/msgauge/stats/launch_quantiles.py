"""Tails of launches: one P95 or P99 for each launch, so that a tail is compared as a median is, paired in rounds.

The operations of a launch share its luck; ten thousand of one launch are one observation of its tail. What compares
medians (``pairwise.judge_pairs``) compares these as well, in a family of their own.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from attrs import frozen

BEYOND = 10
"""So many operations at least lie beyond a quantile, else it is not told."""


def has_tail(operations: int, share: float) -> bool:
    """Whether so many operations have ``BEYOND`` beyond a quantile."""
    return operations * (1 - share) >= BEYOND - 1e-9


def launch_quantile(values: np.ndarray, share: float) -> float:
    """The quantile of one launch's single operations, nan where fewer than ten lie beyond it.

    ``values``: one value an operation, shape (n,), any unit; batches have no tail of operations. Between two operations
    where it has to: of a launch with ten times as many it is as likely too long as too short all the same. Tried and
    wrong: that of the sample, which a tail of 1,000 operations has 1 to 4 % shorter than one of 10,000.

    Source: Hyndman and Fan 1996, definition 8.
    """
    if not has_tail(values.size, share):
        return float("nan")
    return float(np.quantile(values, share, method="median_unbiased"))


def launch_quantiles(launches: Sequence[np.ndarray], shares: Sequence[float] = (0.95, 0.99)) -> np.ndarray:
    """Quantiles of each launch, shape (shares, launches), nan where a launch has too few operations."""
    return np.array([[launch_quantile(values, share) for values in launches] for share in shares])


@frozen(eq=False)
class LaunchTails:
    """Tails of the launches of one stack and the medians of the same operations, shape (shares, launches) each."""

    quantiles: np.ndarray
    medians: np.ndarray


def tails_of_equal_counts(
    stacks: Sequence[Sequence[np.ndarray]], shares: Sequence[float] = (0.95, 0.99)
) -> list[LaunchTails]:
    """Of each stack the tails of its launches, by as many operations of all.

    ``stacks``: the operations of the launches of each, in the order in which they were run. Of every launch the first
    ones count, as many as the shortest has that has the quantile at all; nan where a launch has too few. Slow
    operations come one after another, so that a launch of 1,000 mostly has none of those that take up 1 % of 10,000.

    Tried and wrong: all operations of each launch. Of two stacks of one law, clumps of 60 slow operations in 10,000 of
    one and 1,000 of the other, a tail was called different in four runs of ten.
    """
    shapes = [(len(shares), len(launches)) for launches in stacks]
    found = [LaunchTails(np.full(shape, np.nan), np.full(shape, np.nan)) for shape in shapes]
    for row, share in enumerate(shares):
        counts = [one.size for launches in stacks for one in launches if has_tail(one.size, share)]
        shortest = min(counts, default=0)
        for tails, launches in zip(found, stacks, strict=True):
            first = [one[:shortest] for one in launches]
            tails.quantiles[row] = [launch_quantile(one, share) for one in first]
            tails.medians[row] = [np.median(one) if has_tail(one.size, share) else np.nan for one in first]
    return found
