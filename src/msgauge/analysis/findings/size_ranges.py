"""Neighbouring sizes of a row of tests that one sentence can speak of."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from math import log
from typing import TypeAlias

from attrs import frozen

from msgauge.model import Comparison, Estimate, Pairs, Word
from msgauge.units import format_size

LEAP = 2.0
"""Neighbours whose ratios differ by more than this stand in different sentences."""
MOST_SIZES = 4
"""So many sizes are named; more are counted."""

Row: TypeAlias = tuple[str, int, Pairs, str, str]
"""Kernel, number of processes, options, mode and cache: what differs in size alone."""
Widen = Callable[[Sequence[Comparison], float], Sequence[Comparison]]
"""Gives comparisons intervals that miss in so small a share each (``VerdictFamily.widen``)."""


@frozen
class Intervals:
    """``level``: of the interval of each ratio; ``widen``: to others, for what is said of several sizes at once."""

    widen: Widen = lambda cells, _: cells
    level: float = 0.95


@frozen
class SizeRange:
    """Neighbouring sizes of one kernel with the same verdict and no leap between them, ascending."""

    cells: tuple[Comparison, ...]
    alone: bool
    """It covers all sizes of its kernel."""
    missing: tuple[int, ...]
    """Sizes of the run between its ends that were not compared."""
    intervals: Intervals

    @property
    def word(self) -> Word:
        return self.cells[0].verdict

    @property
    def first(self) -> Comparison:
        return self.cells[0]

    @property
    def last(self) -> Comparison:
        return self.cells[-1]


def group_by_size(comparisons: Sequence[Comparison]) -> list[tuple[Comparison, ...]]:
    """Comparisons that differ in size alone, ascending."""
    rows: dict[tuple[object, ...], list[Comparison]] = {}
    for one in comparisons:
        rows.setdefault(one.row, []).append(one)
    return [tuple(sorted(row, key=lambda one: one.size_bytes)) for row in rows.values()]


def list_sizes(estimates: Iterable[Estimate]) -> dict[Row, set[int]]:
    """The sizes of each row of the run, whichever stack has them."""
    sizes: dict[Row, set[int]] = {}
    for one in estimates:
        sizes.setdefault(_row_of(one), set()).add(one.size_bytes)
    return sizes


def find_missing(cells: Sequence[Comparison], sizes: Mapping[Row, set[int]]) -> tuple[int, ...]:
    """The sizes of the run beside those of the row ``cells``, ascending: they were not compared."""
    return tuple(sorted(sizes.get(_row_of(cells[0]), set()) - {one.size_bytes for one in cells}))


def name_missing(missing: Sequence[int]) -> str:
    """`` without 1 KiB, not compared``; '' for none."""
    if not missing:
        return ""
    named = ", ".join(map(format_size, missing)) if len(missing) <= MOST_SIZES else f"{len(missing)} of the sizes"
    return f" without {named}, not compared"


def _row_of(one: Estimate | Comparison) -> Row:
    return one.kernel, one.ranks, one.options, one.mode, one.cache


def split_into_ranges(
    cells: tuple[Comparison, ...], intervals: Intervals, sizes: Mapping[Row, set[int]]
) -> list[SizeRange]:
    """Split where the verdict changes, and where a difference leaps."""
    runs: list[list[Comparison]] = []
    for one in cells:
        before = runs[-1][-1] if runs else None
        if before is None or before.verdict != one.verdict or _is_leap(before, one):
            runs.append([])
        runs[-1].append(one)
    missing = find_missing(cells, sizes)
    return [
        SizeRange(
            tuple(run),
            alone=len(runs) == 1,
            missing=tuple(size for size in missing if run[0].size_bytes < size < run[-1].size_bytes),
            intervals=intervals,
        )
        for run in runs
    ]


def _is_leap(before: Comparison, after: Comparison) -> bool:
    return after.verdict in {"faster", "slower"} and abs(log(after.ratio / before.ratio)) > log(LEAP)
