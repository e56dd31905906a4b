"""All pairs of stacks in all cells that are shown together: one family, its verdicts, its marks and its ranks.

Every two stacks are compared, whether or not one of them is called the base: so a base that was picked from the data
changes nothing, and the marks of the best and the ranks are read off the verdicts and cannot contradict them. Medians,
tails and the means of a summary are a table each: every one errs at its level, and no correction is made between them.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import floor, log2

import numpy as np
from attrs import frozen

from msgauge.model import Word
from msgauge.stats import signed_rank
from msgauge.stats.equivalence import equivalence_p
from msgauge.stats.location import covers_by_order, median_interval, student_interval
from msgauge.stats.round_memory import INDEPENDENT, RoundMemory, measure_memory
from msgauge.stats.sign_flips import Factor, step_down

MARGIN = 0.03
LEVEL = 0.04
TWO_STACKS = 1.09
"""Chance of error of a table looked at once: promised are 5 %, and skewed noise of many stacks takes the rest. Where
two were launched, so many times as much is spent on differences: to exchange them is exact, for it turns round no
others."""
INTERVAL_LEVEL = 0.05
FEWEST_ROUNDS = 5
"""With four rounds no sign flip reaches 5 %, neither for a difference nor for equivalence."""
FEWEST_FOR_DIFFERENCE = 1 - floor(log2(LEVEL))
"""Rounds. An exact test of n signs, either way, cannot fall below 2^(1 - n)."""
SEED = 1
"""Of the flips that are drawn where there are too many to try all."""
WORDS: tuple[Word, ...] = ("undecided", "faster", "slower", "equivalent")
UNDECIDED, FASTER, SLOWER, EQUIVALENT = range(4)
_NOTHING = 1e-12


@frozen(eq=False)
class Pairwise:
    """Every two stacks in every cell; arrays of shape (pairs, cells), the ``second`` over the ``first``."""

    first: np.ndarray
    """Index of the first stack of each pair, shape (pairs,)."""
    second: np.ndarray
    ratio: np.ndarray
    """exp(Hodges-Lehmann) of the log ratios paired in rounds; nan where no round has both."""
    low: np.ndarray
    """Interval of each ratio by itself, at 1 - ``level``; nan below two rounds."""
    high: np.ndarray
    p_different: np.ndarray
    """Corrected over all pairs and cells of the table."""
    p_alone: np.ndarray
    """As ``p_different``, but of each comparison by itself."""
    p_equivalent: np.ndarray
    least_p: np.ndarray
    """The least p_different that so many rounds can give."""
    word: np.ndarray
    """Index into ``WORDS``: what may be said of the second stack."""
    rounds: np.ndarray
    level: float
    memory: RoundMemory
    """How much rounds resemble the rounds before them, which p and intervals allow for."""

    @property
    def family(self) -> int:
        """How many comparisons were corrected for."""
        return int(np.isfinite(self.p_different).sum())


def judge_pairs(
    times: np.ndarray,
    *,
    level: float = LEVEL,
    interval_level: float = INTERVAL_LEVEL,
    exact_clock: bool = False,
    memory: RoundMemory | None = None,
) -> Pairwise:
    """Verdicts on every two stacks in every cell; of stacks that are alike all but ``level`` of tables tell none apart.

    ``times``: launch medians in ns, shape (stacks, cells, rounds), nan where a stack has no launch in a round.
    ``level``: chance of one false "faster" or "slower" or more in the table, and that of one false "equivalent" or
    more; less than 5 % when the table is looked at several times (``group_sequential.levels_at_looks``). Where just
    two stacks have launches, ``TWO_STACKS`` times as much is spent on differences.
    ``interval_level``: chance of each interval by itself to miss. ``exact_clock``: times are computed, not measured: a
    difference that is the same in every round is what it is, and asks for no number of rounds. ``memory``: how much
    rounds resemble those before them; by default as these times say.

    A difference is said when the step-down sign-flip test says so, the interval of the pair by itself excludes 1, and
    the statistic of the test lies on the same side as the interval and the estimate; "equivalent" when the test against
    both ends of the margin says so and that interval lies within them; what is both is equivalent. The chance is that
    of stacks of one law; what two laws with one median give is told in ``docs/explanation/verdicts.md``.
    """
    logs = np.log(np.where(times > 0, times, np.nan))
    first, second = np.triu_indices(times.shape[0], 1)
    apart = logs[second] - logs[first]
    shape = apart.shape[:2]
    series = apart.reshape(-1, times.shape[2])
    memory = memory or (INDEPENDENT if exact_clock else measure_memory(times))
    factor = np.repeat(memory.between(first, second), times.shape[1])
    middle, low, high = estimate_intervals(series, 1 - interval_level, factor)
    tested = step_down(series, seed=SEED, factor=factor)
    different, alone, alike = tested.p_adjusted, tested.p_alone, _equivalence(series, (low, high), factor)
    counts = np.isfinite(series).sum(axis=1)
    exact = _still(series) if exact_clock else np.zeros(counts.shape, dtype=bool)
    different[exact] = alone[exact] = np.abs(middle[exact]) <= _NOTHING
    alike[exact] = np.abs(middle[exact]) > np.log1p(MARGIN)
    launched = np.isfinite(logs).any(axis=(1, 2)).sum()
    spent = level * (TWO_STACKS if launched == 2 else 1)
    word = _words((tested.statistic, low, high), different <= spent, alike <= level)
    word[(counts < FEWEST_ROUNDS) & ~exact] = UNDECIDED
    arrays = (np.exp(middle), np.exp(low), np.exp(high), different, alone, alike, tested.least_p, word, counts)
    ratio, low, high, different, alone, alike, least, word, counts = (one.reshape(shape) for one in arrays)
    return Pairwise(first, second, ratio, low, high, different, alone, alike, least, word, counts, level, memory)


def best(judged: Pairwise, stacks: int) -> np.ndarray:
    """Which stacks may be the fastest of each cell: those that none is said to be faster than; bool (stacks, cells).

    All marks are right where no stack is called slower by mistake: in 95 % of tables of stacks whose laws differ in
    level alone. A stack without a launch in the cell has none, and nobody has one where verdicts go in a circle, as
    rounds that only two stacks share may make them.
    """
    beaten, present = _beaten(judged, stacks)
    candidates = present & ~beaten.any(axis=1)
    return np.asarray(candidates)


def ranks(judged: Pairwise, stacks: int) -> tuple[np.ndarray, np.ndarray]:
    """Best and worst rank that each stack may have in each cell; int (stacks, cells), 0 where it has no launch.

    The best is one more than the stacks said to be faster, the worst leaves out those said to be slower.

    Source: Klein, Wright and Wieczorek 2020, "A joint confidence region for an overall ranking of populations", eq. 3.
    """
    beaten, present = _beaten(judged, stacks)
    highest = 1 + beaten.sum(axis=1)
    lowest = present.sum(axis=0)[None, :] - beaten.sum(axis=0)
    return np.where(present, highest, 0), np.where(present, lowest, 0)


def estimate_intervals(
    series: np.ndarray, level: float, factor: Factor = 1.0
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Hodges-Lehmann estimate and interval of the median round of each row; log ratios (series, rounds) with nan.

    ``factor``: so many times as wide as independent rounds would have it (``round_memory``), each or all.
    """
    middle = np.full(series.shape[0], np.nan)
    ordered = np.sort(series, axis=1)
    for rows, n in _by_count(series):
        present = series[rows]
        middle[rows] = signed_rank.locate_centres(present[np.isfinite(present)].reshape(-1, n))
    return (middle, *_limits(ordered, middle, level, factor))


