"""What a simulation is: a function with its arguments, how many trials make it precise, and a seed from outside.

The seed of the command enters every generator, so that figures can be drawn anew from data that nobody has looked at.
"""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar
from typing import Any

import numpy as np
from attrs import frozen

_SEED: ContextVar[int] = ContextVar("seed", default=0)


@frozen
class Figure:
    """A share seen in ``trials`` simulations, beside what the former method gave on the same data (nan: no such)."""

    claim: str
    promised: str
    case: str
    share: float
    before: float
    trials: int

    @property
    def error(self) -> float:
        """95 % Monte-Carlo error of the share."""
        return float(1.96 * np.sqrt(max(self.share * (1 - self.share), 1 / self.trials) / self.trials))


@frozen
class Simulation:
    """``function(*arguments, trials)`` gives a Figure; nothing runs before it is asked for."""

    function: Callable[..., Figure]
    arguments: tuple[Any, ...]
    trials: int

    @property
    def name(self) -> str:
        """Its function and arguments: the same simulation has the same name for good."""
        return f"{self.function.__name__}{self.arguments}"

    def run(self, seed: int, effort: float = 1.0) -> Figure:
        """Its figure; ``effort`` 1 makes as many trials as the page has at least."""
        token = _SEED.set(seed)
        try:
            return self.function(*self.arguments, max(2, round(self.trials * effort)))
        finally:
            _SEED.reset(token)


def generator(number: int) -> np.random.Generator:
    """The generator of a simulation; its ``number`` keeps simulations apart that run with one seed."""
    return np.random.default_rng([number, _SEED.get()])
