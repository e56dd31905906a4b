"""What is said of stacks and tests that scatter little beside others that scatter many times as much."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import numpy as np
from benchmarks.truth import former
from benchmarks.truth.simulation import Figure, Simulation, generator

from msgauge.stats.pairwise import EQUIVALENT, FASTER, MARGIN, SLOWER, judge_pairs

NOISE = 0.15
"""Scatter of what is noisy."""
TESTS = 0
"""In place of how many stacks are noisy: two tests in three are, of all stacks."""


def false_beside_noise(shape: tuple[int, int, int], noisy: int, calm: float, trials: int) -> Figure:
    """Share of tables of stacks of one level with two called different; before: against the first stack.

    ``shape``: stacks, cells, rounds; ``noisy``: how many stacks are, or ``TESTS``; ``calm``: scatter of the others.
    """
    random = generator(321)
    now = before = 0
    for _ in range(trials):
        times = np.exp(_draw(shape, noisy, calm, random))
        now += bool(np.isin(judge_pairs(times).word, (FASTER, SLOWER)).any())
        before += bool(np.isin(former.against_base(np.log(times)), (FASTER, SLOWER)).any())
    claim = "stacks of one level are not called different, also beside what scatters by 15 %"
    return Figure(claim, "<= 5 %", _name(shape, noisy, calm), now / trials, before / trials, trials)


def found_beside_noise(shape: tuple[int, int, int], noisy: int, calm: float, trials: int) -> Figure:
    """Share of cells in which one of two calm stacks is called slower, which it is by 5 %."""
    random = generator(322)
    now, before = [], []
    for _ in range(trials):
        logs = _draw(shape, noisy, calm, random)
        logs[-1] += np.log(1.05)
        now.append((_of_the_calm(logs, noisy) == SLOWER).mean())
        before.append((former.against_base(logs)[-1, _calm_cells(shape, noisy)] == SLOWER).mean())
    claim = "a difference of 5 % is found beside what scatters by 15 %"
    return Figure(claim, "", _name(shape, noisy, calm), float(np.mean(now)), float(np.mean(before)), trials)


def false_equivalence_beside_noise(shape: tuple[int, int, int], noisy: int, trials: int) -> Figure:
    """Share of tables in which two calm stacks, apart by just the margin, are called equivalent in a cell."""
    random, now, calm = generator(323), 0, 0.005
    for _ in range(trials):
        logs = _draw(shape, noisy, calm, random)
        logs[-1] += np.log1p(MARGIN)
        now += bool((_of_the_calm(logs, noisy) == EQUIVALENT).any())
    claim = "stacks apart by 3 % are not called equivalent, also beside what scatters by 15 %"
    return Figure(claim, "<= 5 %", _name(shape, noisy, calm), now / trials, float("nan"), trials)


def simulations() -> Iterator[Simulation]:
    """A quarter of an hour of one core."""
    tables = (((3, 8, 7), 1), ((3, 8, 10), 1), ((6, 9, 10), 4), ((2, 12, 10), TESTS), ((3, 12, 7), TESTS))
    for (shape, noisy), calm in product(tables, (0.003, 0.02)):
        trials = 6000 if (noisy, calm) == (1, 0.02) else 2000  # near the level
        yield Simulation(false_beside_noise, (shape, noisy, calm), trials)
    for shape, noisy in tables:
        yield Simulation(found_beside_noise, (shape, noisy, 0.01), 300)
        yield Simulation(false_equivalence_beside_noise, (shape, noisy), 1000)


def _draw(shape: tuple[int, int, int], noisy: int, calm: float, random: np.random.Generator) -> np.ndarray:
    """Logarithms; the first stack and the last are calm, and those between them that are not noisy."""
    stacks, cells, rounds = shape
    scatter = np.full((stacks, cells), calm)
    if noisy == TESTS:
        scatter[:, : 2 * cells // 3] = NOISE
    scatter[1 : 1 + noisy] = NOISE
    return random.normal(0, 1, (stacks, cells, rounds)) * scatter[:, :, None]


def _of_the_calm(logs: np.ndarray, noisy: int) -> np.ndarray:
    """What is said of the last stack beside the first, in each calm cell."""
    judged = judge_pairs(np.exp(logs))
    words = judged.word[(judged.first == 0) & (judged.second == len(logs) - 1)][0]
    return np.asarray(words[_calm_cells(logs.shape, noisy)])


def _calm_cells(shape: tuple[int, ...], noisy: int) -> slice:
    return slice(2 * shape[1] // 3 if noisy == TESTS else 0, None)


def _name(shape: tuple[int, int, int], noisy: int, calm: float) -> str:
    stacks, cells, rounds = shape
    what = f"{noisy} of them noisy, the others by" if noisy != TESTS else "two tests in three noisy, the others by"
    return f"{stacks} stacks, {what} {100 * calm:g} %; {cells} cells, {rounds} rounds"
