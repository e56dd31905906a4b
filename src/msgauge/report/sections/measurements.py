"""The figures and the table of each kernel: time, bandwidth, ratio and the spread of samples."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from attrs import frozen
from markupsafe import Markup

from msgauge import units
from msgauge.report import beside, words
from msgauge.report.drawn import Drawn, drawn, size_bytes
from msgauge.report.figure import Figure
from msgauge.report.grid import Entry, Flag, Grid, Shown, grids
from msgauge.report.sheet import Sheet
from msgauge.report.specs import figures_of, grid_figures
from msgauge.report.template import fill
from msgauge.report.view import RunView

order = 20
title = "Measurements"
_NO_TABLES, _NOTHING = 4, 5
"""The levels of detail from which on the tables of single kernels, and all of them, give way to the one table of all
numbers."""


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
    beside: Sheet | None


def applies(view: RunView) -> bool:
    """Whether anything was measured, and the page has room for single kernels."""
    return view.detail < _NOTHING and any(_belongs_here(grid) for grid in grids(view.plan, view.analysis, view.kernels))


def figures(view: RunView) -> Iterator[Figure]:
    """Every figure of every kernel."""
    return figures_of(view)


def render(view: RunView) -> Markup:
    """Each grid with its figures and the table behind them."""
    measured = [grid for grid in grids(view.plan, view.analysis, view.kernels) if _belongs_here(grid)]
    blocks, left = [], view.room_bytes
    for grid in measured:
        drawings = _drawings(grid, view) if left > 0 else ()
        taken = sum(map(size_bytes, drawings))
        blocks.append(_block(grid, view, drawings if taken <= left else ()))
        left -= taken
    used = {flag for grid in measured for entry in grid.entries if entry.estimate for flag in entry.flags}
    key = [(mark, words.STANDING_MEANINGS[name]) for name, mark in words.STANDING_MARKS.items()]
    key += [(mark, words.FLAG_MEANINGS[flag]) for flag, mark in words.FLAG_MARKS.items() if flag in used]
    return fill("measurements.html", blocks=blocks, key=key, about_beside=beside.MEANING)


def _belongs_here(grid: Grid) -> bool:
    """Programs have a section of their own."""
    return any(entry.estimate for entry in grid.entries) and "serial" not in grid.kernel.series


def _drawings(grid: Grid, view: RunView) -> tuple[Drawn, ...]:
    """The first drawing wide too, and how samples spread, where the level of detail has room for them."""
    curves: list[Drawn] = []
    samples: list[Drawn] = []
    for figure in grid_figures(grid, view):
        if figure.kind != "samples":
            curves.append(drawn(figure, wide=view.detail < 1 and not curves))
        elif view.detail < 2:
            samples.append(drawn(figure))
    return (*curves, *samples)


def _block(grid: Grid, view: RunView, drawings: Sequence[Drawn]) -> Block:
    main = tuple(one for one in drawings if one.wide)
    said = {stack: frozenset(flags) | grid.shared for stack, flags in words.column_notes(grid).items()}
    return Block(
        grid=grid,
        meaning=grid.kernel.meaning,
        source=grid.kernel.source,
        note=words.heading_notes(grid),
        main=main,
        more=tuple(one for one in drawings if one.kind != "samples" and one not in main),
        samples=tuple(one for one in drawings if one.kind == "samples"),
        columns=tuple((stack, ", ".join(notes)) for stack, notes in words.column_notes(grid).items()),
        rows=tuple(
            (units.format_size(row[0].cell.size_bytes), tuple(_place(e, grid.shown, said) for e in row))
            for row in (grid.rows if view.detail < _NO_TABLES else ())
        ),
        beside=beside.sheet(grid) if view.detail < _NO_TABLES else None,
    )


def _place(entry: Entry, shown: Shown, said: dict[str, frozenset[Flag]]) -> Place:
    number, interval = words.value(entry, shown)
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
