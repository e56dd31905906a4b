"""What more rounds would tell, and what a budget can resolve: said beforehand, and only where it will come true."""

from __future__ import annotations

from bisect import bisect_left
from math import ceil, inf

import numpy as np
from attrs import frozen

PROMISED = 0.8
ASKED = 0.9
"""A forecast is made at this predictive chance, for the scatter it rests on is estimated from the same few rounds."""
MOST_TIMES = 10
"""Beyond ten times the rounds that are there nothing is promised."""
DRAWS = 2000


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
    candidates = [max(standing.rounds + 1, least)]
    while candidates[-1] < MOST_TIMES * standing.rounds:
        candidates.append(max(candidates[-1] + 1, ceil(candidates[-1] * 1.1)))
    candidates = [one for one in candidates if one <= MOST_TIMES * standing.rounds]
    if not candidates or _chance(standing, candidates[-1], margin, seed) < ASKED:
        return None
    return candidates[bisect_left(candidates, ASKED, key=lambda one: _chance(standing, one, margin, seed))]


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


def rounds_to_resolve(scatter: float, difference: float, level: float, *, least: int = 7) -> int | None:
    """Rounds that find a relative ``difference`` in 80 %; None beyond a thousand."""
    for rounds in range(least, 1001):
        if float(resolvable(np.array(scatter), rounds, level)) <= difference:
            return rounds
    return None


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
