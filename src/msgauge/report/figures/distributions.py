"""Distributions of samples, each relative to the median of its stack."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import pairwise

from msgauge import units
from msgauge.model import CellKey
from msgauge.report import phrasing
from msgauge.report.figures import axis_labels
from msgauge.report.figures.figure import Figure, Spec, compose_layers, encode_by_stack, make_axis, make_name_lookup
from msgauge.report.figures.theme import Theme, colour
from msgauge.report.grid import Entry, Grid
from msgauge.report.view import RunView, Sketch

_WIDEST = 3.0
"""The axis ends here: samples beyond three medians are tails, and stand in the table. Launches stand at its end."""
Known = Sequence[tuple[int, Entry, Sketch]]


def plot_distributions(grid: Grid, view: RunView) -> Iterator[Figure]:
    """One figure for a small and one for a large size: an outline a stack, the launch medians as ticks below it."""
    measured = [row for row in grid.rows if any(entry.estimate for entry in row)]
    sketches = {CellKey(sketch.stack, sketch.cell): sketch for sketch in view.sketches}
    for row in _few(measured):
        places = [(index, entry, sketches.get(CellKey(entry.stack, entry.cell.id))) for index, entry in enumerate(row)]
        known = [(index, entry, sketch) for index, entry, sketch in places if entry.estimate and sketch]
        if known:
            yield _figure(grid, row[0].cell.size_bytes, known)


def _few(rows: Sequence[tuple[Entry, ...]]) -> list[tuple[Entry, ...]]:
    """At most two rows: a small size, and one well above the middle."""
    if len(rows) <= 2:
        return list(rows)
    small = next((row for row in rows if row[0].cell.size_bytes >= 8), rows[0])
    large = rows[(2 * len(rows)) // 3]
    return [small, large] if small is not large else [rows[0], large]


def _figure(grid: Grid, size_bytes: int, known: Known) -> Figure:
    size = units.format_size(size_bytes)
    names = tuple(phrasing.plain(entry.stack) for _, entry, _ in known)
    return Figure(
        key=f"{grid.key}-samples-{size_bytes}",
        kind="samples",
        title=f"{grid.title}, {size}: distribution of samples",
        short=f"Samples at {size}",
        text=f"Distribution of the samples of {units.format_count(len(known), 'stack')} at {size}, "
        "each relative to its median.",
        stacks=names,
        make=lambda theme: _spec(known, names, theme),
    )


def _spec(known: Known, names: Sequence[str], theme: Theme) -> Spec:
    outlines, medians = [], []
    for row, (index, entry, sketch) in enumerate(known):
        outlines += [{**part, "s": index, "row": row} for part in _outline(sketch, row)]
        medians += list(_medians(entry, sketch, index, row))
    low = min([0.95, *(part["x"] for part in (*outlines, *medians))]) / 1.01
    high = min(_WIDEST, max([1.1, *(part["x"] for part in (*outlines, *medians))]) * 1.01)
    low = max(low, 1 / _WIDEST)
    outlines = [part for part in outlines if low <= part["x"] <= high]
    ends = [_end_axis(part, low, high) for part in medians]
    beyond = [part for part, known in zip(ends, medians, strict=True) if part is not known]
    x: Spec = {
        "field": "x",
        "type": "quantitative",
        "scale": {"type": "log", "domain": [low, high], "nice": False},
        "axis": make_axis("Time / median of the stack", axis_labels.RATIO, _ticks_around_one(low, high)),
    }
    y: Spec = {
        "field": "y",
        "type": "quantitative",
        "scale": {"domain": [len(known) - 0.45, -0.75], "nice": False},
        "axis": make_axis("", make_name_lookup(names), list(range(len(known)))) | _LABELS | _room(names),
    }
    spec = compose_layers(theme, [], list(_marks(x, y, [colour(theme, index) for index in range(known[-1][0] + 1)])))
    for layer, parts in zip(spec["layer"], (outlines, ends, beyond), strict=True):
        layer["data"] = {"values": parts}
    return spec | {"height": 50 * len(known) + 10, "width": 240 if theme.narrow else 460}


def _end_axis(part: Spec, low: float, high: float) -> Spec:
    """A launch as it is or, where it lies beyond the axis, at its end, with a sign and words that say so."""
    if low <= part["x"] <= high:
        return part
    sign = "◂" if part["x"] < low else "▸"
    return part | {"x": min(max(part["x"], low), high), "sign": sign, "d": f"{part['d']}, beyond the axis"}


_LABELS: Spec = {"title": None, "grid": False, "ticks": False}


def _room(names: Sequence[str]) -> Spec:
    """Space for the longest name: a browser's letters are wider than those the figure was laid out with."""
    pixels = min(240, 7 * max(map(len, names)))
    return {"labelLimit": pixels, "minExtent": pixels + 8}


