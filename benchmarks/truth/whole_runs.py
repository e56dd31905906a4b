"""Runs that leave settled tests alone, from the first round to the report: their verdicts, intervals and means."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext

import numpy as np
from attrs import evolve
from benchmarks.truth import former
from benchmarks.truth.machines import ALIKE
from benchmarks.truth.simulated_runs import make_plan, run_adaptively
from benchmarks.truth.simulation import Figure, Simulation, generator

from msgauge.analysis.run import choose_levels
from msgauge.analysis.verdicts.pair_table import Levels
from msgauge.analysis.verdicts.verdict_family import judge_family
from msgauge.model import Analysis, Comparison, Plan, Stopping
from msgauge.results.dataset import Dataset
from msgauge.stats.pairwise import INTERVAL_LEVEL

Shape = tuple[int, int, int]
APART = 0.3
"""Logarithm: half of the tests differ by so much and are settled at the first look."""
Shown = Sequence[tuple[Dataset, Analysis]]


def family_error_of_runs(shape: Shape, machine: str, trials: int) -> Figure:
    """Share of runs that show a false difference at any look or in the report; half of their tests settle early."""
    now, before = (_count(_is_false, shape, machine, trials, former_rule=rule) for rule in (False, True))
    claim = "what a run shows holds, also where it leaves settled tests alone"
    return Figure(claim, "<= 5 %", _case(shape, machine), now, before, trials)


def changed_verdicts(shape: Shape, machine: str, trials: int) -> Figure:
    """Share of runs in which a verdict changed after its test was left alone; before: every look judged it anew."""
    now, before = (_count(_has_changed, shape, machine, trials, former_rule=rule) for rule in (False, True))
    claim = "a test that is left alone keeps the verdict of the look that settled it"
    return Figure(claim, "0", _case(shape, machine), now, before, trials)


def coverage_of_runs(shape: Shape, machine: str, trials: int) -> Figure:
    """Share of the intervals in reports that hold the ratio; before: always those of 95 %."""
    random, plan = generator(42), _plan(shape)
    now, before = [], []
    for _ in range(trials):
        dataset, report = list(run_adaptively(plan, _times(shape, machine, random)))[-1]
        plain = judge_family(dataset, _at_interval(dataset, report))
        now += [_holds(one.ratio_low, one.ratio_high, _truth(one, shape)) for one in report.comparisons]
        cells = {cell.id: cell for cell in plan.cells}
        narrow = [plain.compare(one.base, one.other, cells[one.cell]) for one in report.comparisons]
        before += [_holds(one.ratio_low, one.ratio_high, _truth(one, shape)) for one in narrow if one]
    shares = float(np.mean(now)), float(np.mean(before))
    claim = "intervals hold in the report of a run that leaves settled tests alone"
    return Figure(claim, "93 to 97 %", _case(shape, machine), *shares, len(now))


def coverage_of_means(cells: int, trials: int) -> Figure:
    """Share of mean ratios over all tests of a pair that hold, where precision ended the run; before: those of 95 %."""
    random, shape = generator(43), (2, cells, 30)
    now, before = [], []
    for _ in range(trials):
        plan = _plan(shape)
        times = 1000 * np.exp(random.normal(0, 0.03, shape))
        dataset, report = list(run_adaptively(plan, times))[-1]
        for levels, held in ((choose_levels(dataset, report.stopped), now), (_at_interval(dataset, report), before)):
            mean = judge_family(dataset, levels).typical_ratio(*plan.stacks, plan.cells)
            held.extend([] if mean is None else [_holds(mean.low, mean.high, 1.0)])
    case = f"2 stacks, {cells} cells, scatter of 3 %, up to 30 rounds"
    shares = float(np.mean(now)), float(np.mean(before))
    return Figure("the mean ratio over many tests has an interval that holds", "93 to 97 %", case, *shares, len(now))


def _count(asks: Callable[[Shown], bool], shape: Shape, machine: str, trials: int, *, former_rule: bool) -> float:
    random, plan = generator(41), _plan(shape)
    with former.redrawn_verdicts() if former_rule else nullcontext():
        runs = (list(run_adaptively(plan, _times(shape, machine, random))) for _ in range(trials))
        return float(np.mean([asks(run) for run in runs]))


def _is_false(shown: Shown) -> bool:
    """Whether two stacks that are alike were ever called different, or others the wrong way round."""
    plan = shown[0][0].plan
    shape = len(plan.stacks), len(plan.cells), 0
    told = ((one.verdict, _truth(one, shape)) for _, analysis in shown for one in analysis.comparisons)
    return any(word in ({"faster"} if truth > 1 else {"faster", "slower"}) for word, truth in told)


def _has_changed(shown: Shown) -> bool:
    last: dict[tuple[str, int], tuple[int, str]] = {}
    for _, analysis in shown:
        for one in analysis.comparisons:
            rounds, word = last.get((one.other, one.cell), (0, ""))
            if rounds == one.rounds and word != one.verdict and analysis is not shown[-1][1]:
                return True
            last[one.other, one.cell] = one.rounds, one.verdict
    return False


def _plan(shape: Shape) -> Plan:
    stacks, cells, rounds = shape
    return make_plan(stacks, cells, Stopping(minimum_rounds=5, maximum_rounds=rounds))


def _times(shape: Shape, machine: str, random: np.random.Generator) -> np.ndarray:
    """The first half of the cells: stacks after the first are slower."""
    logs = ALIKE[machine](shape, random)
    logs[1:, : shape[1] // 2] += APART
    return np.asarray(1000 * np.exp(logs))


def _truth(one: Comparison, shape: Shape) -> float:
    """Only pairs with the first stack, the base, are shown."""
    return float(np.exp(APART)) if one.cell < shape[1] // 2 else 1.0


def _holds(low: float, high: float, truth: float) -> bool:
    return low <= truth <= high


def _at_interval(dataset: Dataset, report: Analysis) -> Levels:
    return evolve(choose_levels(dataset, report.stopped), interval=INTERVAL_LEVEL)


def _case(shape: Shape, machine: str) -> str:
    stacks, cells, rounds = shape
    return f"{machine}: {stacks} stacks, {cells} cells, half of them apart by 35 %, looks up to {rounds} rounds"


def simulations() -> Iterator[Simulation]:
    """Those of whole runs; a trial takes a fifth of a second."""
    for machine in ("lognormal", "two modes, launch by launch"):
        for shape in ((2, 12, 20), (4, 6, 20)):
            yield Simulation(family_error_of_runs, (shape, machine), 100)
        yield Simulation(changed_verdicts, ((2, 12, 20), machine), 60)
        yield Simulation(coverage_of_runs, ((2, 12, 20), machine), 240)
    for cells in (2, 10):
        yield Simulation(coverage_of_means, (cells,), 300)
