"""Verdicts, multiplicity and stopping."""

from __future__ import annotations

from math import exp

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from msgauge.stats.multiplicity import holm
from msgauge.stats.ratio import Ratio
from msgauge.stats.stopping import half_width, is_settled
from msgauge.stats.verdict import judge, within


def ratio(middle: float, low: float, high: float, rounds: int = 10) -> Ratio:
    return Ratio(middle, low, high, 0.001, rounds)


def test_a_resolved_difference_is_called_by_its_direction() -> None:
    assert judge(ratio(1.2, 1.15, 1.25), 0.001, 1).word == "slower"
    assert judge(ratio(0.8, 0.75, 0.85), 0.001, 1).word == "faster"


def test_a_resolved_difference_wholly_inside_the_margin_is_equivalent() -> None:
    assert judge(ratio(1.01, 1.005, 1.015), 1e-6, 1).word == "equivalent"


def test_an_interval_that_crosses_the_margin_but_excludes_one_is_a_difference() -> None:
    assert judge(ratio(1.03, 1.01, 1.05), 0.001, 1).word == "slower"


def test_what_is_lost_among_many_comparisons_is_undecided_and_says_so() -> None:
    verdict = judge(ratio(1.1, 1.02, 1.2), 0.2, 40)
    assert verdict.word == "undecided"
    assert "for 40 comparisons" in verdict.reason


def test_an_interval_around_one_and_beyond_the_margin_is_undecided_and_says_how_many_rounds_would_tell() -> None:
    verdict = judge(ratio(1.0, 0.94, 1.065, rounds=5), 0.9, 1)
    assert verdict.word == "undecided"
    needed = int(verdict.reason.split("about ")[1].split()[0])
    assert 15 < needed < 50


def test_rounds_that_disagree_too_much_call_for_an_idle_machine() -> None:
    assert "rerun on an idle machine" in judge(ratio(1.0, 0.5, 2.0), 0.9, 1).reason


def test_three_rounds_give_no_verdict() -> None:
    verdict = judge(ratio(2.0, 1.9, 2.1, rounds=3), 1e-6, 1)
    assert verdict.word == "undecided"
    assert "only 3 rounds" in verdict.reason


def test_an_interval_without_limits_gives_no_verdict() -> None:
    nan = float("nan")
    assert judge(Ratio(1.5, nan, nan, nan, 1), nan, 0).word == "undecided"


def test_the_margin_is_symmetric_in_ratios() -> None:
    assert within(ratio(1.0, 1 / 1.03, 1.03))
    assert not within(ratio(1.0, 0.97, 1.03))


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


def test_half_width_is_relative() -> None:
    assert half_width(exp(-0.02), exp(0.02)) == pytest.approx(0.02)
    assert np.isnan(half_width(float("nan"), 1.0))


def test_more_rounds_are_wanted_only_where_they_could_change_the_word() -> None:
    nan = float("nan")
    low, high = np.array([[1.3, 1.7], [0.98, 1.025], [1.02, 1.04], [1.01, 1.09], [nan, nan]]).T
    wholly_outside, wholly_inside, precise, perhaps_inside, unknown = is_settled(low, high, 0.02)
    assert wholly_outside
    assert wholly_inside
    assert precise
    assert not perhaps_inside
    assert not unknown
