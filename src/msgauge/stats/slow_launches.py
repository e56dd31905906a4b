"""Launches that are slow as a whole: what share of them, and by what factor, each with its interval."""

from __future__ import annotations

import numpy as np

from msgauge.model import SlowLaunches

LEAST_FACTOR = 1.25
"""A launch less than this above the others is scatter, not a mode."""
LEAST_DISTANCE = 6.0
"""And it stands so many scatters of the others above them."""
FEWEST = 5


def slow_launches(medians: np.ndarray, others: np.ndarray | None = None) -> SlowLaunches | None:
    """The slow launches of a stack, None when there are none or fewer than five launches.

    ``medians``: launch medians, ns, shape (rounds,), nan where missing. ``others``: those of the other stacks in the
    same rounds, shape (stacks, rounds). A round in which the others are slow too, by half as much in logarithms, shows
    the machine and not the stack; it counts among the launches, but not as slow. Where every slow launch is next to
    such a round, or in the first or the last one, none counts as slow: the pace of the machine changed between two
    launches of a round. What is normal for the others is told by the rounds' own ratios: two stacks that follow one
    machine may each be slow in about half of the rounds, and would else be told different levels.

    Fewer than half of the launches can be slow: what most of them do is the level. The interval of the share is exact
    (Clopper-Pearson); that of the factor is Student's t of the two groups' logarithms, with the scatter of the larger
    group for a group of one.

    Source: Clopper and Pearson 1934; Rousseeuw and Croux 1993, eq. 1.2 (scatter).
    """
    there = np.isfinite(medians) & (medians > 0)
    if there.sum() < FEWEST:
        return None
    logs = np.log(medians[there])
    excess = logs - _level(logs)
    slow = excess > max(np.log(LEAST_FACTOR), LEAST_DISTANCE * _scatter(excess))
    if slow.any() and others is not None and others.size:
        machine = _machine(logs, others[:, there])
        slow &= excess > 2 * machine
        slow &= (excess[slow] > 2 * _reach_to_neighbours(machine)[slow]).any()
    if not slow.any() or 2 * slow.sum() >= slow.size:
        return None
    low, high = share_interval(int(slow.sum()), int(slow.size))
    factor, reach = _factor(logs[slow], logs[~slow])
    limits = np.exp([factor, factor - reach, factor + reach])
    return SlowLaunches(int(slow.sum()), int(slow.size), float(slow.mean()), low, high, *map(float, limits))


def share_interval(count: int, of: int, level: float = 0.95) -> tuple[float, float]:
    """Exact interval of a share, ``count`` of ``of`` seen. Source: Clopper and Pearson 1934."""
    from scipy.special import betaincinv

    tail = (1 - level) / 2
    low = float(betaincinv(count, of - count + 1, tail)) if count else 0.0
    high = float(betaincinv(count + 1, of - count, 1 - tail)) if count < of else 1.0
    return low, high


def _level(logs: np.ndarray) -> float:
    return float(np.median(logs))


def _scatter(excess: np.ndarray) -> float:
    """Of the lower half, mirrored: slow launches must not widen the measure by which they are told."""
    below = -excess[excess <= 0]
    return 1.4826 * float(np.median(below)) if below.size else 0.0


def _machine(own: np.ndarray, others: np.ndarray) -> np.ndarray:
    """How far the other stacks were above ``own`` level in each round: median over stacks, shape (rounds,).

    ``own``: logarithms, shape (rounds,), from which each other stack stands the median of its log ratios away.
    """
    logs = np.log(np.where(others > 0, others, np.nan))
    rows = np.isfinite(logs).sum(axis=1) >= FEWEST
    if not rows.any():
        return np.zeros(others.shape[1])
    ratios = logs[rows] - own
    excess = ratios - np.nanmedian(ratios, axis=1, keepdims=True) + own - _level(own)
    excess[:, ~np.isfinite(excess).any(axis=0)] = 0.0
    return np.asarray(np.nanmedian(excess, axis=0))


def _reach_to_neighbours(machine: np.ndarray) -> np.ndarray:
    """The highest of each round and of those beside it, of which nothing is known at both ends; shape (rounds,)."""
    padded = np.pad(machine, 1, constant_values=np.inf)
    return np.asarray(np.maximum(machine, np.maximum(padded[:-2], padded[2:])))


def _factor(slow: np.ndarray, fast: np.ndarray) -> tuple[float, float]:
    """Log factor and how far its interval reaches."""
    from scipy.special import stdtrit

    spread = fast.std(ddof=1)
    own = max(float(slow.std(ddof=1)), 1e-12) if slow.size > 1 else float(spread)
    freedom = slow.size - 1 if slow.size > 1 else fast.size - 1
    error = np.sqrt(own**2 / slow.size + spread**2 / fast.size)
    return float(np.median(slow) - np.median(fast)), float(stdtrit(freedom, 0.975) * error)
