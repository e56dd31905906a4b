"""What is said of stacks that scatter little beside others that scatter many times as much."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import numpy as np
from benchmarks.truth import former
from benchmarks.truth.simulation import Figure, Simulation, generator

from msgauge.stats.pairwise import EQUIVALENT, FASTER, MARGIN, SLOWER, judge_pairs

NOISE = 0.15
"""Scatter of the noisy stacks."""


def false_beside_noise(shape: tuple[int, int, int], noisy: int, calm: float, trials: int) -> Figure:
    """Share of tables of stacks of one level, so many of them noisy, with two called different.

    ``shape``: stacks, cells, rounds; ``calm``: scatter of the others. Before: against the first stack.
    """
    random = generator(321)
    now = before = 0
    for _ in range(trials):
        times = np.exp(_draw(shape, noisy, calm, random))
        now += bool(np.isin(judge_pairs(times).word, (FASTER, SLOWER)).any())
        before += bool(np.isin(former.against_base(np.log(times)), (FASTER, SLOWER)).any())
    claim = "stacks of one level are not called different, also where some scatter by 15 %"
    return Figure(claim, "<= 5 %", _name(shape, noisy, calm), now / trials, before / trials, trials)


def found_beside_noise(shape: tuple[int, int, int], noisy: int, calm: float, trials: int) -> Figure:
    """Share of cells in which one of two calm stacks is called slower, which it is by 5 %."""
    random = generator(322)
    now, before = [], []
    for _ in range(trials):
        logs = _draw(shape, noisy, calm, random)
        logs[-1] += np.log(1.05)
        now.append((_of_the_calm(logs) == SLOWER).mean())
        before.append((former.against_base(logs)[-1] == SLOWER).mean())
    claim, promised = "a difference of 5 % is found beside stacks that scatter by 15 %", "at least 90 %"
    return Figure(claim, promised, _name(shape, noisy, calm), float(np.mean(now)), float(np.mean(before)), trials)


def false_equivalence_beside_noise(shape: tuple[int, int, int], noisy: int, trials: int) -> Figure:
    """Share of tables in which two calm stacks, apart by just the margin, are called equivalent in a cell."""
    random, now, calm = generator(323), 0, 0.005
    for _ in range(trials):
        logs = _draw(shape, noisy, calm, random)
        logs[-1] += np.log1p(MARGIN)
        now += bool((_of_the_calm(logs) == EQUIVALENT).any())
    claim = "stacks apart by 3 % are not called equivalent, also where others scatter by 15 %"
    return Figure(claim, "<= 5 %", _name(shape, noisy, calm), now / trials, float("nan"), trials)


def simulations() -> Iterator[Simulation]:
    """A quarter of an hour of one core."""
    for (shape, noisy), calm in product((((3, 8, 7), 1), ((3, 8, 10), 1), ((6, 9, 10), 4)), (0.003, 0.02)):
        yield Simulation(false_beside_noise, (shape, noisy, calm), 2000)
    for shape, noisy in (((3, 8, 7), 1), ((3, 8, 10), 1), ((6, 9, 10), 4)):
        yield Simulation(found_beside_noise, (shape, noisy, 0.01), 300)
        yield Simulation(false_equivalence_beside_noise, (shape, noisy), 1000)


def _draw(shape: tuple[int, int, int], noisy: int, calm: float, random: np.random.Generator) -> np.ndarray:
    """Logarithms; the first stack and the last are calm, and those between them that are not noisy."""
    stacks, cells, rounds = shape
    scatter = np.full(stacks, calm)
    scatter[1 : 1 + noisy] = NOISE
    return random.normal(0, 1, (stacks, cells, rounds)) * scatter[:, None, None]


def _of_the_calm(logs: np.ndarray) -> np.ndarray:
    """What is said of the last stack beside the first, in each cell."""
    judged = judge_pairs(np.exp(logs))
    return np.asarray(judged.word[(judged.first == 0) & (judged.second == len(logs) - 1)][0])


def _name(shape: tuple[int, int, int], noisy: int, calm: float) -> str:
    stacks, cells, rounds = shape
    return f"{stacks} stacks, {noisy} of them noisy, the others by {100 * calm:g} %; {cells} cells, {rounds} rounds"
