"""The pace of a machine: one widening for every number in units of time, from what all of its series say."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats as oracle

from msgauge.models.estimate import from_launches
from msgauge.stats.dependence import STEADY, Pace, locate_dependent, locate_series, widening_factor
from msgauge.stats.location import median_interval


def wander(series: int, rounds: int, seed: int = 1) -> np.ndarray:
    """Logarithms of launch medians that share a slow pace, shape (series, rounds)."""
    dice = np.random.default_rng(seed)
    return np.asarray(0.05 * np.sin(np.arange(rounds) / 3) + 0.01 * dice.normal(size=(series, rounds)))


def test_the_median_of_launches_is_what_numpy_says() -> None:
    found = STEADY.locate(np.array([5.0, 1.0, 4.0, 2.0, 3.5]))
    assert (found.median, found.launches) == (3.5, 5)
    assert (found.low, found.high) == (pytest.approx(1.0), pytest.approx(5.0))


def test_no_launch_has_no_location() -> None:
    with pytest.raises(ValueError, match="at least one"):
        STEADY.locate(np.array([]))


def test_one_launch_gives_a_location_without_an_interval() -> None:
    found = STEADY.locate(np.array([7.0]))
    assert found.median == 7.0
    assert np.isnan([found.low, found.high]).all()


def test_on_a_steady_machine_three_launches_have_the_interval_of_scipy() -> None:
    logs = np.log([100.0, 110.0, 103.0])
    expected = oracle.ttest_1samp(logs - np.median(logs), 0).confidence_interval(0.95)
    low, high = STEADY.limits(logs)
    assert (low - np.median(logs), high - np.median(logs)) == pytest.approx((expected.low, expected.high))


@pytest.mark.parametrize("level", [0.95, 0.997])
def test_a_series_is_widened_by_what_all_series_of_its_machine_say(level: float) -> None:
    logs = wander(8, 12)
    pace = Pace(tuple(logs))
    assert pace.factor(12, level) == widening_factor(logs, level) > 1.5
    plain, wide = STEADY.limits(logs, level), pace.limits(logs, level)
    middle = np.median(logs, axis=1)
    for narrow, far in zip(plain, wide, strict=True):
        assert far - middle == pytest.approx(pace.factor(12, level) * (narrow - middle))
    assert np.array(wide) == pytest.approx(np.array(locate_series(list(logs), level)))
    assert np.array(wide) == pytest.approx(np.array(locate_dependent(logs, level)[1:]))


def test_a_few_series_of_another_length_take_what_most_say() -> None:
    logs = wander(8, 12)
    pace = Pace((*logs, logs[0, :7]))
    assert pace.factor(7) == pace.factor(12)


def test_times_that_are_none_tell_no_pace() -> None:
    times = np.exp(wander(6, 9))
    holed = np.where(np.arange(9) < 1, np.nan, times)
    assert Pace.of(holed).factor(8) == Pace.of(times[:, 1:]).factor(8)


def test_differences_in_ns_are_widened_as_logarithms_are() -> None:
    differences = 1e6 * wander(6, 10)
    low, high = Pace(tuple(differences)).limits(differences)
    mine, others = Pace(tuple(differences / 1e6)).limits(differences / 1e6)
    assert low == pytest.approx(1e6 * mine)
    assert high == pytest.approx(1e6 * others)


def test_what_each_launch_gives_has_an_interval_as_wide_as_the_pace_says() -> None:
    values = np.array([101.0, *(100 + 10 * wander(1, 12)[0])])
    pace = Pace(tuple(wander(8, 12)))
    plain, wide = from_launches(values), from_launches(values, pace)
    middle, (low, high) = np.median(values[1:]), median_interval(values[1:])
    assert (plain.low, plain.high) == (min(low, 101.0), max(high, 101.0))
    assert wide.low == pytest.approx(middle + pace.factor(12) * (low - middle))
    assert wide.high == pytest.approx(max(101.0, middle + pace.factor(12) * (high - middle)))
