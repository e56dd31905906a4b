"""What an error that no number of rounds shows does to the logarithm of a time."""

from __future__ import annotations

from math import exp, inf, log1p


def bound_log(error: float, time: float) -> float:
    """By how much an error changes the logarithm of a time at most, both in one unit; inf where it may be all of it."""
    if error <= 0:
        return 0.0
    share = error / max(time, 1e-9)
    return -log1p(-share) if share < 1 else inf


def bound_ratio(*sides: tuple[float, float]) -> float:
    """By how much errors change the logarithm of a ratio at most, each (error, time) of one side in one unit."""
    return sum(bound_log(error, time) for error, time in sides)


def widen(low: float, high: float, reach: float) -> tuple[float, float]:
    """Limits of a ratio as far as ``reach``, an error of its logarithm, leaves it open."""
    return low * exp(-reach), high * exp(reach)
