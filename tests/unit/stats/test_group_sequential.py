"""Levels of looks: against published constants, and what holds at a stop."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats as oracle

from msgauge.stats.group_sequential import levels_at_looks, looks


@pytest.mark.parametrize(("count", "constant"), [(1, 1.960), (2, 2.178), (3, 2.289), (4, 2.361), (5, 2.413)])
def test_the_level_of_equal_steps_is_that_of_pococks_table(count: int, constant: float) -> None:
    """Pocock 1977, table 1; rounds in hundreds, so that the least p of few rounds plays no part."""
    rounds = tuple(100 * look for look in range(1, count + 1))
    assert oracle.norm.isf(levels_at_looks(rounds)[-1] / 2) == pytest.approx(constant, abs=2e-3)


def test_a_look_after_seven_rounds_can_decide() -> None:
    first, *rest = levels_at_looks(looks(7, 30))
    assert first >= 1 / 64
    assert all(0.01 < level < 1 / 64 for level in rest)


def test_all_looks_together_err_in_five_percent() -> None:
    dice, rounds = np.random.default_rng(1), looks(7, 30)
    sums = np.cumsum(dice.normal(size=(40_000, 30)), axis=1)[:, np.array(rounds) - 1] / np.sqrt(rounds)
    bounds = oracle.norm.isf(np.array(levels_at_looks(rounds)) / 2)
    assert (np.abs(sums) > bounds).any(axis=1).mean() == pytest.approx(0.05, abs=0.004)


def test_looks_grow_geometrically_and_end_with_the_last_round() -> None:
    assert looks(7, 30) == (7, 10, 14, 20, 28, 30)
    assert looks(5, 5) == (5,)
    with pytest.raises(ValueError, match="upwards"):
        looks(6, 5)
    with pytest.raises(ValueError, match="growing"):
        levels_at_looks((7, 7))
