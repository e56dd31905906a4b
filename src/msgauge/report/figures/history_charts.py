"""The figure of one cell over the runs of a history: a point and an interval for each run, levels, and changes."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, floor

from msgauge import units
from msgauge.analysis.between_runs.cell_names import describe_cell
from msgauge.analysis.between_runs.history import CellHistory, Change, History
from msgauge.analysis.between_runs.history_findings import describe_range, format_p, format_start
from msgauge.report import phrasing
from msgauge.report.figures import axis_labels, chart_parts
from msgauge.report.figures.figure import Figure, Spec, compose_layers, make_axis
from msgauge.report.figures.theme import Theme

_FIGURE_HEIGHT = 230
_MOST_TICKS = 10
_MOST_STEPS = 7


def plot_cell(
    history: History, members: Sequence[CellHistory], stacks: Sequence[str], number: int, time: str = "time"
) -> Figure:
    """A figure of one cell; ``stacks`` are those of the whole history, so that each keeps its ink.

    ``time``: what is drawn, ``time`` or a tail of it.
    """
    title = describe_cell(members[0].key)
    return Figure(
        key=f"history-{number}",
        kind="plain",
        title=title,
        short=title,
        text=describe_figure(history, members, time),
        stacks=tuple(stacks),
        make=lambda theme: _spec(history, members, stacks, theme, time),
        drawn=tuple(stacks.index(one.key.stack) for one in members),
    )


def describe_figure(history: History, members: Sequence[CellHistory], time: str = "time") -> str:
    """What the figure shows, in words."""
    parts = []
    for one in members:
        first, last = (units.format_time(float(one.median_ns[place])) for place in (0, -1))
        changes = (
            " ".join(_describe_change(history, change) for change in one.changes) or "No change of level is found."
        )
        parts.append(f"{phrasing.plain(one.key.stack)}: {len(one.runs)} runs, from {first} to {last}. {changes}")
    return f"{describe_cell(members[0].key)}, {time} over runs. {' '.join(parts)}"


def _describe_change(history: History, change: Change) -> str:
    size, low, high = (units.format_change(one) for one in (change.factor, *change.together))
    run = history.runs[change.first].name
    return f"{size} ({low} to {high}) from run {run} on, at run {describe_range(change)}, p {format_p(change.p_value)}."


def _spec(history: History, members: Sequence[CellHistory], stacks: Sequence[str], theme: Theme, time: str) -> Spec:
    points = [point for one in members for point in _points(history, one, stacks.index(one.key.stack))]
    points = chart_parts.clip_intervals(points)
    x = _x(len(history.runs), theme)
    y = _y(points, f"{time[0].upper()}{time[1:]}")
    series = chart_parts.encode_stacks(stacks, theme, {})
    of_stack = {"color": series["color"]}
    layers: list[Spec] = [
        *_changes(members, stacks, x, of_stack),
        *_levels(members, stacks, {"x": x, "y": y}, {**of_stack, "strokeDash": series["strokeDash"]}),
        {
            "mark": {"type": "rule", "strokeWidth": 1, "opacity": 0.55, "aria": False},
            "encoding": {"x": x, "y": {**y, "field": "low"}, "y2": {"field": "high"}, **of_stack},
        },
        {
            "mark": {"type": "point", "filled": True, "size": 18 if theme.narrow else 30, "opacity": 1},
            "encoding": {"x": x, "y": y, **of_stack, "shape": series["shape"], "description": {"field": "d"}},
        },
        *chart_parts.mark_cuts(points, x, y, of_stack),
    ]
    return compose_layers(theme, points, layers) | {"height": min(theme.height, _FIGURE_HEIGHT)}


def _points(history: History, one: CellHistory, stack: int) -> list[Spec]:
    found = []
    for place, number in enumerate(one.runs):
        run = history.runs[number]
        middle, low, high = (float(side[place]) for side in (one.median_ns, one.low_ns, one.high_ns))
        span = f" ({units.format_time(low)} to {units.format_time(high)})" if low > 0 else ""
        where = f"run {number + 1}, {format_start(run.started)}: {run.name}"
        text = f"{phrasing.plain(one.versions[place])}\n{phrasing.plain(where)}\n{units.format_time(middle)}{span}"
        ends = {"low": low, "high": high} if low > 0 else {"low": middle, "high": middle}
        found.append({"x": number + 1, "y": middle, **ends, "s": stack, "d": text})
    return found


def _levels(members: Sequence[CellHistory], stacks: Sequence[str], places: Spec, marks: Spec) -> list[Spec]:
    """The median of each stretch between changes, as a line over its runs."""
    values = [
        {"x": first + 0.5, "to": last + 1.5, "y": level, "s": stacks.index(one.key.stack)}
        for one in members
        for first, last, level in one.stretches()
    ]
    return [
        {
            "data": {"values": values},
            "mark": {"type": "rule", "strokeWidth": 1.8, "aria": False},
            "encoding": {**places, "x2": {"field": "to"}, **marks},
        }
    ]


def _changes(members: Sequence[CellHistory], stacks: Sequence[str], x: Spec, marks: Spec) -> list[Spec]:
    """The range of runs that each change may have come with, behind the points, and its likeliest place."""
    values = [
        {
            "x": change.first + 0.5,
            "from": change.earliest + 0.5 - 0.08,
            "to": change.latest + 0.5 + 0.08,
            "s": stacks.index(one.key.stack),
        }
        for one in members
        for change in one.changes
    ]
    if not values:
        return []
    band = {"type": "rect", "opacity": 0.14, "aria": False}
    place = {"type": "rule", "strokeWidth": 1, "strokeDash": [3, 3], "aria": False}
    return [
        {
            "data": {"values": values},
            "mark": band,
            "encoding": {"x": {**x, "field": "from"}, "x2": {"field": "to"}, **marks},
        },
        {"data": {"values": values}, "mark": place, "encoding": {"x": x, **marks}},
    ]


def _y(points: list[Spec], title: str) -> Spec:
    """Logarithmic; where all times are within a factor of three, labelled at even steps."""
    y = chart_parts.make_y_axis(points, title, axis_labels.TIME)
    values = even_ticks(*y["scale"]["domain"])
    return {**y, "axis": {**y["axis"], "values": values}} if values else y


def even_ticks(low: float, high: float) -> list[float]:
    """Four to seven round values at even steps from ``low`` to ``high``; none where these are far apart."""
    if high > 3 * low:
        return []
    for step in (factor * 10.0**power for power in range(-3, 13) for factor in (1, 2, 2.5, 5)):
        first, last = ceil(low / step), floor(high / step)
        if last - first < _MOST_STEPS:
            return [float(f"{number * step:.6g}") for number in range(first, last + 1)]
    return []


def _x(runs: int, theme: Theme) -> Spec:
    most = _MOST_TICKS // 2 if theme.narrow else _MOST_TICKS
    step = next(size for size in (1, 2, 5, 10, 20, 50, 100, 200, 500, 10**6) if ceil(runs / size) <= most)
    values = sorted({1, *range(step, runs + 1, step)}) if step > 1 else list(range(1, runs + 1))
    axis = make_axis("Run, in order of time", axis_labels.NUMBER, values) | {"grid": False, "ticks": True}
    scale = {"type": "linear", "domain": [0.5, runs + 0.5], "nice": False, "zero": False}
    return {"field": "x", "type": "quantitative", "scale": scale, "axis": axis}
