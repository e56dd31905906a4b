"""What msgauge advises to use: that no advice names a stack where a verdict of the same run calls it slower."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

import numpy as np
from benchmarks.truth.machines import ALIKE
from benchmarks.truth.simulated_runs import dataset_of, make_plan
from benchmarks.truth.simulation import Figure, Simulation, generator

from msgauge.analysis.guidance.advice import Advice, find_advice
from msgauge.analysis.run import analyse
from msgauge.analysis.verdicts.pair_table import Levels
from msgauge.analysis.verdicts.verdict_family import MEDIANS, Asked, judge_family
from msgauge.model import Plan, Stopping, StopReason, Word

SIZES = (8, 64, 512, 4096, 32768)
KERNELS = 2


def advice_contradicted(stacks: int, machine: str, trials: int) -> Figure:
    """Share of runs with advice that covers a test in which a verdict calls the advised stack the slower one.

    Stacks differ by 20 % from size to size, so that each is the faster one at some. Before: the advice was for all of a
    kernel in which the other was slower in some test.
    """
    random, now, before = generator(161), 0, 0
    plan = make_plan(stacks, KERNELS * len(SIZES), Stopping(minimum_rounds=10, maximum_rounds=10), sizes=SIZES)
    for _ in range(trials):
        logs = ALIKE[machine]((stacks, len(plan.cells), 10), random)
        logs += random.normal(0, 0.2, (stacks, len(plan.cells), 1))
        dataset = dataset_of(plan, 1000 * np.exp(logs))
        words = judge_family(dataset, Levels()).words
        report = analyse(dataset, run="", stopped=StopReason.ROUNDS)
        told = [one for one in find_advice("run", plan, report, (), ((), ())) if one.cells]
        now += any(_is_contradicted(one, one.cells, plan, words) for one in told)
        before += any(_is_contradicted(one, _same_kernel(one, plan), plan, words) for one in told)
    case = f"{machine}: {stacks} stacks, {KERNELS} kernels, {len(SIZES)} sizes, differences of 20 % or so, 10 rounds"
    claim = "no advice is for a test in which a verdict calls the advised stack slower"
    return Figure(claim, "0", case, now / trials, before / trials, trials)


def _is_contradicted(one: Advice, cells: Collection[int], plan: Plan, words: Mapping[Asked, Word]) -> bool:
    _, faster, _, _, slower, *_ = one.what.split()
    turned = plan.stacks.index(faster) < plan.stacks.index(slower)
    pair, wrong = ((faster, slower), "faster") if turned else ((slower, faster), "slower")
    return any(words.get((*pair, cell, MEDIANS)) == wrong for cell in cells)


def _same_kernel(one: Advice, plan: Plan) -> set[int]:
    kernels = {cell.kernel for cell in plan.cells if cell.id in one.cells}
    return {cell.id for cell in plan.cells if cell.kernel in kernels}


def simulations() -> Iterator[Simulation]:
    """Those of what is advised."""
    for stacks in (2, 4):
        yield Simulation(advice_contradicted, (stacks, "lognormal"), 300)