def _ticks_around_one(low: float, high: float) -> list[float]:
    """Round ratios to label, with 1 always among them: as fine as leaves room between them."""
    for steps in ((0.9, 1, 1.1), (0.8, 0.9, 1, 1.1, 1.2, 1.3, 1.4), (0.5, 0.7, 1, 1.4, 2), (0.33, 0.5, 1, 2, 3)):
        if low >= steps[0] * 0.93 and high <= steps[-1] * 1.1:
            break
    return [step for step in steps if low <= step <= high]


def _marks(x: Spec, y: Spec, colours: list[str]) -> Iterator[Spec]:
    series = encode_by_stack(colours, None)
    yield {
        "mark": {"type": "area", "opacity": 0.55, "aria": False},
        "encoding": {"x": x, "y": y, "y2": {"field": "floor"}, "color": series, "detail": {"field": "row"}},
    }
    yield {
        "mark": {"type": "tick", "thickness": 1.6, "size": 8, "opacity": 0.95},
        "encoding": {"x": x, "y": y, "color": series, "description": {"field": "d"}},
    }
    yield {
        "mark": {"type": "text", "fontSize": 11, "baseline": "middle", "aria": False},
        "encoding": {"x": x, "y": y, "color": series, "text": {"field": "sign"}},
    }


def _outline(sketch: Sketch, row: int, bins: int = 36) -> Iterator[Spec]:
    """Density over the logarithm of time, scaled to one row; from percentiles, so at most as fine as they are."""
    middle = sketch.quantiles_ns[50] or 1.0
    first = max(sketch.quantiles_ns[1], middle / _WIDEST)
    last = max(min(sketch.quantiles_ns[99], middle * _WIDEST), first * 1.001)
    edges = [first * (last / first) ** (step / bins) for step in range(bins + 1)]
    density = [max(0.0, b - a) for a, b in pairwise(share_below(sketch.quantiles_ns, edge) for edge in edges)]
    tallest = max(density) or 1.0
    for (left, right), value in zip(pairwise(edges), density, strict=True):
        x = (left * right) ** 0.5 / middle
        yield {"x": float(f"{x:.6g}"), "y": round(row - 0.62 * value / tallest, 4), "floor": row}


def share_below(quantiles: Sequence[float], value: float) -> float:
    """Percent of samples below ``value``, by linear interpolation between ascending percentiles (0th to 100th)."""
    place = bisect_right(quantiles, value)
    if place in (0, len(quantiles)):
        return float(min(place, len(quantiles) - 1))
    left, right = quantiles[place - 1], quantiles[place]
    return place - 1 + (value - left) / (right - left)


def _medians(entry: Entry, sketch: Sketch, index: int, row: int) -> Iterator[Spec]:
    estimate = entry.estimate
    middle = sketch.quantiles_ns[50] or 1.0
    for median in estimate.launch_medians_ns if estimate else ():
        text = f"{phrasing.plain(entry.stack)}\nmedian of one launch: {units.format_time(median)}"
        yield {"x": median / middle, "y": row + 0.14, "s": index, "d": text}
