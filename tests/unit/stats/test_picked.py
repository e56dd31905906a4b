"""What the data pick is told with an interval that holds, and what is plain is still told."""

from __future__ import annotations

import numpy as np
import pytest
from benchmarks.truth import picked
from scipy import stats as oracle

from msgauge.models.anomalies import off_power_of_two
from msgauge.stats.change_points import find_steps
from msgauge.stats.ratio import interval_at


@pytest.mark.parametrize("factor", [1.02, 1.04])
def test_a_violation_that_is_told_is_one_and_its_interval_holds(factor: float) -> None:
    """With intervals of 95 % each, and a test against 1, half of such runs and more said something wrong."""
    assert picked.violations_told("lognormal", 7, factor, 40).share >= 0.9


def test_a_violation_by_a_third_is_found_in_seven_rounds() -> None:
    assert picked.violations_found("lognormal", 7, 1.3, 5).share == 1


def test_an_odd_size_that_is_told_has_an_interval_that_holds() -> None:
    """Before, more than two runs in five told one that missed."""
    assert picked.odd_sizes_told(7, 1.1, 40).share >= 0.9


def test_odd_sizes_of_more_tables_have_wider_intervals() -> None:
    dice = np.random.default_rng(1)
    sizes = np.array([8.0, 12.0, 16.0])
    times = np.array([500.0, 700.0, 510.0]) * np.exp(0.02 * dice.standard_normal((7, 3)))
    (one,), (of_many,) = off_power_of_two(sizes, times), off_power_of_two(sizes, times, 40)
    line = np.log(times[:, 1]) - np.log((times[:, 0] + times[:, 2]) / 2)
    assert (one.effect.low, one.effect.high) == pytest.approx(interval_at(line, 0.95))
    assert (of_many.effect.low, of_many.effect.high) == pytest.approx(interval_at(line, 1 - 0.05 / 40))


def test_the_lowest_ratio_has_an_interval_that_holds() -> None:
    """With the interval of one size one run in five told a lowest ratio that was none."""
    assert picked.lowest_ratios(1, 20, 10, 30).share <= 0.1


def test_limits_of_many_series_are_those_of_as_many_t_intervals() -> None:
    """Before and after a step that nobody can misplace, with Student's t at the share of each series."""
    logs = 0.001 * np.random.default_rng(5).normal(0, 1, (1, 40))
    logs[:, 20:] += 0.5
    (step,) = find_steps(logs, cases=30)
    pooled = np.sqrt((logs[0, :20].var(ddof=1) + logs[0, 20:].var(ddof=1)) / 2)
    reach = oracle.t.ppf(1 - 0.025 / 30, 38) * pooled * np.sqrt(2 / 20)
    shift = logs[0, 20:].mean() - logs[0, :20].mean()
    assert step.together == pytest.approx(np.exp([shift - reach, shift + reach]), rel=1e-3)


def test_the_largest_change_of_a_history_has_an_interval_that_holds() -> None:
    """With the interval of one series it missed in one history of eight."""
    assert picked.largest_changes(9, 0.2, 20).share <= 0.05


def test_intervals_hold_against_the_base_of_a_run_that_names_none() -> None:
    """Of those against the stack that came out as the fastest, one in ten missed."""
    assert picked.unnamed_base(8, 16).share >= 0.93
