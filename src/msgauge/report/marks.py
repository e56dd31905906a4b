"""What figures of different kinds have in common: how stacks are told apart, an axis of times, a line in its band."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgauge.report import words
from msgauge.report.figure import Spec, axis, channel, lookup
from msgauge.report.look import Look, colour, dash, shape, ticks

ABOVE: Spec = {"titleAngle": 0, "titleAlign": "left", "titleAnchor": "start", "titleY": -12, "titleX": 0}
"""The title of an upright axis, where it can be read: level, above the axis."""
ROOM = 2.0
SOLID: Spec = {"symbolOpacity": 1, "symbolStrokeWidth": 0}


def series(names: Sequence[str], look: Look, symbols: Mapping[str, Any] = SOLID) -> Spec:
    """Colour, dash and shape of every name by its place; names never enter an expression unescaped."""
    indexes = range(len(names))
    legend: Spec | None = None
    if look.legend:
        plain = [words.plain(name) for name in names]
        legend = {"title": None, "labelExpr": lookup(plain), "labelLimit": 220, **symbols}
    return {
        "color": channel([colour(look, index) for index in indexes], legend),
        "strokeDash": channel([dash(index) for index in indexes], None),
        "shape": channel([shape(index) for index in indexes], legend),
    }


def within(points: list[Spec]) -> list[Spec]:
    """Points whose intervals end at ROOM beyond the outermost values: that of two launches may span ten decades."""
    least, most = min(point["y"] for point in points) / ROOM, max(point["y"] for point in points) * ROOM
    return [point | {"low": max(point["low"], least), "high": min(point["high"], most)} for point in points]


def upright(points: list[Spec], title: str, label: str) -> Spec:
    """The y axis of points with ``low`` and ``high``, logarithmic."""
    low, high = min(point["low"] for point in points), max(point["high"] for point in points)
    return {
        "field": "y",
        "type": "quantitative",
        "scale": {"type": "log", "domain": [low / 1.08, high * 1.08], "nice": False},
        "axis": axis(title, label, ticks(low, high)) | ABOVE,
    }


def line_in_band(x: Spec, y: Spec, told_apart: Spec, look: Look) -> list[Spec]:
    """The layers of one line a stack with the band of its interval; ``told_apart`` is what ``series`` gave."""
    colour_of = told_apart["color"]
    return [
        {
            "mark": {"type": "area", "opacity": look.band, "aria": False},
            "encoding": {"x": x, "y": {**y, "field": "low"}, "y2": {"field": "high"}, "color": colour_of},
        },
        {
            "mark": {"type": "line", "strokeWidth": 1.8, "aria": False},
            "encoding": {"x": x, "y": y, "color": colour_of, "strokeDash": told_apart["strokeDash"]},
        },
    ]
