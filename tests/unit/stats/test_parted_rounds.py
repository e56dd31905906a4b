"""Rounds before and after a break: a change is told, chance and a wild round are not."""

from __future__ import annotations

import numpy as np

from msgauge.stats.parted_rounds import LEVEL, find_parted


def test_a_stack_that_changed_after_the_break_is_told_in_its_own_series_alone() -> None:
    random = np.random.default_rng(1)
    apart = 0.005 * random.standard_normal((40, 24))
    apart[[3, 17], 20:] += 0.2
    found = find_parted(apart, [10, 20])
    assert found[3] == found[17] == 20
    assert not np.delete(found, [3, 17]).any()


def test_runs_of_one_law_are_seldom_parted() -> None:
    random = np.random.default_rng(2)
    laws = [random.standard_normal, lambda shape: random.exponential(size=shape)]
    false = [find_parted(laws[trial % 2]((30, 20)), [10, 15]).any() for trial in range(300)]
    assert np.mean(false) <= LEVEL + 3 * np.sqrt(LEVEL / 300)


def test_series_that_end_sooner_than_others_are_parted_no_more_often() -> None:
    """Those of tests that were settled early: they are shuffled over the rounds that they have."""
    random = np.random.default_rng(4)
    false = 0
    for _ in range(200):
        apart = random.standard_normal((60, 40))
        apart[:40, 10:] = np.nan
        apart[40:50, 25:] = np.nan
        false += find_parted(apart, [5]).any()
    assert false / 200 <= LEVEL + 3 * np.sqrt(LEVEL / 200)
    apart[3, 5:] += 20.0
    assert find_parted(apart, [5])[3] == 5


def test_wild_and_missing_rounds_part_nothing() -> None:
    random = np.random.default_rng(3)
    apart = 0.01 * random.standard_normal((6, 20))
    apart[0, 18], apart[1, 17:] = 3.0, np.nan
    apart[2] = 0.0
    apart[3] = np.nan
    assert not find_parted(apart, [16]).any()
    assert not find_parted(apart, []).any()
    assert not find_parted(apart[:0], [16]).any()


def test_a_break_before_the_second_round_or_the_last_one_says_nothing() -> None:
    apart = np.concatenate([np.zeros((3, 19)), np.ones((3, 1))], axis=1)
    assert not find_parted(apart, [1, 19, 20, 0]).any()
