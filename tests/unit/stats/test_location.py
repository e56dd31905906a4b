"""Location: against published depths, exact order statistics and scipy."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats as oracle

from msgauge.stats.location import covers_by_order, interpolate_depth, median_interval, student_interval


@pytest.mark.parametrize(("n", "depth"), [(6, 1), (8, 1), (9, 2), (12, 3), (15, 4), (20, 6), (25, 8), (30, 10)])
def test_depths_are_those_of_the_sign_test_tables(n: int, depth: int) -> None:
    """Dixon and Massey 1983, table A-10a: depth of the 95 % interval for the median."""
    assert interpolate_depth(n)[0] == depth


@pytest.mark.parametrize("n", [6, 7, 11, 18, 30])
def test_interpolated_limits_lie_between_the_two_order_statistics(n: int) -> None:
    depth, weight = interpolate_depth(n)
    values = np.arange(1.0, n + 1)
    low, high = median_interval(values)
    assert low == pytest.approx(depth + weight)
    assert high == pytest.approx(n + 1 - depth - weight)
    assert 0 <= weight < 1


def test_interpolation_is_exact_for_the_laplace_distribution() -> None:
    """The property that Hettmansperger and Sheather derive it from."""
    values = np.random.default_rng(1).laplace(size=(200_000, 9))
    low, high = median_interval(values)
    assert np.mean((low <= 0) & (high >= 0)) == pytest.approx(0.95, abs=0.002)


@pytest.mark.parametrize("n", [2, 3, 4, 9])
def test_students_interval_is_that_of_scipy(n: int) -> None:
    values = np.random.default_rng(n).normal(10, 2, n)
    expected = oracle.ttest_1samp(values, 0).confidence_interval(0.95)
    assert student_interval(values) == pytest.approx((expected.low, expected.high))


def test_few_launches_use_logarithms() -> None:
    values = np.array([100.0, 110.0, 121.0])
    low, high = student_interval(np.log(values))
    assert median_interval(values) == pytest.approx((np.exp(low), np.exp(high)))


def test_many_cells_at_once_are_the_cells_one_by_one() -> None:
    values = np.random.default_rng(2).lognormal(size=(4, 12))
    together = np.array(median_interval(values)).T
    assert np.allclose(together, [median_interval(row) for row in values])


@pytest.mark.parametrize("n", [5, 6, 7, 10, 14])
def test_order_statistics_cover_what_the_binomial_distribution_says_and_no_more(n: int) -> None:
    """Smallest and largest of n miss the median where all n lie on one side of it."""
    most = 1 - 2 * float(oracle.binom.pmf(0, n, 0.5))
    assert covers_by_order(n, 0.95)
    assert covers_by_order(n, max(0.95, most - 1e-9))
    assert not covers_by_order(n, max(0.95, most) + 1e-9)
    assert not covers_by_order(4, 0.9)