def interval_limits(
    series: np.ndarray, middle: np.ndarray, level: float, factor: Factor = 1.0, *, by_order: bool = False
) -> tuple[np.ndarray, np.ndarray]:
    """Limits alone, at another level: what ``estimate_intervals`` gives beside ``middle``, shape (series,).

    ``by_order``: from five rounds on those of order statistics, which of n rounds cover 1 - 2^(1 - n) at most.
    """
    return _limits(np.sort(series, axis=1), middle, level, factor, by_order=by_order)


def _by_count(series: np.ndarray) -> Iterator[tuple[np.ndarray, int]]:
    """Rows with as many rounds, and how many these are."""
    counts = np.isfinite(series).sum(axis=1)
    for n in np.unique(counts[counts > 0]):
        yield np.flatnonzero(counts == n), int(n)


def _limits(
    ordered: np.ndarray, middle: np.ndarray, level: float, factor: Factor, *, by_order: bool = False
) -> tuple[np.ndarray, np.ndarray]:
    """Order statistics from five rounds on where these cover ``level``, else Student's t. Every row by itself.

    Source: as ``stats.ratio.interval_at``.
    """
    low, high = np.full(middle.shape, np.nan), np.full(middle.shape, np.nan)
    for rows, n in _by_count(ordered):
        if n > 1:
            values = ordered[rows, :n]
            alone = covers_by_order(n, 0.0 if by_order else level)
            limits = median_interval(values, level) if alone else student_interval(values, level)
            low[rows] = np.minimum(limits[0], middle[rows])
            high[rows] = np.maximum(limits[1], middle[rows])
    if np.any(factor != 1):
        low, high = middle + factor * (low - middle), middle + factor * (high - middle)
    return low, high


