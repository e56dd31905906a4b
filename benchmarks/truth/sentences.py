"""Sentences that follow from many tests at once: forecasts, sizes from which on two stacks are near, anomalies."""

from __future__ import annotations

import re
from collections.abc import Iterator
from math import ceil

import numpy as np
from benchmarks.truth.machines import ALIKE, Machine, Shape, correlate, lognormal
from benchmarks.truth.simulated_runs import dataset_of, make_plan
from benchmarks.truth.simulation import Figure, Simulation, generator

from msgauge.analysis.findings.anomaly_findings import BurstCourse, Speeds, find_anomalies
from msgauge.analysis.findings.convergence import find_convergence
from msgauge.analysis.findings.size_ranges import group_by_size
from msgauge.analysis.run import analyse
from msgauge.model import Analysis, Plan, Stopping, StopReason
from msgauge.rounds.resolution import ASSUMED_SCATTER, find_outstanding, find_resolutions
from msgauge.stats.look_schedule import extend_looks
from msgauge.stats.prediction import MOST_ROUNDS, MOST_TIMES
from msgauge.stats.prospects import MORE

SIZES = (8, 64, 512, 4096, 32768)
FAR, EDGE = 8.0, 2.0
FORECAST = re.compile(r"about (\d+) rounds would tell")
BATCHES = 60


def few_slow_launches(percent: float) -> Machine:
    """One launch in ten is slow by so many percent, with all of its cells: ten rounds hardly show it."""

    def draw(shape: Shape, random: np.random.Generator) -> np.ndarray:
        return lognormal(shape, random) + np.log1p(percent / 100) * (random.random((shape[0], 1, shape[2])) < 0.1)

    return draw


_FEW_SLOW = {f"one launch in ten slow by {percent} %": few_slow_launches(percent) for percent in (10, 15, 20)}
_ALIKE = "launches resemble those before them by 0.3"


def resembling_launches(shape: Shape, random: np.random.Generator) -> np.ndarray:
    """Launches of a stack that resemble those before them by 0.3, with all of their tests; ten rounds hide it."""
    launches = correlate(random.normal(0, 0.02, (shape[0], 1, shape[2])), 0.3)
    return launches + random.normal(0, 0.005, shape)


FORESEEN: dict[str, Machine] = {**ALIKE, **_FEW_SLOW, _ALIKE: resembling_launches}


def forecasts_kept(rounds: int, cells: int, machine: str, trials: int) -> Figure:
    """Share of "about N rounds would tell" that came true, where the run was resumed for so many.

    Stacks differ from cell to cell by 2 % or so; one forecast of each run is taken.
    """
    random = generator(61)
    kept: list[bool] = []
    while len(kept) < trials:
        decided = _forecast_once(rounds, cells, machine, random)
        if decided is not None:
            kept.append(decided)
    case = f"{machine}: 2 stacks, {cells} cells that differ by some 2 %, after {rounds} rounds"
    claim = "so many rounds as a report asks for decide"
    return Figure(claim, "at least 80 %", case, float(np.mean(kept)), float("nan"), len(kept))


def forecasts_failed(rounds: int, cells: int, machine: str, trials: int) -> Figure:
    """Share of runs whose report asks for a number of rounds that does not decide, of one of its forecasts.

    On machines that almost no report names a number of rounds on, because the rounds show what the machine is like.
    """
    random, failed = generator(65), 0
    for _ in range(trials):
        kept = _forecast_once(rounds, cells, machine, random)
        failed += kept is False
    case = f"{machine}: 2 stacks, {cells} cells that differ by some 2 %, after {rounds} rounds"
    claim = "no report of a machine in modes or with slow launches asks for so many rounds that then do not decide"
    return Figure(claim, "<= 5 %", case, failed / trials, float("nan"), trials)


