"""Figures over the number of processes: times, parallel efficiency, and what the time of a program went into."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from math import isnan

from attrs import frozen

from msgauge import units
from msgauge.model import Cell, Estimate, Kernel
from msgauge.report import words
from msgauge.report.figure import Figure, Spec, axis, lookup, whole
from msgauge.report.look import Look, colour
from msgauge.report.marks import ABOVE, line_in_band, series, upright, within
from msgauge.report.view import RunView
from msgauge.stats import programs

_TIME = "datum.value<1e3?format(datum.value,'~g')+' ns':datum.value<1e6?format(datum.value/1e3,'~g')+' µs':datum.value<1e9?format(datum.value/1e6,'~g')+' ms':format(datum.value/1e9,'~g')+' s'"  # noqa: E501
_FEWEST = 3
"""A line over fewer numbers of processes says no more than the table."""


@frozen
class Spot:
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
class Family:
    """Cells that differ in the number of processes alone, by that number and then in the order of the stacks."""

    kernel: Kernel
    cell: Cell
    """The first of them, for its size and options."""
    spots: tuple[Spot, ...]

    @property
    def title(self) -> str:
        """``Fan-out, 64 B`` with the options that are set."""
        notes = [units.format_size(self.cell.size_bytes)] if self.kernel.sized else []
        notes += [f"{name} {value}" for name, value in self.cell.options]
        return ", ".join([self.kernel.title, *notes])

    @property
    def key(self) -> str:
        """A name for files and anchors."""
        parts = [self.kernel.name, str(self.cell.size_bytes), *(word for pair in self.cell.options for word in pair)]
        return "-".join("".join(c if c.isascii() and c.isalnum() else "-" for c in part) for part in parts)

    @property
    def ranks(self) -> tuple[int, ...]:
        return tuple(sorted({spot.cell.ranks for spot in self.spots}))


def families(view: RunView, wanted: Callable[[Kernel], bool]) -> tuple[Family, ...]:
    """The families of the kernels that are ``wanted``, in the order of the plan."""
    groups: dict[tuple[object, ...], list[Cell]] = {}
    for cell in view.plan.cells:
        if wanted(view.kernel(cell.kernel)):
            key = (cell.kernel, cell.size_bytes, cell.options, cell.mode, cell.cache)
            groups.setdefault(key, []).append(cell)
    known = {(one.stack, one.cell): one for one in view.analysis.estimates if not one.failed and one.median_ns > 0}
    found = []
    for cells in groups.values():
        spots = tuple(
            Spot(stack, index, cell, known[stack, cell.id])
            for cell in sorted(cells, key=lambda cell: cell.ranks)
            for index, stack in enumerate(view.plan.stacks)
            if (stack, cell.id) in known
        )
        if spots:
            found.append(Family(view.kernel(cells[0].kernel), cells[0], spots))
    return tuple(found)


def times(family: Family, view: RunView) -> Figure | None:
    """Time against the number of processes; None where there are too few numbers of them for a line."""
    if len(family.ranks) < _FEWEST:
        return None
    points = within([_time_point(spot) for spot in family.spots])
    label = ("Time per event", _TIME)
    return _figure(
        family, view, ("processes", "time against processes"), lambda look: _lines(view, points, look, label)
    )


def efficiencies(family: Family, view: RunView) -> Figure | None:
    """Parallel efficiency, serial time / (processes x time), against the number of processes."""
    points = [point for spot in family.spots if (point := _efficiency_point(spot))]
    if len({point["x"] for point in points}) < _FEWEST - 1:
        return None
    most = max(1.05, 1.1 * max(point["y"] for point in points))
    points = [point | {"high": min(point["high"], most)} for point in points]
    label = ("Parallel efficiency", "format(datum.value,'.0%')")
    return _figure(
        family, view, ("efficiency", "parallel efficiency"), lambda look: _lines(view, points, look, label, linear=True)
    )


def shares(family: Family, view: RunView) -> Figure | None:
    """What the time of a program went into: computing, calls of the stack, and neither; a bar for each stack."""
    bars = [bar for spot in family.spots for bar in _bars(spot)]
    if not bars:
        return None
    return _figure(family, view, ("shares", "where the time goes"), lambda look: _stacked(bars, look), legend=False)


def efficiency(spot: Spot) -> float | None:
    """Serial time over processes x time: 1 where the work divides perfectly; None without a serial time."""
    worth = programs.program(spot.estimate)
    return _known(worth.efficiency) if worth is not None else None


def share(spot: Spot, name: str) -> float | None:
    """The share of the whole time that a series of the program took, at most 1; None where it was not measured."""
    return _known(programs.share(spot.series, name, spot.estimate.median_ns))


def _known(value: float) -> float | None:
    return None if isnan(value) else value


def cores_of(view: RunView) -> int:
    """Processors that the ranks could use; 0 when the run did not record them."""
    allowed = view.machine.get("allowed_processors")
    return len(allowed) if isinstance(allowed, list | tuple) else 0


def _figure(
    family: Family, view: RunView, named: tuple[str, str], make: Callable[[Look], Spec], *, legend: bool = True
) -> Figure:
    kind, short = named
    return Figure(
        key=f"{family.key}-{kind}",
        kind=kind if legend else "samples",
        title=f"{family.title}: {short}",
        short=short[0].upper() + short[1:]
        if not family.kernel.sized
        else f"{units.format_size(family.cell.size_bytes)}",
        text=f"{family.title}: {short}, on {family.ranks[0]} to {family.ranks[-1]} processes.",
        stacks=view.plan.stacks,
        make=make,
    )


def _time_point(spot: Spot) -> Spec:
    one = spot.estimate
    text = f"{words.plain(spot.stack)}\n{spot.cell.ranks} processes: {units.format_time(one.median_ns)}"
    text += ", more processes than cores" if one.oversubscribed else ""
    return {
        "x": spot.cell.ranks,
        "y": one.median_ns,
        "low": one.low_ns if one.low_ns > 0 else one.median_ns,
        "high": one.high_ns if one.high_ns > 0 else one.median_ns,
        "s": spot.index,
        "d": text,
        "crowded": one.oversubscribed,
    }


def _efficiency_point(spot: Spot) -> Spec | None:
    value = efficiency(spot)
    if value is None:
        return None
    one = spot.estimate
    text = f"{words.plain(spot.stack)}\n{spot.cell.ranks} processes: {units.format_percent(value)}"
    return {
        "x": spot.cell.ranks,
        "y": value,
        "low": value * one.median_ns / one.high_ns if one.high_ns > 0 else value,
        "high": value * one.median_ns / one.low_ns if one.low_ns > 0 else value,
        "s": spot.index,
        "d": text,
        "crowded": one.oversubscribed,
    }


def _bars(spot: Spot) -> Iterator[Spec]:
    parts = [(name, share(spot, name)) for name in ("compute", "communication")]
    if any(value is None for _, value in parts):
        return
    known = [(name, value or 0.0) for name, value in parts]
    rest = max(0.0, 1.0 - sum(value for _, value in known))
    begin = 0.0
    for order, (name, value) in enumerate((*known, ("waiting", rest))):
        end = min(1.0, begin + value)
        text = f"{words.plain(spot.stack)} on {spot.cell.ranks}\n{name}: {units.format_percent(value)}"
        row = f"{words.plain(spot.stack)}, {spot.cell.ranks}"
        yield {"row": row, "from": begin, "to": end, "part": order, "d": text}
        begin = end


# --- specifications ------------------------------------------------------------------------------------------


def _lines(view: RunView, points: list[Spec], look: Look, label: tuple[str, str], *, linear: bool = False) -> Spec:
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
        "axis": axis("Processes", "datum.value", counts) | {"labelFlush": True, "grid": False, "ticks": True},
    }
    y = _efficiency_axis(points, label) if linear else upright(points, *label)
    told_apart = series(view.plan.stacks, look)
    spots = [_point(x, y, told_apart, look, crowded=crowded) for crowded in (False, True)]
    lines = line_in_band(x, y, told_apart, look)
    return whole(look, points, [*_edge(counts, cores_of(view), look), *lines, *spots])


def _edge(counts: Sequence[int], cores: int, look: Look) -> Iterator[Spec]:
    """A rule where the processes become more than the cores."""
    if not counts[0] <= cores < counts[-1]:
        return
    data: Spec = {"values": [{"x": cores, "t": f" {cores} cores"}]}
    place: Spec = {"field": "x", "type": "quantitative"}
    yield {
        "data": data,
        "mark": {"type": "rule", "color": look.faint, "strokeDash": [3, 3], "aria": False},
        "encoding": {"x": place},
    }
    yield {
        "data": data,
        "mark": {"type": "text", "align": "left", "baseline": "top", "color": look.faint, "fontSize": 11, "y": 2},
        "encoding": {"x": place, "y": {"value": 2}, "text": {"field": "t"}},
    }


def _point(x: Spec, y: Spec, series: Spec, look: Look, *, crowded: bool) -> Spec:
    """Filled where every process has a core, hollow where not."""
    fill: Spec = {"fill": look.paper} if crowded else {"filled": True}
    return {
        "transform": [{"filter": f"datum.crowded === {str(crowded).lower()}"}],
        "mark": {"type": "point", "size": 30 if look.narrow else 44, "opacity": 1, "strokeWidth": 1.6} | fill,
        "encoding": {"x": x, "y": y, "color": series["color"], "shape": series["shape"], "description": {"field": "d"}},
    }


def _efficiency_axis(points: list[Spec], label: tuple[str, str]) -> Spec:
    most = max(point["high"] for point in points)
    return {
        "field": "y",
        "type": "quantitative",
        "scale": {"domain": [0, max(1.05, most * 1.02)], "nice": False},
        "axis": axis(*label, [0, 0.25, 0.5, 0.75, 1]) | ABOVE,
    }


def _stacked(bars: list[Spec], look: Look) -> Spec:
    rows = list(dict.fromkeys(bar["row"] for bar in bars))
    parts = ["computing", "calls of the stack", "neither"]
    pixels = min(240, 7 * max(map(len, rows)))
    inks = [colour(look, 0), colour(look, 1), look.rule]
    legend: Spec = {"title": None, "labelExpr": lookup(parts), "symbolOpacity": 1, "symbolStrokeWidth": 0}
    mark: Spec = {
        "mark": {"type": "bar", "height": 13},
        "encoding": {
            "x": {"field": "from", "type": "quantitative", "scale": {"domain": [0, 1]}}
            | {"axis": axis("Share of the time", "format(datum.value,'.0%')", [0, 0.25, 0.5, 0.75, 1])},
            "x2": {"field": "to"},
            "y": {"field": "row", "type": "nominal", "sort": rows}
            | {"axis": {"title": None, "ticks": False, "labelLimit": pixels, "minExtent": pixels + 8}},
            "color": {
                "field": "part",
                "type": "nominal",
                "scale": {"domain": [0, 1, 2], "range": inks},
                "legend": legend,
            },
            "description": {"field": "d"},
        },
    }
    return whole(look, bars, [mark]) | {"height": 22 * len(rows), "width": 240 if look.narrow else 460}
