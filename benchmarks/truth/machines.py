"""Simulated machines whose truth is known: launch medians of stacks, round after round.

Every machine gives logarithms of times, shape (stacks, cells, rounds); all stacks are alike unless ``shift`` says that
they are not. The launches of a round stand side by side; all cells of one stack in one round come from one launch.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

Shape = tuple[int, int, int]
Machine = Callable[[Shape, np.random.Generator], np.ndarray]

SCATTER = 0.02
SLOW_SHARE = 0.3
SLOW_FACTOR = 1.3


def lognormal(shape: Shape, random: np.random.Generator) -> np.ndarray:
    """Every launch median scatters by 2 %."""
    return random.normal(0, SCATTER, shape)


def heavy_tails(shape: Shape, random: np.random.Generator) -> np.ndarray:
    """Student's t with three degrees of freedom: one launch in fifty is five scatters away."""
    return SCATTER / 2 * random.standard_t(3, shape)


def spikes(shape: Shape, random: np.random.Generator) -> np.ndarray:
    """One launch median in ten is slower by some 65 %."""
    return lognormal(shape, random) + (random.random(shape) < 0.1) * random.exponential(0.5, shape)


def modes_of_cells(shape: Shape, random: np.random.Generator) -> np.ndarray:
    """Each cell of each launch is slow in 30 %, by 1.3, whatever the other cells of the launch are."""
    return random.normal(0, 0.01, shape) + np.log(SLOW_FACTOR) * (random.random(shape) < SLOW_SHARE)


def modes_of_launches(shape: Shape, random: np.random.Generator) -> np.ndarray:
    """A launch is slow in 30 %, by 1.3, with all of its cells."""
    stacks, _, rounds = shape
    slow = random.random((stacks, 1, rounds)) < SLOW_SHARE
    return random.normal(0, 0.01, shape) + np.log(SLOW_FACTOR) * slow


def drifting(shape: Shape, random: np.random.Generator) -> np.ndarray:
    """Pace of the machine, shared by all cells: a walk of 2 % a launch and regimes of 2.5 x; stacks in random order.

    A regime lasts ten launches on average; one in ten lasts for a single launch, which then is a slow launch.
    """
    return _follow_regimes(shape, random.random(shape[0] * shape[2]) < 0.1, random)


def drifting_slowly(shape: Shape, random: np.random.Generator) -> np.ndarray:
    """The same where no regime is shorter than two launches."""
    begins = random.random(shape[0] * shape[2]) < 0.1
    for place in range(1, begins.size):
        begins[place] &= not begins[place - 1]
    return _follow_regimes(shape, begins, random)


def _follow_regimes(shape: Shape, begins: np.ndarray, random: np.random.Generator) -> np.ndarray:
    """``begins``: whether another regime begins with a launch, in the order of launches."""
    stacks, _, rounds = shape
    walk = np.cumsum(random.normal(0, 0.02, rounds * stacks))
    pace = (walk + np.log(2.5) * (np.cumsum(begins) % 2)).reshape(rounds, stacks)
    order = np.argsort(random.random((rounds, stacks)), axis=1)
    in_order = np.take_along_axis(pace, order, axis=1)
    return random.normal(0, 0.01, shape) + in_order.T[:, None, :]


def autoregressive(shape: Shape, random: np.random.Generator, correlation: float = 0.7) -> np.ndarray:
    """The machine's pace in a round resembles that of the round before, AR(1), in each cell; stacks share the round."""
    pace = correlate(random.normal(0, 5 * SCATTER, (1, *shape[1:])), correlation)
    return random.normal(0, SCATTER / 2, shape) + pace


def correlate(steps: np.ndarray, correlation: float) -> np.ndarray:
    """AR(1) along the last axis from independent ``steps``, whose variance it keeps; any shape."""
    values = steps.copy()
    for index in range(1, values.shape[-1]):
        values[..., index] = correlation * values[..., index - 1] + np.sqrt(1 - correlation**2) * steps[..., index]
    return values


ALIKE: dict[str, Machine] = {
    "lognormal": lognormal,
    "heavy tails": heavy_tails,
    "spikes": spikes,
    "two modes, cell by cell": modes_of_cells,
    "two modes, launch by launch": modes_of_launches,
    "drifting": drifting,
    "drifting slowly": drifting_slowly,
    "autoregressive": autoregressive,
}
