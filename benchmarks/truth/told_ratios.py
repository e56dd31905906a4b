"""What is told of differences because they were found: leads and means; and ratios of launches in two groups."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from benchmarks.truth.simulated_runs import dataset_of, make_plan
from benchmarks.truth.simulation import Figure, Simulation, generator

from msgauge.analysis.verdicts.pair_table import Levels
from msgauge.analysis.verdicts.verdict_family import judge_family
from msgauge.model import Stopping
from msgauge.stats.pairwise import INTERVAL_LEVEL, estimate_intervals
from msgauge.stats.signed_rank import locate_centres

CELLS = 4


def small_leads(shape: tuple[int, int, int], lead: float, trials: int) -> Figure:
    """Share of the leads told whose interval holds where the fastest stack is ahead of all others by little.

    A trial is a lead that was told. Before: the least usual limit of all rivals, as if none had been looked for.
    """
    random, now, before = generator(98), [], []
    stacks, cells, rounds = shape
    plan = make_plan(stacks, cells, Stopping(minimum_rounds=rounds, maximum_rounds=rounds))
    behind = np.log1p(lead) * (np.arange(stacks) > 0)
    for _ in range(trials):
        logs = random.normal(0, 0.02, shape) + random.normal(0, 0.03, (1, 1, rounds)) + behind[:, None, None]
        for key, place in judge_family(dataset_of(plan, 1000 * np.exp(logs)), Levels()).places.items():
            if place.lead > 0 and key.stack == plan.stacks[0]:
                now.append(place.lead_low <= 1 + lead <= place.lead_high)
                low = estimate_intervals(logs[1:, key.cell] - logs[0, key.cell], 1 - INTERVAL_LEVEL)[1]
                before.append(float(np.exp(low.min())) <= 1 + lead <= place.lead_high)
    case = f"a lead of {100 * lead:g} %, scatter 2 %: {stacks} stacks, {cells} cells, {rounds} rounds"
    shares = float(np.mean(now)), float(np.mean(before))
    return Figure("the interval of a small lead that was told holds", "at least 93 %", case, *shares, len(now))


def found_means(shape: tuple[int, int, int], apart: float, trials: int) -> Figure:
    """Share of the means over tests that were found whose interval holds; all but the base take ``apart`` longer.

    A trial is a mean of which "faster" or "slower" is said. Before: the interval of each by itself.
    """
    random, now, before = generator(99), [], []
    stacks, cells, rounds = shape
    plan = make_plan(stacks, cells, Stopping(minimum_rounds=rounds, maximum_rounds=rounds))
    behind = np.log1p(apart) * (np.arange(stacks) > 0)
    while len(now) < trials:
        logs = random.normal(0, 0.02, (stacks, 1, rounds)) + random.normal(0, 0.003, shape) + behind[:, None, None]
        family = judge_family(dataset_of(plan, 1000 * np.exp(logs)), Levels())
        for stack, mean in family.mean_ratios(plan.stacks[0], {cell.id: 1.0 for cell in plan.cells}).items():
            if mean.verdict in {"faster", "slower"}:
                now.append(mean.ratio_low <= 1 + apart <= mean.ratio_high)
                rounds_apart = (logs[plan.stacks.index(stack)] - logs[0]).mean(axis=0)
                low, high = estimate_intervals(rounds_apart[None, :], 1 - INTERVAL_LEVEL)[1:]
                before.append(low[0] <= np.log1p(apart) <= high[0])
    case = f"stacks {100 * apart:g} % behind the base, launches scatter by 2 %: {stacks} stacks, {rounds} rounds"
    shares = float(np.mean(now)), float(np.mean(before))
    return Figure("the intervals of means that were found hold", "at least 93 %", case, *shares, len(now))


def ratios_between_groups(rounds: int, factor: float, trials: int) -> Figure:
    """Share of ratios shown at which no round lies: one stack is 5 % behind, and 30 % of its launches ``factor`` times.

    Before: the Hodges-Lehmann estimate. A trial is a test of two stacks.
    """
    random, now, before = generator(100), [], []
    plan = make_plan(2, CELLS, Stopping(minimum_rounds=rounds, maximum_rounds=rounds))
    for _ in range(-(-trials // CELLS)):
        logs = random.normal(0, 0.01, (2, CELLS, rounds))
        logs[1] += np.log(1.05) + np.log(factor) * (random.random((CELLS, rounds)) < 0.3)
        family = judge_family(dataset_of(plan, 1000 * np.exp(logs)), Levels())
        for cell in plan.cells:
            told = family.compare(*plan.stacks, cell)
            apart = logs[1, cell.id] - logs[0, cell.id]
            for ratio, list_of in ((told.ratio if told else 0.0, now), (float(np.exp(locate_centres(apart))), before)):
                list_of.append(1.05 * np.exp(0.1) < ratio < 1.05 * factor * np.exp(-0.1))
    case = f"3 launches in 10 of one stack {factor:g} times as slow, {rounds} rounds"
    shares = float(np.mean(now)), float(np.mean(before))
    return Figure("a ratio that is shown lies where rounds lie, not between two groups", "", case, *shares, len(now))


def simulations() -> Iterator[Simulation]:
    """Those of what was found; all of them take a minute of one core."""
    for shape, lead in (((2, 40, 10), 0.02), ((2, 40, 20), 0.02), ((3, 40, 10), 0.03)):
        yield Simulation(small_leads, (shape, lead), 300)
    for shape, apart in (((6, 3, 10), 0.02), ((6, 3, 7), 0.03), ((20, 2, 10), 0.02)):
        yield Simulation(found_means, (shape, apart), 1000)
    for rounds in (10, 20):
        for factor in (1.5, 2.8):
            yield Simulation(ratios_between_groups, (rounds, factor), 2000)
