"""Where rounds resemble each other in how stacks compare, verdicts and intervals allow for it and the run says so."""

from __future__ import annotations

from collections.abc import Iterable
from unittest import mock

import numpy as np
import pytest
from benchmarks.truth.machines import correlate

from msgauge.analysis.warnings.resembling_rounds import warn_resembling
from msgauge.model import Estimate
from msgauge.models.anomalies import off_power_of_two
from msgauge.models.guidelines import MARGIN, Judgement, judge
from msgauge.stats import pairwise
from msgauge.stats.dependence import widening_factor
from msgauge.stats.pairwise import judge_pairs
from msgauge.stats.round_memory import INDEPENDENT, LEVEL, RoundMemory, examine_order, measure_memory


def wandering(shape: tuple[int, int, int], coefficient: float, random: np.random.Generator) -> np.ndarray:
    """Times (stacks, cells, rounds): the launches of each stack resemble those before them, in all cells alike."""
    stacks, _, rounds = shape
    state = correlate(random.normal(0, 1, (stacks, 1, rounds)), coefficient)
    pace = 0.1 * random.normal(0, 1, (1, 1, rounds)).cumsum(axis=2)
    return np.asarray(1000 * np.exp(0.03 * state + random.normal(0, 0.01, shape) + pace))


def is_told(memory: RoundMemory) -> bool:
    return bool(list(warn_resembling([(memory, [f"s{row}@1" for row in range(memory.factors.size)])])))


@pytest.mark.parametrize(("coefficient", "rounds", "least", "most"), [(0.0, 10, 0.0, 0.11), (0.7, 20, 0.8, 1.0)])
def test_it_is_said_where_launches_resemble_those_before(
    coefficient: float, rounds: int, least: float, most: float
) -> None:
    random = np.random.default_rng(4)
    runs = [is_told(measure_memory(wandering((4, 6, rounds), coefficient, random))) for _ in range(100)]
    assert least <= np.mean(runs) <= most


def test_the_pace_of_the_machine_and_single_slow_launches_are_no_reason() -> None:
    random = np.random.default_rng(5)
    said = 0
    for _ in range(100):
        times = wandering((3, 5, 12), 0.0, random) * np.exp(2.0 * (random.random((3, 5, 12)) < 0.1))
        said += is_told(measure_memory(times))
    assert said <= 11


def test_of_stacks_that_wander_by_themselves_few_runs_say_something_false() -> None:
    """Six of one law, as AR(1) 0.7 in ten rounds: three runs in four would, were rounds taken as independent."""
    random = np.random.default_rng(8)
    now = before = 0
    for _ in range(60):
        times = wandering((6, 5, 10), 0.7, random)
        now += bool((judge_pairs(times).word != pairwise.UNDECIDED).any())
        before += bool((judge_pairs(times, memory=INDEPENDENT).word != pairwise.UNDECIDED).any())
    assert before >= 30
    assert now <= 15


def test_one_stack_that_wanders_alone_is_named_and_leaves_the_others_as_they_are() -> None:
    random = np.random.default_rng(10)
    logs = random.normal(0, 0.01, (6, 5, 40))
    logs[3] += 0.03 * correlate(random.normal(0, 1, (1, 40)), 0.8)
    judged = judge_pairs(1000 * np.exp(logs))
    (notice,) = warn_resembling([(judged.memory, [f"s{row}@1" for row in range(6)])])
    assert "Intervals of ratios of s3@1 are up to" in notice.message
    assert dict(notice.evidence)["stacks"] == "s3@1"
    assert (judged.memory.factors > 1).tolist() == [row == 3 for row in range(6)]
    plain = judge_pairs(1000 * np.exp(logs), memory=INDEPENDENT)
    touched = (judged.first == 3) | (judged.second == 3)
    assert (judged.high[~touched] == plain.high[~touched]).all()
    assert (judged.high[touched] > plain.high[touched]).all()


