"""After how many rounds a comparison will be decided: named only where no way of drawing the rounds to come denies.

Three ways are asked: normals, what has been again, and normals among which as many wild rounds come as the rounds so
far may have hidden. Rounds that stand in groups or far from the others promise nothing, and neither do fewer than
twenty: what comes of launches in modes cannot be told from few of them, and ten hide that one launch in ten is slow in
one run of eight. A quarter more is named than is found enough, for what no way of drawing knows of.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from functools import cache
from math import ceil

import numpy as np

from msgauge.stats.location import median_interval
from msgauge.stats.outlying_rounds import OUTLYING
from msgauge.stats.prediction import ASKED, Standing, draw_again, draw_more, list_candidates, rounds_to_decide

DRAWS = 200
FEWEST = 20
"""Rounds from which on a number of them is named, and from which on one test shows what its launches are like: of one
with slow launches in ten rounds one number in three was wrong."""
UNEVEN = 0.1
"""Share of normal series that show a gap as wide as the one from which on a series counts as uneven."""
MOST_UNEVEN = 0.25
"""Where more of the tests of two stacks are uneven, all of them are taken to be."""
FEWEST_TESTS = 4
"""Of two stacks with fewer tests it is not known from fewer rounds than ``FEWEST`` what their launches are like."""
HIDDEN = 0.05
"""Wild rounds are supposed to be as frequent as they may be for none to be seen in this share of cases.

Tried and wrong: half of the cases. Where launches are slow by 10 % in one of ten, 59 to 68 % of forecasts came true.
"""
WILD = 6.0
"""Scatters by which a wild round is off: about as far as the test keeps rounds, where they cost most.

Tried and wrong: ten, which the test leaves out. Where launches are slow by 20 % in one of ten, 35 % of forecasts came
true. The price: ten even rounds name no number any more, twenty do in two runs of five.
"""
MORE = 1.25
"""Times the rounds that are found enough are named.

Tried and wrong: 1. Where one launch in ten is slow by 10 %, 75 % (± 4 %) of forecasts came true, 81 % (± 6 %) of
others, of which with a quarter more 91 % did. Of launches that resemble those before them by 0.3, all tests of a stack
alike, 75 to 88 % without, 88 to 95 % with it.
"""


def foresee_decision(values: np.ndarray, level: float, margin: float, *, least: int = 7) -> int | None:
    """After how many rounds in all the word will be there in at least 80 %; None when no such number can be promised.

    ``values``: log ratios of the rounds so far, shape (rounds,); ``level``: of one comparison, so that its family keeps
    that of the table; ``least``: rounds below which sign flips decide nothing.
    """
    if values.size < FEWEST:
        return None
    standing = Standing(float(values.mean()), float(values.std(ddof=1)), int(values.size), level)
    first = rounds_to_decide(standing, margin, least=least)
    if first is None:
        return None
    candidates = [one for one in list_candidates(values.size, least) if one >= first]
    more, random = candidates[-1] - values.size, np.random.default_rng(1)
    courses = [draw([values], more, DRAWS, random)[0] for draw in (draw_more, draw_again, _draw_wild)]

    def is_enough(total: int) -> bool:
        return all(np.mean(_is_decided(course[:, :total], level, margin)) >= ASKED for course in courses)

    if not is_enough(candidates[-1]):
        return None
    return ceil(MORE * candidates[bisect_left(candidates, True, key=is_enough)])


def find_uneven(series: np.ndarray) -> np.ndarray:
    """Which series show outliers or modes, or may, as few tests tell or many show them; bool of shape (pairs, cells).

    ``series``: log ratios of every two stacks, shape (pairs, cells, rounds), nan where a round has not both. Uneven is
    a series whose widest gap between neighbours, in order of size, is as many times its median gap as that of one
    normal series in ten.
    """
    ordered = np.sort(series, axis=2)
    counts = np.isfinite(ordered).sum(axis=2)
    found = np.zeros(counts.shape, dtype=bool)
    for n in np.unique(counts[counts >= 3]).tolist():
        rows = counts == n
        found[rows] = _widest_gap(ordered[rows][:, :n]) > _limit_of_gaps(n)
    known = (counts >= 3).sum(axis=1)
    often = found.sum(axis=1) > MOST_UNEVEN * np.maximum(known, 1)
    unknown = (known < FEWEST_TESTS)[:, None] & (counts < FEWEST)
    return np.asarray(found | often[:, None] | unknown)


@cache
def _limit_of_gaps(rounds: int) -> float:
    """What the widest gap of normals exceeds in ``UNEVEN``, in median gaps."""
    drawn = np.sort(np.random.default_rng(1).standard_normal((4000, rounds)), axis=1)
    return float(np.quantile(_widest_gap(drawn), 1 - UNEVEN))


def _widest_gap(ordered: np.ndarray) -> np.ndarray:
    """In median gaps; shape (series, rounds) in order of size to (series,)."""
    gaps = np.diff(ordered, axis=1)
    usual = np.maximum(np.median(gaps, axis=1), 1e-12)
    return np.asarray(gaps.max(axis=1) / usual)


def _draw_wild(series: Sequence[np.ndarray], more: int, draws: int, random: np.random.Generator) -> list[np.ndarray]:
    """As ``draw_more``, with wild rounds among those to come, as many as none of those so far leaves possible."""
    found = draw_more(series, more, draws, random)
    for one, drawn in zip(series, found, strict=True):
        share = 1 - HIDDEN ** (1 / one.size)
        wild = random.random((draws, more)) < share
        drawn[:, one.size :] += WILD * one.std(ddof=1) * wild * random.choice([-1.0, 1.0], (draws, more))
    return found


def _is_decided(drawn: np.ndarray, level: float, margin: float) -> np.ndarray:
    """Whether there is a word after these rounds, shape (draws, rounds) to (draws,)."""
    reach = float(np.log1p(margin))
    low, high = median_interval(drawn)
    decided = (low > 0) | (high < 0)
    within = (low >= -reach) & (high <= reach)
    apart, near = drawn[decided], drawn[within]
    decided[decided] = _test(np.sign(low[decided])[:, None] * apart) <= level / 2
    within[within] = np.maximum(_test(reach - near), _test(reach + near)) <= level
    return np.asarray(decided | within)


def _test(drawn: np.ndarray) -> np.ndarray:
    """One-sided p of not being above zero, without the rounds that sign flips leave out, by Student's t."""
    from scipy.special import stdtr

    if not drawn.size:
        return np.zeros(0)
    sizes = np.abs(drawn)
    kept = sizes <= OUTLYING * np.median(sizes, axis=1, keepdims=True)
    counts = kept.sum(axis=1)
    means = (drawn * kept).sum(axis=1) / counts
    squares = (((drawn - means[:, None]) * kept) ** 2).sum(axis=1)
    errors = np.sqrt(np.maximum(squares, 1e-24) / np.maximum(counts - 1, 1) / counts)
    return np.asarray(stdtr(np.maximum(counts - 1, 1), -means / errors))
