"""Two runs: what a ratio across them is worth, given how much runs of the same binary differ.

All launches of a run share its state of the machine. However many there are, a difference between two runs is one
observation of the change and one of that state; how large the latter is has to come from elsewhere: from runs repeated
before, or from stacks that did not change and were measured in both runs.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from attrs import frozen

LEVEL = 0.05


@frozen
class RunVariance:
    """Variance of the logarithm of a time between runs, with the degrees of freedom it was estimated with."""

    variance: float
    freedom: float


@frozen
class Change:
    """New over old: ratio, 95 % interval and p; all but the ratio are nan when nothing is known between runs."""

    ratio: float
    low: float
    high: float
    p_value: float


def variance_between(runs: Sequence[np.ndarray]) -> RunVariance | None:
    """From repeated runs of the same stack; None with fewer than three.

    ``runs``: for each run its log levels, shape (cells,), nan where missing, the same cells in the same order. A run is
    fast or slow as a whole, so there are no more degrees of freedom than runs less one, however many the cells.

    Source: analysis of variance, random effects (Searle, Casella and McCulloch 1992, section 3.4).
    """
    table = np.array(runs, dtype=float)
    if table.ndim != 2 or table.shape[0] < 3:
        return None
    shared = np.isfinite(table).all(axis=0)
    if not shared.any():
        return None
    variance = table[:, shared].var(axis=0, ddof=1)
    return RunVariance(float(variance.mean()), float(table.shape[0] - 1))


def change(old: np.ndarray, new: np.ndarray, between: RunVariance | None) -> Change:
    """How a stack changed from one run to another, from its launches in each and the variance between runs.

    ``old`` and ``new``: positive launch medians, ns. The error is of both medians and two draws between runs;
    its degrees of freedom are Satterthwaite's, but no more than the variance between runs has: by themselves they err
    in 7 % with five runs.

    Source: Welch 1947; Satterthwaite 1946.
    """
    first, second = np.log(old[old > 0]), np.log(new[new > 0])
    if not first.size or not second.size:
        return Change(np.nan, np.nan, np.nan, np.nan)
    shift = float(np.median(second) - np.median(first))
    if between is None or min(first.size, second.size) < 2:
        return Change(float(np.exp(shift)), np.nan, np.nan, np.nan)
    parts = np.array([_error(first), _error(second), 2 * between.variance])
    freedoms = np.array([first.size - 1, second.size - 1, between.freedom])
    return _interval(shift, parts, freedoms)


def change_against_references(shift: float, error: float, references: np.ndarray, launches: int) -> Change:
    """The change of a stack less that of stacks which did not change, measured in both runs.

    ``shift``: log ratio new over old of the stack in the cell, with its standard error from ``launches`` launches a
    side; ``references``: the same log ratios of reference stacks, shape (references, cells), nan where missing. Their
    mean is the change of the machine, their scatter what is left of it; at least three of them are needed.
    """
    known = references[np.isfinite(references)]
    if known.size < 3:
        return Change(float(np.exp(shift)), np.nan, np.nan, np.nan)
    scatter = float(known.var(ddof=1))
    parts = np.array([error**2, scatter, scatter / known.size])
    freedom = float(known.size - 1)
    return _interval(shift - float(known.mean()), parts, np.array([max(launches - 1, 1), freedom, freedom]))


def _error(logs: np.ndarray) -> float:
    """Variance of the median of launches, by the normal's ratio of a median's variance to a mean's."""
    return float(np.pi / 2 * logs.var(ddof=1) / logs.size)


def _interval(shift: float, parts: np.ndarray, freedoms: np.ndarray) -> Change:
    from scipy.special import stdtr, stdtrit

    total = float(parts.sum())
    if total <= 0:
        exact = float(np.exp(shift))
        return Change(exact, exact, exact, float(shift == 0))
    freedom = min(total**2 / float((parts**2 / freedoms).sum()), float(freedoms[2]))
    error = float(np.sqrt(total))
    reach = float(stdtrit(freedom, 1 - LEVEL / 2)) * error
    ratio, low, high = (float(np.exp(value)) for value in (shift, shift - reach, shift + reach))
    return Change(ratio, low, high, float(2 * stdtr(freedom, -abs(shift) / error)))
