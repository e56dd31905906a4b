"""Stacks that take over from each other with size and of which neither is the base: their comparisons. Pure.

The tables compare every stack with the base. Where the fastest stack changes from one that is not the base to another
that is not, no row of them shows it; the family of all pairs holds it all the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgauge.analysis.verdicts.verdict_family import VerdictFamily
from msgauge.model import Cell, CellKey, Comparison, Estimate, Plan


def find_contests(
    plan: Plan, estimates: Sequence[Estimate], comparisons: Sequence[Comparison], family: VerdictFamily
) -> tuple[Comparison, ...]:
    """Every two stacks of which one succeeds the other as the fastest while sizes grow, at all sizes that both have.

    ``comparisons``: those with a base; none of them is repeated.
    """
    medians = {one.key: one.median_ns for one in estimates if not one.failed}
    others: dict[str, dict[str, None]] = {}
    for one in comparisons:
        others.setdefault(one.base, {})[one.other] = None
    found: list[Comparison] = []
    for base, field in others.items():
        for cells in _rows(plan):
            pairs = {frozenset(pair): pair for pair in _successions(cells, (base, *field), medians, family)}
            for pair in pairs.values():
                if base not in pair:
                    told = (family.compare(*pair, cell) for cell in cells)
                    found.extend(one for one in told if one is not None)
    return tuple(found)


def _rows(plan: Plan) -> list[list[Cell]]:
    """Cells that differ in size alone, by size."""
    rows: dict[tuple[object, ...], list[Cell]] = {}
    for cell in plan.cells:
        rows.setdefault(cell.row, []).append(cell)
    return [sorted(row, key=lambda cell: cell.size_bytes) for row in rows.values()]


def _successions(
    cells: Sequence[Cell], stacks: Sequence[str], medians: dict[CellKey, float], family: VerdictFamily
) -> Iterator[tuple[str, str]]:
    """The fastest stack and the one that takes its place, whenever that one is said to be faster than it.

    A stack that is ahead within the noise takes no place: else it would hide who came before from who comes after.
    """
    fastest = ""
    for cell in cells:
        here = {stack: medians[key] for stack in stacks if (key := CellKey(stack, cell.id)) in medians}
        if not here:
            continue
        next_one = min(here, key=here.__getitem__)
        if fastest not in here:
            fastest = next_one
            continue
        told = family.compare(fastest, next_one, cell) if next_one != fastest else None
        if told is not None and told.verdict == "faster":
            yield fastest, next_one
            fastest = next_one
