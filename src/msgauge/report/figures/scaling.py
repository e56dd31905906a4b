"""Figures over the number of processes: times, parallel efficiency, and what the time of a program went into."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from math import ceil, isnan

from attrs import frozen

from msgauge import units
from msgauge.model import Cell, CellKey, Estimate, Kernel, ProgramEfficiency
from msgauge.model.measured_way import name_way, note_marks
from msgauge.report import phrasing
from msgauge.report.figures import axis_labels
from msgauge.report.figures.chart_parts import (
    ABOVE,
    ROOM,
    clip_intervals,
    encode_stacks,
    line_in_band,
    make_y_axis,
    name_cuts,
    name_unit,
)
from msgauge.report.figures.direct_labels import compose_labelled, make_room
from msgauge.report.figures.figure import Figure, Spec, make_axis
from msgauge.report.figures.share_bars import PARTS, draw_shares
from msgauge.report.figures.theme import Theme
from msgauge.report.grid import format_halfwidth, make_key
from msgauge.report.view import RunView
from msgauge.stats import programs

_FEWEST = 3
"""A line over fewer numbers of processes says no more than the table."""


@frozen
class ScalingPoint:
    """One stack on one number of processes; ``estimate`` is a measured one."""

    stack: str
    index: int
    cell: Cell
    estimate: Estimate

    @property
    def series(self) -> Mapping[str, float]:
        """Medians of the kernel's other series, ns."""
        return dict(self.estimate.series)


@frozen
class ScalingFamily:
    """Cells that differ in the number of processes alone, by that number and then in the order of the stacks."""

    kernel: Kernel
    cell: Cell
    """The first of them, for its size and options."""
    measurements: tuple[ScalingPoint, ...]

    @property
    def title(self) -> str:
        """``Fan-out, 64 B`` with the options that are set."""
        notes = [units.format_size(self.cell.size_bytes)] if self.kernel.sized else []
        return ", ".join([self.kernel.title, *notes, *note_marks(self.cell)])

    @property
    def key(self) -> str:
        """A name for files and anchors."""
        parts = [self.kernel.name, str(self.cell.size_bytes), *(word for pair in self.cell.options for word in pair)]
        return make_key(*parts, *name_way(self.cell))

    @property
    def ranks(self) -> tuple[int, ...]:
        return tuple(sorted({measurement.cell.ranks for measurement in self.measurements}))


def make_scaling_families(view: RunView, wanted: Callable[[Kernel], bool]) -> tuple[ScalingFamily, ...]:
    """The families of the kernels that are ``wanted``, in the order of the plan."""
    groups: dict[tuple[object, ...], list[Cell]] = {}
    for cell in view.plan.cells:
        if wanted(view.kernel(cell.kernel)):
            key = (cell.kernel, cell.size_bytes, cell.options, cell.mode, cell.cache)
            groups.setdefault(key, []).append(cell)
    known = {one.key: one for one in view.analysis.estimates if not one.failed and one.median_ns > 0}
    found = []
    for cells in groups.values():
        measurements = tuple(
            ScalingPoint(stack, index, cell, known[CellKey(stack, cell.id)])
            for cell in sorted(cells, key=lambda cell: cell.ranks)
            for index, stack in enumerate(view.plan.stacks)
            if CellKey(stack, cell.id) in known
        )
        if measurements:
            found.append(ScalingFamily(view.kernel(cells[0].kernel), cells[0], measurements))
    return tuple(found)


def plot_times(family: ScalingFamily, view: RunView) -> Figure | None:
    """Time against the number of processes; None where there are too few numbers of them for a line."""
    if len(family.ranks) < _FEWEST:
        return None
    points = clip_intervals([_time_point(measurement) for measurement in family.measurements])
    label = ("Time per event", axis_labels.TIME)
    said = f"time against processes{name_cuts(points)}"
    return _figure(family, view, ("processes", said), lambda theme: _lines(view, points, theme, label))