def _still(series: np.ndarray) -> np.ndarray:
    """Which differences are the same in all of two rounds or more; bool (series,)."""
    there = np.isfinite(series)
    spread = np.where(there, series, -np.inf).max(axis=1, initial=-np.inf) - np.where(there, series, np.inf).min(
        axis=1, initial=np.inf
    )
    return np.asarray((there.sum(axis=1) >= 2) & (spread <= _NOTHING))


def _equivalence(series: np.ndarray, interval: tuple[np.ndarray, np.ndarray], factor: Factor) -> np.ndarray:
    """Corrected p of not being alike; 1 everywhere when no interval lies within the margin, for none could be said."""
    if not np.any(_within(interval)):
        return np.where(np.isfinite(series).sum(axis=1) >= 2, 1.0, np.nan)
    return equivalence_p(series, MARGIN, SEED, factor)


def _within(interval: tuple[np.ndarray, np.ndarray]) -> np.ndarray:
    reach = np.log1p(MARGIN)
    return np.asarray((interval[0] >= -reach) & (interval[1] <= reach))


def _words(
    seen: tuple[np.ndarray, np.ndarray, np.ndarray],
    different: np.ndarray,
    alike: np.ndarray,
) -> np.ndarray:
    """``different``, ``alike``: whether the tests say so. ``seen``: the statistic of the first one, and limits with the
    estimate between them; all have to point one way."""
    statistic, low, high = seen
    word = np.full(low.shape, UNDECIDED)
    word[different & (high < 0) & (statistic < 0)] = FASTER
    word[different & (low > 0) & (statistic > 0)] = SLOWER
    word[alike & _within((low, high))] = EQUIVALENT
    return word


def _beaten(judged: Pairwise, stacks: int) -> tuple[np.ndarray, np.ndarray]:
    """(loser, winner, cells): who is said to be slower than whom; (stacks, cells): who was launched at all."""
    cells = judged.word.shape[1]
    beaten = np.zeros((stacks, stacks, cells), dtype=bool)
    present = np.zeros((stacks, cells), dtype=bool)
    for pair, (one, other) in enumerate(zip(judged.first, judged.second, strict=True)):
        beaten[other, one] = judged.word[pair] == SLOWER
        beaten[one, other] = judged.word[pair] == FASTER
        present[one] |= judged.rounds[pair] > 0
        present[other] |= judged.rounds[pair] > 0
    return beaten, present
