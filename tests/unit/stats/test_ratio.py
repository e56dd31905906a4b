"""The paired ratio: against scipy, exact enumeration and published tables."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats as oracle

from msgauge.stats import signed_rank
from msgauge.stats.ratio import compare, estimate_ratios, interval_at, p_of_trimmed_t, student_p

DIFFERENCES = np.random.default_rng(1).normal(0.4, 1, (5, 9))


@pytest.mark.parametrize("n", [1, 3, 5, 8])
def test_the_distribution_of_the_signed_rank_statistic_is_that_of_all_signs(n: int) -> None:
    sums = [sum(rank for rank, sign in enumerate(signs, 1) if sign) for signs in product((0, 1), repeat=n)]
    expected = [np.mean(np.array(sums) <= t) for t in range(n * (n + 1) // 2 + 1)]
    assert np.allclose(signed_rank.cumulative(n), expected)


@pytest.mark.parametrize(("n", "t", "p"), [(5, 0, 0.03125), (7, 3, 0.0391), (10, 8, 0.0244), (15, 25, 0.0240)])
def test_the_distribution_is_that_of_published_tables(n: int, t: int, p: float) -> None:
    """Hollander, Wolfe and Chicken 2014, table A.4 (its lower tail by symmetry)."""
    assert signed_rank.cumulative(n)[t] == pytest.approx(p, abs=6e-5)


@pytest.mark.parametrize("row", DIFFERENCES)
def test_signed_rank_p_is_that_of_scipy(row: np.ndarray) -> None:
    mine = signed_rank.p_value(signed_rank.walsh_averages(row), row.size)
    assert mine == pytest.approx(oracle.wilcoxon(row, method="exact").pvalue)


def test_no_difference_at_all_has_p_one() -> None:
    assert signed_rank.p_value(signed_rank.walsh_averages(np.zeros(6)), 6) == 1.0


def test_the_estimate_is_the_median_of_all_pairwise_means() -> None:
    row = DIFFERENCES[0]
    means = [(row[i] + row[j]) / 2 for i in range(row.size) for j in range(i, row.size)]
    assert signed_rank.hodges_lehmann(signed_rank.walsh_averages(row)) == pytest.approx(np.median(means))


def test_the_interval_is_that_of_the_median_round_and_holds_the_estimate() -> None:
    """At 17 rounds the sign test's interval is the fifth of both ends (Dixon and Massey 1983), inwards by the rest."""
    differences = np.random.default_rng(2).normal(0.4, 1, (300, 17))
    ratio, low, high, _ = estimate_ratios(differences)
    ordered = np.sort(differences, axis=-1)
    assert (np.exp(ordered[:, 4]) <= low).all()
    assert (low <= np.exp(ordered[:, 5])).all()
    assert (high <= np.exp(ordered[:, -5])).all()
    assert ((low <= ratio) & (ratio <= high)).all()


def test_one_disturbed_round_hardly_moves_the_interval() -> None:
    quiet = np.random.default_rng(3).normal(0.05, 0.01, 10)
    for disturbance in (-0.9, 0.9):
        disturbed = quiet.copy()
        disturbed[4] += disturbance
        _, low, high, p = estimate_ratios(disturbed)
        assert low > 1.0
        assert high / low < 1.04
        assert p < 0.005


@pytest.mark.parametrize("row", DIFFERENCES)
def test_students_p_is_that_of_scipy(row: np.ndarray) -> None:
    assert student_p(row) == pytest.approx(oracle.ttest_1samp(row, 0).pvalue)


@pytest.mark.parametrize("row", DIFFERENCES)
def test_trimmed_p_is_that_of_its_formula_written_out(row: np.ndarray) -> None:
    cut = 1
    winsorised = oracle.mstats.winsorize(row, limits=(cut / row.size, cut / row.size))
    error = np.std(np.asarray(winsorised), ddof=1) / ((1 - 2 * cut / row.size) * np.sqrt(row.size))
    t = oracle.trim_mean(row, 0.2) / error
    assert p_of_trimmed_t(row) == pytest.approx(2 * oracle.t.sf(abs(t), row.size - 2 * cut - 1))


