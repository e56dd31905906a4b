"""Claims about two runs compared: oracle, coverage, and no difference where there is none."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from msgauge.stats.unpaired import _rank_p, _welch, compare_unpaired


@pytest.mark.parametrize(("n", "m"), [(4, 4), (5, 7), (10, 10), (12, 5)])
def test_p_values_agree_with_scipy(n: int, m: int) -> None:
    dice = np.random.default_rng(3)
    first, second = dice.normal(size=n), dice.normal(0.5, size=m)
    assert _rank_p(first, second) == pytest.approx(stats.mannwhitneyu(first, second, method="exact").pvalue)
    assert _welch(first, second)[2] == pytest.approx(stats.ttest_ind(first, second, equal_var=False).pvalue)


@pytest.mark.parametrize("size", [4, 6, 10])
def test_nominal_95_percent_intervals_cover_at_least_that(size: int) -> None:
    dice = np.random.default_rng(5)
    ratios = [compare_unpaired(*(np.exp(dice.normal(shift, 0.05, size)) for shift in (0.0, 0.1))) for _ in range(2000)]
    covered = np.mean([ratio.low <= np.exp(0.1) <= ratio.high for ratio in ratios])
    assert 0.935 < covered < 0.99


def test_the_same_stack_in_two_runs_is_rarely_called_different() -> None:
    dice = np.random.default_rng(7)
    p = [compare_unpaired(*np.exp(dice.normal(0, 0.05, (2, 8)))).p_value for _ in range(2000)]
    assert np.mean(np.array(p) <= 0.05) <= 0.05


def test_a_shift_of_ten_percent_is_found_and_sized() -> None:
    dice = np.random.default_rng(9)
    base = np.exp(dice.normal(5, 0.01, 10))
    ratio = compare_unpaired(base, 1.1 * np.exp(dice.normal(5, 0.01, 10)))
    assert ratio.low < 1.1 < ratio.high
    assert ratio.p_value < 1e-4
    assert ratio.rounds == 10


def test_too_few_launches_give_no_interval() -> None:
    ratio = compare_unpaired(np.array([2.0]), np.array([3.0, 3.0]))
    assert ratio.ratio == 1.5
    assert np.isnan(ratio.low)
    assert compare_unpaired(np.array([]), np.array([])).rounds == 0
    assert compare_unpaired(np.array([2.0, 2.0]), np.array([2.0, 2.0])).p_value == 1.0


def test_times_must_be_positive() -> None:
    with pytest.raises(ValueError, match="positive"):
        compare_unpaired(np.array([1.0, 0.0]), np.array([1.0, 1.0]))
