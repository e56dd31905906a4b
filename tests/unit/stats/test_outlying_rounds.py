"""Rounds that are left out of a scatter are those that the test of differences leaves out."""

from __future__ import annotations

import numpy as np

from msgauge.stats.outlying_rounds import mark_usual
from msgauge.stats.sign_flips import step_down

RANDOM = np.random.default_rng(2)


def test_what_is_left_out_is_what_the_test_leaves_out() -> None:
    """What the test keeps changes its statistic; an outlier does not, however far off it is."""
    series = RANDOM.normal(0, 0.02, (5, 12))
    series[1, 4], series[3, 7] = 0.9, -0.4
    left_out = np.argwhere(~mark_usual(series)).tolist()
    assert left_out == [[1, 4], [3, 7]]
    for row in range(5):
        for column in range(12):
            farther = series.copy()
            farther[row, column] *= 1.3
            same = step_down(farther).statistic[row] == step_down(series).statistic[row]
            assert same == ([row, column] in left_out)


def test_a_series_that_scatters_less_than_the_others_has_no_outlier_of_their_size() -> None:
    series = RANDOM.normal(0, 0.02, (4, 10))
    series[0] = np.where(np.arange(10) == 3, 0.02, 1e-5)
    assert mark_usual(series).all()
    assert (~mark_usual(series[:1])).sum() == 1


def test_rounds_that_are_not_there_are_not_kept_and_whole_series_may_be_missing() -> None:
    series = np.array([[0.01, np.nan, 0.02, -0.01], [np.nan] * 4])
    assert np.array_equal(mark_usual(series), np.isfinite(series))
    assert not mark_usual(series[1:]).any()
    assert mark_usual(np.empty((0, 4))).shape == (0, 4)


def test_an_accident_of_a_calm_series_is_one_beside_series_that_scatter_as_widely() -> None:
    series = np.concatenate([RANDOM.normal(0, 0.15, (8, 10)), RANDOM.normal(0, 0.003, (4, 10))])
    series[9, 4] = 0.3
    assert np.argwhere(~mark_usual(series)).tolist() == [[9, 4]]
