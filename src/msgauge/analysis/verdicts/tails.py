"""Tails of launches, P95 and P99, compared as medians are: one value a launch, paired in rounds, all pairs together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from attrs import frozen

from msgauge.analysis.verdicts.clock_errors import log_bounds, withdraw_doubtful
from msgauge.analysis.verdicts.clock_steps import allow_for_steps, bound_steps
from msgauge.analysis.verdicts.pair_table import Levels, PairTable, tabulate
from msgauge.analysis.verdicts.round_starts import find_unlike, withdraw_unlike
from msgauge.model import CellKey, TailComparison
from msgauge.results.dataset import CellSamples, Dataset
from msgauge.stats.launch_quantiles import LaunchTails, tails_of_equal_counts

QUANTILES = {"p95": 0.95, "p99": 0.99}


@frozen(eq=False)
class TailTable:
    """The tails of all stacks of one kind in all cells whose every operation was timed; one family."""

    column: Mapping[tuple[int, str], int]
    """By the number of the cell and the name of the quantile."""
    table: PairTable
    stretches: PairTable
    """In multiples of the median of the same operations, a family beside: for what is said beyond medians."""

    @classmethod
    def of(cls, stacks: Sequence[str], dataset: Dataset, levels: Levels, *, exact_clock: bool) -> TailTable | None:
        """None where no cell has operations timed one by one, or no launch came to one that has."""
        cells = [cell.id for cell in dataset.plan.cells if cell.mode == "single"]
        if not cells:
            return None
        tails = dict(tail for cell in cells for tail in _take_tails(dataset.cells, stacks, cell))
        if not any(dataset.cells[key].compared.pairs.size for key in tails):
            return None
        quantiles = {key: one.quantiles for key, one in tails.items()}
        stretches = {key: one.quantiles / _positive_or_nan(one.medians) for key, one in tails.items()}
        places = ((cell, name) for name in QUANTILES for cell in cells)
        columns = {place: column for column, place in enumerate(places)}
        clocks = np.tile(log_bounds(dataset.cells, stacks, cells), len(QUANTILES))
        steps = np.tile(bound_steps(dataset, stacks, cells), len(QUANTILES))
        table = PairTable.of(stacks, _tabulate(quantiles, dataset, stacks, cells), levels, exact_clock=exact_clock)
        stretch = PairTable.of(stacks, _tabulate(stretches, dataset, stacks, cells), levels, exact_clock=exact_clock)
        table, stretch = allow_for_steps(table, steps), allow_for_steps(stretch, 2 * steps)
        kept, kept_stretch = withdraw_doubtful(table, clocks), withdraw_doubtful(stretch, 2 * clocks)
        unlike = find_unlike(dataset.cells, stacks, cells)[table.judged.first, table.judged.second]
        unlike = np.tile(unlike, len(QUANTILES))
        return cls(columns, withdraw_unlike(kept, unlike), withdraw_unlike(kept_stretch, unlike))

    def compare(self, base: str, other: str, cell: int) -> tuple[TailComparison, ...]:
        """What may be said of the tails of ``other`` against those of ``base``; nothing where launches have none."""
        found = []
        for name in QUANTILES:
            if (cell, name) not in self.column:
                continue
            told, stretch = (table.tell(base, other, self.column[cell, name]) for table in (self.table, self.stretches))
            if told is not None:
                ratio, word = told.ratio, stretch.word if stretch else "undecided"
                limits = ratio.ratio, ratio.low, ratio.high
                found.append(TailComparison(name, *limits, told.word, told.p_adjusted, ratio.rounds, word))
        return tuple(found)


def _take_tails(
    cells: Mapping[CellKey, CellSamples], stacks: Sequence[str], cell: int
) -> Iterator[tuple[CellKey, LaunchTails]]:
    """Those of all stacks in a cell by as many operations of each, in ns."""
    keys = [key for stack in stacks if (key := CellKey(stack, cell)) in cells]
    launches = [[frame.compared / frame.divisor for frame in cells[key].frames] for key in keys]
    yield from zip(keys, tails_of_equal_counts(launches, tuple(QUANTILES.values())), strict=True)


def _positive_or_nan(medians_ns: np.ndarray) -> np.ndarray:
    """Nan for a median of zero, below what the clock resolves."""
    return np.where(medians_ns > 0, medians_ns, np.nan)


def _tabulate(
    tails: Mapping[CellKey, np.ndarray], dataset: Dataset, stacks: Sequence[str], cells: Sequence[int]
) -> np.ndarray:
    """As ``tabulate``, the cells of each quantile one after another; ``tails``: shape (quantiles, launches) each."""
    tables = (
        tabulate({key: (dataset.cells[key].compared.pairs, one[at]) for key, one in tails.items()}, stacks, cells)
        for at in range(len(QUANTILES))
    )
    return np.concatenate(tuple(tables), axis=1)
