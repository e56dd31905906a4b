"""Several tests corrected for their number, and when enough is known."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from msgauge.stats.multiplicity import holm
from msgauge.stats.stopping import is_settled


def test_holm_is_the_published_example() -> None:
    """Holm's procedure on four p values, by hand: 4 x .01, 3 x .02, 2 x .03 (held up to .06), 1 x .04 (held up)."""
    assert holm(np.array([0.02, 0.01, 0.04, 0.03])) == pytest.approx([0.06, 0.04, 0.06, 0.06])


@given(st.lists(st.floats(0, 1), max_size=30))
def test_adjusted_p_never_falls_below_its_own_and_keeps_the_order(values: list[float]) -> None:
    p = np.array(values)
    adjusted = holm(p)
    assert (adjusted >= p - 1e-15).all()
    assert (adjusted <= 1).all()
    assert (np.diff(adjusted[np.argsort(p, kind="stable")]) >= -1e-15).all()


def test_what_could_not_be_tested_does_not_count_in_the_family() -> None:
    adjusted = holm(np.array([0.01, np.nan, 0.5]))
    assert adjusted[0] == pytest.approx(0.02)
    assert np.isnan(adjusted[1])


def test_more_rounds_are_wanted_only_where_they_could_change_the_word() -> None:
    nan = float("nan")
    low, high = np.array([[1.3, 1.7], [0.98, 1.025], [1.02, 1.04], [1.01, 1.09], [nan, nan]]).T
    wholly_outside, wholly_inside, precise, perhaps_inside, unknown = is_settled(low, high, 0.02)
    assert wholly_outside
    assert wholly_inside
    assert precise
    assert not perhaps_inside
    assert not unknown
