"""What the samples of a launch are like: tails, warm-up, autocorrelation, modes."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import signal

from msgauge.stats.autocorrelation import autocorrelations, effective_size
from msgauge.stats.modes import outliers, spread
from msgauge.stats.percentiles import tails


def random() -> np.random.Generator:
    return np.random.default_rng(1)


@pytest.mark.parametrize("n", [1, 7, 100, 1000, 12_345])
def test_percentiles_are_those_of_numpys_inverse_of_the_empirical_distribution(n: int) -> None:
    values = random().lognormal(size=n)
    found = tails(values.copy(), single=True)
    expected = [np.percentile(values, q, method="inverted_cdf") for q in (5, 95)]
    assert [found.p5, found.p95] == pytest.approx(expected)
    assert (found.minimum, found.mean) == pytest.approx((values.min(), values.mean()))
    if n >= 10_000:
        assert found.p999 == np.percentile(values, 99.9, method="inverted_cdf")


def test_tails_are_given_only_where_there_are_enough_single_samples() -> None:
    values = random().random(10_000)
    assert np.isnan(tails(values[:999].copy(), single=True).p99)
    assert not np.isnan(tails(values[:1000].copy(), single=True).p99)
    assert np.isnan(tails(values[:9999].copy(), single=True).p999)
    assert not np.isnan(tails(values.copy(), single=True).p999)


def test_batches_have_no_tail_of_operations() -> None:
    found = tails(random().random(20_000), single=False)
    assert np.isnan(found.p99)
    assert np.isnan(found.p999)


def test_no_samples_have_no_tails() -> None:
    with pytest.raises(ValueError, match="no samples"):
        tails(np.array([]), single=True)


def test_autocorrelation_is_that_of_scipy() -> None:
    samples = random().random(200)
    centred = samples - samples.mean()
    expected = signal.correlate(centred, centred)[199:]
    assert autocorrelations(samples) == pytest.approx(expected / expected[0])


@pytest.mark.parametrize("correlation", [0.0, 0.5, 0.9])
def test_autoregressive_samples_are_worth_what_theory_says(correlation: float) -> None:
    """n (1 - a) / (1 + a) for AR(1) with coefficient a."""
    noise = random().normal(size=40_000)
    samples = signal.lfilter([1.0], [1.0, -correlation], noise)
    expected = samples.size * (1 - correlation) / (1 + correlation)
    assert effective_size(samples) == pytest.approx(expected, rel=0.15)


def test_a_series_that_never_moves_and_a_very_short_one_are_worth_their_number() -> None:
    assert effective_size(np.full(50, 3.0)) == 50
    assert effective_size(np.array([1.0, 2.0])) == 2


def test_spread_is_the_standard_deviation_for_normal_logarithms() -> None:
    assert spread(np.exp(random().normal(0, 0.05, 20_000))) == pytest.approx(0.05, rel=0.03)


def test_outliers_are_those_beyond_the_outer_fence() -> None:
    assert outliers(np.array([1.0, 2, 3, 4, 5, 100])) == 1
    assert outliers(np.array([1.0, 2, 3])) == 0
