"""All pairs, their verdicts, marks and ranks."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats as oracle

from msgauge.stats.pairwise import (
    EQUIVALENT,
    FASTER,
    SLOWER,
    UNDECIDED,
    _words,
    best,
    estimate_intervals,
    interval_limits,
    judge_pairs,
    ranks,
)
from msgauge.stats.ratio import estimate_ratios
from msgauge.stats.signed_rank import hodges_lehmann, locate_centres, walsh_averages


def table(slowness: list[float], cells: int = 5, rounds: int = 8, scatter: float = 0.01, seed: int = 1) -> np.ndarray:
    dice = np.random.default_rng(seed)
    return np.exp(np.log(slowness)[:, None, None] + dice.normal(0, scatter, (len(slowness), cells, rounds))) * 1000


def test_every_two_stacks_are_compared_once() -> None:
    found = judge_pairs(table([1.0, 1.2, 1.5]))
    assert list(zip(found.first, found.second, strict=True)) == [(0, 1), (0, 2), (1, 2)]
    assert found.family == 15
    assert (found.word == SLOWER).all()
    assert (judge_pairs(table([1.5, 1.2, 1.0])).word == FASTER).all()


def test_a_word_needs_the_test_and_the_interval_to_point_the_same_way() -> None:
    low, high = np.array([-0.2, -0.2, 0.1, 0.1]), np.array([-0.1, -0.1, 0.2, 0.2])
    statistic, sure = np.array([-3.0, 3.0, 3.0, -3.0]), np.full(4, True)
    words = _words((statistic, low, high), sure, ~sure)
    assert list(words) == [FASTER, UNDECIDED, SLOWER, UNDECIDED]


def test_two_stacks_spend_what_skewed_noise_of_more_of_them_would_take() -> None:
    """22 exchanges of 512 decide between two stacks, also beside one without a launch; they do not between three."""
    p, words = [], []
    for seed in range(60):
        two = table([1.0, 1.03], cells=1, rounds=10, scatter=0.02, seed=seed)
        judged = [judge_pairs(times) for times in (two, np.concatenate([two, np.full((1, 1, 10), np.nan)]))]
        three = judge_pairs(np.concatenate([two, two[:1] * 3]))
        if judged[0].p_different[0, 0] == three.p_different[0, 0] == pytest.approx(22 / 512):
            p.append(three.p_different[0, 0])
            words.append([*(one.word[0, 0] for one in judged), three.word[0, 0]])
    assert len(p) >= 1
    assert (np.array(words) == [SLOWER, SLOWER, UNDECIDED]).all()


def test_ratio_and_interval_are_those_of_a_pair_by_itself() -> None:
    times = table([1.0, 1.1], rounds=9)
    ratio, low, high, _ = estimate_ratios(np.log(times[1]) - np.log(times[0]))
    found = judge_pairs(times)
    assert found.ratio[0] == pytest.approx(ratio)
    assert found.low[0] == pytest.approx(low)
    assert found.high[0] == pytest.approx(high)


def test_alike_stacks_are_equivalent_and_all_of_them_are_marked() -> None:
    found = judge_pairs(table([1.0, 1.0, 1.0], scatter=0.003))
    assert (found.word == EQUIVALENT).all()
    assert best(found, 3).all()


def test_four_rounds_decide_nothing_however_large_the_difference() -> None:
    found = judge_pairs(table([1.0, 9.0], rounds=4))
    assert (found.word == UNDECIDED).all()
    assert (found.least_p == 1 / 8).all()


def test_ranks_are_one_and_two_where_decided_and_open_where_not() -> None:
    times = table([1.0, 1.0, 2.0], scatter=0.02)
    found = judge_pairs(times)
    highest, lowest = ranks(found, 3)
    assert (highest[2] == 3).all()
    assert (lowest[2] == 3).all()
    undecided = found.word[0] == UNDECIDED
    assert (lowest[0][undecided] == 2).all()
    assert (highest[1][undecided] == 1).all()


def test_a_stack_without_launches_has_neither_mark_nor_rank() -> None:
    times = table([1.0, 1.2])
    times[1, 2] = np.nan
    found = judge_pairs(times)
    assert not best(found, 2)[1, 2]
    assert ranks(found, 2)[0][1, 2] == 0
    assert found.word[0, 2] == UNDECIDED


def test_no_mark_contradicts_a_verdict() -> None:
    """Whoever is said to be slower than another has no mark and a lower best rank than first; somebody has one."""
    dice = np.random.default_rng(3)
    for _ in range(300):
        stacks, cells, rounds = dice.integers(2, 7), dice.integers(1, 12), dice.integers(4, 12)
        true = np.exp(dice.normal(0, 0.05, (stacks, cells, 1)))
        times = true * np.exp(dice.normal(0, 0.02, (stacks, cells, rounds)))
        found = judge_pairs(times)
        marked, (highest, lowest) = best(found, stacks), ranks(found, stacks)
        assert marked.any(axis=0).all()
        assert (marked == (highest == 1)).all()
        assert (highest <= lowest).all()
        for pair, (one, other) in enumerate(zip(found.first, found.second, strict=True)):
            assert not (marked[other] & (found.word[pair] == SLOWER)).any()
            assert not (marked[one] & (found.word[pair] == FASTER)).any()


def test_the_centre_of_many_rounds_costs_less_and_is_as_good() -> None:
    values = np.random.default_rng(3).standard_t(3, (1500, 60)) + 1.0
    whole, bounded = hodges_lehmann(walsh_averages(values)), locate_centres(values)
    assert bounded.std() <= 1.03 * whole.std()
    assert np.abs(bounded - whole).max() < 0.5 * whole.std()
    assert (locate_centres(values[:, :32]) == hodges_lehmann(walsh_averages(values[:, :32]))).all()


def test_computed_times_need_no_number_of_rounds_and_measured_ones_do() -> None:
    times = np.array([1.0, 1.2, 1.0])[:, None, None] * np.ones((3, 1, 2))
    assert judge_pairs(times, exact_clock=True).word.ravel().tolist() == [SLOWER, EQUIVALENT, FASTER]
    assert (judge_pairs(times).word == UNDECIDED).all()


def test_what_seven_rounds_cannot_cover_by_their_order_is_an_interval_of_students() -> None:
    """Smallest and largest of seven stood here for any level: 98.4 % where 99.75 % were said."""
    series = np.random.default_rng(8).normal(0, 0.02, (4000, 7))
    middle, low, high = estimate_intervals(series, 0.9975)
    first = oracle.ttest_1samp(series[0], 0).confidence_interval(0.9975)
    assert (low[0], high[0]) == pytest.approx((first.low, first.high))
    assert np.mean((low > 0) | (high < 0)) < 0.005
    least, most = interval_limits(series, middle, 0.9975, by_order=True)
    assert (least == series.min(axis=1)).all()
    assert np.mean((least > 0) | (most < 0)) > 0.01


@pytest.mark.parametrize("noisy", [1, 3])
def test_noisy_stacks_hide_nothing_of_the_calm_ones(noisy: int) -> None:
    """Where most pairs hold a stack that scatters fifty times as much, the calm ones borrowed its variance: no word."""
    dice = np.random.default_rng(11)
    logs = dice.normal(0, 0.003, (2 + noisy, 8, 10))
    logs[2:] += dice.normal(0, 0.15, (noisy, 8, 10))
    assert (judge_pairs(np.exp(logs)).word[0] == EQUIVALENT).mean() > 0.7
    logs[1] += np.log(1.05)
    assert (judge_pairs(np.exp(logs)).word[0] == SLOWER).all()
    apart = judge_pairs(np.exp(np.vstack([logs, logs[:1] + 1.0])))
    assert (apart.word[(apart.first == 0) & (apart.second == 1)] == SLOWER).all()


@pytest.mark.parametrize("stacks", [2, 3])
def test_noisy_tests_hide_nothing_of_the_calm_ones(stacks: int) -> None:
    """Where two tests in three scatter fifty times as much as the others: likewise."""
    dice, noisy = np.random.default_rng(12), np.arange(12) < 8
    logs = dice.normal(0, 1, (stacks, 12, 10)) * np.where(noisy, 0.15, 0.003)[:, None]
    assert (judge_pairs(np.exp(logs)).word[:, ~noisy] == EQUIVALENT).mean() > 0.7
    logs[1] += np.log(1.05)
    assert (judge_pairs(np.exp(logs)).word[0, ~noisy] == SLOWER).all()
