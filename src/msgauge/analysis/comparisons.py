"""Every stack against one base, cell by cell, paired in rounds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from math import nan

import numpy as np

from msgauge.analysis.verdicts import Compared, judge_ratios
from msgauge.model import Cell, CellKey, Comparison, Estimate, Plan
from msgauge.results.dataset import CellSamples, Dataset
from msgauge.stats.ratio import Ratio, compare

Cells = Mapping[CellKey, CellSamples]


def compare_stacks(dataset: Dataset, estimates: Sequence[Estimate]) -> tuple[Comparison, ...]:
    """Base against every other stack in every cell, measured ones and simulated ones each among themselves.

    The family for Holm's correction is all of them: they are shown in one table.
    """
    found: list[Compared] = [
        (base.key.stack, other.key.stack, cell, pair_cells(base, other))
        for cell, base, other in list_pairs(dataset, estimates)
    ]
    return judge_ratios(found)


def list_pairs(dataset: Dataset, estimates: Sequence[Estimate]) -> Iterator[tuple[Cell, CellSamples, CellSamples]]:
    """The cell, the base and the other of every comparison."""
    plan, cells = dataset.plan, dataset.cells
    kinds = (
        [stack for stack in plan.stacks if stack not in dataset.simulated],
        [stack for stack in plan.stacks if stack in dataset.simulated],
    )
    for among in kinds:
        base = choose_base(plan, estimates, among)
        for cell in plan.cells:
            for other in among:
                pair = cells.get(CellKey(base, cell.id)), cells.get(CellKey(other, cell.id))
                if other != base and pair[0] is not None and pair[1] is not None:
                    yield cell, pair[0], pair[1]


def choose_base(plan: Plan, estimates: Sequence[Estimate], among: Sequence[str]) -> str:
    """The stack the others are compared with: the plan's, or the one with the lowest median in most cells.

    '' when none of ``among`` was measured. Ties go to the one named first.
    """
    measured = [one for one in estimates if not one.failed and one.stack in among]
    if any(one.stack == plan.base for one in measured):
        return plan.base
    best: dict[int, Estimate] = {}
    for one in measured:
        if one.cell not in best or one.median_ns < best[one.cell].median_ns:
            best[one.cell] = one
    wins = Counter(one.stack for one in best.values())
    return max(among, key=lambda stack: wins[stack]) if wins else ""


def pair_cells(base: CellSamples, other: CellSamples) -> Ratio:
    """The ratio of two stacks over the rounds in which both were launched. This pairing is what cancels drift."""
    first, second = pair_medians(base, other)
    return compare(first, second) if first.size else Ratio(nan, nan, nan, nan, 0)


def pair_medians(base: CellSamples, other: CellSamples) -> tuple[np.ndarray, np.ndarray]:
    """Positive launch medians of both over the rounds that they share, each of shape (rounds,), ns per event."""
    here, there = base.compared, other.compared
    first, second = here.medians_ns, there.medians_ns
    if not np.array_equal(here.pairs, there.pairs):
        _, ours, theirs = np.intersect1d(here.pairs, there.pairs, assume_unique=True, return_indices=True)
        first, second = first[ours], second[theirs]
    counted = (first > 0) & (second > 0)
    return first[counted], second[counted]
