"""Looking at results before the end: levels that hold at every look, and a stopping rule that leaves intervals whole.

Each look at growing data is another chance to be wrong. The looks of a run are planned, so the level of a single look
can be set such that all of them together keep the level promised: then what is shown after any of them holds.
"""

from __future__ import annotations

from functools import cache
from itertools import pairwise

import numpy as np

GROWTH = 1.41
FIRST_LOOK = 7
"""Six rounds cannot fall below 1/32, which is more than the level of a single one of several looks."""
STOPPING_LEVEL = 0.005
"""Level of the intervals that may end a run."""
REPORTED_LEVEL = 0.04
"""Level of the intervals reported where precision ended a run: they miss in about 5 %, as the run chose its end."""
_GRID = 361
_REACH = 9.0


def looks(first: int, last: int) -> tuple[int, ...]:
    """The rounds after which results are drawn up: about x 1.4 apart (7, 10, 14, 20, 28, ...), and the last one.

    Raises:
        ValueError: when ``first`` is less than 1 or greater than ``last``.
    """
    if not 1 <= first <= last:
        raise ValueError(f"looks run from 1 or more upwards, not from {first} to {last}")
    places, place = [], float(first)
    while round(place) < last:
        places.append(round(place))
        place = max(place * GROWTH, place + 1)
    return (*places, last)


@cache
def levels_at_looks(rounds: tuple[int, ...], level: float = 0.05) -> tuple[float, ...]:
    """Level of each look after these numbers of rounds, so that together they err in ``level`` at most.

    The same for all looks (7, 10, 14, 20, 28 and 30 rounds: about 1.5 % each), but that the first has the least p that
    sign flips of its rounds can give, where this is little more: else a look after seven rounds could never decide.
    One look has the whole level.

    Raises:
        ValueError: when the rounds do not grow.

    Source: Pocock 1977 (a constant level); Armitage, McPherson and Rowe 1969 (its recursion over looks).
    """
    if not rounds or rounds[0] < 1 or any(after <= before for before, after in pairwise(rounds)):
        raise ValueError(f"looks come after growing numbers of rounds, not after {rounds}")
    low, high = 1e-6, level
    for _ in range(40):
        middle = (low + high) / 2
        low, high = (low, middle) if _chance_to_cross(rounds, _with_first(rounds, middle)) > level else (middle, high)
    return _with_first(rounds, low)


def _with_first(rounds: tuple[int, ...], level: float) -> tuple[float, ...]:
    least = 0.5 ** (rounds[0] - 1)
    first = least * 1.001 if level < least <= 1.5 * level else level
    return (first, *[level] * (len(rounds) - 1))


def _chance_to_cross(rounds: tuple[int, ...], levels: tuple[float, ...]) -> float:
    """Chance that a standardised sum of normal values is beyond its bound at one look or more, by integration."""
    from scipy.special import ndtri

    grid = np.linspace(-_REACH, _REACH, _GRID)
    step = grid[1] - grid[0]
    density = np.exp(-(grid**2) / 2) / np.sqrt(2 * np.pi)
    outside = 0.0
    for index, level in enumerate(levels):
        beyond = np.clip((np.abs(grid) + float(ndtri(level / 2))) / step + 0.5, 0.0, 1.0)
        outside += float((density * beyond).sum() * step)
        if index + 1 == len(rounds):
            break
        share = np.sqrt(rounds[index] / rounds[index + 1])
        width = np.sqrt(1 - share**2)
        kernel = np.exp(-((grid[:, None] - share * grid[None, :]) ** 2) / (2 * width**2)) / (width * np.sqrt(2 * np.pi))
        density = kernel @ (density * (1 - beyond)) * step
    return outside