@pytest.mark.parametrize("row", DIFFERENCES)
def test_an_interval_that_order_statistics_cannot_reach_is_students(row: np.ndarray) -> None:
    """Nine rounds cover 99.6 % at most."""
    low, high = interval_at(row, 0.998)
    expected = oracle.t.interval(0.998, row.size - 1, row.mean(), oracle.sem(row))
    assert np.log([low, high]) == pytest.approx(expected)


def test_an_interval_that_order_statistics_reach_is_theirs() -> None:
    """At 0.99609 the interval of nine rounds is the smallest and the largest."""
    low, high = interval_at(DIFFERENCES, 1 - 2 * 0.5**9)
    assert np.log(low) == pytest.approx(DIFFERENCES.min(axis=-1))
    assert np.log(high) == pytest.approx(DIFFERENCES.max(axis=-1))


@pytest.mark.parametrize("rounds", [4, 5, 7, 10, 14])
def test_of_families_of_thirty_cases_five_percent_have_an_interval_that_misses(rounds: int) -> None:
    """The 95 % interval stretched by normal quantiles, which stood here first, misses in 23 to 43 % of families."""
    families = np.random.default_rng(rounds).standard_normal((2000, 30, rounds))
    low, high = interval_at(families, 1 - 0.05 / 30)
    assert 0.035 <= np.mean(np.any((low > 1) | (high < 1), axis=1)) <= 0.065
    stretch = oracle.norm.ppf(1 - 0.025 / 30) / oracle.norm.ppf(0.975)
    ratio, low, high, _ = estimate_ratios(families)
    missed = (stretch * np.log(ratio / low) < np.log(ratio)) | (stretch * np.log(high / ratio) < -np.log(ratio))
    assert np.mean(np.any(missed, axis=1)) > 0.2


def test_one_round_has_no_interval_at_any_level() -> None:
    assert np.isnan(interval_at(np.ones((3, 1)), 0.99)).all()


def test_the_ratio_of_a_stack_twice_as_slow_is_two() -> None:
    base = np.array([100.0, 103, 98, 250, 101, 99, 102])
    found = compare(base, 2 * base)
    assert (found.ratio, found.low, found.high) == pytest.approx((2.0, 2.0, 2.0))
    assert found.p_value == 0.0
    assert found.rounds == 7


def test_a_simulated_clock_without_scatter_gives_a_ratio_of_one_and_no_doubt() -> None:
    found = compare(np.full(6, 500.0), np.full(6, 500.0))
    assert (found.ratio, found.low, found.high, found.p_value) == (1.0, 1.0, 1.0, 1.0)


@pytest.mark.parametrize("rounds", [0, 1])
def test_too_few_rounds_have_no_interval(rounds: int) -> None:
    found = compare(np.ones(rounds), np.ones(rounds))
    assert np.isnan(found.low)
    assert np.isnan(found.p_value)


def test_launches_that_are_not_paired_are_refused() -> None:
    with pytest.raises(ValueError, match="in pairs"):
        compare(np.ones(5), np.ones(6))
    with pytest.raises(ValueError, match="positive"):
        compare(np.ones(2), np.zeros(2))


@given(st.lists(st.floats(-3, 3), min_size=2, max_size=30))
def test_exchanging_the_two_stacks_inverts_the_ratio(differences: list[float]) -> None:
    there = estimate_ratios(np.array(differences))
    back = estimate_ratios(-np.array(differences))
    assert there[0] == pytest.approx(1 / back[0])
    assert there[1] == pytest.approx(1 / back[2])
    assert there[3] == pytest.approx(back[3], abs=1e-9)
    assert there[1] <= there[0] * (1 + 1e-9)
    assert there[0] <= there[2] * (1 + 1e-9)


def test_five_rounds_can_decide_a_large_difference_in_a_large_family() -> None:
    """What the signed-rank test alone could not: its p is never below 1/16 with five pairs."""
    base = np.array([100.0, 101, 99, 100.5, 100.2])
    other = 2 * np.array([101.0, 100, 99.5, 100.1, 100.9])
    assert compare(base, other).p_value * 100 < 0.05