def test_its_factor_widens_intervals_and_asks_more_of_every_test() -> None:
    """Of two stacks 4 % apart: p and interval are those of a difference that is less sure by the factor."""
    random = np.random.default_rng(9)
    times = np.exp(np.array([[[0.0]], [[0.04]]]) + random.normal(0, 0.01, (2, 1, 12)))
    plain, wider = (judge_pairs(times, memory=RoundMemory(0.5, 0.001, np.full(2, factor))) for factor in (1.0, 3.0))
    assert plain.ratio == wider.ratio
    for limit, wide in ((plain.low, wider.low), (plain.high, wider.high)):
        assert np.log(wide / plain.ratio) == pytest.approx(3 * np.log(limit / plain.ratio))
    assert plain.word[0, 0] == pairwise.SLOWER
    assert plain.p_different[0, 0] < wider.p_different[0, 0] < 0.01, "t is 10 and 3.4"
    assert plain.p_equivalent[0, 0] <= wider.p_equivalent[0, 0]


def test_the_p_is_uniform_where_order_tells_nothing_and_the_coefficient_is_that_of_the_series() -> None:
    random, stacks = np.random.default_rng(6), np.array([0, 0, 1, 1, 2])
    with mock.patch("msgauge.stats.round_memory.widening_factor", return_value=1.5):
        found = [examine_order(random.normal(size=(5, 9)), stacks, 3) for _ in range(400)]
    assert abs(float(np.mean([one.largest > 1 for one in found])) - LEVEL) < 0.03
    assert all((one.largest > 1) == (one.p_value <= LEVEL) for one in found)
    memory = examine_order(correlate(random.normal(size=(30, 400)), 0.6), np.arange(30), 30)
    assert memory.coefficient == pytest.approx(0.58, abs=0.08)
    assert memory.p_value < LEVEL
    assert memory.factors.min() == pytest.approx(2.0, abs=0.15), "sqrt((1 + 0.6) / (1 - 0.6)), of all together"


def test_a_cell_of_too_few_rounds_and_a_stack_without_a_launch_do_not_count() -> None:
    times = wandering((3, 4, 20), 0.8, np.random.default_rng(7))
    whole = measure_memory(times)
    times = np.concatenate([times, np.where(np.arange(20) < 6, times[:, :1], np.nan)], axis=1)
    times = np.concatenate([times, np.full((1, 5, 20), np.nan)])
    found = measure_memory(times)
    assert (found.coefficient, found.p_value) == (whole.coefficient, whole.p_value)
    assert found.factors.tolist() == [*whole.factors.tolist(), 1.0]
    assert whole.largest > 1


def test_tests_that_ended_early_do_not_outvote_those_that_went_on() -> None:
    """Ten tests of a hundred rounds tell more than twenty of seven."""
    series = correlate(np.random.default_rng(2).normal(size=(30, 100)), 0.2)
    series[10:, 7:] = np.nan
    memory = examine_order(series, np.zeros(30, dtype=int), 1)
    assert memory.p_value < LEVEL
    assert memory.largest == pytest.approx(widening_factor(series[:10]))
    assert memory.largest != pytest.approx(widening_factor(series[10:, :7]))


def share_called_alike(tables: Iterable[np.ndarray]) -> float:
    return float(np.mean([measure_memory(times).largest > 1 for times in tables]))


def test_rounds_that_compare_alike_share_their_rank() -> None:
    """One of three stacks is the median of its cell, and a clock of 20 ns tells few times apart; else 17 and 98 %."""
    random = np.random.default_rng(3)
    assert share_called_alike(np.exp(random.normal(0, 0.02, (3, 40, 20))) for _ in range(200)) < LEVEL + 0.04
    fine = (300 * np.exp(random.normal(0, 0.01, (4, 10, 10))) for _ in range(200))
    assert share_called_alike(20 * np.rint(one / 20) for one in fine) < LEVEL + 0.04


