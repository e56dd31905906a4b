"""Launches that are slow for their place in the order: the first of a round, or one that follows a certain stack.

All stacks are alike. As in a run a round begins with the stack that the one before it ended with; the others come in
random order.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Literal

import numpy as np
from benchmarks.truth.picked import GUIDED_SIZES, find_violations
from benchmarks.truth.simulated_runs import dataset_of, make_plan
from benchmarks.truth.simulation import Figure, Simulation, generator

from msgauge.analysis.run import analyse
from msgauge.model import Analysis, Comparison, Stopping, StopReason
from msgauge.stats.launch_order import find_order_effect
from msgauge.stats.slow_launches import find_slow_launches

Shape = tuple[int, int, int]
"""Stacks, tests, rounds."""
Slow = Literal["the first launch of each round", "launches right after the first stack"]
SCATTER = 0.01


def false_words_of_order(shape: Shape, slow: Slow, by: float, trials: int) -> Figure:
    """Share of runs that call a stack faster or slower whose launches are slow for their place alone."""
    reports = _reports(shape, slow, by, trials)
    called = sum(any(one.verdict in {"faster", "slower"} for one in report.comparisons) for report in reports)
    claim = f"stacks of one law are not called different where {_say(slow)}"
    return Figure(claim, "", _case(shape, by), called / trials, float("nan"), trials)


def coverage_of_order(shape: Shape, slow: Slow, by: float, trials: int) -> Figure:
    """Share of intervals of a ratio that hold 1; those of a run miss together, and each run counts once."""
    held = [np.mean([_holds_one(one) for one in report.comparisons]) for report in _reports(shape, slow, by, trials)]
    claim = f"intervals of ratios hold where {_say(slow)}"
    return Figure(claim, "", _case(shape, by), float(np.mean(held)), float("nan"), trials)


def order_told(shape: Shape, slow: Slow | Literal["none"], by: float, trials: int) -> Figure:
    """Share of runs with the notice of an order that has a say."""
    random, (stacks, _, rounds), told = generator(314), shape, 0
    for _ in range(trials):
        order = serially_balanced(random, stacks, rounds)
        hit = 0.0 if slow == "none" else by * _slow_ones(slow, order)
        logs = random.normal(0, SCATTER, (stacks, rounds)) + random.normal(0, SCATTER, rounds) + hit
        row, blocks = order.ravel(), np.repeat(np.arange(rounds), stacks)
        told += find_order_effect(logs[row, blocks], row, row, blocks, balanced=True) is not None
    claim = (
        f"where {_say(slow)} the run says so" if slow != "none" else "where the order has no say nothing is said of it"
    )
    return Figure(claim, "<= 2 %" if slow == "none" else "", _case(shape, by), told / trials, float("nan"), trials)


def guidelines_of_halves(rounds: int, by: float, trials: int) -> Figure:
    """Share of runs with a violated guideline of forty that hold, where one of the two calls of a launch is slow."""
    random, wrong = generator(312), 0
    calls = np.arange(2 * GUIDED_SIZES) % 2
    for _ in range(trials):
        logs = random.normal(0, SCATTER, (calls.size, rounds))
        logs += by * (calls[:, None] == random.integers(0, 2, rounds))
        wrong += bool(find_violations(logs))
    slower = f"one of two calls of each launch slower by {100 * np.expm1(by):.0f} %"
    case = f"{slower}, {GUIDED_SIZES} guidelines, {rounds} rounds"
    return Figure("no guideline that holds is called violated", "<= 5 %", case, wrong / trials, float("nan"), trials)


def accidents_told(stacks: int, factor: float, trials: int) -> Figure:
    """Share of runs that say of a stack that its launches are slow, where one launch of the run had an accident."""
    random, told = generator(313), 0
    for _ in range(trials):
        logs = random.normal(0, 2 * SCATTER, (stacks, 9, 10))
        logs[random.integers(stacks), :, random.integers(10)] += np.log(factor)
        told += bool(find_slow_launches(np.exp(logs)))
    case = f"{stacks} stacks, 9 tests, 10 rounds, one launch of all slower by {factor:g} ×, of any stack"
    claim = "one accident in a run is said to be slow launches of the stack"
    return Figure(claim, "", case, told / trials, float("nan"), trials)


def serially_balanced(random: np.random.Generator, stacks: int, rounds: int) -> np.ndarray:
    """The stacks of each round in their order, int64 of shape (rounds, stacks)."""
    order = random.permuted(np.tile(np.arange(stacks), (rounds, 1)), axis=1)
    for before, row in pairwise(order):
        row[:] = [before[-1], *row[row != before[-1]]]
    return order


def _slow_ones(slow: Slow, order: np.ndarray) -> np.ndarray:
    """Which launches are slow, shape (stacks, rounds); ``order``: the stacks of each round, (rounds, stacks)."""
    rounds, stacks = order.shape
    places = np.arange(order.size) % stacks
    former = np.concatenate([[-1], order.ravel()[:-1]])
    hit = np.zeros((stacks, rounds), dtype=bool)
    hit[order.ravel(), np.repeat(np.arange(rounds), stacks)] = places == 0 if "round" in slow else former == 0
    return hit


def _holds_one(one: Comparison) -> bool:
    return one.ratio_low <= 1 <= one.ratio_high


def _reports(shape: Shape, slow: Slow, by: float, trials: int) -> Iterator[Analysis]:
    random, (stacks, tests, rounds) = generator(311), shape
    plan = make_plan(stacks, tests, Stopping(minimum_rounds=rounds, maximum_rounds=rounds))
    for _ in range(trials):
        hit = _slow_ones(slow, serially_balanced(random, stacks, rounds))
        logs = random.normal(0, SCATTER, shape) + by * hit[:, None, :]
        yield analyse(dataset_of(plan, 1000 * np.exp(logs)), run="", stopped=StopReason.ROUNDS)


def _say(slow: str) -> str:
    return f"{slow} {'is' if 'round' in slow else 'are'} slow"


def _case(shape: Shape, by: float) -> str:
    return f"{shape[0]} stacks, {shape[1]} tests, {shape[2]} rounds, by {100 * np.expm1(by):.0f} %"


def simulations() -> Iterator[Simulation]:
    """Those of launches that are slow for their place; ten minutes of one core."""
    for shape in ((3, 10, 10), (6, 10, 10), (3, 10, 20)):
        yield Simulation(order_told, (shape, "none", 0.0), 1000)
        for by in (0.03, 0.1):
            yield Simulation(order_told, (shape, "launches right after the first stack", by), 400)
        yield Simulation(order_told, (shape, "the first launch of each round", 0.1), 400)
    for shape in ((2, 10, 7), (2, 10, 10), (2, 10, 20), (3, 10, 10)):
        for slow in ("the first launch of each round", "launches right after the first stack"):
            yield Simulation(false_words_of_order, (shape, slow, 0.1), 400)
            yield Simulation(coverage_of_order, (shape, slow, 0.1), 400)
    for rounds in (7, 10):
        yield Simulation(guidelines_of_halves, (rounds, 0.26), 1000)
    for stacks in (2, 6):
        yield Simulation(accidents_told, (stacks, 3.0), 400)
