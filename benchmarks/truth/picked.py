"""What is told because the data picked it: violated guidelines, the lowest ratio, the largest change, a base.

Whoever picks picks errors too, so an interval of 95 % by itself holds less often for what was picked.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import numpy as np
from attrs import evolve
from benchmarks.truth.machines import ALIKE
from benchmarks.truth.simulated_runs import dataset_of, make_plan
from benchmarks.truth.simulation import Figure, Simulation, generator

from msgauge.analysis.estimates.cell_estimates import estimate_cells
from msgauge.analysis.findings.convergence import find_convergences
from msgauge.analysis.verdicts.comparisons import choose_base
from msgauge.analysis.verdicts.pair_table import Levels
from msgauge.analysis.verdicts.verdict_family import judge_family
from msgauge.model import Estimate, Stopping
from msgauge.models.anomalies import off_power_of_two
from msgauge.models.guidelines import GUIDELINES, MARGIN, Judgement, judge
from msgauge.stats.change_points import LevelShift, find_steps

GUIDED_SIZES = 40
APART = 4.0
RUNS = 60
TESTS = 9
_LOWEST = re.compile(r"lowest at .*interval (?P<low>[\d.]+) to (?P<high>[\d.]+)\)")


def violations_told(machine: str, rounds: int, factor: float, trials: int) -> Figure:
    """Share of runs whose told violations all hold: none is within the margin, and every interval has the truth.

    Of forty guidelines, all of them of ``factor``.
    """
    random, right = generator(121), 0
    for _ in range(trials):
        told = _draw_violations(machine, rounds, factor, random)
        right += all(one.ratio.covers(factor) and factor > 1 + MARGIN for one in told)
    claim = "all violated guidelines that are told exceed the margin and have intervals that hold"
    return _figure(claim, "at least 93 %", _describe_guided(machine, rounds, factor), right, trials)


def violations_found(machine: str, rounds: int, factor: float, trials: int) -> Figure:
    """Share of guidelines violated by ``factor`` that are told, forty in a run."""
    random, found = generator(122), 0
    for _ in range(trials):
        found += len(_draw_violations(machine, rounds, factor, random))
    claim = f"a guideline violated by {100 * (factor - 1):.0f} % is told"
    return _figure(claim, "", _describe_guided(machine, rounds, factor), found, trials * GUIDED_SIZES)


def odd_sizes_told(launches: int, factor: float, trials: int) -> Figure:
    """Share of runs that tell sizes off the powers of two with intervals that all hold: of ten, all of ``factor``."""
    random, right = generator(123), 0
    sizes = np.unique(np.concatenate([2.0 ** np.arange(3, 14), 1.5 * 2.0 ** np.arange(3, 13)]))
    truth = (500.0 + 0.1 * sizes) * np.where(np.log2(sizes) % 1 == 0, 1.0, factor)
    for _ in range(trials):
        told = off_power_of_two(sizes, truth * np.exp(ALIKE["lognormal"]((1, sizes.size, launches), random)[0].T))
        right += all(one.effect.covers(factor) for one in told)
    case = f"10 sizes between powers of two, all {factor:g} × as long as the line, {launches} launches"
    return _figure("all sizes that are called odd have intervals that hold", "at least 93 %", case, right, trials)


def lowest_ratios(rows: int, sizes: int, rounds: int, trials: int) -> Figure:
    """Share of runs in which any sentence on the size with the lowest ratio has an interval that misses; all are 4."""
    random, wrong = generator(124), 0
    places = tuple(8 << number for number in range(sizes))
    plan = make_plan(2, rows * sizes, Stopping(minimum_rounds=rounds, maximum_rounds=rounds), sizes=places)
    for _ in range(trials):
        logs = ALIKE["lognormal"]((2, rows * sizes, rounds), random)
        logs[1] += np.log(APART)
        family = judge_family(dataset_of(plan, 1000 * np.exp(logs)), Levels())
        compared = [one for cell in plan.cells if (one := family.compare(*plan.stacks, cell))]
        told = [_LOWEST.search(one.sentence) for one in find_convergences(compared, family)]
        wrong += any(said and not _holds(APART, float(said["low"]), float(said["high"])) for said in told)
    case = f"{rows} kernels, {sizes} sizes, {rounds} rounds, all {APART:g} × as long"
    return _figure(
        "no size is told as the one with the lowest ratio with an interval that misses", "<= 5 %", case, wrong, trials
    )


def largest_changes(series: int, step: float, trials: int) -> Figure:
    """Share of histories whose largest change is told with an interval that misses; every series has this step.

    Runs of a history scatter by 2 % together and by 1 % each.
    """
    random, wrong = generator(125), 0
    for _ in range(trials):
        largest = max(_find_changes(series, step, random), key=lambda one: one.factor, default=None)
        wrong += largest is not None and not largest.together[0] <= 1 + step <= largest.together[1]
    case = f"{RUNS} runs, {series} series with a step of {100 * step:.0f} % each"
    return _figure("no largest change of a history is told with an interval that misses", "<= 5 %", case, wrong, trials)


def _find_changes(series: int, step: float, random: np.random.Generator) -> tuple[LevelShift, ...]:
    logs = random.normal(0, 0.02, (1, RUNS)) + random.normal(0, 0.01, (series, RUNS))
    logs[:, int(random.integers(5, RUNS - 4)) :] += np.log1p(step)
    return find_steps(logs)


def unnamed_base(stacks: int, trials: int) -> Figure:
    """Share of intervals that hold of stacks that are alike, against the base of a run that names none.

    Of ratios in nine tests and of their means. They miss together, so four stacks of a run count once. Before: the base
    was the stack with the lowest median in most tests.
    """
    random, held = generator(126), np.zeros(2)
    plan = evolve(make_plan(stacks, TESTS, Stopping(minimum_rounds=10, maximum_rounds=10)), base="")
    weights = {cell.id: 1.0 for cell in plan.cells}
    for _ in range(trials):
        logs = random.normal(0, 0.02, (stacks, 1, 10)) + random.normal(0, 0.01, (stacks, TESTS, 10))
        dataset = dataset_of(plan, 1000 * np.exp(logs))
        family, estimates = judge_family(dataset, Levels()), estimate_cells(dataset, {}, with_tails=False)
        fastest = int(np.bincount(np.median(logs, axis=2).argmin(axis=0)).argmax())
        for which, base in enumerate((choose_base(plan, estimates, plan.stacks), plan.stacks[fastest])):
            pairs = ((base, other, cell) for other in plan.stacks if other != base for cell in plan.cells)
            told = [one for pair in pairs if (one := family.compare(*pair))]
            told += family.mean_ratios(base, weights).values()
            held[which] += np.mean([one.ratio_low <= 1 <= one.ratio_high for one in told])
    case = f"{stacks} stacks that are alike, {TESTS} tests, 10 rounds; launches scatter by 2 %, tests by 1 %"
    claim = "ratios and means hold against the base of a run that names none"
    return Figure(claim, "at least 93 %", case, *(held / trials), trials * stacks // 4)


def _holds(truth: float, low: float, high: float) -> bool:
    """Whether limits hold a truth that were written with two decimals."""
    return low - 0.005 <= truth <= high + 0.005


def find_violations(logs: np.ndarray) -> Sequence[Judgement]:
    """Gather against allgather of one stack, in turns, each size four times that before.

    ``logs``: of all times without the levels of their sizes, shape (2 × sizes, rounds).
    """
    cells = [
        Estimate(
            stack="one@1",
            cell=cell,
            kernel=("gather", "allgather")[cell % 2],
            size_bytes=8 << 2 * (cell // 2),
            ranks=4,
            launch_medians_ns=tuple(np.exp(one + np.log(4) * (cell // 2)).tolist()),
            rounds=tuple(range(logs.shape[1])),
        )
        for cell, one in enumerate(logs)
    ]
    chosen = [one for one in GUIDELINES if one.name == "gather <= allgather"]
    return [one for one in judge(cells, chosen) if one.verdict == "violated"]


def _draw_violations(machine: str, rounds: int, factor: float, random: np.random.Generator) -> Sequence[Judgement]:
    """Those of forty sizes whose gathers are so many times as slow."""
    logs = ALIKE[machine]((1, 2 * GUIDED_SIZES, rounds), random)[0]
    logs[0::2] += np.log(factor)
    return find_violations(logs)


def _describe_guided(machine: str, rounds: int, factor: float) -> str:
    return f"{machine}: {GUIDED_SIZES} guidelines, left {factor:g} × as long as right, {rounds} rounds"


def _figure(claim: str, promised: str, case: str, count: float, trials: int) -> Figure:
    return Figure(claim, promised, case, count / trials, float("nan"), trials)


def simulations() -> Iterator[Simulation]:
    """Those of what is picked."""
    for stacks, trials in ((4, 1000), (8, 500), (20, 200)):
        yield Simulation(unnamed_base, (stacks,), trials)
    for factor in (1.02, 1.04, 1.3):
        yield Simulation(violations_told, ("lognormal", 7, factor), 1000)
    for launches in (7, 10):
        yield Simulation(odd_sizes_told, (launches, 1.1), 2000)
    for rows, sizes in ((1, 12), (1, 20), (6, 5)):
        yield Simulation(lowest_ratios, (rows, sizes, 10), 400)
    for series in (9, 30):
        yield Simulation(largest_changes, (series, 0.07), 200)
    for machine in ("lognormal", "spikes"):
        yield Simulation(violations_found, (machine, 7, 1.3), 100)