def test_rounds_that_some_cells_lack_are_exchanged_in_their_places() -> None:
    """Cells share launches: put side by side by position, rounds that they share would not meet; else 20 %."""

    def lacking(random: np.random.Generator) -> np.ndarray:
        logs = random.normal(0, 0.02, (4, 1, 10)) + random.normal(0, 0.002, (4, 10, 10))
        logs[:, ::2, 0] = logs[:, 1::2, -1] = np.nan
        return np.exp(logs)

    random = np.random.default_rng(8)
    assert share_called_alike(lacking(random) for _ in range(200)) < LEVEL + 0.04


def test_few_rounds_and_times_that_do_not_move_say_nothing() -> None:
    random = np.random.default_rng(1)
    assert measure_memory(np.ones((3, 2, 20))) is INDEPENDENT
    assert measure_memory(np.exp(random.normal(size=(3, 2, 6)))) is INDEPENDENT
    assert measure_memory(np.full((2, 3, 0), np.nan)) is INDEPENDENT
    last_digit = 1 + 1e-15 * random.integers(0, 9, (3, 2, 20))
    with np.errstate(all="raise"):
        assert measure_memory(last_digit) is INDEPENDENT
    assert measure_memory(np.exp(random.normal(size=(1, 3, 9)))) is INDEPENDENT
    assert not is_told(INDEPENDENT)


# --- guidelines ----------------------------------------------------------------------------------------------------


def judge_at_the_margin(correlation: float, seed: int) -> tuple[Judgement, ...]:
    """Ten guidelines of one stack in twenty rounds, the truth on the margin; each call resembles its round before."""
    steps = 0.02 * np.random.default_rng(seed).normal(size=(20, 20))
    times = 1000 * np.exp(correlate(steps, correlation))
    times[::2] *= 1 + MARGIN
    return judge(
        Estimate(
            "one@1",
            cell,
            ("gather", "allgather")[cell % 2],
            8 << cell // 2,
            4,
            median_ns=float(np.median(times[cell])),
            launch_medians_ns=tuple(times[cell].tolist()),
            rounds=tuple(range(20)),
        )
        for cell in range(20)
    )


def test_no_guideline_is_violated_by_rounds_that_resemble_each_other() -> None:
    """Before, two runs of three told a violation of these guidelines, none of which is violated."""
    told = [
        any(one.guideline.name == "gather <= allgather" and one.verdict == "violated" for one in judged)
        for judged in (judge_at_the_margin(0.8, seed) for seed in range(24))
    ]
    assert sum(told) <= 5


def test_guidelines_of_rounds_whose_order_tells_nothing_are_judged_as_ever() -> None:
    with mock.patch("msgauge.models.guidelines.spread_by_memory", lambda given: [one[2] for one in given]):
        before = judge_at_the_margin(0.0, 1)
    assert judge_at_the_margin(0.0, 1) == before
    with mock.patch("msgauge.models.guidelines.spread_by_memory", lambda given: [one[2] for one in given]):
        narrow = judge_at_the_margin(0.8, 1)
    for one, other in zip(judge_at_the_margin(0.8, 1), narrow, strict=True):
        assert one.ratio.value == pytest.approx(other.ratio.value)
        assert one.ratio.high / one.ratio.low > other.ratio.high / other.ratio.low


def test_no_size_is_odd_because_rounds_resemble_each_other() -> None:
    """Sizes on a straight line in ten launches; before, six runs of ten told of an odd one."""
    sizes = np.unique(np.concatenate([2.0 ** np.arange(3, 14), 1.5 * 2.0 ** np.arange(3, 13)]))
    random, told = np.random.default_rng(9), 0
    for _ in range(40):
        logs = correlate(random.normal(0, 0.05, (sizes.size, 10)), 0.8)
        told += bool(off_power_of_two(sizes, (500 + 0.1 * sizes) * np.exp(logs.T)))
    assert told <= 8
