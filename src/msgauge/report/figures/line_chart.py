"""Lines of named points on two axes: the figures of models and of papers, by the same marks as all others."""

from __future__ import annotations

from collections.abc import Callable
from math import ceil, floor
from typing import Any

from attrs import frozen

from msgauge import units
from msgauge.report import phrasing
from msgauge.report.figures import axis_labels, chart_parts
from msgauge.report.figures.chart_parts import clip_intervals, make_y_axis
from msgauge.report.figures.direct_labels import compose_labelled, make_room
from msgauge.report.figures.figure import Figure, Spec, make_axis
from msgauge.report.figures.theme import Theme, size_ticks, ticks
from msgauge.report.grid import make_key

LABELS = {
    "time": axis_labels.TIME,
    "rate": axis_labels.BANDWIDTH,
    "ratio": axis_labels.NUMBER,
    "error": axis_labels.ERROR,
    "size": axis_labels.SIZE,
    "count": axis_labels.NUMBER,
}
TITLES = {
    "time": "Time",
    "rate": "Bandwidth",
    "ratio": "Ratio",
    "error": "Error",
    "size": "Message size",
    "count": "Processes",
}
BAND = {"low": 0.95, "high": 1.05}
"""The errors that count as small: those of a prediction that closes."""
_UNITS = {"time": "time", "rate": "bandwidth"}
"""Whose units a figure for paper has in the title of its axis."""
_STEPS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0)
_MOST_STEPS = 7
_SAID: dict[str, Callable[[float], str]] = {
    "time": units.format_time,
    "rate": units.format_rate,
    "error": lambda ratio: units.format_percent(ratio - 1),
}


@frozen
class PlottedLine:
    """One line: points (x, y, low, high), positive; without ``line`` points alone, without ``dots`` the line."""

    name: str
    points: tuple[tuple[float, float, float, float], ...]
    line: bool = True
    dots: bool = True


@frozen
class Axes:
    """What x and y are, by the names of ``LABELS``; ``rules`` are marked places on x.

    An ``error`` is a ratio, 1 where there is none; it is labelled in percent and shown against a band of 5 %.
    """

    x: str
    y: str
    rules: tuple[float, ...] = ()
    title: str = ""
    x_title: str = ""


def plot_lines(key: str, title: str, text: str, lines: tuple[PlottedLine, ...], axes: Axes) -> Figure:
    """A figure of lines; names never enter an expression unescaped."""
    return Figure(
        key=make_key(key),
        kind="plain",
        title=title,
        short=title,
        text=text,
        stacks=tuple(line.name for line in lines),
        make=lambda theme: _spec(lines, axes, theme),
    )


def _spec(lines: tuple[PlottedLine, ...], axes: Axes, whole: Theme) -> Spec:
    points = clip_intervals(
        [_point(index, line, place, axes) for index, line in enumerate(lines) for place in line.points]
    )
    names = [line.name for line in lines]
    theme = make_room(whole, names, points)
    x, y = _x(points, axes, theme), _y(points, axes, theme)
    series = chart_parts.encode_stacks(names, theme, {})
    layers: list[Spec] = [
        *(_band(y, theme) if axes.y == "error" else ()),
        {
            "transform": [{"filter": "datum.line"}],
            "mark": {"type": "line", "strokeWidth": 1.6, "aria": False},
            "encoding": {"x": x, "y": y, "color": series["color"], "strokeDash": series["strokeDash"]},
        },
        {
            "transform": [{"filter": "datum.dots"}],
            "mark": {"type": "rule", "strokeWidth": 1.2, "aria": False},
            "encoding": {"x": x, "y": {**y, "field": "low"}, "y2": {"field": "high"}, "color": series["color"]},
        },
        {
            "transform": [{"filter": "datum.dots"}],
            "mark": {"type": "point", "filled": True, "size": 28 if theme.narrow else 40, "opacity": 1},
            "encoding": {
                "x": x,
                "y": y,
                "color": series["color"],
                "shape": series["shape"],
                "description": {"field": "d"},
            },
        },
    ]
    layers += chart_parts.mark_cuts([point for point in points if point["dots"]], x, y, series)
    layers += [_rule(place, theme) for place in axes.rules]
    return compose_labelled(points, layers, names, y, (whole, theme))


def _y(points: list[Spec], axes: Axes, theme: Theme) -> Spec:
    title, label = axes.title or TITLES[axes.y], LABELS[axes.y]
    if axes.y != "error":
        y = make_y_axis(points, title, label)
        return chart_parts.name_unit(y, _UNITS[axes.y]) if theme.direct and axes.y in _UNITS else y
    y = make_y_axis([*points, BAND], title, label)
    return {**y, "axis": {**y["axis"], "values": error_ticks(*y["scale"]["domain"])}}


def error_ticks(low: float, high: float) -> list[float]:
    """Ratios from ``low`` to ``high`` that are whole percents from 1, at even steps; far from 1 at round factors."""
    for step in _STEPS:
        first, last = ceil(round((low - 1) / step, 6)), floor(round((high - 1) / step, 6))
        found = [1 + number * step for number in range(first, last + 1) if 1 + number * step > 0]
        if len(found) <= _MOST_STEPS:
            return found if len(found) > 2 else ticks(low, high)
    return ticks(low, high)


def _band(y: Spec, theme: Theme) -> list[Spec]:
    """The errors that are small, and no error, behind everything else."""
    inside: Spec = {
        "data": {"values": [BAND]},
        "mark": {"type": "rect", "color": theme.faint, "opacity": theme.band, "aria": False},
        "encoding": {"y": {**y, "field": "low"}, "y2": {"field": "high"}},
    }
    none: Spec = {
        "data": {"values": [{"none": 1}]},
        "mark": {"type": "rule", "color": theme.faint, "aria": False},
        "encoding": {"y": {**y, "field": "none"}},
    }
    return [inside, none]


def _rule(place: float, theme: Theme) -> Spec:
    return {
        "data": {"values": [{"at": place}]},
        "mark": {"type": "rule", "color": theme.faint, "strokeDash": [4, 3], "aria": False},
        "encoding": {"x": {"field": "at", "type": "quantitative"}},
    }


def _point(index: int, line: PlottedLine, place: tuple[float, float, float, float], axes: Axes) -> Spec:
    x, y, low, high = place
    where = units.format_size(int(x)) if axes.x == "size" else f"{x:g}"
    said = _SAID.get(axes.y, units.format_ratio)(y)
    text = f"{phrasing.plain(line.name)}\n{where}: {said}"
    low, high = (one if one > 0 else y for one in (low, high))
    return {"x": x, "y": y, "low": low, "high": high, "s": index, "d": text, "line": line.line, "dots": line.dots}


def _x(points: list[Spec], axes: Axes, theme: Theme) -> Spec:
    places = sorted({point["x"] for point in points})
    if axes.x == "size":
        values: list[float] = [float(one) for one in size_ticks([int(p) for p in places], 5 if theme.narrow else 10)]
    else:
        values = ticks(places[0], places[-1], 6)
    scale: dict[str, Any] = {"type": "log", "domain": [places[0], places[-1] * 1.0001], "nice": False, "padding": 8}
    title, label = axes.x_title or TITLES[axes.x], LABELS[axes.x]
    if axes.x == "size" and theme.direct:
        title, label = (title if "bytes" in title else f"{title} (bytes)"), axis_labels.BARE_SIZE
    shown = make_axis(title, label, values) | {"grid": False, "ticks": True}
    return {"field": "x", "type": "quantitative", "scale": scale, "axis": shown}
