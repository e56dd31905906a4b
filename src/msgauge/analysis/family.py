"""All stacks of a run against each other in all cells: one family, of which every verdict, mark and rank is read.

A base only chooses which comparisons are displayed. Measured stacks are one family, simulated ones another.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from math import nan

import numpy as np
from attrs import frozen

from msgauge.analysis.doubt import Doubt, describe_doubt
from msgauge.model import Cell, CellKey, Comparison, Place
from msgauge.results.dataset import Dataset
from msgauge.stats import pairwise
from msgauge.stats.group_sequential import STOPPING_LEVEL
from msgauge.stats.pairwise import Pairwise
from msgauge.stats.ratio import Ratio
from msgauge.stats.stopping import is_settled


@frozen
class Levels:
    """``table``: chance of error of all verdicts together; ``interval``: that of one interval by itself."""

    table: float = pairwise.LEVEL
    interval: float = pairwise.INTERVAL_LEVEL
    least_rounds: int = 6
    """Fewer rounds show no difference at the level of the table."""


@frozen(eq=False)
class Family:
    """Every two stacks of a run in every cell, judged together."""

    kinds: tuple[_Kind, ...]

    def compare(self, base: str, other: str, cell: Cell, *, forecast: bool = False) -> Comparison | None:
        """What may be said of ``other`` against ``base``; None where they are of two kinds or one was not measured.

        ``forecast``: the reason of what is undecided says after how many rounds it would be told, where that can be.
        """
        kind = next((kind for kind in self.kinds if {base, other} <= kind.row.keys()), None)
        return kind.compare(base, other, cell, forecast=forecast) if kind else None

    def typical_ratio(self, base: str, other: str, cells: Sequence[Cell]) -> Ratio | None:
        """Geometric mean of the ratios in these cells, with the interval of its rounds; None below two of them.

        Of rounds in which both stacks have all of these cells.
        """
        kind = next((kind for kind in self.kinds if {base, other} <= kind.row.keys()), None)
        return kind.typical_ratio(base, other, cells) if kind else None

    @cached_property
    def places(self) -> Mapping[CellKey, Place]:
        """The place of each stack in each cell in which there are two or more."""
        return dict(place for kind in self.kinds for place in kind.places())

    @property
    def contests(self) -> int:
        """How many comparisons were corrected for."""
        return sum(kind.judged.family for kind in self.kinds)


def judge_family(dataset: Dataset, levels: Levels) -> Family:
    """All pairs of measured stacks in all cells, and of simulated ones, each judged as one table."""
    plan = dataset.plan
    measured = {key.stack for key in dataset.cells}
    among = [
        tuple(stack for stack in plan.stacks if stack in measured and (stack in dataset.simulated) is simulated)
        for simulated in (False, True)
    ]
    return Family(tuple(_Kind.of(stacks, dataset, levels) for stacks in among if len(stacks) > 1))


def launch_table(
    values: Mapping[CellKey, tuple[np.ndarray, np.ndarray]], stacks: Sequence[str], cells: Sequence[Cell]
) -> np.ndarray:
    """One value a launch as an array (stacks, cells, rounds), nan where there is none.

    ``values``: what pairs launches (``dataset.Series.pairs``) and the value of each, both of shape (launches,).
    """
    mine = {
        CellKey(stack, cell.id): (row, column) for row, stack in enumerate(stacks) for column, cell in enumerate(cells)
    }
    there = {key: values[key] for key in mine if key in values}
    rounds = np.unique(np.concatenate([pairs for pairs, _ in there.values()])) if there else np.zeros(0, dtype=int)
    table = np.full((len(stacks), len(cells), rounds.size), np.nan)
    for key, (pairs, found) in there.items():
        table[(*mine[key], np.searchsorted(rounds, pairs))] = found
    return table


@frozen(eq=False)
class _Kind:
    """The stacks of one kind, measured or simulated."""

    row: Mapping[str, int]
    column: Mapping[int, int]
    logs: np.ndarray
    """Logarithms of launch medians, shape (stacks, cells, rounds), nan where there is none."""
    judged: Pairwise
    settled: np.ndarray
    """Whether more rounds would add nothing that matters, shape (pairs, cells)."""
    pair: Mapping[tuple[int, int], int]
    least_rounds: int

    @classmethod
    def of(cls, stacks: Sequence[str], dataset: Dataset, levels: Levels) -> _Kind:
        cells = dataset.plan.cells
        values = {key: (one.compared.pairs, one.medians_ns) for key, one in dataset.cells.items()}
        times = launch_table(values, stacks, cells)
        still = all(stack in dataset.simulated for stack in stacks)
        judged = pairwise.judge_pairs(times, level=levels.table, interval_level=levels.interval, exact_clock=still)
        logs = np.log(np.where(times > 0, times, np.nan))
        pairs = {
            (int(one), int(other)): at for at, (one, other) in enumerate(zip(judged.first, judged.second, strict=True))
        }
        settled = _settled(logs, judged, dataset.plan.stopping.ratio_precision)
        rows = {stack: row for row, stack in enumerate(stacks)}
        return cls(
            rows,
            {cell.id: column for column, cell in enumerate(cells)},
            logs,
            judged,
            settled,
            pairs,
            levels.least_rounds,
        )

    def compare(self, base: str, other: str, cell: Cell, *, forecast: bool) -> Comparison | None:
        """As ``Family.compare``; both stacks are of this kind."""
        one, two, column = self.row[base], self.row[other], self.column[cell.id]
        if not all(np.isfinite(self.logs[row, column]).any() for row in (one, two)):
            return None
        turned = one > two
        at = (self.pair[min(one, two), max(one, two)], column)
        ratio, low, high = (float(limit[at]) for limit in (self.judged.ratio, self.judged.low, self.judged.high))
        if turned:
            ratio, low, high = 1 / ratio, 1 / high, 1 / low
        code = int(self.judged.word[at])
        word = pairwise.WORDS[_TURNED[code] if turned else code]
        return Comparison(
            base=base,
            other=other,
            cell=cell.id,
            kernel=cell.kernel,
            size_bytes=cell.size_bytes,
            ranks=cell.ranks,
            options=cell.options,
            ratio=ratio,
            ratio_low=low,
            ratio_high=high,
            verdict=word,
            reason=""
            if code
            else self._reason(at, (one, two), Ratio(ratio, low, high, nan, int(self.judged.rounds[at])), forecast),
            p_value=float(self.judged.p_alone[at]),
            p_adjusted=float(self.judged.p_different[at]),
            rounds=int(self.judged.rounds[at]),
            settled=bool(self.settled[at]),
        )

    def _reason(self, at: tuple[int, int], rows: tuple[int, int], ratio: Ratio, forecast: bool) -> str:
        base, other = rows
        apart = self.logs[other, at[1]] - self.logs[base, at[1]]
        doubt = Doubt(ratio, float(self.judged.least_p[at]), self.judged.level, self.judged.family, self.least_rounds)
        return describe_doubt(doubt, apart[np.isfinite(apart)] if forecast else None)

    def typical_ratio(self, base: str, other: str, cells: Sequence[Cell]) -> Ratio | None:
        """As ``Family.typical_ratio``."""
        columns = [self.column[cell.id] for cell in cells]
        apart = (self.logs[self.row[other]] - self.logs[self.row[base]])[columns]
        rounds = apart[:, np.isfinite(apart).all(axis=0)].mean(axis=0)
        if rounds.size < pairwise.FEWEST_ROUNDS:
            return None
        limits = pairwise.estimate_intervals(rounds[None, :], 1 - pairwise.INTERVAL_LEVEL)
        ratio, low, high = (float(np.exp(limit[0])) for limit in limits)
        return Ratio(ratio, low, high, nan, int(rounds.size))

    def places(self) -> Iterator[tuple[CellKey, Place]]:
        """The place of each stack of this kind in each cell."""
        marked = pairwise.best(self.judged, len(self.row))
        highest, lowest = pairwise.ranks(self.judged, len(self.row))
        for stack, row in self.row.items():
            for cell, column in self.column.items():
                if lowest[row, column]:
                    at = row, column
                    lead = self._lead(row, column) if marked[at] and marked[:, column].sum() == 1 else (nan, nan, nan)
                    yield CellKey(stack, cell), Place(bool(marked[at]), int(highest[at]), int(lowest[at]), *lead)

    def _lead(self, row: int, column: int) -> tuple[float, float, float]:
        """Ratio of the nearest rival, and the least limits of the intervals of all rivals."""
        judged = self.judged
        behind, before = judged.first == row, judged.second == row
        limits = [np.concatenate([judged.ratio[behind, column], 1 / judged.ratio[before, column]])]
        limits += [np.concatenate([judged.low[behind, column], 1 / judged.high[before, column]])]
        limits += [np.concatenate([judged.high[behind, column], 1 / judged.low[before, column]])]
        middle, low, high = (float(np.nanmin(limit)) for limit in limits)
        return middle, low, high


_TURNED = {
    pairwise.UNDECIDED: pairwise.UNDECIDED,
    pairwise.FASTER: pairwise.SLOWER,
    pairwise.SLOWER: pairwise.FASTER,
    pairwise.EQUIVALENT: pairwise.EQUIVALENT,
}


def _settled(logs: np.ndarray, judged: Pairwise, precision: float) -> np.ndarray:
    """By intervals that are wide enough for a run to choose its end by them (``group_sequential.STOPPING_LEVEL``)."""
    apart = (logs[judged.second] - logs[judged.first]).reshape(-1, logs.shape[2])
    _, low, high = pairwise.estimate_intervals(apart, 1 - STOPPING_LEVEL)
    return is_settled(np.exp(low), np.exp(high), precision).reshape(judged.word.shape)
