"""By how much an error that no number of rounds shows may have moved a ratio: against ratios that have such errors."""

from __future__ import annotations

from math import exp, inf, log

import pytest
from hypothesis import given
from hypothesis import strategies as st

from msgauge.stats.error_bounds import bound_log, bound_ratio, widen

times = st.floats(10, 1e6)
shares = st.floats(0, 0.9)


@given(slow=times, fast=times, errors=st.tuples(shares, shares), parts=st.tuples(st.floats(-1, 1), st.floats(-1, 1)))
def test_no_errors_within_their_bounds_move_a_ratio_beyond_its_widened_limits(slow, fast, errors, parts):
    """The truth of a ratio whose two times were each read off by a part of their error lies within."""
    read = slow * (1 + parts[0] * errors[0]), fast * (1 + parts[1] * errors[1])
    reach = bound_ratio((slow * errors[0], slow), (fast * errors[1], fast))
    low, high = widen(slow / fast, slow / fast, reach)
    assert low * (1 - 1e-9) <= read[0] / read[1] <= high * (1 + 1e-9)


def test_the_bound_of_a_ratio_is_reached_where_the_error_takes_from_a_time_all_that_it_may():
    """One side of 100 read as 80: the ratio changes by log(100 / 80)."""
    assert bound_ratio((20, 100), (0, 7)) == pytest.approx(log(100 / 80))
    assert bound_log(100, 100) == inf


def test_limits_without_errors_stay_and_those_with_endless_ones_say_nothing():
    """Where an error may be all of a time, its ratio may be anything."""
    assert widen(0.9, 1.2, bound_ratio((0, 1), (0, 1))) == (0.9, 1.2)
    assert widen(0.9, 1.2, inf) == (0.0, inf)
    assert widen(2.0, 3.0, 1.0) == pytest.approx((2 * exp(-1), 3 * exp(1)))
