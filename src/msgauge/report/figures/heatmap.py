"""Size x processes: which stack leads, and by how much; one map for each collective operation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import isfinite

from msgauge import units
from msgauge.model import Cell, Place
from msgauge.model.measured_way import name_way, note_marks
from msgauge.report import phrasing
from msgauge.report.figures.figure import Figure, Spec, compose_layers, encode_by_stack, make_name_lookup
from msgauge.report.figures.theme import Theme, colour
from msgauge.report.grid import Entry, Grid, lead, make_grids, make_key
from msgauge.report.view import RunView

_FEWEST = 4
"""Fewer places than this are no map."""
_LEAST_PX = 32
"""Width of a place in which a number stands level; in a narrower one it stands upright."""


def plot_maps(view: RunView) -> Iterator[tuple[Grid, Figure]]:
    """For each collective kernel and set of options: its first grid, and the map over sizes and processes."""
    groups: dict[tuple[object, ...], list[Grid]] = {}
    for grid in make_grids(view.plan, view.analysis, view.kernels):
        if grid.kernel.collective:
            groups.setdefault((grid.kernel.name, grid.options, grid.mode, grid.cache), []).append(grid)
    interval_level = units.format_level(view.analysis.interval_level)
    for group in groups.values():
        places = [place for grid in group for row in grid.rows if (place := _place(row, interval_level))]
        if len(places) >= _FEWEST and _stacks(group) > 1:
            yield group[0], _figure(group, places, view.plan.stacks)


def _stacks(group: Sequence[Grid]) -> int:
    """How many stacks were compared in any place."""
    return len({entry.stack for grid in group for entry in grid.entries if entry.standing in {"best", "behind"}})


def _figure(group: Sequence[Grid], places: list[Spec], stacks: tuple[str, ...]) -> Figure:
    first = group[0]
    title = ", ".join([first.kernel.title, *note_marks(first)])
    words = [word for pair in first.options for word in pair] or ["all"]
    winners = sorted({place["s"] for place in places if not place["open"]})
    return Figure(
        key=make_key(first.kernel.name, *words, *name_way(first), "map"),
        kind="map",
        title=f"{title}: the fastest stack",
        short=title,
        text=f"{title}: the fastest of {len(stacks)} stacks for every size and number of processes; grey where several "
        "may be.",
        stacks=stacks,
        make=lambda theme: _spec(places, winners, [phrasing.plain(stack) for stack in stacks], theme),
        drawn=tuple(winners),
    )


def _place(row: Sequence[Entry], interval_level: str) -> Spec | None:
    """The stack that alone may be the fastest of a test, and its lead; ``~`` and no colour where several may be.

    ``interval_level``: of the lead's interval, as text.
    """
    first = lead(row)
    rivals = [entry for entry in row if entry.standing in {"best", "behind"}]
    if first is None or first.estimate is None or first.estimate.place is None or len(rivals) < 2:
        return None
    place = first.estimate.place
    level = [entry.stack for entry in rivals if entry.standing == "best" and entry is not first]
    return {
        "size": _size(first.cell),
        "order": first.cell.size_bytes,
        "ranks": first.cell.ranks,
        "oversubscribed": "oversubscribed" in first.flags,
        "s": row.index(first),
        "open": bool(level),
        "t": "~" if level else _name_lead(place),
        "d": _describe_place(first, place, level, interval_level),
    }


def _name_lead(place: Place) -> str:
    """``1.20×``; ``*`` where it is not known by how much it leads."""
    return f"{units.format_estimate(place.lead, place.lead_low, place.lead_high)[0]}×" if isfinite(place.lead) else "*"


def _describe_place(first: Entry, place: Place, level: Sequence[str], interval_level: str) -> str:
    where = f"{_size(first.cell)}, {first.cell.ranks} processes"
    if level:
        return f"{where}\n{', '.join(map(phrasing.plain, (first.stack, *level)))}: each may be the fastest"
    mark = "; oversubscribed" if "oversubscribed" in first.flags else ""
    told = "no other may be, but it shares too few rounds with some to tell its lead"
    if isfinite(place.lead):
        ahead, interval = units.format_estimate(place.lead, place.lead_low, place.lead_high)
        told = f"its nearest rival takes {ahead} × the time ({interval_level} interval {interval})"
    return f"{where}\n{phrasing.plain(first.stack)}; {told}{mark}"


def _size(cell: Cell) -> str:
    return units.format_size(cell.size_bytes)


def _spec(places: list[Spec], winners: list[int], names: list[str], theme: Theme) -> Spec:
    sizes = [place["size"] for place in sorted(places, key=lambda place: place["order"])]
    ranks = sorted({place["ranks"] for place in places}, reverse=True)
    inks = [colour(theme, index) for index in range(len(names))]
    legend: Spec | None = None
    if theme.legend:
        legend = {"title": None, "labelExpr": make_name_lookup(names), "values": winners, "symbolType": "square"}
    above = {"titleAngle": 0, "titleAlign": "left", "titleAnchor": "start", "titleY": -8, "titleX": 0}
    x: Spec = {"field": "size", "type": "nominal", "sort": list(dict.fromkeys(sizes))}
    y: Spec = {"field": "ranks", "type": "nominal", "sort": ranks}
    axes: Spec = {
        "x": x | {"axis": {"title": "Message size", "labelAngle": 0, "labelOverlap": True, "ticks": False}},
        "y": y | {"axis": _processes(places) | above},
        "description": {"field": "d"},
    }
    mark: Spec = {"type": "rect", "stroke": theme.paper, "strokeWidth": 2}
    tiles: list[Spec] = [
        {
            "transform": [{"filter": "!datum.open"}],
            "mark": mark | {"opacity": 0.5},
            "encoding": axes | {"color": encode_by_stack(inks, legend)},
        },
        {"transform": [{"filter": "datum.open"}], "mark": mark | {"color": theme.rule}, "encoding": axes},
    ]
    upright = {"angle": 270} if theme.width < _LEAST_PX * len(set(sizes)) else {}
    text: Spec = {
        "mark": {"type": "text", "color": theme.ink, "fontSize": 10 if theme.narrow else 12, "aria": False, **upright},
        "encoding": {"x": x, "y": y, "text": {"field": "t"}},
    }
    return compose_layers(theme, places, [*tiles, text]) | {"height": 34 * len(ranks)}


def _processes(places: Sequence[Spec]) -> Spec:
    """The axis of the processes: a star where they are more than the cores."""
    marked = sorted({str(place["ranks"]) for place in places if place["oversubscribed"]})
    if not marked:
        return {"title": "Processes", "ticks": False}
    star = f"indexof({marked},toString(datum.value))>=0?datum.value+' *':datum.value"
    return {"title": "Processes (* oversubscribed)", "ticks": False, "labelExpr": star}
