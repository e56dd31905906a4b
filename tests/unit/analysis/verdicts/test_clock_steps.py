"""A time that was read in few steps of a clock is known to half a step, and nothing is said that needs more."""

from __future__ import annotations

import numpy as np
import pytest
from attrs import evolve
from benchmarks.truth import coarse_clocks
from benchmarks.truth.simulated_runs import PRECISE, add_round, dataset_of, make_plan, stacks
from benchmarks.truth.simulation import Simulation

from msgauge.analysis.run import analyse
from msgauge.analysis.verdicts.clock_steps import describe_doubt_of_steps, find_half_steps
from msgauge.analysis.verdicts.pair_table import Levels
from msgauge.analysis.verdicts.verdict_family import judge_family
from msgauge.model import Analysis, CellKey, Stopping, StopReason
from msgauge.results.dataset import Dataset

TEN = Stopping(minimum_rounds=10, maximum_rounds=10)
STEP = 42.0


def read_times(times_ns: list[list[float]], step_ns: float) -> Analysis:
    """The report of ten rounds that do not scatter; ``times_ns``: shape (stacks, cells), whole steps."""
    table = np.repeat(np.array(times_ns)[..., None], 10, axis=2)
    plan = make_plan(len(times_ns), len(times_ns[0]), TEN)
    return analyse(dataset_of(plan, table, resolution_ns=step_ns), run="", stopped=StopReason.ROUNDS)


@pytest.mark.parametrize("what", [coarse_clocks.TIMES, coarse_clocks.RATIOS])
def test_intervals_hold_of_what_is_read_in_few_steps(what: str) -> None:
    figure = Simulation(coarse_clocks.read_in_steps, (300, 41.67, what), 5).run(seed=3)
    assert figure.share >= 0.93
    assert figure.before < 0.6, "scatter alone does not spread whole steps"


def test_alike_to_the_last_step_is_not_equivalent_but_a_difference_stands() -> None:
    coarse, fine = (read_times([[24 * STEP] * 2, [24 * STEP, 25 * STEP]], step) for step in (STEP, 1.0))
    alike, slower = coarse.comparisons
    assert (alike.verdict, alike.ratio) == ("undecided", 1.0)
    assert "clock's steps are so long" in alike.reason
    assert alike.ratio_low < 0.96 and alike.ratio_high > 1.04
    assert slower.verdict == "slower" and not slower.reason
    assert slower.ratio_low == 1.0, "the test has said which side; the steps do not say how far"
    assert slower.ratio_high > 1.08
    assert [one.verdict for one in fine.comparisons] == ["equivalent", "slower"]
    assert fine.comparisons[1].ratio_low > 1.03
    assert coarse.comparisons[0].ratio_low * coarse.comparisons[0].ratio_high == pytest.approx(1)


def test_a_time_reaches_half_a_step_to_both_sides_and_never_below_zero() -> None:
    report = read_times([[24 * STEP, 0.0]], STEP)
    limits = [(one.low_ns, one.high_ns) for one in report.estimates]
    assert limits[0] == pytest.approx((23.5 * STEP, 24.5 * STEP))
    assert limits[1] == (0.0, pytest.approx(STEP / 2, abs=0.01))


def test_a_lead_and_means_over_tests_reach_as_far_as_their_times() -> None:
    """Half a step is a twentieth of 10 steps, a fortieth of 20, a sixtieth of 30, and so on."""
    plan = make_plan(2, 2, TEN)
    times = np.repeat(STEP * np.array([[10.0, 20.0], [30.0, 60.0]])[..., None], 10, axis=2)
    for step, reach in ((STEP, 1.0), (0.0, 0.0)):
        family = judge_family(dataset_of(plan, times, resolution_ns=step), Levels())
        (mean,) = family.mean_ratios(plan.stacks[0], {0: 1.0, 1: 1.0}).values()
        typical = family.typical_ratio(*plan.stacks, plan.cells)
        assert typical
        limits = (mean.ratio_high, 1 / mean.ratio_low, typical.high, 1 / typical.low)
        expected = (1 / 20 + 1 / 40 + 1 / 60 + 1 / 120) / 2 * reach
        outwards = [np.log(limit) - sign * np.log(3) for limit, sign in zip(limits, (1, -1, 1, -1), strict=True)]
        assert outwards == pytest.approx([expected] * 4, rel=0.04, abs=1e-9)
        place = family.places[CellKey(plan.stacks[0], 0)]
        assert np.log(place.lead / place.lead_low) == pytest.approx((1 / 20 + 1 / 60) * reach, rel=0.04, abs=1e-9)
        assert np.log(place.lead_high / place.lead) == pytest.approx((1 / 20 + 1 / 60) * reach, rel=0.04, abs=1e-9)


def test_a_mean_that_was_told_apart_from_the_base_ends_at_one() -> None:
    plan = make_plan(2, 1, TEN)
    times = np.repeat(STEP * np.array([[[10.0]], [[11.0]]]), 10, axis=2)
    (mean,) = (
        judge_family(dataset_of(plan, times, resolution_ns=STEP), Levels()).mean_ratios(plan.base, {0: 1.0}).values()
    )
    assert (mean.verdict, mean.ratio_low) == ("slower", 1.0)
    assert mean.ratio_high > 1.15


def test_a_batch_divides_the_step_and_simulated_time_has_none() -> None:
    plan = make_plan(2, 1, TEN)
    times = np.full((2, 1, 10), 24 * STEP)
    measured = dataset_of(plan, times, resolution_ns=STEP / PRECISE)
    key = CellKey(plan.stacks[0], 0)
    assert find_half_steps(measured)[key] == pytest.approx(STEP / PRECISE / 2)
    simulated = tuple(evolve(one, simulated=True) for one in stacks(2))
    assert set(find_half_steps(dataset_of(plan, times, simulated, resolution_ns=STEP)).values()) == {0.0}


def test_one_launch_that_saw_a_large_step_by_chance_does_not_count() -> None:
    plan = make_plan(1, 1, TEN)
    dataset = Dataset(plan, stacks(1))
    for number in range(10):
        add_round(dataset, np.array([[1000.0]]), number, (0,), resolution_ns=1.0 + 9.0 * (number == 4))
    assert find_half_steps(dataset) == {CellKey(plan.base, 0): 0.5}


def test_times_below_one_step_are_not_compared() -> None:
    said = describe_doubt_of_steps(0.0, float("inf"))
    assert said == "these times are shorter than one step of the clock"
    assert "from 0.500 to 2.00" in describe_doubt_of_steps(0.5, 2.0)
    report = read_times([[0.4 * STEP], [0.4 * STEP]], STEP)
    assert report.comparisons[0].verdict == "undecided"
    assert "shorter than one step" in report.comparisons[0].reason


def test_what_is_equivalent_has_its_whole_interval_within_the_margin_with_what_steps_hide() -> None:
    """Ratios of 0.98 and 0.99 by turns: the estimate is far enough from the margin for the steps, its interval not."""
    plan = make_plan(2, 1, TEN)
    times = STEP * np.array([[[100.0] * 10], [[98.0, 99.0] * 5]])
    for step, word in ((STEP, "undecided"), (STEP / 10, "equivalent")):
        (told,) = analyse(dataset_of(plan, times, resolution_ns=step), run="", stopped=StopReason.ROUNDS).comparisons
        assert told.verdict == word
        assert (told.ratio_low >= 1 / 1.03) == (word == "equivalent")
        assert ("from 0.970 to 1" in told.reason) == (word == "undecided")
