"""Runs against runs where the rounds of each run resemble each other: the pace of the machine, or of a single stack.

"Before": the launches of the stack that is judged were taken as independent.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal
from unittest import mock

import numpy as np
from attrs import frozen
from benchmarks.truth.machines import correlate
from benchmarks.truth.simulation import Figure, Simulation, generator

from msgauge.analysis.between_runs import run_comparison
from msgauge.analysis.between_runs.run_comparison import RunsCompared, compare_runs
from msgauge.analysis.between_runs.run_levels import RunLevels, SeriesKey

Own = Literal["machine", "stack", "cell"]
"""Whose pace wanders: that of all series of a run, that of each stack by itself, that of each cell."""
CELLS, MOOD, NOISE, PACE = 9, 0.02, 0.01, 0.05
REFERENCES = 3
TEN_PERCENT = 0.0953
"""Logarithm."""
JUDGED = "new@1"
CHANGED = ("faster", "slower")


@frozen
class Machine:
    """How rounds resemble each other, and by how much more than references the judged stack follows its pace."""

    own: Own
    correlation: float
    rounds: int = 10
    swing: float = 1.0


def paces_of_repeated_runs(runs: tuple[int, int], correlation: float, rounds: int, trials: int) -> Figure:
    """Share of comparisons of one binary, old and new ``runs``, with a cell that is called different."""
    random, machine = generator(181), Machine("machine", correlation, rounds)
    called = 0
    for _ in range(trials):
        old, new = ([_draw(machine, 0, random) for _ in range(count)] for count in runs)
        called += calls_different(compare_runs(old, new))
    case = (
        f"{runs[0]} old and {runs[1]} new runs, moods of 2 %, pace of the machine AR(1) {correlation}, {rounds} rounds"
    )
    return _figure(case, called, float("nan"), 0.0, trials)


def paces_beside_references(own: Own, correlation: float, swing: float, planted: float, trials: int) -> Figure:
    """Share of comparisons of one binary beside three references that call any cell different.

    ``swing``: by so much more than the references the stack that is judged follows its pace. With a ``planted`` change
    the share of cells in which it is found.
    """
    random, machine = generator(182), Machine(own, correlation, swing=swing)
    now = before = 0.0
    for _ in range(trials):
        old, new = (_draw(machine, REFERENCES, random, shift) for shift in (0.0, planted))
        names = [f"reference{number}@1" for number in range(REFERENCES)]
        found = compare_runs([old], [new], names)
        with mock.patch.object(run_comparison, "variances_beside", _independent):
            former = compare_runs([old], [new], names)
        now += share_different(found) if planted else calls_different(found)
        before += share_different(former) if planted else calls_different(former)
    moves = f", {swing:g} times as far in the stack that is judged" if swing != 1 else ""
    case = f"beside {REFERENCES} references, pace of each {own} AR(1) {correlation}{moves}, {machine.rounds} rounds"
    return _figure(case, now, before, planted, trials)


def false_means(runs: tuple[int, int], stacks: tuple[int, int], own: Own, trials: int) -> Figure:
    """Share of comparisons of one binary with a mean over its cells that is called different, of any of its stacks.

    ``stacks``: how many are judged, and how many named as references; rounds of each are AR(1) 0.8, all by the pace of
    the machine or each by itself. Before: the interval of each mean by itself.
    """
    random, machine, (judged, named) = generator(183), Machine(own, 0.8), stacks
    names, now, before = [f"reference{number}@1" for number in range(named)], 0, 0
    for _ in range(trials):
        old, new = ([_draw(machine, judged + named - 1, random) for _ in range(count)] for count in runs)
        means = compare_runs(old, new, names).means
        now += any(one.verdict in CHANGED for one in means)
        before += any(one.low > 1 or one.high < 1 for one in means)
    beside = f"beside {named} references" if named else "by repeated runs"
    case = f"{runs[0]} old, {runs[1]} new runs, moods of 2 %, pace of each {own} AR(1) 0.8, {judged} stacks {beside}"
    claim = "means of runs of one binary are not called different"
    return Figure(claim, "<= 5 %", case, now / trials, before / trials, trials)


def _figure(case: str, now: float, before: float, planted: float, trials: int) -> Figure:
    claim = "runs of one binary whose rounds resemble each other are not called different"
    if planted:
        claim = f"a change of {100 * np.expm1(planted):.0f} % between runs whose rounds resemble each other is found"
    return Figure(claim, "" if planted else "<= 5 %", case, now / trials, before / trials, trials)


def _draw(machine: Machine, references: int, random: np.random.Generator, shift: float = 0.0) -> RunLevels:
    """A run of the stack that is judged, and of some that did not change."""
    stacks = 1 + references
    shape = (
        1 if machine.own == "machine" else stacks,
        CELLS if machine.own == "cell" else 1,
        machine.rounds,
    )
    pace = PACE * correlate(random.normal(0, 1, shape), machine.correlation)
    pace = np.broadcast_to(pace, (stacks, CELLS, machine.rounds))
    logs = pace + NOISE * random.normal(0, 1, pace.shape) + MOOD * random.normal()
    logs[0] += shift + (machine.swing - 1) * pace[0]
    return run_of(logs)


def run_of(logs: np.ndarray) -> RunLevels:
    """A run by the logs of its times, shape (stacks, cells, rounds): the judged stack first, then references."""
    stacks = [JUDGED, *(f"reference{number}@1" for number in range(len(logs) - 1))]
    series = {
        SeriesKey(stack, "pingpong", 8 << cell, 2): 1000 * np.exp(logs[place, cell])
        for place, stack in enumerate(stacks)
        for cell in range(CELLS)
    }
    return RunLevels("run", "", medians_ns=series)


def _independent(run: RunLevels, keys: Sequence[SeriesKey], _: Sequence[SeriesKey]) -> np.ndarray:
    return np.array([run.variance(key) for key in keys])


def calls_different(found: RunsCompared) -> bool:
    """Whether any cell is called different."""
    return any(one.verdict in CHANGED for one in found.judged)


def share_different(found: RunsCompared) -> float:
    return float(np.mean([one.verdict in CHANGED for one in found.judged]))


def simulations() -> Iterator[Simulation]:
    """Those of runs whose rounds resemble each other; four minutes of one core."""
    for runs, correlation, rounds in (((3, 3), 0.5, 7), ((3, 3), 0.8, 10), ((5, 1), 0.8, 10)):
        yield Simulation(paces_of_repeated_runs, (runs, correlation, rounds), 400)
    for runs, stacks in (((3, 3), (1, 0)), ((3, 3), (6, 0)), ((5, 1), (6, 0)), ((1, 1), (3, 3)), ((1, 1), (5, 4))):
        for own in ("machine", "stack"):
            yield Simulation(false_means, (runs, stacks, own), 400)
    for own, correlation, swing in (
        ("machine", 0.8, 1.0),
        ("machine", 0.8, 3.0),
        ("stack", 0.8, 3.0),
        ("cell", 0.8, 3.0),
    ):
        yield Simulation(paces_beside_references, (own, correlation, swing, 0.0), 300)
    for own, correlation in (("machine", 0.0), ("machine", 0.8), ("cell", 0.0)):
        yield Simulation(paces_beside_references, (own, correlation, 1.0, TEN_PERCENT), 300)
