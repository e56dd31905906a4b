"""Where the fastest stack changes between two that are both not the base: compared, told once, and never by noise."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from msgauge.analysis.estimates.cell_estimates import estimate_cells
from msgauge.analysis.findings.comparison_findings import findings
from msgauge.analysis.findings.pairwise_contests import find_contests
from msgauge.analysis.verdicts.comparisons import compare_stacks
from msgauge.analysis.verdicts.pair_table import Levels
from msgauge.analysis.verdicts.verdict_family import judge_family
from msgauge.model import Cell, Comparison, Launch, LaunchRecord, Origin, Plan, Samples, Stack
from msgauge.results.dataset import Dataset

ROUNDS = 8
LADDER = {"base@1": [1, 2, 30, 60, 300], "middle@1": [9, 8, 10, 18, 90], "far@1": [50, 50, 50, 50, 55]}
"""Times by size: the base, then ``middle``, then ``far`` is the fastest."""


def compared(
    times: dict[str, Sequence[float]], base: str = "base@1", spread: float = 0.002, seed: int = 1
) -> list[Comparison]:
    """What is found with eight rounds of launches around ``times`` (one for each size)."""
    random = np.random.default_rng(seed)
    count = len(next(iter(times.values())))
    cells = tuple(Cell(number, "bcast", 8 * 4**number, 2) for number in range(count))
    plan = Plan("unit", 1, tuple(times), cells, (2,), base=base)
    dataset = Dataset(plan, [Stack(*spec.split("@"), Origin("builtin")) for spec in times])
    for number in range(ROUNDS * len(times)):
        round_, place = divmod(number, len(times))
        stack = plan.stacks[place]
        mine = [(cell, time) for cell, time in zip(cells, times[stack], strict=True) if time]
        frames = [
            Samples(number, cell.id, "time", np.array([round(1e9 * time * random.lognormal(0, spread))]), 1_000_000)
            for cell, time in mine
        ]
        launch = Launch(number, round_, stack, 2, tuple(cell.id for cell, _ in mine), 1)
        dataset.add(LaunchRecord(launch, "ok"), frames)
    estimates = estimate_cells(dataset, {}, with_tails=False)
    family = judge_family(dataset, Levels())
    return list(find_contests(plan, estimates, compare_stacks(dataset, estimates, family), family))


def crossovers(found: Sequence[Comparison]) -> list[str]:
    return [one.sentence for one in findings((), (), found) if one.kind == "crossover"]


def test_a_change_between_two_that_are_not_the_base_has_its_one_sentence() -> None:
    (sentence,) = crossovers(compared(LADDER))
    assert sentence == "In bcast on 2 processes, middle@1 is faster from 8 B to 512 B and far@1 at 2 KiB."


def test_changes_to_and_from_the_base_are_left_to_its_own_comparisons() -> None:
    assert compared({name: LADDER[name] for name in ("base@1", "far@1")}) == []
    assert compared(LADDER, base="middle@1") == []


def test_two_that_change_places_twice_are_compared_once() -> None:
    found = compared({"base@1": [9, 9, 9, 9], "a@1": [1, 2, 1, 2], "b@1": [2, 1, 2, 1]})
    assert [(one.base, one.other) for one in found] == [("a@1", "b@1")] * 4
    assert len(crossovers(found)) == 3


def test_a_lead_within_the_noise_hides_no_change() -> None:
    """A third is a hair ahead of ``a`` in the middle, and cannot be told from it: it is ``b`` that succeeds ``a``."""
    times = {"base@1": [90] * 3, "a@1": [1, 10, 60], "c@1": [2, 9.99, 61], "b@1": [30, 30, 30]}
    assert [(one.base, one.other) for one in compared(times, spread=0.01)] == [("a@1", "b@1")] * 3


def test_a_stack_that_has_no_large_messages_leaves_its_place_without_a_comparison() -> None:
    times = {"base@1": [90] * 3, "a@1": [1, 0, 0], "b@1": [30, 30, 30], "c@1": [50, 50, 10]}
    assert {(one.base, one.other) for one in compared(times)} == {("b@1", "c@1")}


def test_stacks_that_are_the_same_have_no_crossover() -> None:
    same = {f"s{number}@1": [10.0] * 8 for number in range(6)}
    assert sum(bool(crossovers(compared(same, base="s0@1", spread=0.05, seed=seed))) for seed in range(40)) <= 1
