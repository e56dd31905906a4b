"""The figures and the table of each kernel: time, bandwidth, ratio and the spread of samples."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import accumulate

from attrs import frozen
from markupsafe import Markup

from msgauge import units
from msgauge.report import words
from msgauge.report.drawn import Drawn, drawn
from msgauge.report.figure import Figure
from msgauge.report.grid import Entry, Flag, Grid, grids
from msgauge.report.specs import figures_of, grid_figures
from msgauge.report.template import fill
from msgauge.report.view import RunView

order = 20
title = "Measurements"
_DRAWN = (math.inf, math.inf, math.inf, 1000, 300)
"""Estimates that have figures, for each level of detail: those of the first kernels."""
_NO_TABLES = 4
"""The level of detail from which on the tables of sizes and stacks give way to the one table of all numbers."""


@frozen
class Place:
    """One place of the table, as text: mark, number, interval, flags, and the whole as a sentence."""

    standing: str
    mark: str
    number: str
    interval: str
    flags: str
    tip: str


@frozen
class Block:
    """One grid on the page."""

    grid: Grid
    meaning: str
    source: str
    note: str
    main: tuple[Drawn, ...]
    more: tuple[Drawn, ...]
    samples: tuple[Drawn, ...]
    columns: tuple[tuple[str, str], ...]
    rows: tuple[tuple[str, tuple[Place, ...]], ...]


def applies(view: RunView) -> bool:
    """Whether anything was measured."""
    return any(_belongs_here(grid) for grid in grids(view.plan, view.analysis, view.kernels))


def figures(view: RunView) -> Iterator[Figure]:
    """Every figure of every kernel."""
    return figures_of(view)


def render(view: RunView) -> Markup:
    """Each grid with its figures and the table behind them."""
    measured = [grid for grid in grids(view.plan, view.analysis, view.kernels) if _belongs_here(grid)]
    counts = accumulate(sum(entry.estimate is not None for entry in grid.entries) for grid in measured)
    blocks = [_block(grid, view, before <= _DRAWN[view.detail]) for grid, before in zip(measured, counts, strict=True)]
    used = {flag for grid in measured for entry in grid.entries if entry.estimate for flag in entry.flags}
    key = [(mark, words.STANDING_MEANINGS[name]) for name, mark in words.STANDING_MARKS.items()]
    key += [(mark, words.FLAG_MEANINGS[flag]) for flag, mark in words.FLAG_MARKS.items() if flag in used]
    return fill("measurements.html", blocks=blocks, key=key, detail=view.detail)


def _belongs_here(grid: Grid) -> bool:
    """Programs have a section of their own."""
    return any(entry.estimate for entry in grid.entries) and "serial" not in grid.kernel.series


def _block(grid: Grid, view: RunView, draw: bool) -> Block:
    drawings = list(grid_figures(grid, view)) if draw else []
    curves = [figure for figure in drawings if figure.kind != "samples"]
    samples = [figure for figure in drawings if figure.kind == "samples"] if view.detail < 2 else []
    said = {stack: frozenset(flags) | grid.shared for stack, flags in words.column_notes(grid).items()}
    return Block(
        grid=grid,
        meaning=grid.kernel.meaning,
        source=grid.kernel.source,
        note=words.heading_notes(grid),
        main=tuple(drawn(figure, wide=view.detail < 1) for figure in curves[:1]),
        more=tuple(drawn(figure) for figure in curves[1:]),
        samples=tuple(drawn(figure) for figure in samples),
        columns=tuple((stack, ", ".join(notes)) for stack, notes in words.column_notes(grid).items()),
        rows=tuple(
            (units.format_size(row[0].cell.size_bytes), tuple(_place(e, grid.bandwidth_first, said) for e in row))
            for row in (grid.rows if view.detail < _NO_TABLES else ())
        ),
    )


def _place(entry: Entry, rate: bool, said: dict[str, frozenset[Flag]]) -> Place:
    number, interval = words.value(entry, rate=rate)
    flags = "".join(
        mark for flag, mark in words.FLAG_MARKS.items() if flag in entry.flags and flag not in said[entry.stack]
    )
    return Place(
        standing=entry.standing,
        mark=words.STANDING_MARKS.get(entry.standing, ""),
        number=number,
        interval=interval,
        flags=flags,
        tip=entry.reason if entry.estimate is None else "",
    )
