"""All stacks of a run against each other in all cells: one family, of which every verdict, mark and rank is read.

A base only chooses which comparisons are displayed. Measured stacks are one family, simulated ones another; tails of
launches (P95, P99) are a family beside that of the medians, and the means of a summary a third. Each has the level of
a table; no correction is made between them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import combinations
from math import nan

import numpy as np
from attrs import evolve, frozen

from msgauge.analysis.verdicts.clock_errors import describe_doubt_of_clocks, log_bounds, pair_limits, withdraw_doubtful
from msgauge.analysis.verdicts.clock_steps import allow_for_steps, bound_steps, describe_doubt_of_steps
from msgauge.analysis.verdicts.doubt import Doubt, describe_doubt
from msgauge.analysis.verdicts.pair_table import Levels, PairTable, PairVerdict, tabulate
from msgauge.analysis.verdicts.parted import (
    PartedPair,
    describe_parts,
    find_parted_pairs,
    measure_parts,
    withdraw_parted,
)
from msgauge.analysis.verdicts.round_starts import describe_unlike, find_unlike, read_starts, withdraw_unlike
from msgauge.analysis.verdicts.tails import TailTable
from msgauge.model import Cell, CellKey, Comparison, MeanRatio, Place, Word
from msgauge.results.dataset import CellSamples, Dataset
from msgauge.results.launch_times import list_breaks
from msgauge.stats import pairwise
from msgauge.stats.group_sequential import STOPPING_LEVEL
from msgauge.stats.prospects import find_uneven
from msgauge.stats.ratio import Ratio, interval_at
from msgauge.stats.round_memory import RoundMemory
from msgauge.stats.stopping import is_settled

Asked = tuple[str, str, int, str]
"""What a word is about: that of the second stack against the first, in a cell, by its medians or by a tail (p95)."""
MEDIANS = "median"


@frozen(eq=False)
class VerdictFamily:
    """Every two stacks of a run in every cell, judged together."""

    kinds: tuple[_Kind, ...]

    def compare(self, base: str, other: str, cell: Cell, *, forecast: bool = False) -> Comparison | None:
        """What may be said of ``other`` against ``base``; None where they are of two kinds or one was not measured.

        ``forecast``: the reason of what is undecided says after how many rounds it would be told, where that can be.
        """
        kind = self._kind(base, other)
        return kind.compare(base, other, cell, forecast=forecast) if kind else None

    def typical_ratio(self, base: str, other: str, cells: Sequence[Cell]) -> Ratio | None:
        """Geometric mean of the ratios in these cells, with the interval of its rounds; None below five of them.

        Of rounds in which both stacks have all of these cells, but for those in which they were started differently.
        """
        kind = self._kind(base, other)
        return kind.typical_ratio(base, other, cells) if kind else None

    def are_alike(self, stacks: Sequence[str], cell: int) -> bool:
        """Whether every two of these stacks are equivalent in this cell."""
        kind = next((kind for kind in self.kinds if set(stacks) <= kind.table.row.keys()), None)
        told = (kind.table.tell(*pair, kind.column[cell]) for pair in combinations(stacks, 2)) if kind else ()
        return kind is not None and all(one is not None and one.word == "equivalent" for one in told)

    def keep_comparable(self, comparisons: Iterable[Comparison]) -> tuple[Comparison, ...]:
        """Those whose two stacks were started in the same way (``round_starts``), of which a ratio means something."""
        kinds = ((one, self._kind(one.base, one.other)) for one in comparisons)
        return tuple(one for one, kind in kinds if kind and not kind.is_unlike(one.base, one.other, one.cell))

    def widen(self, comparisons: Sequence[Comparison], level: float) -> tuple[Comparison, ...]:
        """These comparisons with intervals that miss in ``level`` each, for what is said of many of them at once."""
        kinds = ((one, self._kind(one.base, one.other)) for one in comparisons)
        return tuple(kind.widen(one, level) for one, kind in kinds if kind)

    def mean_ratios(self, base: str, weights: Mapping[int, float]) -> dict[str, MeanRatio]:
        """The weighted geometric mean of the ratios to ``base`` of every stack of its kind, over the tests both have.

        ``weights``: by the number of the cell; those of 0 are left out. Stacks that have every test of the base are
        judged together, all pairs of their means as one family at the level of the table.
        """
        kind = next((kind for kind in self.kinds if base in kind.table.row), None)
        return kind.mean_ratios(base, weights) if kind else {}

    @cached_property
    def places(self) -> Mapping[CellKey, Place]:
        """The place of each stack in each cell in which there are two or more."""
        return dict(place for kind in self.kinds for place in kind.places())

    @property
    def words(self) -> Mapping[Asked, Word]:
        """The word on every two stacks, the earlier named first, in every cell and tail in which both were measured."""
        return dict(told for kind in self.kinds for told in kind.words())

    @property
    def memories(self) -> tuple[tuple[RoundMemory, tuple[str, ...]], ...]:
        """Of each kind how much rounds resemble the rounds before them, and its stacks, in the order of ``factors``."""
        return tuple((kind.table.judged.memory, tuple(kind.table.row)) for kind in self.kinds)

    @property
    def parted(self) -> tuple[PartedPair, ...]:
        """The comparisons that changed when the run went on, the earlier stack as the base."""
        return tuple(one for kind in self.kinds for one in kind.list_parted())

    def _kind(self, base: str, other: str) -> _Kind | None:
        return next((kind for kind in self.kinds if {base, other} <= kind.table.row.keys()), None)


def judge_family(dataset: Dataset, levels: Levels, *, with_tails: bool = False) -> VerdictFamily:
    """All pairs of stacks of one kind in all cells, each kind (``Dataset.kinds``) judged as one table.

    ``with_tails``: P95 and P99 of launches are compared too, which reads every sample.
    """
    measured = {key.stack for key in dataset.cells}
    among = [tuple(stack for stack in kind if stack in measured) for kind in dataset.kinds]
    kinds = (_Kind.of(stacks, dataset, levels, with_tails=with_tails) for stacks in among if len(stacks) > 1)
    return VerdictFamily(tuple(kinds))


@frozen(eq=False)
class _Kind:
    """The stacks of one kind: measured, here beside those on hosts, or simulated."""

    column: Mapping[int, int]
    """By the number of the cell."""
    table: PairTable
    clocks: np.ndarray
    """By how much the logarithm of each time may be wrong because of the hosts' clocks, shape (stacks, cells)."""
    steps: np.ndarray
    """Likewise because the clock was read in steps."""
    withdrawn: np.ndarray
    """Verdicts that the hosts' clocks do not allow, bool (pairs, cells)."""
    unresolved: np.ndarray
    """Those that the steps of the clock do not allow."""
    unlike: np.ndarray
    """Pairs that were started in different ways, whatever was said of them; bool (stacks, stacks, cells)."""
    parted: np.ndarray
    """After how many rounds each changed, where the run paused then; int (pairs, cells), 0 where it did not."""
    breaks: Sequence[int]
    """After how many rounds the run paused."""
    cells: Mapping[CellKey, CellSamples]
    tails: TailTable | None
    settled: np.ndarray
    """Whether more rounds would add nothing that matters, shape (pairs, cells)."""
    levels: Levels
    exact_clock: bool

    @classmethod
    def of(cls, stacks: Sequence[str], dataset: Dataset, levels: Levels, *, with_tails: bool) -> _Kind:
        cells = [cell.id for cell in dataset.plan.cells]
        values = {key: (one.compared.pairs, one.medians_ns) for key, one in dataset.cells.items()}
        simulated = stacks[0] in dataset.simulated
        table = PairTable.of(stacks, tabulate(values, stacks, cells), levels, exact_clock=simulated)
        tails = TailTable.of(stacks, dataset, levels, exact_clock=simulated) if with_tails else None
        settled = _find_settled(table, dataset.plan.stopping.ratio_precision)
        steps, clocks = bound_steps(dataset, stacks, cells), log_bounds(dataset.cells, stacks, cells)
        resolved = allow_for_steps(table, steps)
        kept = withdraw_doubtful(resolved, clocks)
        columns = {cell: column for column, cell in enumerate(cells)}
        unresolved = resolved.judged.word != table.judged.word
        withdrawn = kept.judged.word != resolved.judged.word
        unlike = find_unlike(dataset.cells, stacks, cells)
        kept = withdraw_unlike(kept, unlike[kept.judged.first, kept.judged.second])
        breaks = list_breaks(dataset.records)
        parted = find_parted_pairs(kept, breaks)
        kept = withdraw_parted(kept, parted > 0)
        doubts = withdrawn, unresolved, unlike, parted, breaks, dataset.cells
        return cls(columns, kept, clocks, steps, *doubts, tails, settled, levels, simulated)

    def _factor(self, base: str, other: str) -> float:
        return float(self.table.factor[self.table.place(base, other)])

    def _reach(self, base: str, other: str) -> np.ndarray:
        """By how much the steps of the clock may change the logarithm of the ratio in each cell, shape (cells,)."""
        return np.asarray(self.table.reach[self.table.place(base, other)])

    def is_unlike(self, base: str, other: str, cell: int) -> bool:
        """Whether these two were started in different ways there."""
        return bool(self.unlike[self.table.row[base], self.table.row[other], self.column[cell]])

    def bound_hidden(self, one: Comparison) -> float:
        """By how much steps of the clock and the clocks of the hosts may change the logarithm of this ratio; or inf."""
        at = (self.table.place(one.base, one.other), self.column[one.cell])
        return float(self._reach(one.base, one.other)[at[1]] + self.clock_limits[at])

    @cached_property
    def clock_limits(self) -> np.ndarray:
        """By how much the clocks of the hosts may change the logarithm of each ratio, shape (pairs, cells)."""
        return pair_limits(self.table, self.clocks)

    @cached_property
    def uneven(self) -> np.ndarray:
        """Whether rounds show outliers, modes or memory, so that nothing is forecast from them; bool (pairs, cells)."""
        logs, judged = np.log(self.table.values), self.table.judged
        return find_uneven(logs[judged.second] - logs[judged.first]) | (self.table.factor[:, None] > 1)

    def compare(self, base: str, other: str, cell: Cell, *, forecast: bool) -> Comparison | None:
        """As ``VerdictFamily.compare``; both stacks are of this kind."""
        column = self.column[cell.id]
        told = self.table.tell(base, other, column)
        if told is None:
            return None
        at = (self.table.place(base, other), column)
        return Comparison(
            base=base,
            other=other,
            cell=cell.id,
            kernel=cell.kernel,
            size_bytes=cell.size_bytes,
            ranks=cell.ranks,
            options=cell.options,
            ratio=told.ratio.ratio,
            ratio_low=told.ratio.low,
            ratio_high=told.ratio.high,
            verdict=told.word,
            reason=self._reason(told, base, other, cell.id, forecast=forecast),
            p_value=told.ratio.p_value,
            p_adjusted=told.p_adjusted,
            rounds=told.ratio.rounds,
            settled=bool(self.settled[at]),
            tails=self.tails.compare(base, other, cell.id) if self.tails else (),
            mode=cell.mode,
            cache=cell.cache,
        )

    def _reason(self, told: PairVerdict, base: str, other: str, cell: int, *, forecast: bool) -> str:
        """Why it is undecided; '' where it is not."""
        column = self.column[cell]
        at = (self.table.place(base, other), column)
        if self.is_unlike(base, other, cell):
            first, second = (read_starts(self.cells[CellKey(stack, cell)]) for stack in (base, other))
            return describe_unlike(base, other, (first, second))
        if self.withdrawn[at]:
            return describe_doubt_of_clocks(told.ratio.ratio, float(self.clock_limits[at]))
        if self.unresolved[at]:
            return describe_doubt_of_steps(told.ratio.low, told.ratio.high)
        if told.word != "undecided":
            return ""
        if self.parted[at]:
            return describe_parts(int(self.parted[at]), *self._measure_parts(base, other, column))
        judged = self.table.judged
        doubt = Doubt(
            ratio=told.ratio,
            least_p=float(judged.least_p[at]),
            level=float(self.table.level[column]),
            family=judged.family,
            least_rounds=self.levels.least_rounds,
            resumed=self.levels.resumed,
            computed=self.exact_clock,
        )
        told_ahead = forecast and not self.uneven[at]
        rounds = self.table.log_ratios(base, other)[column] if told_ahead else np.zeros(0)
        return describe_doubt(doubt, rounds[np.isfinite(rounds)])

    def _measure_parts(self, base: str, other: str, column: int) -> tuple[float, float]:
        place = self.table.place(base, other), column
        return measure_parts(self.table.log_ratios(base, other)[column], int(self.parted[place]))

    def list_parted(self) -> Iterator[PartedPair]:
        """As ``VerdictFamily.parted``, of this kind."""
        for base, other in combinations(self.table.row, 2):
            for cell, column in self.column.items():
                rounds = int(self.parted[self.table.place(base, other), column])
                if rounds and not self.is_unlike(base, other, cell):
                    yield PartedPair(base, other, cell, rounds, *self._measure_parts(base, other, column))

    def typical_ratio(self, base: str, other: str, cells: Sequence[Cell]) -> Ratio | None:
        """As ``VerdictFamily.typical_ratio``."""
        columns = [self.column[cell.id] for cell in cells if not self.is_unlike(base, other, cell.id)]
        apart = self.table.log_ratios(base, other)[columns]
        rounds = apart[:, np.isfinite(apart).all(axis=0)].mean(axis=0) if columns else np.zeros(0)
        if rounds.size < pairwise.FEWEST_ROUNDS:
            return None
        return self._estimate(rounds, base, other, float(self._reach(base, other)[columns].mean()))

    def _estimate(self, rounds: np.ndarray, base: str, other: str, reach: float) -> Ratio:
        """The median of logarithms, shape (rounds,), with limits that reach further by what the clock's steps hide."""
        level, factor = 1 - self.levels.interval, self._factor(base, other)
        _, low, high = (float(limit[0]) for limit in pairwise.estimate_intervals(rounds[None, :], level, factor))
        ratio, least, most = (float(np.exp(one)) for one in (np.median(rounds), low - reach, high + reach))
        return Ratio(ratio, least, most, nan, int(rounds.size))

    def widen(self, one: Comparison, level: float) -> Comparison:
        """As ``VerdictFamily.widen``."""
        rounds = self.table.log_ratios(one.base, one.other)[self.column[one.cell]]
        low, high = (float(limit) for limit in interval_at(rounds[np.isfinite(rounds)], 1 - level))
        low, high = (one.ratio * (limit / one.ratio) ** self._factor(one.base, one.other) for limit in (low, high))
        reach = float(np.exp(self._reach(one.base, one.other)[self.column[one.cell]]))
        return evolve(one, ratio_low=low / reach, ratio_high=high * reach)

    def mean_ratios(self, base: str, weights: Mapping[int, float]) -> dict[str, MeanRatio]:
        """As ``VerdictFamily.mean_ratios``; rounds in which one of the two lacks a test are left out.

        So are tests in which they were started in different ways; of two that have such nothing is judged.
        """
        weight = np.array([weights.get(cell, 0.0) for cell in self.column])
        there = np.isfinite(self.table.values).any(axis=2)
        mine = there[self.table.row[base]] & (weight > 0)
        whole = [stack for stack, row in self.table.row.items() if there[row, mine].all()]
        judged = self._judge_means(whole, mine, weight) if mine.any() and len(whole) > 1 else None
        found = {}
        for stack, row in self.table.row.items():
            unlike = self.unlike[self.table.row[base], row]
            both = mine & there[row] & ~unlike
            if stack == base or not both.any():
                continue
            apart = self.table.log_ratios(base, stack)[both]
            rounds = weight[both] @ apart[:, np.isfinite(apart).all(axis=0)] / weight[both].sum()
            if rounds.size >= pairwise.FEWEST_ROUNDS:
                is_judged = judged and stack in whole and not (mine & unlike).any()
                told = judged.tell(base, stack, 0) if judged and is_judged else None
                reach = float(weight[both] @ self._reach(base, stack)[both] / weight[both].sum())
                shown = told.ratio if told else self._estimate(rounds, base, stack, reach)
                counts = int(both.sum()), int(rounds.size)
                found[stack] = MeanRatio(shown.ratio, shown.low, shown.high, told.word if told else "", *counts)
        return found

    def _judge_means(self, stacks: Sequence[str], mine: np.ndarray, weight: np.ndarray) -> PairTable:
        """One column: the weighted geometric mean of each stack, of the rounds in which it has every test."""
        logs = np.log(self.table.values[[self.table.row[stack] for stack in stacks]][:, mine])
        shares = weight[mine] / weight[mine].sum()
        means = np.exp(np.einsum("c,scr->sr", shares, logs))
        whole = self.table.judged.memory
        memory = evolve(whole, factors=whole.of(np.array([self.table.row[stack] for stack in stacks])))
        table = PairTable.of(stacks, means[:, None, :], self.levels, exact_clock=self.exact_clock, memory=memory)
        rows = [self.table.row[stack] for stack in stacks]
        steps, clocks = (bounds[rows][:, mine] @ shares for bounds in (self.steps, self.clocks))
        kept = withdraw_doubtful(allow_for_steps(table, steps[:, None]), clocks[:, None])
        return withdraw_parted(kept, find_parted_pairs(kept, self.breaks) > 0)

    def places(self) -> Iterator[tuple[CellKey, Place]]:
        """The place of each stack of this kind in each cell."""
        rows = self.table.row
        marked = pairwise.best(self.table.judged, len(rows))
        highest, lowest = pairwise.ranks(self.table.judged, len(rows))
        for stack, row in rows.items():
            for cell, column in self.column.items():
                if lowest[row, column]:
                    at = row, column
                    leads = marked[at] and marked[:, column].sum() == 1 and lowest[at] == 1
                    lead = self._lead(row, column) if leads else (nan, nan, nan)
                    yield CellKey(stack, cell), Place(bool(marked[at]), int(highest[at]), int(lowest[at]), *lead)

    def words(self) -> Iterator[tuple[Asked, Word]]:
        """As ``VerdictFamily.words``, of this kind."""
        for base, other in combinations(self.table.row, 2):
            for cell, column in self.column.items():
                if (told := self.table.tell(base, other, column)) is not None:
                    yield (base, other, cell, MEDIANS), told.word
                    for tail in self.tails.compare(base, other, cell) if self.tails else ():
                        yield (base, other, cell, tail.quantile), tail.verdict

    def _lead(self, row: int, column: int) -> tuple[float, float, float]:
        """Ratio of the nearest rival, and an interval of the least ratio of all rivals.

        Asked where every rival was found to be slower, so it is 1 at least. The lower limit is the least of all, each
        of them that of a difference that was found: it is false only if that of the rival that is the nearest in truth
        is. The upper one would be false if that of any rival as near were, so each has its share of the level (Dunn
        1961).
        """
        names, logs = list(self.table.row), np.log(self.table.values[:, column])
        told = {other: self.table.tell(names[row], names[other], column) for other in range(len(names)) if other != row}
        shown = {other: one.ratio for other, one in told.items() if one is not None}
        rivals, ratios = list(shown), [one.ratio for one in shown.values()]
        factor = self.table.judged.memory.between(np.array(rivals), np.array(row))
        level = 1 - self.levels.interval / len(rivals)
        _, high = pairwise.interval_limits(logs[rivals] - logs[row], np.log(ratios), level, factor)
        most = float(np.exp(np.nanmin(high + self.steps[rivals, column] + self.steps[row, column])))
        nearest, least = min(ratios), min(one.low for one in shown.values())
        return nearest, max(least, 1.0), max(most, nearest)


def _find_settled(table: PairTable, precision: float) -> np.ndarray:
    """By intervals that are wide enough for a run to choose its end by them (``group_sequential.STOPPING_LEVEL``).

    What lies apart from one is not settled before a verdict says so, for more rounds bring that verdict.
    """
    logs = np.log(table.values)
    apart = (logs[table.judged.second] - logs[table.judged.first]).reshape(-1, logs.shape[2])
    middle = np.log(table.judged.ratio).ravel()
    factor = np.repeat(table.factor, logs.shape[1])
    low, high = pairwise.interval_limits(apart, middle, 1 - STOPPING_LEVEL, factor, by_order=True)
    settled = is_settled(np.exp(low), np.exp(high), precision)
    decided = table.judged.word.ravel() != pairwise.UNDECIDED
    apart_from_one = np.minimum(np.abs(low), np.abs(high)) * (np.sign(low) == np.sign(high)) > np.log1p(pairwise.MARGIN)
    return np.asarray(settled & (decided | ~apart_from_one)).reshape(table.judged.word.shape)