def _forecast_once(rounds: int, cells: int, machine: str, random: np.random.Generator) -> bool | None:
    """Whether as many rounds as a report asks for in one of its comparisons decide it; None where it asks for none."""
    logs = FORESEEN[machine]((2, cells, ceil(MORE * MOST_TIMES * rounds)), random)
    logs[1] += random.normal(0, 0.02, (cells, 1))
    plan = make_plan(2, cells, Stopping(minimum_rounds=rounds, maximum_rounds=rounds))
    told = [(one.cell, FORECAST.search(one.reason)) for one in _report(plan, logs[..., :rounds]).comparisons]
    found = [(cell, int(said[1])) for cell, said in told if said]
    if not found:
        return None
    cell, needed = found[int(random.integers(len(found)))]
    return _is_decided(plan, logs[..., :needed], cell)


def resolved_as_planned(stacks: int, cells: int, rounds: int, trials: int) -> Figure:
    """Share of runs that find a difference as large as the plan says it resolves in all tests, of one stack in one.

    Rounds scatter by as much as the plan supposes; of the pairs of that stack one is drawn.
    """
    random, found = generator(64), 0
    plan = make_plan(stacks, cells, Stopping(minimum_rounds=rounds, maximum_rounds=rounds))
    told = find_resolutions(plan, dict.fromkeys(range(cells), rounds), [plan.stacks])
    difference = next(one.difference for one in told if one.cells == one.of)
    for _ in range(trials):
        logs = random.normal(0, ASSUMED_SCATTER / np.sqrt(2), (stacks, cells, rounds))
        logs[int(random.integers(1, stacks)), 0] += np.log1p(difference)
        words = [one.verdict for one in _report(plan, logs).comparisons if one.cell == 0]
        found += "slower" in words
    case = f"{stacks} stacks, {cells} tests, {rounds} rounds, one stack slower by {100 * difference:g} % in one test"
    claim = "a difference that the plan says it can resolve is found"
    return Figure(claim, "at least 80 %", case, found / trials, float("nan"), trials)


def found_as_asked(cells: int, rounds: int, scatter: float, trials: int) -> Figure:
    """Share of runs that find a difference of 5 % in as many rounds more as their report asks for to find one.

    Of runs that left it undecided, resumed for the number that is told of its test.
    """
    random, kept = generator(66), list[bool]()
    plan = make_plan(2, cells, Stopping(minimum_rounds=rounds, maximum_rounds=rounds))
    while len(kept) < trials:
        logs = random.normal(0, scatter / np.sqrt(2), (2, cells, MOST_ROUNDS))
        logs[1, 0] += np.log1p(0.05)
        dataset = dataset_of(plan, 1000 * np.exp(logs[..., :rounds]))
        report = analyse(dataset, run="", stopped=StopReason.ROUNDS)
        left = [one for one in report.comparisons if one.cell == 0 and one.verdict == "undecided"]
        more = next((one.rounds for one in find_outstanding(dataset, left)), None)
        if more:
            kept.append(_is_decided(plan, logs[..., : rounds + more], 0))
    case = f"2 stacks, {cells} tests, rounds scatter by {100 * scatter:.0f} %, asked for after {rounds} rounds"
    claim = "a difference of 5 % is found in as many rounds more as a report asks for"
    return Figure(claim, "at least 80 %", case, float(np.mean(kept)), float("nan"), trials)


def near_sizes(rows: int, largest: float, trials: int) -> Figure:
    """Share of runs with a false sentence on the size from which on two stacks are near, or that there is no such.

    In every kernel one stack takes 8 times as long at small sizes, and at the two largest sizes as much as ``largest``.
    Before: each interval by itself was one of 95 %, however many kernels there were.
    """
    random, wrong, naive = generator(62), 0, 0
    truth = np.array([FAR, FAR, FAR, largest, largest])
    plan = make_plan(2, rows * len(SIZES), Stopping(minimum_rounds=10, maximum_rounds=10), sizes=SIZES)
    for _ in range(trials):
        logs = ALIKE["lognormal"]((2, rows * len(SIZES), 10), random)
        logs[1] += np.tile(np.log(truth), rows)[:, None]
        report = _report(plan, logs)
        told = [one for one in report.findings if one.kind == "convergence"]
        each = [one for row in group_by_size(report.comparisons) for one in find_convergence(row)]
        wrong += any(bool(dict(one.evidence)["from"]) is (largest > EDGE) for one in told)
        naive += any(bool(dict(one.evidence)["from"]) is (largest > EDGE) for one in each)
    case = f"{rows} kernels, {len(SIZES)} sizes, 10 rounds, the last two at {largest:g} ×"
    claim = "no run has a false sentence on where two stacks are within 2 × of each other"
    return Figure(claim, "<= 5 %", case, wrong / trials, naive / trials, trials)


