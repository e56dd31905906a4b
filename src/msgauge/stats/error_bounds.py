"""What an error that no number of rounds shows does to the logarithm of a time."""

from __future__ import annotations

from math import inf, log1p


def bound_log(error: float, time: float) -> float:
    """By how much an error changes the logarithm of a time at most, both in one unit; inf where it may be all of it."""
    if error <= 0:
        return 0.0
    share = error / max(time, 1e-9)
    return -log1p(-share) if share < 1 else inf
