"""The figures as Vega-Lite specifications: one description each, for the page and for paper.

A figure is made from a grid and a theme; its marks carry plain sentences as descriptions, which screen readers say and
the page shows as tooltips.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from msgauge import units
from msgauge.model import CellKey, Comparison
from msgauge.report import phrasing
from msgauge.report.figures import axis_labels, chart_parts
from msgauge.report.figures.chart_parts import clip_intervals, line_in_band, make_y_axis
from msgauge.report.figures.direct_labels import compose_labelled, make_room
from msgauge.report.figures.distributions import plot_distributions
from msgauge.report.figures.figure import Figure, Spec, make_axis
from msgauge.report.figures.theme import Theme, size_ticks, ticks
from msgauge.report.grid import Entry, Grid, Shown, amounts, make_grids
from msgauge.report.view import RunView
from msgauge.stats.pairwise import MARGIN

_SMALLEST_ZERO = 0.25


def figures_of(view: RunView) -> Iterator[Figure]:
    """Every figure over sizes, in the order in which the page shows them."""
    for grid in make_grids(view.plan, view.analysis, view.kernels):
        if any(entry.estimate for entry in grid.entries):
            yield from grid_figures(grid, view)


def grid_figures(grid: Grid, view: RunView) -> Iterator[Figure]:
    """Time against size, bandwidth against size, ratio, and the distributions at a few sizes."""
    wide = len([row for row in grid.rows if any(entry.estimate for entry in row)]) > 1
    if wide:
        yield plot_curve(grid, grid.shown)
        if grid.moves_bytes:
            yield plot_curve(grid, "time" if grid.shown == "bandwidth" else "bandwidth")
        if base_of(grid, view):
            yield plot_ratios(grid, view)
    yield from plot_distributions(grid, view)


def plot_curve(grid: Grid, shown: Shown) -> Figure:
    """Median of what is ``shown`` against size, both axes logarithmic, with the 95 % interval as a band."""
    what, label, ticked = _AXES[shown]
    points = clip_intervals([point for row in grid.rows for point in _curve_points(row, shown)])
    drawn, cut = chart_parts.list_drawn(points), chart_parts.name_cuts(points)
    return Figure(
        key=f"{grid.key}-{shown}",
        kind=shown,
        title=f"{grid.title}: {what.lower()} against size{cut}",
        short=f"{what} against size{cut}",
        text=f"{what} of {units.format_count(len(drawn), 'stack')} from {_span(points)}{cut}; "
        "the numbers are in the table below.",
        stacks=grid.stacks,
        make=lambda theme: _lines(grid, points, theme, (label, ticked, shown)),
        drawn=drawn,
    )


_AXES: dict[Shown, tuple[str, str, str]] = {
    "time": ("Time", "Time per event", axis_labels.TIME),
    "bandwidth": ("Bandwidth", "Bandwidth", axis_labels.BANDWIDTH),
    "messages": ("Messages per second", "Messages per second", axis_labels.MESSAGES),
}
"""Heading, title of the axis, and its labels."""


def plot_ratios(grid: Grid, view: RunView) -> Figure:
    """Time of each stack over that of the base, paired in rounds, with the margin of equivalence shaded."""
    base = base_of(grid, view)
    points = list(_ratio_points(grid, view, base))
    return Figure(
        key=f"{grid.key}-ratio",
        kind="ratio",
        title=f"{grid.title}: time relative to {phrasing.plain(base)}",
        short=f"Time relative to {phrasing.plain(base)}",
        text=f"Ratio of each stack's time to that of {phrasing.plain(base)}, from {_span(points)}; above 1 is slower.",
        stacks=grid.stacks,
        make=lambda theme: _ratio_spec(grid, points, theme),
        drawn=chart_parts.list_drawn(points),
    )


def base_of(grid: Grid, view: RunView) -> str:
    """The stack that the others of a grid were compared with; '' when nothing was compared."""
    cells = {row[0].cell.id for row in grid.rows}
    mine = (one for one in view.analysis.comparisons if one.cell in cells and one.base in grid.stacks)
    return next((one.base for one in mine if one.ratio > 0), "")


def _span(points: Sequence[Spec]) -> str:
    """The sizes at which something is drawn."""
    sizes = sorted({0 if point["x"] == _SMALLEST_ZERO else int(point["x"]) for point in points}) or [0]
    return f"{units.format_size(sizes[0])} to {units.format_size(sizes[-1])}"


def _curve_points(row: Sequence[Entry], shown: Shown) -> Iterator[Spec]:
    for index, entry in enumerate(row):
        estimate = entry.estimate
        if estimate is None:
            continue
        middle, low, high = amounts(entry, shown)
        if not middle > 0:
            continue
        number, interval = phrasing.format_entry(entry, shown)
        size = entry.cell.size_bytes
        said = ", ".join((f"{number} {interval}".strip(), f"{estimate.launches} launches", *entry.flags))
        text = f"{phrasing.plain(entry.stack)}\n{units.format_size(size)}: {said}"
        yield {"x": _x(size), "y": middle, "low": _or(low, middle), "high": _or(high, middle), "s": index, "d": text}


def _x(size_bytes: int) -> float:
    return float(size_bytes) or _SMALLEST_ZERO


def _or(value: float, instead: float) -> float:
    """A limit of an interval, endless ones too: they are cut off where the figure ends; ``instead`` where none is."""
    return instead if math.isnan(value) else value


def _ratio_points(grid: Grid, view: RunView, base: str) -> Iterator[Spec]:
    compared = {one.other_key: one for one in view.analysis.comparisons if one.base == base}
    for row in grid.rows:
        for index, entry in enumerate(row):
            one = compared.get(CellKey(entry.stack, entry.cell.id))
            if one is not None and one.ratio > 0:
                yield _ratio_point(entry, index, one)


def _ratio_point(entry: Entry, index: int, one: Comparison) -> Spec:
    ratio, interval = units.format_estimate(one.ratio, one.ratio_low, one.ratio_high)
    text = f"{phrasing.plain(entry.stack)}\n{units.format_size(entry.cell.size_bytes)}: "
    text += f"{ratio} × the time ({interval}), {one.verdict}, {one.rounds} rounds"
    return {
        "x": _x(entry.cell.size_bytes),
        "y": one.ratio,
        "low": _or(one.ratio_low, one.ratio),
        "high": _or(one.ratio_high, one.ratio),
        "s": index,
        "d": text,
        "sure": one.verdict in ("faster", "slower"),
    }


# --- specifications -------------------------------------------------------------------------------------------


def _lines(grid: Grid, points: list[Spec], whole: Theme, axis: tuple[str, str, Shown]) -> Spec:
    title, label, shown = axis
    theme = make_room(whole, grid.stacks, points)
    x, y = _x_axis(grid, points, theme), make_y_axis(points, title, label)
    if theme.direct:
        y = chart_parts.name_unit(y, shown)
    series = chart_parts.encode_drawn(grid.stacks, points, theme)
    point: Spec = {
        "mark": {"type": "point", "filled": True, "size": 30 if theme.narrow else 44, "opacity": 1},
        "encoding": {"x": x, "y": y, "color": series["color"], "shape": series["shape"], "description": {"field": "d"}},
    }
    return compose_labelled(points, [*line_in_band(x, y, series, theme), point], grid.stacks, y, (whole, theme))


def _ratio_spec(grid: Grid, points: list[Spec], whole: Theme) -> Spec:
    points = clip_intervals(points)
    theme = make_room(whole, grid.stacks, points)
    x, y = (
        _x_axis(grid, points, theme),
        make_y_axis(points, "Ratio of times (above 1 is slower)", axis_labels.RATIO),
    )
    lows, highs = [p["low"] for p in points], [p["high"] for p in points]
    low, high = min([1 / 1.1, *lows]) / 1.02, max([1.1, *highs]) * 1.02
    y["scale"] = {"type": "log", "domain": [low, high], "nice": False}
    y["axis"]["values"] = sorted({*ticks(low, high, 8), 1.0})
    series = chart_parts.encode_drawn(grid.stacks, points, theme)
    cuts = chart_parts.mark_cuts(points, x, y, series)
    layers = [_margin(theme), *_ratio_marks(x, y, series, theme), *cuts]
    return compose_labelled(points, layers, grid.stacks, y, (whole, theme))


def _margin(theme: Theme) -> Spec:
    """The shaded band of equivalence, as wide as the figure."""
    edges = [{"from": 1 / (1 + MARGIN), "to": 1 + MARGIN}]
    return {
        "data": {"values": edges},
        "mark": {"type": "rect", "color": theme.faint, "opacity": 0.22, "aria": False},
        "encoding": {"y": {"field": "from", "type": "quantitative"}, "y2": {"field": "to"}},
    }


def _ratio_marks(x: Spec, y: Spec, series: Spec, theme: Theme) -> Iterator[Spec]:
    size = 30 if theme.narrow else 44
    yield {
        "data": {"values": [{"one": 1}]},
        "mark": {"type": "rule", "color": theme.ink, "strokeWidth": 1, "aria": False},
        "encoding": {"y": {"field": "one", "type": "quantitative"}},
    }
    yield {
        "mark": {"type": "line", "strokeWidth": 1.2, "opacity": 0.75, "aria": False},
        "encoding": {"x": x, "y": y, "color": series["color"], "strokeDash": series["strokeDash"]},
    }
    yield {
        "mark": {"type": "rule", "strokeWidth": 1.6, "aria": False},
        "encoding": {"x": x, "y": {**y, "field": "low"}, "y2": {"field": "high"}, "color": series["color"]},
    }
    for sure in (True, False):
        yield {
            "transform": [{"filter": f"datum.sure === {str(sure).lower()}"}],
            "mark": {"type": "point", "size": size, "opacity": 1, "strokeWidth": 1.6}
            | ({"filled": True} if sure else {"fill": theme.paper}),
            "encoding": {
                "x": x,
                "y": y,
                "color": series["color"],
                "shape": series["shape"],
                "description": {"field": "d"},
            },
        }


def _x_axis(grid: Grid, points: list[Spec], theme: Theme) -> Spec:
    drawn = {point["x"] for point in points}
    sizes = [row[0].cell.size_bytes for row in grid.rows if _x(row[0].cell.size_bytes) in drawn]
    values = [_x(size) for size in size_ticks(sizes, len(sizes) if theme.direct else 6 if theme.narrow else 12)]
    domain = [min(point["x"] for point in points), max(point["x"] for point in points)]
    title, label = "Message size", axis_labels.SIZE
    if theme.direct:
        title, label = "Message size (bytes)", axis_labels.BARE_SIZE
    shown = make_axis(title, label, values) | {
        "labelFlush": True,
        "labelOverlap": "greedy",
        "grid": False,
        "ticks": True,
    }
    return {
        "field": "x",
        "type": "quantitative",
        "scale": {"type": "log", "base": 2, "domain": domain, "nice": False, "padding": 8},
        "axis": shown,
    }
