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


def count_needed(share: float) -> int:
    """The fewest operations that have ``BEYOND`` beyond a quantile."""
    return round(BEYOND / (1 - share))


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
    """Quantiles of each launch, shape (shares, launches), nan in all of them where one has too few operations.

    A launch that is ended by its time has the fewer operations the slower it was. Tried and wrong: the launches that
    have the quantile. Of a stack half of whose launches were 1.6 times as slow at every quantile these had no P99, and
    that of the others was called equivalent.
    """
    found = np.full((len(shares), len(launches)), np.nan)
    for row, share in enumerate(shares):
        if have_tail(launches, share):
            found[row] = [launch_quantile(values, share) for values in launches]
    return found


def have_tail(launches: Sequence[np.ndarray], share: float) -> bool:
    """Whether each of them has the quantile; none is asked for where there are no launches."""
    return all(has_tail(one.size, share) for one in launches)


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
    ones count, as many as the shortest has of the stacks all of whose launches have the quantile; nan in all launches
    of a stack one of which has too few, as in ``launch_quantiles``. Slow operations come one after another, so that a
    launch of 1,000 mostly has none of those that take up 1 % of 10,000.

    Tried and wrong: all operations of each launch. Of two stacks of one law, clumps of 60 slow operations in 10,000 of
    one and 1,000 of the other, a tail was called different in four runs of ten.
    """
    shapes = [(len(shares), len(launches)) for launches in stacks]
    found = [LaunchTails(np.full(shape, np.nan), np.full(shape, np.nan)) for shape in shapes]
    for row, share in enumerate(shares):
        whole = [at for at, launches in enumerate(stacks) if have_tail(launches, share)]
        shortest = min((one.size for at in whole for one in stacks[at]), default=0)
        for at in whole:
            first = [one[:shortest] for one in stacks[at]]
            found[at].quantiles[row] = [launch_quantile(one, share) for one in first]
            found[at].medians[row] = [np.median(one) for one in first]
    return found