def plot_efficiencies(family: ScalingFamily, view: RunView) -> Figure | None:
    """Parallel efficiency, serial time / (processes x time), against the number of processes.

    The axis holds limits up to twice the highest efficiency; one beyond is written where it is cut.
    """
    points = [point for measurement in family.measurements if (point := _efficiency_point(measurement, view))]
    if len({point["x"] for point in points}) < _FEWEST - 1:
        return None
    most = max(1.05, ROOM * max(point["y"] for point in points))
    points = [_cut(point, most) for point in points]
    label = ("Parallel efficiency", axis_labels.SHARE)
    return _figure(
        family,
        view,
        ("efficiency", "parallel efficiency"),
        lambda theme: _lines(view, points, theme, label, linear=True),
    )


def _cut(point: Spec, most: float) -> Spec:
    """With a limit that lies beyond the axis drawn to its end, and written there."""
    beyond = point["high"] > most
    return point | ({"high": most, "cut": f"↑ to {units.format_percent(point['high'])}"} if beyond else {})


def plot_shares(family: ScalingFamily, view: RunView) -> Figure | None:
    """What the time of a program went into: computing, calls of the stack, and neither; a bar for each stack."""
    bars = [bar for measurement in family.measurements for bar in _bars(measurement)]
    if not bars:
        return None
    return _figure(family, view, ("shares", "shares of the time"), lambda theme: draw_shares(bars, theme), legend=False)


def describe_time(one: Estimate) -> str:
    """``1.23 µs ±2%``, as all tables have it."""
    return f"{units.format_time(one.median_ns)} {format_halfwidth(one.median_ns, one.low_ns, one.high_ns)}".rstrip()


def describe_efficiency(one: ProgramEfficiency) -> str:
    """``93 % (91 % to 95 %)``: with its interval; the number alone where it has none."""
    limits = f" ({units.format_percent(one.low)} to {units.format_percent(one.high)})" if one.low < one.high else ""
    return f"{units.format_percent(one.value)}{limits}"


def share(measurement: ScalingPoint, name: str) -> float | None:
    """The share of the whole time that a series of the program took, at most 1; None where it was not measured."""
    value = programs.share(measurement.series, name, measurement.estimate.median_ns)
    return None if isnan(value) else value


def cores_of(view: RunView) -> int:
    """Processors that the ranks could use; 0 when the run did not record them."""
    allowed = view.machine.get("allowed_processors")
    return len(allowed) if isinstance(allowed, list | tuple) else 0


def _figure(
    family: ScalingFamily, view: RunView, named: tuple[str, str], make: Callable[[Theme], Spec], *, legend: bool = True
) -> Figure:
    kind, short = named
    return Figure(
        key=f"{family.key}-{kind}",
        kind=kind if legend else "samples",
        title=f"{family.title}: {short}",
        short=short[0].upper() + short[1:]
        if not family.kernel.sized
        else f"{units.format_size(family.cell.size_bytes)}",
        text=f"{family.title}: {short}, on {_span(family.ranks)}.",
        stacks=view.plan.stacks,
        make=make,
    )


def _span(ranks: Sequence[int]) -> str:
    last = units.format_count(ranks[-1], "process")
    return last if len(ranks) == 1 else f"{ranks[0]} to {last}"


def _time_point(measurement: ScalingPoint) -> Spec:
    one = measurement.estimate
    text = f"{_place(measurement)}: {units.format_time(one.median_ns)}"
    text += ", oversubscribed" if one.oversubscribed else ""
    return {
        "x": measurement.cell.ranks,
        "y": one.median_ns,
        "low": one.low_ns if one.low_ns > 0 else one.median_ns,
        "high": one.high_ns if one.high_ns > 0 else one.median_ns,
        "s": measurement.index,
        "d": text,
        "oversubscribed": one.oversubscribed,
    }


def _place(measurement: ScalingPoint) -> str:
    """What the label of a point begins with."""
    return f"{phrasing.plain(measurement.stack)}\n{units.format_count(measurement.cell.ranks, 'process')}"


def _efficiency_point(measurement: ScalingPoint, view: RunView) -> Spec | None:
    one = measurement.estimate
    worth = view.efficiencies.get(one.key)
    if worth is None:
        return None
    alone = isnan(worth.low)
    return {
        "x": measurement.cell.ranks,
        "y": worth.value,
        "low": worth.value if alone else worth.low,
        "high": worth.value if alone else worth.high,
        "s": measurement.index,
        "d": f"{_place(measurement)}: {describe_efficiency(worth)}",
        "oversubscribed": one.oversubscribed,
    }


