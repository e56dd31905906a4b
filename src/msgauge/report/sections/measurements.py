"""The figures and the table of each kernel: time, bandwidth, ratio and distribution of samples."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from attrs import frozen
from markupsafe import Markup

from msgauge import units
from msgauge.model import KernelKind
from msgauge.report import phrasing, secondary_series
from msgauge.report.detail import Omission
from msgauge.report.figures.figure import Figure
from msgauge.report.figures.grid_charts import figures_of, grid_figures
from msgauge.report.grid import Entry, Flag, Grid, Shown, make_grids
from msgauge.report.page_figure import PageFigure, draw, size_bytes
from msgauge.report.template import fill
from msgauge.report.text_table import TextTable
from msgauge.report.view import RunView

order = 20
title = "Measurements"
brief = True
shares_room_from = 3
_ONE_WIDTH, _NO_DISTRIBUTIONS, _NO_TABLES, _NOTHING = 1, 2, 4, 5
"""The levels of detail from which on wide drawings, distributions, tables and the whole section are left out."""


@frozen
class TablePlace:
    """One place of the table, as text: mark, number, interval, flags, and the whole as a sentence."""

    standing: str
    mark: str
    number: str
    interval: str
    flags: str
    tip: str


@frozen
class MeasurementBlock:
    """One grid on the page."""

    grid: Grid
    meaning: str
    source: str
    note: str
    main: tuple[PageFigure, ...]
    more: tuple[PageFigure, ...]
    samples: tuple[PageFigure, ...]
    columns: tuple[tuple[str, str], ...]
    rows: tuple[tuple[str, tuple[TablePlace, ...]], ...]
    others: TextTable | None


def applies(view: RunView) -> bool:
    """Whether anything was measured, and the page has room for single kernels."""
    return view.detail < _NOTHING and any(
        _belongs_here(grid) for grid in make_grids(view.plan, view.analysis, view.kernels)
    )


def omissions(view: RunView) -> tuple[Omission, ...]:  # noqa: ARG001 - the interface of a section
    """Single kernels are left out first: wide drawings, distributions, figures, tables."""
    return (
        Omission("wide drawings", _ONE_WIDTH, _NOTHING),
        Omission("the distributions of samples", _NO_DISTRIBUTIONS, _NOTHING),
        Omission("the figures of later kernels", shares_room_from, _NOTHING),
        Omission("the tables of single kernels", _NO_TABLES, _NOTHING),
        Omission("the figures and tables of single kernels", _NOTHING),
    )


def figures(view: RunView) -> Iterator[Figure]:
    """Every figure of every kernel."""
    return figures_of(view)


def render(view: RunView) -> Markup:
    """Each grid with its figures and the table behind them."""
    measured = [grid for grid in make_grids(view.plan, view.analysis, view.kernels) if _belongs_here(grid)]
    blocks, left = [], view.room_bytes
    for grid in measured:
        drawings = _drawings(grid, view) if left > 0 else ()
        taken = sum(map(size_bytes, drawings))
        blocks.append(_block(grid, view, drawings if taken <= left else ()))
        left -= taken
    used = {flag for grid in measured for entry in grid.entries if entry.estimate for flag in entry.flags}
    key = [(mark, phrasing.STANDING_MEANINGS[name]) for name, mark in phrasing.STANDING_MARKS.items()]
    key += [(mark, phrasing.FLAG_MEANINGS[flag]) for flag, mark in phrasing.FLAG_MARKS.items() if flag in used]
    return fill(
        "measurements.html",
        blocks=blocks,
        key=key,
        about_others=secondary_series.MEANING,
        interval_meaning=phrasing.describe_interval(view.analysis.interval_level),
    )


def _belongs_here(grid: Grid) -> bool:
    """Programs have a section of their own."""
    return any(entry.estimate for entry in grid.entries) and grid.kernel.kind is not KernelKind.PROGRAM


def _drawings(grid: Grid, view: RunView) -> tuple[PageFigure, ...]:
    """The first drawing wide too, and how samples spread, where the level of detail has room for them."""
    curves: list[PageFigure] = []
    samples: list[PageFigure] = []
    for figure in grid_figures(grid, view):
        if figure.kind != "samples":
            curves.append(draw(figure, wide=view.detail < _ONE_WIDTH and not curves))
        elif view.detail < _NO_DISTRIBUTIONS:
            samples.append(draw(figure))
    return (*curves, *samples)


def _block(grid: Grid, view: RunView, drawings: Sequence[PageFigure]) -> MeasurementBlock:
    main = tuple(one for one in drawings if one.wide)
    notes = phrasing.column_notes(grid)
    said = {stack: frozenset(flags) | grid.shared for stack, flags in notes.items()}
    return MeasurementBlock(
        grid=grid,
        meaning=grid.kernel.meaning,
        source=grid.kernel.source,
        note=phrasing.describe_heading(grid),
        main=main,
        more=tuple(one for one in drawings if one.kind != "samples" and one not in main),
        samples=tuple(one for one in drawings if one.kind == "samples"),
        columns=tuple((stack, ", ".join(flags)) for stack, flags in notes.items()),
        rows=tuple(
            (units.format_size(row[0].cell.size_bytes), tuple(_place(e, grid.shown, said) for e in row))
            for row in (grid.rows if view.detail < _NO_TABLES else ())
        ),
        others=secondary_series.make_table(grid) if view.detail < _NO_TABLES else None,
    )


def _place(entry: Entry, shown: Shown, said: dict[str, frozenset[Flag]]) -> TablePlace:
    number, interval = phrasing.format_entry(entry, shown)
    return TablePlace(
        standing=entry.standing,
        mark=phrasing.STANDING_MARKS.get(entry.standing, ""),
        number=number,
        interval=interval,
        flags=phrasing.format_marks(entry, said[entry.stack]),
        tip=entry.reason if entry.estimate is None else "",
    )
