"""Histories beside references, on a machine whose pace changes from run to run by more than a stack does.

"Before": the same runs without references.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from benchmarks.truth.simulation import Figure, Simulation, generator
from benchmarks.truth.unequal_histories import FIVE_PERCENT, finds_step

from msgauge.analysis.between_runs.beside_references import divide_by_references
from msgauge.analysis.between_runs.history import History, trace_history
from msgauge.analysis.between_runs.measured_runs import LaunchTimes, MeasuredRun
from msgauge.analysis.between_runs.run_levels import RunLevels, SeriesKey

RUNS, CELLS, LAUNCHES = 60, 4, 10
SCATTER, SINGLE = 0.02, 0.01
"""Of launches, and of what a run does to a single stack."""
FOLLOWED = "followed@1"
SPELL = 10
"""Runs that the machine stays slower for."""

Machine = str


def histories_beside_references(machine: Machine, references: int, step: float, trials: int) -> Figure:
    """Share of clean histories that show a change; with a step, of those in which it is found within one run, alone.

    One stack is followed, and so many references share the pace of the machine with it.
    """
    random, now, before = generator(31), 0, 0
    for _ in range(trials):
        at = int(random.integers(5, RUNS - 4))
        runs = _draw(machine, references, step, at, random)
        beside = divide_by_references(runs, [f"reference{number}" for number in range(references)])
        now += _tells(trace_history([run["p50"] for run in beside.runs]), step, at)
        before += _tells(trace_history([run.levels for run in runs]), step, at)
    beside_what = "one reference" if references == 1 else f"{references} references"
    case = f"{machine}, {beside_what}, {RUNS} runs, {CELLS} cells, {100 * SINGLE:g} % of a stack in a run"
    if step:
        claim = f"beside references a step of {100 * np.expm1(step):.0f} % is found within one run, and no other"
        return Figure(claim, "", case, now / trials, before / trials, trials)
    claim = "a history beside references shows no change where the machine alone changed"
    return Figure(claim, "<= 1 %", case, now / trials, before / trials, trials)


def _draw(machine: Machine, references: int, step: float, at: int, random: np.random.Generator) -> list[MeasuredRun]:
    """Runs of all stacks: what the machine does to a run and to its rounds, what a run does to a stack, launches."""
    paces = _PACES[machine](random)
    found = []
    for run, pace in enumerate(paces):
        rounds = pace + SCATTER * random.normal(0, 1, (1, LAUNCHES))
        launches = {}
        for stack in (FOLLOWED, *(f"reference{number}@1" for number in range(references))):
            level = SINGLE * random.normal() + step * (stack == FOLLOWED and run >= at)
            logs = level + rounds + SCATTER * random.normal(0, 1, (CELLS, LAUNCHES))
            for cell, row in enumerate(logs):
                launches[SeriesKey(stack, "pingpong", 8 << cell, 2)] = LaunchTimes(
                    np.arange(LAUNCHES), 1000 * np.exp(row)
                )
        medians = {key: one.times_ns for key, one in launches.items()}
        levels = RunLevels(f"run{run:02d}", f"{run:02d}", medians_ns=medians)
        found.append(MeasuredRun(levels, {"p50": launches, "p95": {}, "p99": {}}))
    return found


def _spells(random: np.random.Generator) -> np.ndarray:
    """Logarithms: slower by 10 % for ten runs at a time, which begin at any run."""
    begins = int(random.integers(SPELL))
    return np.log(1.1) * ((np.arange(RUNS) + begins) // SPELL % 2)


_PACES = {
    "slower by 10 % for ten runs at a time": _spells,
    "moods of 10 %": lambda random: 0.1 * random.normal(0, 1, RUNS),
    "slower by 20 % from some run on": lambda random: np.log(1.2) * (np.arange(RUNS) >= random.integers(5, RUNS - 4)),
}


def _tells(found: History, step: float, at: int) -> bool:
    """As ``finds_step``, of the stack that is followed."""
    changes = [change for one in found.series if one.key.stack == FOLLOWED for change in one.changes]
    return finds_step(changes, step, at)


def simulations() -> Iterator[Simulation]:
    """Those of histories beside references."""
    for machine in _PACES:
        for references in (1, 3):
            yield Simulation(histories_beside_references, (machine, references, 0.0), 200)
    for references in (1, 3):
        yield Simulation(histories_beside_references, ("moods of 10 %", references, FIVE_PERCENT), 60)
    yield Simulation(histories_beside_references, ("slower by 10 % for ten runs at a time", 3, FIVE_PERCENT), 60)
