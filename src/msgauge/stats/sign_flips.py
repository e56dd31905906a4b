"""Step-down max-T over sign flips of whole rounds: many paired comparisons at once, whatever the noise is like.

If two stacks do not differ, in scatter and modes no more than in level, exchanging them within a round changes nothing:
the difference of their logarithms is as likely with the one sign as with the other. All cells and all pairs of a round
are flipped together, because they share the launches of that round; how they depend on each other need not be known.
What is exact about it has a price: n rounds have no more than 2^(n - 1) flips up to sign, so that no p lies below 1/16
with five rounds, 1/32 with six.

The statistic may be any; it decides the power alone. Here it is a t of the rounds that are no outliers, whose variance
is drawn towards that of the other comparisons as far as these resemble each other. Outliers are told by sizes without
their signs, so flips treat them alike.

Source: Westfall and Young 1993, algorithm 4.1 (step-down max-T); Winkler et al. 2014 (sign flips of blocks); Hemerik
and Goeman 2018 (random flips with the identity among them are exact); Smyth 2004, section 3 (moderated t).
"""

from __future__ import annotations

from functools import cache

import numpy as np
from attrs import frozen

from msgauge.stats.outlying_rounds import mark_usual

MOST_FLIPS = 1024
MOST_PRIOR = 12.0
"""At most so many degrees of freedom are borrowed from the other comparisons."""
MOST_BORROWED = 0.8
"""A series borrows no more variance than so many times its own mean square, which no flip changes.

Tried and wrong: no limit, under which most series, of a noisy stack, hid what a calm one showed; half, which found 90 %
of differences in place of 94 %; and groups of series that scatter alike. Who is among the calm ones by chance is told
by the scatter about the mean, which the flips change, and 7 to 10 % of tables erred.
"""
Factor = float | np.ndarray
"""One for all series, or one for each, shape (series,)."""
_LEAST_VARIANCE = 1e-24
_CHUNK = 512
_FAR = 0.2
"""A p above this needs no more exactness."""


@frozen(eq=False)
class Tested:
    """What the flips say of each series; all of shape (series,), nan where fewer than two rounds are there."""

    statistic: np.ndarray
    """What the flips were compared by, signed: above zero where the differences are."""
    p_adjusted: np.ndarray
    """Corrected over all series tested together."""
    p_alone: np.ndarray
    """As if the series had been tested by itself."""
    least_p: np.ndarray
    """No data could have given a p below this, for the rounds are too few."""


def step_down(differences: np.ndarray, *, one_sided: bool = False, seed: int = 1, factor: Factor = 1.0) -> Tested:
    """Test every series against zero; the chance of one false rejection or more among all of them is at most the level.

    ``differences``: log ratios, shape (series, rounds), nan where a round has none; the same column is the same round.
    ``one_sided``: only values above zero count against the null hypothesis. Up to ten rounds all flips are enumerated,
    beyond that 1024 of them are drawn from ``seed``. ``factor``: the error of a mean, each or all, is so many times
    what independent rounds would make it, and its t counts as so much smaller; then nothing is exact.
    """
    series = _Series.of(np.atleast_2d(differences))
    signs = flips(differences.shape[-1], one_sided=one_sided, seed=seed)
    observed = series.bound_differences(slice(None)).sum(axis=1)
    known = np.flatnonzero(series.counts >= 2)
    size = _lessen(observed if one_sided else np.abs(observed), series, factor)
    order = known[np.argsort(size[known], kind="stable")]
    adjusted, alone = np.full(observed.size, np.nan), np.full(observed.size, np.nan)
    adjusted[order], alone[order] = _adjust_p(series, signs, order, size, one_sided)
    observed[series.counts < 2] = np.nan
    rounds = np.isfinite(differences).sum(axis=-1)
    least = np.maximum(1.0 / signs.shape[1], 0.5 ** (rounds - (0 if one_sided else 1)))
    return Tested(observed, adjusted, alone, least)


def _lessen(bounded: np.ndarray, series: _Series, factor: Factor) -> np.ndarray:
    """Bounded statistics (``_Series.bound_differences``) of t / ``factor`` in place of t."""
    reached = bounded**2 / series.limits(slice(None))
    return np.asarray(
        np.where(factor == 1, bounded, bounded / np.sqrt(factor**2 * np.maximum(1 - reached, 0) + reached))
    )


@cache
def flips(rounds: int, *, one_sided: bool, seed: int = 1) -> np.ndarray:
    """Signs of shape (rounds, flips), float32, the identity first; the first round keeps its sign unless one-sided."""
    free = rounds if one_sided else rounds - 1
    if 2**free <= MOST_FLIPS:
        codes = np.arange(2 ** max(free, 0))
        bits = (codes[None, :] >> np.arange(max(free, 0))[:, None]) & 1
    else:
        bits = np.random.default_rng(seed).integers(0, 2, (free, MOST_FLIPS))
        bits[:, 0] = 0
    kept = np.zeros((rounds - free, bits.shape[1]), dtype=int)
    return np.asarray(1 - 2 * np.concatenate([kept, bits]), dtype=np.float32)


