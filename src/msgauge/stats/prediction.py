"""What more rounds would tell, and what a budget can resolve: said beforehand, and only where it will come true."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from math import ceil, inf, pi, sqrt

import numpy as np
from attrs import frozen

PROMISED = 0.8
ASKED = 0.9
"""A forecast is made at this predictive chance, for the scatter it rests on is estimated from the same few rounds."""
MOST_TIMES = 10
"""Beyond ten times the rounds that are there nothing is promised."""
DRAWS = 2000
MOST_ROUNDS = 1000
FEWEST_ALIKE = 3
"""Of fewer series nothing is known of how like they are."""


@frozen
class Standing:
    """What is known of one comparison: log ratio, its scatter between rounds, and how many rounds."""

    centre: float
    scatter: float
    rounds: int
    level: float
    """Level of a single comparison, so that its family keeps 5 %: 0.05 / family where nothing better is known."""


def rounds_to_decide(standing: Standing, margin: float, *, least: int = 7, seed: int = 1) -> int | None:
    """After how many rounds in all the word will be there in at least 80 %; None when no such number can be promised.

    Draws what the true ratio and scatter may be (posterior of a normal with nothing known before), and for each what
    the data will look like after so many rounds; counts how often that decides: different at ``standing.level``, or
    within ±``margin`` with both ends tested at that level. ``least``: rounds below which sign flips decide nothing.

    Source: Spiegelhalter, Freedman and Blackburn 1986 (predictive power).
    """
    if standing.rounds < 3 or not standing.scatter > 0:
        return None
    candidates = list_candidates(standing.rounds, least)
    if not candidates or _chance(standing, candidates[-1], margin, seed) < ASKED:
        return None
    return candidates[bisect_left(candidates, ASKED, key=lambda one: _chance(standing, one, margin, seed))]


def list_candidates(rounds: int, least: int) -> list[int]:
    """Numbers of rounds in all that a forecast may name, a tenth apart, up to ``MOST_TIMES`` those that are there."""
    candidates = [max(rounds + 1, least)]
    while candidates[-1] < MOST_TIMES * rounds:
        candidates.append(max(candidates[-1] + 1, ceil(candidates[-1] * 1.1)))
    return [one for one in candidates if one <= MOST_TIMES * rounds]


def draw_more(series: Sequence[np.ndarray], more: int, draws: int, random: np.random.Generator) -> list[np.ndarray]:
    """The rounds of each series followed by ``more`` that may come, (rounds,) to (draws, rounds + more) each.

    For each draw true means and scatters are drawn, then rounds of normals that have them. Of three series or more both
    are supposed to be as like each other as they show: of many, the one that is farthest out by chance would else
    promise what is not there. Each series has three values at least.

    Source: Gelman et al. 2013, "Bayesian Data Analysis", sections 3.2 and 5.4; Smyth 2004 for the scatters.
    """
    from scipy.special import polygamma, psi

    counts, variances = np.array([one.size for one in series]), np.array([one.var(ddof=1) for one in series])
    freedom = (counts - 1) / 2
    chi_squared = random.chisquare(2 * freedom, (draws, len(series)))
    if len(series) < FEWEST_ALIKE or not variances.all():
        squares = variances * 2 * freedom / chi_squared
    else:
        logs = np.log(variances) - psi(freedom) + np.log(freedom)
        squares = np.exp(_draw_alike(logs, np.broadcast_to(polygamma(1, freedom), chi_squared.shape), random))
    means = _draw_alike(np.array([one.mean() for one in series]), squares / counts, random)
    return [
        np.concatenate([np.broadcast_to(one, (draws, one.size)), mean[:, None] + scatter[:, None] * noise], axis=1)
        for one, mean, scatter in zip(series, means.T, np.sqrt(squares).T, strict=True)
        for noise in [random.standard_normal((draws, more))]
    ]


def draw_again(series: Sequence[np.ndarray], more: int, draws: int, random: np.random.Generator) -> list[np.ndarray]:
    """As ``draw_more``, where nothing comes but what has been: for launches in two modes, which no normal resembles.

    Rounds of series of one length are drawn together, as launches have all of their tests in common.

    Source: Rubin 1981, "The Bayesian bootstrap".
    """
    weights = random.exponential(size=(draws, max(one.size for one in series)))
    places = random.random((draws, more))
    drawn: dict[int, np.ndarray] = {}
    for n in {one.size for one in series}:
        shares = np.cumsum(weights[:, :n], axis=1)
        shares /= shares[:, -1:]
        found = [np.searchsorted(share, place) for share, place in zip(shares, places, strict=True)]
        drawn[n] = np.minimum(np.array(found), n - 1)
    return [np.concatenate([np.broadcast_to(one, (draws, one.size)), one[drawn[one.size]]], axis=1) for one in series]


def _draw_alike(found: np.ndarray, squares: np.ndarray, random: np.random.Generator) -> np.ndarray:
    """True values of estimates, shape (series,) to (draws, series); ``squares``: of their errors, (draws, series)."""
    noise = random.standard_normal(squares.shape)
    if found.size < FEWEST_ALIKE:
        return np.asarray(found + np.sqrt(squares) * noise)
    spread = found.var(ddof=1) * (found.size - 1) / random.chisquare(found.size - 1, len(squares))
    apart = np.maximum(spread - squares.mean(axis=1), 1e-3 * squares.mean(axis=1))[:, None]
    weights = 1 / (squares + apart)
    middle = (weights * found).sum(axis=1) / weights.sum(axis=1)
    middle += random.standard_normal(len(squares)) / np.sqrt(weights.sum(axis=1))
    pulled = squares / (squares + apart)
    return np.asarray((1 - pulled) * found + pulled * middle[:, None] + np.sqrt(squares * (1 - pulled)) * noise)


def resolvable(scatter: np.ndarray, rounds: int, level: float, power: float = PROMISED) -> np.ndarray:
    """The smallest relative difference that ``rounds`` rounds find in ``power`` of cases; inf where none.

    ``scatter``: standard deviation of log ratios between rounds, any shape; ``level``: of one comparison. 0.05 is 5 %.

    Source: Student's t with its power by the normal shift; Cohen 1988, section 2.4.
    """
    from scipy.special import ndtri, stdtrit

    if rounds < 2:
        return np.full(np.shape(scatter), inf)
    reach = float(stdtrit(rounds - 1, 1 - level / 2)) + float(ndtri(power))
    return np.asarray(np.expm1(reach * np.asarray(scatter) / np.sqrt(rounds)))


def findable(scatter: float, rounds: int, level: float, family: int) -> float:
    """The smallest relative difference that a table of ``family`` comparisons calls one in 80 % of cases; inf if none.

    ``level``: of the table. Three things have to come together: the corrected test, whose p of n rounds cannot fall
    below 2^(1 - n); the same sign in all rounds, where p would be too large if one more exchange, or one in which
    another comparison comes as far, counted; and the interval by itself, that of a median and wider than Student's.
    """
    from scipy.special import ndtri, stdtrit

    if 0.5 ** (rounds - 1) > level:
        return inf
    interval = (float(stdtrit(rounds - 1, 0.975)) + float(ndtri(PROMISED))) * sqrt(pi / 2 / rounds)
    needs_all = level / min(family, 2) < 0.5 ** (rounds - 2)
    signs = float(ndtri(PROMISED ** (1 / rounds))) if needs_all else 0.0
    by_test = float(resolvable(np.array(scatter), rounds, level / family))
    return max(by_test, float(np.expm1(scatter * max(interval, signs))))


def rounds_to_find(difference: float, scatter: float, level: float, family: int, *, least: int = 7) -> int | None:
    """Rounds in all, ``least`` or more, in which ``findable`` is at most ``difference``; None beyond a thousand."""
    rounds = least
    while rounds <= MOST_ROUNDS:
        if findable(scatter, rounds, level, family) <= difference:
            return rounds
        rounds += max(1, rounds // 20)
    return None


def limit_scatter(scatter: float, rounds: int) -> float:
    """What the true scatter is at most in nine of ten cases, of normals whose ``rounds`` show this one.

    Source: the chi-square distribution of a variance.
    """
    from scipy.special import chdtri

    return float(scatter * np.sqrt((rounds - 1) / chdtri(rounds - 1, ASKED)))


def _chance(standing: Standing, rounds: int, margin: float, seed: int) -> float:
    """Predictive chance of a word after ``rounds`` rounds in all."""
    from scipy.special import stdtrit

    random = np.random.default_rng(seed)
    n, more = standing.rounds, rounds - standing.rounds
    sigma = standing.scatter * np.sqrt((n - 1) / random.chisquare(n - 1, DRAWS))
    truth = standing.centre + sigma / np.sqrt(n) * random.standard_normal(DRAWS)
    added = truth + sigma / np.sqrt(more) * random.standard_normal(DRAWS)
    middle = (n * standing.centre + more * added) / rounds
    left = (n - 1) * standing.scatter**2 + sigma**2 * random.chisquare(max(more - 1, 1), DRAWS) * (more > 1)
    left += n * more / rounds * (added - standing.centre) ** 2
    error = np.sqrt(left / (rounds - 1) / rounds)
    two_sided = float(stdtrit(rounds - 1, 1 - standing.level / 2))
    one_sided = float(stdtrit(rounds - 1, 1 - standing.level))
    interval = float(stdtrit(rounds - 1, 0.975))
    different = np.abs(middle) > two_sided * error
    alike = np.abs(middle) + max(one_sided, interval) * error < np.log1p(margin)
    return float(np.mean(different | alike))
