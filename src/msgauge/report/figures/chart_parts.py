"""What figures of different kinds have in common: how stacks are told apart, an axis of times, a line in its band."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from msgauge.report import phrasing
from msgauge.report.figures.axis_labels import unit_for_axis
from msgauge.report.figures.figure import Spec, encode_by_stack, make_axis, make_name_lookup
from msgauge.report.figures.theme import Theme, colour, dash, shape, ticks

ABOVE: Spec = {"titleAngle": 0, "titleAlign": "left", "titleAnchor": "start", "titleY": -12, "titleX": 0}
"""The title of an upright axis, where it can be read: level, above the axis."""
ROOM = 2.0
_HEAD_PX = 3
"""Half the height of an arrow head, so that its tip ends where its bar does."""
SOLID: Spec = {"symbolOpacity": 1, "symbolStrokeWidth": 0}


def encode_stacks(names: Sequence[str], theme: Theme, symbols: Mapping[str, Any] = SOLID) -> Spec:
    """Colour, dash and shape of every name by its place; names never enter an expression unescaped."""
    indexes = range(len(names))
    legend: Spec | None = None
    if theme.legend and not theme.direct:
        plain = [phrasing.plain(name) for name in names]
        legend = {"title": None, "labelExpr": make_name_lookup(plain), "labelLimit": 220, **symbols}
    return {
        "color": encode_by_stack([colour(theme, index) for index in indexes], legend),
        "strokeDash": encode_by_stack([dash(index) for index in indexes], None),
        "shape": encode_by_stack([shape(index) for index in indexes], legend),
    }


def list_drawn(points: Iterable[Spec]) -> tuple[int, ...]:
    """Indexes of the stacks that have a point: a legend names no other."""
    return tuple(sorted({point["s"] for point in points}))


def encode_drawn(names: Sequence[str], points: Iterable[Spec], theme: Theme) -> Spec:
    """Colour, dash and shape of every name, and a legend of those that have a point."""
    return encode_stacks(names, theme, {**SOLID, "values": list_drawn(points)})


def clip_intervals(points: list[Spec]) -> list[Spec]:
    """Points whose intervals end at ROOM beyond the outermost values: that of two launches may span ten decades.

    ``cuts`` of a point whose interval goes on there: ``low``, ``high`` or both, in one word.
    """
    least, most = min(point["y"] for point in points) / ROOM, max(point["y"] for point in points) * ROOM
    return [_clip(point, least, most) for point in points]


def _clip(point: Spec, least: float, most: float) -> Spec:
    cuts = ("low" if point["low"] < least else "") + ("high" if point["high"] > most else "")
    ends = {"low": max(point["low"], least), "high": min(point["high"], most)}
    return point | ends | ({"cuts": cuts} if cuts else {})


def name_cuts(points: Iterable[Spec]) -> str:
    """What a caption adds where bands are cut."""
    return " (bands are cut at the edge)" if any("cuts" in point for point in points) else ""


def mark_cuts(points: Sequence[Spec], x: Spec, y: Spec, series: Spec) -> list[Spec]:
    """Arrow heads at the ends of bars whose intervals go on beyond the figure."""
    ends = (("low", "triangle-down", -_HEAD_PX), ("high", "triangle-up", _HEAD_PX))
    return [
        {
            "transform": [{"filter": f"isValid(datum.cuts) && indexof(datum.cuts,'{end}') >= 0"}],
            "mark": {"type": "point", "shape": head, "filled": True, "size": 50, "opacity": 1, "aria": False}
            | {"yOffset": offset},
            "encoding": {"x": x, "y": {**y, "field": end}, "color": series["color"]},
        }
        for end, head, offset in ends
        if any(end in point.get("cuts", "") for point in points)
    ]


def make_y_axis(points: list[Spec], title: str, label: str) -> Spec:
    """The y axis of points with ``low`` and ``high``, logarithmic."""
    low, high = min(point["low"] for point in points), max(point["high"] for point in points)
    return {
        "field": "y",
        "type": "quantitative",
        "scale": {"type": "log", "domain": [low / 1.08, high * 1.08], "nice": False},
        "axis": make_axis(title, label, ticks(low, high)) | ABOVE,
    }


def name_unit(y: Spec, kind: str) -> Spec:
    """The axis with its unit in the title and bare numbers as labels, as figures for paper have it."""
    unit, label = unit_for_axis(kind, y["scale"]["domain"])
    return {**y, "axis": {**y["axis"], "title": f"{y['axis']['title']} ({unit})", "labelExpr": label}}


def line_in_band(x: Spec, y: Spec, series: Spec, theme: Theme) -> list[Spec]:
    """The layers of one line a stack with the band of its interval; ``series`` is what ``encode_stacks`` gave."""
    colour_of = series["color"]
    return [
        {
            "mark": {"type": "area", "opacity": theme.band, "aria": False},
            "encoding": {"x": x, "y": {**y, "field": "low"}, "y2": {"field": "high"}, "color": colour_of},
        },
        {
            "mark": {"type": "line", "strokeWidth": 1.8, "aria": False},
            "encoding": {"x": x, "y": y, "color": colour_of, "strokeDash": series["strokeDash"]},
        },
    ]
