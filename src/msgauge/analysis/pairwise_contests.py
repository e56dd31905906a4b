"""Stacks that take over from each other with size and of which neither is the base: their comparisons. Pure.

The tables compare every stack with the base. Where the fastest stack changes from one that is not the base to another
that is not, no row of them shows it; the rounds are paired all the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import comb

import numpy as np

from msgauge.analysis.comparisons import pair_cells
from msgauge.analysis.verdicts import Compared, judge_ratios
from msgauge.model import Cell, CellKey, Comparison, Plan
from msgauge.results.dataset import CellSamples

Delivered = Mapping[CellKey, CellSamples]


def find_contests(plan: Plan, delivered: Delivered, comparisons: Sequence[Comparison]) -> tuple[Comparison, ...]:
    """Every two stacks of which one succeeds the other as the fastest while sizes grow, at all sizes that both have.

    ``comparisons``: those with a base; none of them is repeated. Holm's correction is over all cells of every two
    stacks that could have been picked, because these were picked by their times.
    """
    others: dict[str, dict[str, None]] = {}
    for one in comparisons:
        others.setdefault(one.base, {})[one.other] = None
    found: list[Compared] = []
    possible = 0
    for base, field in others.items():
        for cells in _rows(plan):
            possible += comb(len(field), 2) * len(cells)
            pairs = {frozenset(pair): pair for pair in _successions(cells, (base, *field), delivered)}
            for pair in pairs.values():
                if base not in pair:
                    found.extend(_compare_pair(pair, cells, delivered))
    return judge_ratios(found, at_least=possible)


def _rows(plan: Plan) -> list[list[Cell]]:
    """Cells that differ in size alone, by size."""
    rows: dict[tuple[object, ...], list[Cell]] = {}
    for cell in plan.cells:
        rows.setdefault(cell.row, []).append(cell)
    return [sorted(row, key=lambda cell: cell.size_bytes) for row in rows.values()]


def _successions(cells: Sequence[Cell], stacks: Sequence[str], delivered: Delivered) -> Iterator[tuple[str, str]]:
    """The fastest stack and the one that takes its place, whenever that one's whole interval lies below it.

    A stack that is ahead within the noise takes no place: else it would hide who came before from who comes after.
    """
    fastest = ""
    for cell in cells:
        here = {stack: delivered[key] for stack in stacks if (key := CellKey(stack, cell.id)) in delivered}
        if not here:
            continue
        next_one = min(here, key=lambda stack: float(np.median(here[stack].medians_ns)))
        if fastest not in here:
            fastest = next_one
        elif next_one != fastest and pair_cells(here[fastest], here[next_one]).high < 1:
            yield fastest, next_one
            fastest = next_one


def _compare_pair(pair: tuple[str, str], cells: Sequence[Cell], delivered: Delivered) -> Iterator[Compared]:
    base, other = pair
    for cell in cells:
        here, there = delivered.get(CellKey(base, cell.id)), delivered.get(CellKey(other, cell.id))
        if here is not None and there is not None:
            yield base, other, cell, pair_cells(here, there)
