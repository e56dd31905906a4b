"""Figures of curves: cumulative bytes against time since the first send."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from attrs import frozen

from msgauge import units
from msgauge.model import Cell
from msgauge.model.measured_way import name_way, note_marks
from msgauge.report import phrasing
from msgauge.report.figures.chart_parts import ABOVE
from msgauge.report.figures.direct_labels import compose_labelled, make_room
from msgauge.report.figures.figure import Figure, Spec, encode_by_stack, make_axis, make_name_lookup
from msgauge.report.figures.theme import Theme, colour, dash
from msgauge.report.grid import make_key
from msgauge.report.view import Curve, RunView

_MOST_POINTS = 200
"""Points of a line that a reader can tell apart."""
_STEPS = (1, 2, 2.5, 5, 10)


@frozen
class Heading:
    """What a figure belongs to."""

    title: str
    meaning: str


def plot_cumulative(view: RunView) -> Iterator[tuple[Heading, Figure]]:
    """One figure for each cell and series that holds curves, in the order of the plan."""
    for cell in view.plan.cells:
        mine = [curve for curve in view.curves if curve.cell == cell.id]
        kernel = view.kernel(cell.kernel)
        notes = [kernel.title, units.format_size(cell.size_bytes), *note_marks(cell)]
        heading = Heading(", ".join(notes), kernel.meaning)
        for series in dict.fromkeys(curve.series for curve in mine):
            yield heading, _figure(heading, cell, series, [one for one in mine if one.series == series], view)


def _figure(heading: Heading, cell: Cell, series: str, curves: Sequence[Curve], view: RunView) -> Figure:
    words = [cell.kernel, str(cell.size_bytes), *(word for pair in cell.options for word in pair)]
    stacks = view.plan.stacks
    return Figure(
        key=make_key(*words, *name_way(cell), series),
        kind="curve",
        title=f"{heading.title}: bytes {series} against time",
        short=f"Bytes {series}",
        text=f"{heading.title}: cumulative bytes {series} against time since the first send.",
        stacks=stacks,
        make=lambda theme: _spec(list(_points(curves, cell, stacks)), [phrasing.plain(one) for one in stacks], theme),
    )


def _points(curves: Sequence[Curve], cell: Cell, stacks: Sequence[str]) -> Iterator[Spec]:
    for curve in curves:
        step = max(1, len(curve.times_ns) // _MOST_POINTS)
        whole = _describe_curve(curve, cell)
        for number, time_ns in enumerate(curve.times_ns, start=1):
            if number % step == 0 or number in (1, len(curve.times_ns)):
                sent = number * max(1, cell.size_bytes)
                yield {"x": time_ns, "y": sent, "s": stacks.index(curve.stack), "d": whole}


def _describe_curve(curve: Curve, cell: Cell) -> str:
    """What a line says of itself: the whole burst, and when its last message had passed."""
    messages = units.format_count(len(curve.times_ns), "message")
    last = units.format_time(curve.times_ns[-1])
    return f"{phrasing.plain(curve.stack)}\n{messages} of {units.format_size(cell.size_bytes)}: {last}"


def _spec(points: list[Spec], names: Sequence[str], whole: Theme) -> Spec:
    theme = make_room(whole, names, points)
    longest, most = max(point["x"] for point in points), max(point["y"] for point in points)
    time_unit, per = next(
        ((unit, ns) for unit, ns in (("s", 1e9), ("ms", 1e6), ("µs", 1e3)) if longest >= ns), ("ns", 1)
    )
    amount, bytes_per = next(((unit, n) for unit, n in (("MB", 1e6), ("kB", 1e3)) if most >= n), ("B", 1))
    legend: Spec | None = None
    if theme.legend and not theme.direct:
        legend = {"title": None, "labelExpr": make_name_lookup(names), "labelLimit": 220}
    inks = [colour(theme, index) for index in range(len(names))]
    upright = make_axis("Cumulative bytes", f"datum.value/{bytes_per:g}+' {amount}'", []) | ABOVE
    y = _along(most, bytes_per, upright) | {"field": "y"}
    line: Spec = {
        "mark": {"type": "line", "strokeWidth": 1.8, "interpolate": "step-after"},
        "encoding": {
            "x": _along(
                longest, per, make_axis("Time since the first send", f"datum.value/{per:g}+' {time_unit}'", [])
            ),
            "y": y,
            "color": encode_by_stack(inks, legend),
            "strokeDash": encode_by_stack([dash(index) for index in range(len(names))], None),
            "description": {"field": "d"},
        },
    }
    return compose_labelled(points, [line], names, y, (whole, theme))


def _along(most: float, unit: float, shown: Spec) -> Spec:
    """A linear axis from nothing to ``most`` with about five round values."""
    raw = most / unit / 5
    magnitude = 10.0 ** (len(str(int(raw))) - 1) if raw >= 1 else 0.1
    step = next((s * magnitude for s in _STEPS if s * magnitude >= raw), 10 * magnitude) * unit
    values = [step * number for number in range(int(most / step) + 1)]
    scale = {"domain": [0, most * 1.02], "nice": False}
    return {"field": "x", "type": "quantitative", "scale": scale, "axis": shown | {"values": values}}
