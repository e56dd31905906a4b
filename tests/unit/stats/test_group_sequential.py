"""Levels of looks: against published constants, and what holds at a stop."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats as oracle

from msgauge.stats.group_sequential import levels_at_looks, looks


@pytest.mark.parametrize("rounds", [(7,), (7, 10), looks(7, 30), looks(10, 1000)])
def test_the_levels_of_all_looks_add_up_to_that_of_the_run(rounds: tuple[int, ...]) -> None:
    assert sum(levels_at_looks(rounds, 0.04)) == pytest.approx(0.04)


def test_looks_to_come_share_what_earlier_ones_left() -> None:
    assert levels_at_looks((10, 20, 30), 0.05, (0.04,)) == pytest.approx((0.04, 0.005, 0.005))
    assert levels_at_looks((10, 20), 0.05, (0.06,)) == (0.06, 0.0), "nothing is left to be spent"


def test_a_look_after_seven_rounds_can_decide() -> None:
    first, *rest = levels_at_looks(looks(7, 30))
    assert first >= 1 / 64
    assert all(0.005 < level < 1 / 64 for level in rest)


@pytest.mark.parametrize("family", [1, 40])
def test_all_looks_at_many_comparisons_err_in_no_more(family: int) -> None:
    """Each look corrects for its comparisons; the one that errs first is another one at every look."""
    dice, rounds = np.random.default_rng(2), looks(7, 30)
    steps = dice.normal(size=(400_000 // 10 // family, family, 30))
    sums = np.cumsum(steps, axis=2)[..., np.array(rounds) - 1] / np.sqrt(rounds)
    bounds = oracle.norm.isf(np.array(levels_at_looks(rounds)) / family / 2)
    assert (np.abs(sums) > bounds).any(axis=(1, 2)).mean() <= 0.05 + 1.96 * np.sqrt(0.05 * 0.95 / len(sums))


def test_looks_grow_geometrically_and_end_with_the_last_round() -> None:
    assert looks(7, 30) == (7, 10, 14, 20, 28, 30)
    assert looks(5, 5) == (5,)
    with pytest.raises(ValueError, match="upwards"):
        looks(6, 5)
    with pytest.raises(ValueError, match="growing"):
        levels_at_looks((7, 7))
