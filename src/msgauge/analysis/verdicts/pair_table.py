"""Verdicts on every two stacks in every column of one table: what is looked up of them, from either side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import product

import numpy as np
from attrs import evolve, field, frozen

from msgauge.model import CellKey, Word
from msgauge.stats import pairwise
from msgauge.stats.found_differences import limit_found
from msgauge.stats.pairwise import Pairwise
from msgauge.stats.ratio import Ratio
from msgauge.stats.round_memory import RoundMemory

_TURNED = {
    pairwise.UNDECIDED: pairwise.UNDECIDED,
    pairwise.FASTER: pairwise.SLOWER,
    pairwise.SLOWER: pairwise.FASTER,
    pairwise.EQUIVALENT: pairwise.EQUIVALENT,
}


@frozen
class Levels:
    """``table``: chance of error of all verdicts together; ``interval``: that of one interval by itself."""

    table: float = pairwise.LEVEL
    interval: float = pairwise.INTERVAL_LEVEL
    least_rounds: int = 6
    """Fewer rounds show no difference at the level of the table."""
    resumed: float = pairwise.LEVEL
    """That of the table which the run would give if it were resumed: what forecasts ask for."""
    before: tuple[tuple[int, float], ...] = ()
    """Earlier looks of the run, as rounds done and level of the table then, ascending: cells without a launch after one
    have the verdicts that it gave them."""


@frozen
class PairVerdict:
    """The word on one stack against another in one column, its ratio with interval and p, and the corrected p."""

    word: Word
    ratio: Ratio
    p_adjusted: float


@frozen(eq=False)
class PairTable:
    """Values of stacks, launch by launch, and the verdicts on every two stacks in every column."""

    row: Mapping[str, int]
    values: np.ndarray
    """Positive, shape (stacks, columns, rounds), nan where there is none."""
    judged: Pairwise
    pair: Mapping[tuple[int, int], int]
    level: np.ndarray
    """Of the look that gave each column its verdicts, shape (columns,)."""
    interval: float = pairwise.INTERVAL_LEVEL
    """Chance of an interval to miss."""
    reach: np.ndarray = field(factory=lambda: np.zeros((1, 1)))
    """How much further the limits of each logarithm lie because of the clock's steps, shape (pairs, columns), or of
    one element for all."""

    @classmethod
    def of(
        cls,
        stacks: Sequence[str],
        values: np.ndarray,
        levels: Levels,
        *,
        exact_clock: bool,
        memory: RoundMemory | None = None,
    ) -> PairTable:
        """Judge all pairs; ``values``: shape (stacks, columns, rounds of the run), nan where there is none."""

        def judge(table: np.ndarray, level: float) -> Pairwise:
            return pairwise.judge_pairs(
                table, level=level, interval_level=levels.interval, exact_clock=exact_clock, memory=memory
            )

        judged, level = judge(values, levels.table), np.full(values.shape[1], levels.table)
        ends = _count_until_last(values)
        since = 0
        for rounds, table_level in levels.before:
            ended = (ends > since) & (ends <= rounds) & (rounds < values.shape[2])
            if ended.any():
                judged = _take_verdicts(judged, judge(values[..., :rounds], table_level), ended)
                level[ended] = table_level
            since = rounds
        pairs = zip(judged.first.tolist(), judged.second.tolist(), strict=True)
        rows = {stack: row for row, stack in enumerate(stacks)}
        known = np.where(values > 0, values, np.nan)
        return cls(rows, known, judged, {both: at for at, both in enumerate(pairs)}, level, levels.interval)

    @property
    def factor(self) -> np.ndarray:
        """By which rounds that resemble those before them widen what is said of each pair, shape (pairs,)."""
        return self.judged.memory.between(self.judged.first, self.judged.second)

    @cached_property
    def limits(self) -> tuple[np.ndarray, np.ndarray]:
        """Low and high of each ratio as they are shown, shape (pairs, columns).

        Of a difference that was found the limit towards 1 allows for that it was (``stats.found_differences``), and
        ends at 1, for the test has said which side.
        """
        judged = self.judged
        low, high = judged.low.copy(), judged.high.copy()
        found = np.isin(judged.word, (pairwise.FASTER, pairwise.SLOWER))
        if found.any():
            logs = np.log(self.values)
            apart = (logs[judged.second] - logs[judged.first])[found]
            usual = np.log(judged.ratio[found]), np.log(low[found]), np.log(high[found])
            level = np.broadcast_to(self.level, found.shape)
            factor = np.broadcast_to(self.factor[:, None], found.shape)[found]
            limits = limit_found(apart, usual, judged.family, (level[found], self.interval), factor)
            low[found], high[found] = (np.exp(limit) for limit in limits)
        low, high = low * np.exp(-self.reach), high * np.exp(self.reach)
        slower, faster = found & (judged.ratio > 1), found & (judged.ratio < 1)
        return np.where(slower, np.maximum(low, 1.0), low), np.where(faster, np.minimum(high, 1.0), high)

    @cached_property
    def ratios(self) -> np.ndarray:
        """Each ratio as it is shown, shape (pairs, columns): that of the median round, which the limits are of.

        The estimate of the test lies between two groups of launches where one stack has both, at a ratio that no round
        had: of launches three in ten of which are 2.8 times as slow, at 1.7.
        """
        logs = np.log(self.values)
        apart = logs[self.judged.second] - logs[self.judged.first]
        middle = np.exp(_median_of_rounds(apart))
        low, high = self.limits
        return np.asarray(np.fmin(np.fmax(middle, low), high))

    def tell(self, base: str, other: str, column: int) -> PairVerdict | None:
        """What is said of ``other`` against ``base``; None where one of them has no launch."""
        one, two = self.row[base], self.row[other]
        if not all(np.isfinite(self.values[row, column]).any() for row in (one, two)):
            return None
        at = (self.place(base, other), column)
        judged, turned = self.judged, one > two
        ratio, low, high = (float(limit[at]) for limit in (self.ratios, *self.limits))
        if turned:
            ratio, low, high = 1 / ratio, 1 / high, 1 / low if low > 0 else np.inf  # below what the clock resolves
        code = int(judged.word[at])
        found = Ratio(ratio, low, high, float(judged.p_alone[at]), int(judged.rounds[at]))
        return PairVerdict(pairwise.WORDS[_TURNED[code] if turned else code], found, float(judged.p_different[at]))

    def place(self, one: str, other: str) -> int:
        """The row of these two stacks in the arrays of ``judged``."""
        return self.pair[min(self.row[one], self.row[other]), max(self.row[one], self.row[other])]

    def log_ratios(self, base: str, other: str) -> np.ndarray:
        """Logarithms of the ratios, shape (columns, rounds), nan where a round has not both."""
        return np.asarray(np.log(self.values[self.row[other]]) - np.log(self.values[self.row[base]]))


def _median_of_rounds(apart: np.ndarray) -> np.ndarray:
    """The median along the last axis, nan where no round is; shape (..., rounds) to (...)."""
    ordered, counts = np.sort(apart, axis=-1), np.isfinite(apart).sum(axis=-1, keepdims=True)
    halves = [np.take_along_axis(ordered, np.maximum(at, 0) // 2, axis=-1) for at in (counts - 1, counts)]
    return np.asarray((halves[0] + halves[1])[..., 0] / 2)


def tabulate(
    values: Mapping[CellKey, tuple[np.ndarray, np.ndarray]], stacks: Sequence[str], cells: Sequence[int]
) -> np.ndarray:
    """One value a launch as an array (stacks, cells, rounds of the run), nan where there is none.

    ``values``: the rounds of the launches (``dataset.Series.pairs``) and the value of each, both of shape (launches,).
    """
    places = product(enumerate(stacks), enumerate(cells))
    mine = {CellKey(stack, cell): (row, column) for (row, stack), (column, cell) in places}
    there = {key: values[key] for key in mine if key in values}
    rounds = 1 + max((int(pairs.max()) for pairs, _ in there.values() if pairs.size), default=-1)
    table = np.full((len(stacks), len(cells), rounds), np.nan)
    for key, (pairs, found) in there.items():
        table[(*mine[key], pairs)] = found
    return table


def _count_until_last(values: np.ndarray) -> np.ndarray:
    """How many rounds there were when each column had its last value, shape (columns,); 0 where it has none."""
    there = np.isfinite(values).any(axis=0)
    return np.where(there.any(axis=1), there.shape[1] - np.argmax(there[:, ::-1], axis=1), 0)


def _take_verdicts(judged: Pairwise, at_look: Pairwise, columns: np.ndarray) -> Pairwise:
    """What ``judged`` says, but in these columns what a look before it said of the same launches."""
    names = ("word", "p_different", "p_equivalent", "least_p")
    return evolve(judged, **{name: np.where(columns, getattr(at_look, name), getattr(judged, name)) for name in names})