def anomalies_invented(launches: int, trials: int) -> Figure:
    """Share of runs with an anomaly of any kind, guidelines too, of stacks that have none.

    Batches of a launch resemble their neighbours; launches scatter as their batches say, ranks compute alike.
    """
    random, wrong = generator(63), 0
    for _ in range(trials):
        wrong += bool(_find_all(launches, random))
    case = f"3 stacks, 20 tests, {launches} launches of {BATCHES} batches that resemble their neighbours (AR(1) 0.5)"
    return Figure(
        "a run without an anomaly of any kind shows none", "<= 5 %", case, wrong / trials, float("nan"), trials
    )


def _find_all(launches: int, random: np.random.Generator) -> tuple[object, ...]:
    sizes = tuple(int(size) for size in np.unique(np.concatenate([2 ** np.arange(3, 13), 3 * 2 ** np.arange(2, 12)])))
    plan = make_plan(3, len(sizes), Stopping(minimum_rounds=launches, maximum_rounds=launches), sizes=sizes)
    steps = random.normal(0, 0.02, (3, len(sizes), launches, BATCHES))
    courses = np.exp(correlate(steps, 0.5)) * (500.0 + 0.1 * np.array(sizes))[None, :, None, None]
    report = analyse(dataset_of(plan, courses), run="", stopped=StopReason.ROUNDS)
    held = [
        BurstCourse(stack, "pingpong", size, 2, courses[row, column])
        for row, stack in enumerate(plan.stacks)
        for column, size in enumerate(sizes)
    ]
    loops = [Speeds(stack, ("here",) * 4, np.exp(random.normal(0, 0.02, (launches, 4)))) for stack in plan.stacks]
    return find_anomalies(report.estimates, held, [], loops)


def _report(plan: Plan, logs: np.ndarray) -> Analysis:
    return analyse(dataset_of(plan, 1000 * np.exp(logs)), run="", stopped=StopReason.ROUNDS)


def _is_decided(plan: Plan, logs: np.ndarray, cell: int) -> bool:
    rounds = logs.shape[2]
    more = Stopping(minimum_rounds=rounds, maximum_rounds=rounds)
    stopping = extend_looks(plan.stopping, more, plan.stopping.maximum_rounds)
    report = _report(make_plan(2, len(plan.cells), stopping), logs)
    return next(one.verdict != "undecided" for one in report.comparisons if one.cell == cell)


def simulations() -> Iterator[Simulation]:
    """Those of sentences."""
    for rounds, cells in ((20, 10), (20, 40), (28, 10)):
        yield Simulation(forecasts_kept, (rounds, cells, "lognormal"), 24 if cells == 40 else 60)
    for machine in ("heavy tails", "drifting", next(iter(_FEW_SLOW)), _ALIKE):
        yield Simulation(forecasts_kept, (20, 10, machine), 60)
    for machine in _FEW_SLOW:
        yield Simulation(forecasts_failed, (20, 10, machine), 120)
    for machine in ("spikes", "two modes, cell by cell", "two modes, launch by launch"):
        for rounds, cells in ((20, 10), (28, 10), (20, 1)):
            yield Simulation(forecasts_failed, (rounds, cells, machine), 120)
    for stacks, cells, rounds in ((2, 1, 6), (2, 1, 7), (2, 2, 6), (2, 2, 7), (2, 2, 10), (4, 10, 7), (4, 10, 10)):
        yield Simulation(resolved_as_planned, (stacks, cells, rounds), 120)
    for cells, rounds, scatter in ((1, 7, 0.05), (1, 10, 0.05), (10, 7, 0.04), (10, 10, 0.06)):
        yield Simulation(found_as_asked, (cells, rounds, scatter), 100)
    for rows in (1, 12):
        for largest in (2.001, 1.999):
            yield Simulation(near_sizes, (rows, largest), 800 if rows == 1 else 250)
    for launches in (5, 7, 10):
        yield Simulation(anomalies_invented, (launches,), 200)
