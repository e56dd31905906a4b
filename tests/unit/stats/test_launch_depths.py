"""Oracles of the levels of runs that have unequal numbers of launches."""

from __future__ import annotations

import numpy as np
import pytest

from msgauge.stats.launch_depths import level_runs, list_depths


@pytest.mark.parametrize(
    ("counts", "depths"),
    [
        ([20] * 30, [20]),
        ([7] * 4, [7]),
        ([20] * 12 + [2] * 3, [20, 2]),
        ([20] * 12 + [2] * 2, [20]),  # two are no level
        ([20] * 12 + [10] * 5, [20]),  # alike
        ([20] * 12 + [9] * 5 + [4] * 3 + [1], [20, 9, 4]),
        ([5] * 20 + [20] * 8, [5]),  # eight alone show no change
        ([1] * 3 + [20] * 9, [1]),
    ],
)
def test_runs_are_compared_by_as_many_launches_as_enough_of_them_have(counts: list[int], depths: list[int]) -> None:
    assert list_depths(np.array(counts)) == depths
    assert list_depths(np.array(counts[::-1])) == depths


def test_runs_of_equal_numbers_of_launches_count_by_their_medians() -> None:
    launches = np.exp(np.random.default_rng(1).normal(0, 1, (15, 7)))
    assert level_runs(list(launches)) == pytest.approx(np.log(np.median(launches, axis=1))[None])


def test_long_runs_count_by_their_first_launches_beside_short_ones() -> None:
    many, few = np.array([1.0, 3.0, 8.0, 8.0, 8.0]), np.array([2.0, 2.0])
    table = np.exp(level_runs([many] * 12 + [few] * 3 + [few[:1]]))
    assert table == pytest.approx(np.array([[8.0] * 12 + [np.nan] * 4, [2.0] * 16]), nan_ok=True)