def _bars(measurement: ScalingPoint) -> Iterator[Spec]:
    parts = [(name, share(measurement, name)) for name in ("compute", "communication")]
    if any(value is None for _, value in parts):
        return
    known = [value or 0.0 for _, value in parts]
    rest = max(0.0, 1.0 - sum(known))
    begin = 0.0
    for order, value in enumerate((*known, rest)):
        end = min(1.0, begin + value)
        text = f"{_place(measurement)}: {PARTS[order]} {units.format_percent(value)}"
        row = f"{phrasing.plain(measurement.stack)}, {measurement.cell.ranks}"
        yield {"row": row, "from": begin, "to": end, "part": order, "d": text}
        begin = end


# --- specifications ------------------------------------------------------------------------------------------


def _lines(view: RunView, points: list[Spec], whole: Theme, label: tuple[str, str], *, linear: bool = False) -> Spec:
    theme = make_room(whole, view.plan.stacks, points)
    counts = sorted({point["x"] for point in points})
    x: Spec = {
        "field": "x",
        "type": "quantitative",
        "scale": {
            "type": "log",
            "base": 2,
            "domain": [counts[0], max(counts[-1], counts[0] + 1)],
            "nice": False,
            "padding": 8,
        },
        "axis": make_axis("Processes", "datum.value", counts) | {"labelFlush": True, "grid": False, "ticks": True},
    }
    y = _efficiency_axis(points, label) if linear else make_y_axis(points, *label)
    y = name_unit(y, "time") if theme.direct and not linear else y
    series = encode_stacks(view.plan.stacks, theme)
    symbols = [_point(x, y, series, theme, oversubscribed=oversubscribed) for oversubscribed in (False, True)]
    lines = line_in_band(x, y, series, theme)
    cut = [_cut_end(x, y, series)] if any("cut" in point for point in points) else []
    layers = [*_edge(counts, cores_of(view), theme), *lines, *symbols, *cut]
    return compose_labelled(points, layers, view.plan.stacks, y, (whole, theme))


def _edge(counts: Sequence[int], cores: int, theme: Theme) -> Iterator[Spec]:
    """A rule where the processes become more than the cores."""
    if not counts[0] <= cores < counts[-1]:
        return
    data: Spec = {"values": [{"x": cores, "t": f" {cores} cores"}]}
    place: Spec = {"field": "x", "type": "quantitative"}
    yield {
        "data": data,
        "mark": {"type": "rule", "color": theme.faint, "strokeDash": [3, 3], "aria": False},
        "encoding": {"x": place},
    }
    yield {
        "data": data,
        "mark": {"type": "text", "align": "left", "baseline": "top", "color": theme.faint, "fontSize": 11, "y": 2},
        "encoding": {"x": place, "y": {"value": 2}, "text": {"field": "t"}},
    }


def _point(x: Spec, y: Spec, series: Spec, theme: Theme, *, oversubscribed: bool) -> Spec:
    """Filled where every process has a core, hollow where not."""
    fill: Spec = {"fill": theme.paper} if oversubscribed else {"filled": True}
    return {
        "transform": [{"filter": f"datum.oversubscribed === {str(oversubscribed).lower()}"}],
        "mark": {"type": "point", "size": 30 if theme.narrow else 44, "opacity": 1, "strokeWidth": 1.6} | fill,
        "encoding": {"x": x, "y": y, "color": series["color"], "shape": series["shape"], "description": {"field": "d"}},
    }


def _cut_end(x: Spec, y: Spec, series: Spec) -> Spec:
    """The limits that the axis does not hold, each at the end of its band."""
    return {
        "transform": [{"filter": "isValid(datum.cut)"}],
        "mark": {"type": "text", "baseline": "top", "align": "left", "dx": 3, "fontSize": 11, "aria": False},
        "encoding": {"x": x, "y": y | {"field": "high"}, "text": {"field": "cut"}, "color": series["color"]},
    }


def _efficiency_axis(points: list[Spec], label: tuple[str, str]) -> Spec:
    most = max(1.05, 1.02 * max(point["high"] for point in points))
    step = 0.25 * max(1, ceil(most / 2))
    return {
        "field": "y",
        "type": "quantitative",
        "scale": {"domain": [0, most], "nice": False},
        "axis": make_axis(*label, [step * count for count in range(int(most / step) + 1)]) | ABOVE,
    }
