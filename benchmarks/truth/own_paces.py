"""Launches of a stack that resemble its own launches before them, while the pace of the machine cancels.

"Before": rounds were taken as independent of each other in how stacks compare.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Literal

import numpy as np
from attrs import frozen
from benchmarks.truth.machines import correlate
from benchmarks.truth.simulation import Figure, Simulation, generator

from msgauge.stats.pairwise import FASTER, SLOWER, Pairwise, judge_pairs
from msgauge.stats.round_memory import INDEPENDENT, measure_memory

Whose = Literal["all stacks", "all series", "one stack"]
"""What wanders by itself: each stack in all its tests together, each test of each stack, the last stack alone."""
Shape = tuple[int, int, int]
"""Stacks, tests, rounds."""
OWN, LAUNCH, NOISE = 0.02, 0.005, 0.01


@frozen
class Machine:
    """Stacks of one law, of which some resemble their launches before."""

    shape: Shape
    whose: Whose
    correlation: float
    planted: float = 0.0
    """By how much, as a share, all stacks but the first are slower."""

    @property
    def case(self) -> str:
        """In words."""
        stacks, tests, rounds = self.shape
        return f"{stacks} stacks, {tests} tests, {rounds} rounds, {self.whose} AR(1) {self.correlation:g}"

    def draw(self, random: np.random.Generator) -> np.ndarray:
        """Times of shape (stacks, tests, rounds), ns."""
        stacks, _, rounds = self.shape
        logs = random.normal(0, NOISE, self.shape)
        wandering = {"all stacks": (stacks, 1, rounds), "all series": self.shape, "one stack": (1, 1, rounds)}
        own = OWN * correlate(random.normal(0, 1, wandering[self.whose]), self.correlation)
        if self.whose == "one stack":
            logs += random.normal(0, LAUNCH, (stacks, 1, rounds))
            logs[-1:] += own
        else:
            logs += np.broadcast_to(own, self.shape)
        logs[1:] += np.log1p(self.planted)
        return np.asarray(1000 * np.exp(logs))


def false_words_of_memory(shape: Shape, whose: Whose, correlation: float, trials: int) -> Figure:
    """Share of tables of one law in which two stacks are called different."""
    claim = "stacks of one law whose launches resemble those before them are not called different"
    return _figure(claim, 191, Machine(shape, whose, correlation), _calls, trials)


def coverage_of_memory(shape: Shape, whose: Whose, correlation: float, trials: int) -> Figure:
    """Share of ratio intervals that hold 1."""
    claim = "intervals of ratios hold where launches resemble those before them"
    return _figure(claim, 192, Machine(shape, whose, correlation), _held, trials)


def found_without_memory(shape: Shape, planted: float, trials: int) -> Figure:
    """Share of a planted difference of all other stacks that is found, where nothing wanders: what the test costs."""
    claim = f"differences of {100 * planted:g} % found of independent rounds, which are asked whether they are so"
    return _figure(claim, 193, Machine(shape, "all stacks", 0.0, planted), _found, trials)


def memory_invented(shape: Shape, step_ns: float, missing: float, trials: int) -> Figure:
    """Share of tables of independent rounds that are told to resemble each other: the level of the exact test.

    Times of some 300 ns whose launches scatter by 1 %, in whole steps of a clock, of which a share is missing.
    """
    random, told = generator(194), 0
    for _ in range(trials):
        logs = random.normal(0, NOISE, (shape[0], 1, shape[2])) + random.normal(0, NOISE / 5, shape)
        times = 300 * np.exp(logs)
        times = step_ns * np.rint(times / step_ns) if step_ns else times
        times[random.random(shape) < missing] = np.nan
        told += measure_memory(times).largest > 1
    stacks, tests, rounds = shape
    clock = f"a clock of {step_ns:g} ns at 300 ns" if step_ns else "a fine clock"
    case = f"{stacks} stacks, {tests} tests, {rounds} rounds, {clock}, {100 * missing:g} % missing"
    claim = "rounds that do not resemble each other are told to in no more runs than the level of the test, 5 %"
    return Figure(claim, "<= 6.5 %", case, told / trials, float("nan"), trials)


def _figure(claim: str, number: int, machine: Machine, of: Callable[[Pairwise], float], trials: int) -> Figure:
    random = generator(number)
    now = before = 0.0
    for _ in range(trials):
        times = machine.draw(random)
        now += of(judge_pairs(times))
        before += of(judge_pairs(times, memory=INDEPENDENT))
    return Figure(claim, "", machine.case, now / trials, before / trials, trials)


def _calls(judged: Pairwise) -> float:
    return float(np.isin(judged.word, (FASTER, SLOWER)).any())


def _held(judged: Pairwise) -> float:
    return float(((judged.low <= 1) & (judged.high >= 1)).mean())


def _found(judged: Pairwise) -> float:
    """Among those against the first stack."""
    return float((judged.word[judged.first == 0] == SLOWER).mean())


def simulations() -> Iterator[Simulation]:
    """Those of stacks that wander by themselves; four minutes of one core."""
    shapes = (3, 5, 7), (3, 5, 10), (3, 5, 20), (6, 20, 10), (6, 20, 20)
    for shape in shapes:
        for whose, correlation in (("all stacks", 0.3), ("all stacks", 0.7), ("all series", 0.5), ("one stack", 0.7)):
            yield Simulation(false_words_of_memory, (shape, whose, correlation), 300)
            yield Simulation(coverage_of_memory, (shape, whose, correlation), 200)
    for shape in shapes:
        yield Simulation(found_without_memory, (shape, 0.05), 400)
    for shape, step_ns, missing in (
        ((3, 5, 10), 0.0, 0.0),
        ((3, 80, 20), 0.0, 0.0),
        ((6, 20, 20), 0.0, 0.0),
        ((4, 10, 20), 20.0, 0.0),
        ((3, 20, 20), 0.0, 0.1),
        ((4, 10, 20), 0.0, 0.1),
    ):
        yield Simulation(memory_invented, (shape, step_ns, missing), 3000)
