"""How many independent samples a series is worth."""

from __future__ import annotations

import numpy as np


def effective_size(samples: np.ndarray) -> float:
    """Independent samples that would give the mean of this series the same standard error; at most n.

    ``samples``: float, shape (n,), in order of time, any unit. Autocorrelated batches are worth less than their number:
    n / (1 + 2 x the sum of autocorrelations), summed by pairs while the pairs are positive and falling.

    Source: Geyer 1992, "Practical Markov chain Monte Carlo", section 3.3 (initial monotone sequence).
    """
    n = samples.size
    if n < 4:
        return float(n)
    correlations = autocorrelations(samples)
    if np.isnan(correlations[0]):
        return float(n)
    even = correlations.size // 2 * 2
    pairs = correlations[:even].reshape(-1, 2).sum(axis=1)
    negative = np.flatnonzero(pairs <= 0)
    pairs = np.minimum.accumulate(pairs[: negative[0] if negative.size else pairs.size])
    return float(min(n, n / max(2 * pairs.sum() - 1, 1.0)))


def autocorrelations(samples: np.ndarray) -> np.ndarray:
    """Autocorrelation at lags 0 .. n - 1 (biased estimate), shape (n,); nan when the series never moves.

    Source: Box and Jenkins 1976, eq. 2.1.10; by the fast Fourier transform.
    """
    n = samples.size
    centred = samples - samples.mean()
    spectrum = np.fft.rfft(centred, 2 * n)
    covariance = np.fft.irfft(spectrum * spectrum.conj(), 2 * n)[:n]
    if covariance[0] <= 1e-24 * max(1.0, float(np.abs(samples).max())) ** 2:
        return np.full(n, np.nan)
    return np.asarray(covariance / covariance[0])
