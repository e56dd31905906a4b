"""Limits of estimates of which it is known that a test found them."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from msgauge.stats.found_differences import limit_found, quantile_beyond
from msgauge.stats.pairwise import estimate_intervals


def test_the_quantile_solves_its_equation_and_becomes_the_usual_one_far_beyond_the_threshold() -> None:
    beyond = np.array([0.3, 0.5, 1.0, 2.0, 3.0, 6.0, np.inf])
    found = quantile_beyond(beyond, 0.05)
    assert stats.norm.sf(found) == pytest.approx(0.025 * stats.norm.sf(found - beyond), rel=1e-6)
    assert (np.diff(found) <= 1e-9).all()
    assert found[-2:] == pytest.approx(stats.norm.isf(0.025), abs=1e-4)


def test_it_is_the_limit_of_a_normal_of_which_one_sees_what_lies_beyond_a_threshold() -> None:
    random, threshold = np.random.default_rng(1), 3.0
    for truth in (0.5, 2.0, 3.0, 5.0):
        seen = truth + random.standard_normal(4_000_000 if truth < 1 else 400_000)
        seen = seen[seen > threshold]
        missed = float(np.mean(seen - quantile_beyond(seen - threshold, 0.05) > truth))
        assert missed == pytest.approx(0.025, abs=3 * np.sqrt(0.025 / seen.size))


def test_found_differences_keep_the_limit_away_from_zero_and_their_side_of_it() -> None:
    random = np.random.default_rng(2)
    series = random.normal(0, 0.02, (200, 12)) + np.where(np.arange(200) % 2, 0.03, -0.03)[:, None]
    usual = estimate_intervals(series, 0.95)
    found = usual[1] * usual[2] > 0
    middle, low, high = (one[found] for one in usual)
    near = limit_found(series[found], (middle, low, high), 200, (np.full(middle.size, 0.04), 0.05))
    above = middle > 0
    assert (near[1][above] == high[above]).all()
    assert (near[0][~above] == low[~above]).all()
    assert ((near[0] >= 0) == above).all()
    assert (near[0][above] <= low[above]).all()
    assert (near[1][~above] >= high[~above]).all()
    assert 0.05 < np.mean(near[0][above] == 0) < 0.9


def test_rounds_without_scatter_have_the_limits_that_they_had() -> None:
    series = np.full((1, 7), 0.1)
    low, high = limit_found(series, (np.array([0.1]),) * 3, 40, (np.array([0.04]), 0.05))
    assert (low, high) == (0.1, 0.1)
