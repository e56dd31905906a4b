"""Tails of launches: what is compared of tests whose every operation was timed."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from attrs import evolve
from benchmarks.truth.simulated_runs import add_round, make_plan, stacks

from msgauge.analysis.run import analyse, analyse_round
from msgauge.model import Analysis, Launch, LaunchRecord, Plan, Samples, Stopping, StopReason
from msgauge.results.dataset import Dataset

ROUNDS = 10


def a_plan(*, cells: int) -> Plan:
    return make_plan(3, cells, Stopping(minimum_rounds=5, maximum_rounds=2 * ROUNDS), mode="single")


def a_run_of(plan: Plan, reached: tuple[int, ...]) -> Dataset:
    """Launches of all stacks with these cells alone, each of 200 operations, stack1 20 % slower than the others."""
    noise = np.random.default_rng(1).normal(0, 0.01, (3, len(plan.cells), ROUNDS, 200))
    dataset = Dataset(plan, stacks(3))
    for round in range(ROUNDS):
        times = 1000 * np.exp(noise[:, :, round]) * np.array([1.0, 1.2, 1.0])[:, None, None]
        add_round(dataset, times, round, reached)
    return dataset


def a_report(dataset: Dataset) -> Analysis:
    return analyse(dataset, run="", stopped=StopReason.ROUNDS)


def a_look(dataset: Dataset) -> Analysis:
    return analyse_round(dataset, (), None)


@pytest.mark.parametrize("draw_up", [a_report, a_look])
def test_launches_that_came_to_no_test_give_nothing_to_compare(draw_up: Callable[[Dataset], Analysis]) -> None:
    dataset = a_run_of(a_plan(cells=1), ())
    assert len(dataset.launches) == 3 * ROUNDS
    assert draw_up(dataset).comparisons == ()


@pytest.mark.parametrize("draw_up", [a_report, a_look])
def test_tests_without_a_timed_operation_leave_the_others_as_they_are(draw_up: Callable[[Dataset], Analysis]) -> None:
    plan = a_plan(cells=2)
    mixed = evolve(plan, cells=(evolve(plan.cells[0], mode="batch"), plan.cells[1]))
    found = draw_up(a_run_of(mixed, (0,)))
    assert [(one.other, one.verdict, one.tails) for one in found.comparisons] == [
        ("stack1@1", "slower", ()),
        ("stack2@1", "equivalent", ()),
    ]


def test_multiples_of_the_median_are_those_of_the_same_operations() -> None:
    """Of stacks of one law, whose first operations are slow, one ran ten times as many: its median hides them."""
    dataset = Dataset(a_plan(cells=1), stacks(3))
    noise = np.random.default_rng(2)
    for number in range(3 * ROUNDS):
        operations = 10_000 if number % 3 else 1_000
        times = 1e5 * np.exp(noise.normal(0, 0.05, operations)) * np.where(np.arange(operations) < 1_000, 1.3, 1.0)
        launch = Launch(number, number // 3, dataset.plan.stacks[number % 3], 2, (0,), 1)
        record = LaunchRecord(launch, "ok", started="2026-01-01T00:00:00.000", seconds=1.0)
        dataset.add(record, [Samples(number, 0, "time", times.astype(np.int64), 1)])
    tails = [tail for one in a_report(dataset).comparisons for tail in one.tails]
    assert {tail.quantile for tail in tails} == {"p95", "p99"}
    assert {tail.stretch for tail in tails} <= {"equivalent", "undecided"}


def test_times_of_half_a_step_of_the_clock_are_told_of_any_base() -> None:
    """Their ratio has no lower limit, which turned round is none above."""
    plan = evolve(a_plan(cells=1), base="stack2@1")
    dataset, random = Dataset(plan, stacks(3)), np.random.default_rng(3)
    for round in range(ROUNDS):
        begun = random.random((3, 1, 300)) * 280
        times = (np.floor((begun + 139) / 280) - np.floor(begun / 280)) * 280
        add_round(dataset, times, round, (0,), resolution_ns=280)
    assert all(one.verdict == "undecided" for one in a_report(dataset).comparisons)
