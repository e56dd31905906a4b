"""How far ten launches in a row lie apart, where launches resemble those before them."""

from __future__ import annotations

import numpy as np
import pytest
from benchmarks.truth import launch_scatter
from benchmarks.truth.machines import correlate
from scipy.stats import chi2

from msgauge.stats.dependence import CORRELATIONS, scatters_by_coefficient
from msgauge.stats.launch_ranges import RANGES, estimate_range, limit_ranges


@pytest.mark.parametrize("index", [0, 8, 16, 19])
def test_the_ranges_are_those_of_ten_values_in_a_row(index: int) -> None:
    rows = correlate(np.random.default_rng(1).normal(0, 1, (40_000, 10)), float(CORRELATIONS[index]))
    assert np.ptp(rows, axis=1).mean() == pytest.approx(RANGES[index], abs=0.02)


def _judge_directly(logs: np.ndarray, chances: tuple[float, float]) -> np.ndarray:
    """Quantiles of the range by the covariance matrix of AR(1), level and scatter integrated out on a fine grid."""
    scatters = np.exp(np.linspace(np.log(logs.std()) - 4, np.log(logs.std()) + 6, 4000))
    ranges, weights = [], []
    apart = np.abs(np.subtract.outer(np.arange(logs.size), np.arange(logs.size)))
    for correlation, each in zip(CORRELATIONS, RANGES, strict=True):
        inverse = np.linalg.inv(correlation**apart)
        ones = np.ones(logs.size)
        level = ones @ inverse @ logs / (ones @ inverse @ ones)
        squares = (logs - level) @ inverse @ (logs - level)
        _, determinant = np.linalg.slogdet(inverse)
        constant = 0.5 * determinant - 0.5 * np.log(ones @ inverse @ ones)
        weights.append(constant - (logs.size - 1) * np.log(scatters) - squares / 2 / scatters**2)
        ranges.append(each * scatters)
    flat, order = np.concatenate(weights), np.argsort(np.concatenate(ranges))
    share = np.cumsum(np.exp(flat - flat.max())[order])
    return np.concatenate(ranges)[order][np.searchsorted(share / share[-1], chances)]


@pytest.mark.parametrize("correlation", [0.0, 0.8])
def test_the_limits_are_those_of_the_covariance_matrix_or_of_independent_launches(correlation: float) -> None:
    logs = correlate(np.random.default_rng(4).normal(0, 0.1, 12), correlation)
    low, high = _judge_directly(logs, (0.025, 0.975))
    alone = RANGES[0] * logs.std(ddof=1) * np.sqrt(11 / chi2.ppf((0.975, 0.025), 11))
    expected = min(low, alone[0]), max(high, alone[1])
    assert limit_ranges(logs, 0.95) == (pytest.approx(expected[0], rel=5e-3), pytest.approx(expected[1], rel=5e-3))


def test_of_many_launches_the_scatter_and_the_coefficient_are_known() -> None:
    logs = correlate(np.random.default_rng(2).normal(0, 0.1, 4000), 0.8)
    weight, scatter = scatters_by_coefficient(logs[None])
    assert CORRELATIONS[weight[:, 0].argmax()] == pytest.approx(0.8)
    assert scatter[weight[:, 0].argmax(), 0] == pytest.approx(0.1, rel=0.1)
    assert estimate_range(logs) == pytest.approx(0.1 * RANGES[16], rel=0.1)


def test_rows_are_judged_alone_and_one_launch_says_nothing() -> None:
    logs = np.random.default_rng(3).normal(0, 0.1, (2, 3, 7))
    low, high = limit_ranges(logs, 0.95)
    one = limit_ranges(logs[1, 2], 0.95)
    assert low.shape == high.shape == (2, 3)
    assert (low[1, 2], high[1, 2]) == (pytest.approx(float(one[0])), pytest.approx(float(one[1])))
    assert np.isnan(limit_ranges(logs[..., :1], 0.95)).all()
    assert np.isnan(estimate_range(np.array([1.0])))
    assert float(limit_ranges(np.zeros(5), 0.95)[1]) == pytest.approx(0.0, abs=1e-9)


def test_claims_about_scatter_are_rarely_wrong_where_the_machine_wanders() -> None:
    found = launch_scatter.false_claims_of_scatter(0.8, 20, 150)
    assert found.share <= 0.05 < found.before
    held = launch_scatter.ranges_hold(0.8, 20, 150)
    assert held.before < 0.8
    assert held.share >= 0.93
