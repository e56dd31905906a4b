"""Gates of scripts: what ``--fail-on`` calls sure, where differences are as large as its amount or larger.

Before: a comparison was sure when its verdict said so and its own interval lay beyond the amount.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from benchmarks.truth.machines import ALIKE, SCATTER
from benchmarks.truth.simulated_runs import dataset_of, make_plan
from benchmarks.truth.simulation import Figure, Simulation, generator

from msgauge.analysis.beyond_amount import find_beyond, find_beyond_between_runs
from msgauge.analysis.run import analyse
from msgauge.analysis.verdicts.regression_gate import Gate, apply_gate
from msgauge.model import Stopping, StopReason
from msgauge.stats.between_runs import change, change_against_references, find_beside, variance_between
from msgauge.stats.change_points import find_steps

GATE = Gate("slower", 0.05)
AMOUNT = float(np.log1p(GATE.amount))
LAUNCHES, MOOD, RUNS = 10, 0.02, 60
AT_ITS_AMOUNT = "a gate of 5 % does not fail where all differences are of 5 %"

Shape = tuple[int, int, int]


def gate_at_its_amount(shape: Shape, machine: str, trials: int) -> Figure:
    """Share of runs that fail a gate of 5 % with all stacks but the base slower by just that."""
    now, before = _fail_runs(shape, machine, GATE.amount, generator(151), trials)
    return Figure(AT_ITS_AMOUNT, "<= 5 %", _describe(shape, machine), now, before, trials)


def gate_beyond_its_amount(shape: Shape, machine: str, trials: int) -> Figure:
    """Share of runs that fail a gate of 5 % with all stacks but the base slower by 10 %."""
    now, before = _fail_runs(shape, machine, 0.1, generator(152), trials)
    claim = "a gate of 5 % fails where all differences are of 10 %"
    return Figure(claim, "", _describe(shape, machine), now, before, trials)


def gate_between_runs_at_its_amount(cells: int, runs: int, references: int, trials: int) -> Figure:
    """Share of ``diff`` that fail with a new version slower by 5 % in every cell.

    So many runs of both versions, or one of each beside reference stacks; a run is in a mood of 2 %.
    """
    random, now, before = generator(153), 0, 0
    for _ in range(trials):
        moods = MOOD * random.normal(0, 1, (2, runs, 1, 1, 1))
        logs = moods + random.normal(0, SCATTER, (2, runs, references + 1, cells, LAUNCHES))
        logs[1, :, 0] += AMOUNT
        levels, spread = np.median(logs, axis=-1), np.pi / 2 * logs.var(axis=-1, ddof=1) / LAUNCHES
        if references:
            shifts = levels[1, 0] - levels[0, 0]
            launches, beside = spread[0, 0, 0] + spread[1, 0, 0], find_beside(shifts[1:])
            found = change_against_references(shifts[0], launches, shifts[1:], beside=beside)
        else:
            old, new = levels[:, :, 0]
            found = change(old, new, (spread[0, :, 0], spread[1, :, 0]), variance_between([old, new]))
        said = (found.shift > 0) & (found.p_different() <= 0.05) & (found.interval()[0] > 1 + GATE.amount)
        before += bool(said.any())
        now += bool((said & find_beyond_between_runs(GATE, found)).any())
    beside = f"{references} reference stacks, one run each" if references else f"{runs} old and {runs} new runs"
    case = f"diff: moods of 2 %, {beside}, {cells} cells"
    return Figure(AT_ITS_AMOUNT, "<= 5 %", case, now / trials, before / trials, trials)


def gate_of_history_at_its_amount(series: int, trials: int) -> Figure:
    """Share of histories that fail with a step of 5 % in every series; by what is told of a step alone."""
    random, now, before = generator(154), 0, 0
    for _ in range(trials):
        logs = random.normal(0, 0.02, (1, RUNS)) + random.normal(0, 0.01, (series, RUNS))
        logs[:, int(random.integers(5, RUNS - 4)) :] += AMOUNT
        steps = find_steps(logs)
        before += any(one.low > 1 + GATE.amount for one in steps)
        now += any(one.together[0] > 1 + GATE.amount for one in steps)
    case = f"history: {RUNS} runs, {series} series"
    return Figure(AT_ITS_AMOUNT, "<= 5 %", case, now / trials, before / trials, trials)


def _fail_runs(
    shape: Shape, machine: str, truth: float, random: np.random.Generator, trials: int
) -> tuple[float, float]:
    stacks, cells, rounds = shape
    plan = make_plan(stacks, cells, Stopping(minimum_rounds=rounds, maximum_rounds=rounds))
    now = before = 0
    for _ in range(trials):
        logs = ALIKE[machine](shape, random)
        logs[1:] += np.log1p(truth)
        dataset = dataset_of(plan, 1000 * np.exp(logs))
        report = analyse(dataset, run="", stopped=StopReason.ROUNDS)
        told = report.comparisons
        now += apply_gate(GATE, told, find_beyond(GATE, dataset, report))[0] == "regression"
        before += apply_gate(GATE, told, [True] * len(told))[0] == "regression"
    return now / trials, before / trials


def _describe(shape: Shape, machine: str) -> str:
    stacks, cells, rounds = shape
    return f"compare: {machine}, {stacks} stacks, {cells} cells, {rounds} rounds"


def simulations() -> Iterator[Simulation]:
    """Those of gates."""
    for shape in ((2, 10, 7), (2, 40, 10), (2, 40, 20), (4, 20, 20)):
        yield Simulation(gate_at_its_amount, (shape, "lognormal"), 400)
    for machine in ("heavy tails", "spikes", "two modes, cell by cell", "two modes, launch by launch", "drifting"):
        yield Simulation(gate_at_its_amount, ((2, 40, 20), machine), 400)
    for cells, runs, references in ((9, 3, 0), (40, 5, 0), (40, 10, 0), (9, 1, 3), (40, 1, 3), (40, 1, 6)):
        yield Simulation(gate_between_runs_at_its_amount, (cells, runs, references), 1000)
    for series in (9, 30):
        yield Simulation(gate_of_history_at_its_amount, (series,), 200)
    for shape in ((2, 10, 7), (2, 40, 10), (2, 40, 20)):
        yield Simulation(gate_beyond_its_amount, (shape, "lognormal"), 200)