@frozen
class _Prior:
    """Variance that comparisons like these have, (series,), and how many degrees of freedom that knowledge is worth."""

    variance: np.ndarray
    freedom: float


@frozen(eq=False)
class _Series:
    """Differences without outliers (0 instead), what of them no flip changes, and the prior of their variance."""

    values: np.ndarray
    counts: np.ndarray
    squares: np.ndarray
    prior: _Prior

    @classmethod
    def of(cls, differences: np.ndarray) -> _Series:
        kept = mark_usual(differences)
        values = np.where(kept, np.nan_to_num(differences), 0.0)
        counts = kept.sum(axis=1)
        squares = (values**2).sum(axis=1)
        return cls(values.astype(np.float32), counts, squares, _prior(values, counts, squares))

    def bound_differences(self, rows: slice | np.ndarray) -> np.ndarray:
        """What to sum with signs for the statistic that the flips compare, float32 of shape (rows, rounds).

        With t the moderated t, it is t / sqrt(1 + t^2 / limit): the same order among series of as many rounds, the root
        of the limit (``limits``) at most, so that a short series that happens to agree with itself does not hide the
        long ones.
        """
        n = np.maximum(self.counts[rows], 1)
        spread = np.maximum(self.squares[rows] + self.prior.freedom * self.prior.variance[rows], _LEAST_VARIANCE)
        return np.asarray(self.values[rows] * np.sqrt(self.limits(rows) / (n * spread)).astype(np.float32)[:, None])

    def limits(self, rows: slice | np.ndarray) -> np.ndarray:
        """The square of what no bounded statistic exceeds, shape (rows,)."""
        return np.asarray(np.maximum(self.counts[rows], 2) - 1 + self.prior.freedom)


def _adjust_p(
    series: _Series, signs: np.ndarray, order: np.ndarray, size: np.ndarray, one_sided: bool
) -> tuple[np.ndarray, np.ndarray]:
    """Adjusted p, and p of each by itself, in ``order`` (smallest statistic first).

    Adjusted: the running maximum over what is not larger, flip by flip. Where even the largest of a chunk is far from
    any level, the others get its p, which is less than theirs.
    """
    p, alone = np.empty(order.size), np.empty(order.size)
    most = np.full(signs.shape[1], -np.inf, dtype=np.float32)
    for start in range(0, order.size, _CHUNK):
        rows = order[start : start + _CHUNK]
        under_flips = series.bound_differences(rows) @ signs
        under_flips = under_flips if one_sided else np.abs(under_flips)
        reached = size[rows][:, None] * (1 - 1e-5) - 1e-9
        alone[start : start + rows.size] = (under_flips >= reached).mean(axis=1)
        highest = under_flips.max(axis=0)
        p[start : start + rows.size] = (np.maximum(highest, most) >= reached[-1]).mean()
        if p[start] <= _FAR:
            under_flips[0] = np.maximum(under_flips[0], most)
            np.maximum.accumulate(under_flips, axis=0, out=under_flips)
            p[start : start + rows.size] = (under_flips >= reached).mean(axis=1)
        most = np.maximum(highest, most)
    return np.maximum.accumulate(p[::-1])[::-1], alone


def _prior(values: np.ndarray, counts: np.ndarray, squares: np.ndarray) -> _Prior:
    """Prior of the variance from how the variances of all series scatter: little when they differ, much when alike.

    Source: Smyth 2004, section 6.2, with median and median absolute deviation for mean and variance.
    """
    usable = counts >= 3
    n = counts[usable].astype(float)
    variance = np.maximum(squares[usable] - values[usable].sum(axis=1) ** 2 / n, 0.0) / (n - 1)
    positive = variance > _LEAST_VARIANCE
    if positive.sum() < 5:
        return _Prior(np.full(counts.shape, float(np.median(variance)) if usable.any() else 0.0), 0.0)

    from scipy.special import digamma, polygamma

    half = (n[positive] - 1) / 2
    centred = np.log(variance[positive]) - digamma(half) + np.log(half)
    middle = float(np.median(centred))
    beyond = (1.4826 * float(np.median(np.abs(centred - middle)))) ** 2 - float(np.mean(polygamma(1, half)))
    freedom = MOST_PRIOR if beyond <= 0 else min(MOST_PRIOR, 2 * _inverse_trigamma(beyond))
    usual = float(np.exp(middle + digamma(freedom / 2) - np.log(freedom / 2)))
    return _Prior(np.minimum(usual, MOST_BORROWED * squares / np.maximum(counts, 1)), freedom)


def _inverse_trigamma(value: float) -> float:
    """x with trigamma(x) = value, by Newton's steps on 1 / trigamma. Source: Smyth 2004, appendix."""
    from scipy.special import polygamma

    x = 0.5 + 1.0 / value
    for _ in range(30):
        at = float(polygamma(1, x))
        x += at * (1 - at / value) / float(polygamma(2, x))
    return x
