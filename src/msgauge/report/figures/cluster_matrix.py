"""The map of a cluster as a picture: the stronger the colour of a field, the slower the pair."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from msgauge import units
from msgauge.analysis.findings.cluster_map import ClusterMap, PairMatrix
from msgauge.report import phrasing
from msgauge.report.figures.figure import Figure, Spec, compose_layers, make_name_lookup
from msgauge.report.figures.theme import Theme, colour

_MOST_SINGLE = 24
"""With more hosts, neighbouring fields of one shade are drawn as one."""
_MOST_TEXTS = 10
_MOST_LABELS = 20
_STEPS = 8
_STRONGEST = 4.0
"""So many times as slow as the quickest pairs, and beyond, has the full colour."""
_QUICKEST = 0.1
"""Shades begin at this quantile, not at the typical pair: of two switches most pairs are on different ones."""


def plot_matrices(maps: Sequence[ClusterMap]) -> Iterator[Figure]:
    """One figure for each quantity of each stack."""
    for number, one in enumerate(maps):
        for table in one.tables:
            yield _figure(number, one, table)


def _figure(number: int, one: ClusterMap, table: PairMatrix) -> Figure:
    what = "Half round trip" if table.quantity == "latency" else "Bandwidth"
    short = f"{what}, {units.format_size(table.size_bytes)}"
    place = "emulated hosts" if one.emulated else "hosts"
    typical, unit = describe_value(table, table.typical), "µs" if table.quantity == "latency" else "MB/s"
    return Figure(
        key=f"map-{number}-{table.quantity}",
        kind="map",
        title=f"{phrasing.plain(one.stack)}: {short} between {len(one.hosts)} {place}, in {unit}",
        short=f"{short}, in {unit}; typical {typical}",
        text=f"{what} between every two of {len(one.hosts)} {place}; the typical pair has {typical}. "
        + (
            " ".join(f"{found.sentence}." for found in one.findings if found.quantity == table.quantity)
            or f"None stands out{' for certain' if one.notes else ''}."
        ),
        stacks=(),
        make=lambda theme: _spec(one, table, theme),
    )


def describe_value(table: PairMatrix, value: float) -> str:
    """A value of a table with its unit."""
    return units.format_time(value) if table.quantity == "latency" else units.format_rate(value)


def slowness(table: PairMatrix, value: float) -> float:
    """How many times as slow as the typical pair; 0 where nothing was measured."""
    if value <= 0 or table.typical <= 0:
        return 0.0
    return value / table.typical if table.quantity == "latency" else table.typical / value


def _spec(one: ClusterMap, table: PairMatrix, theme: Theme) -> Spec:
    hosts = len(one.hosts)
    fields = list(_fields(one, table))
    side = min(theme.width - 60, 460)
    labels: Spec = {
        "values": [place + 0.5 for place in range(0, hosts, math.ceil(hosts / _MOST_LABELS))],
        "labelExpr": make_name_lookup([phrasing.plain(name) for name in one.hosts]).replace(
            "datum.value", "floor(datum.value)"
        ),
        "grid": False,
        "ticks": False,
        "domain": False,
        "labelAngle": 0,
        "labelOverlap": True,
    }
    scale: Spec = {"domain": [0, hosts], "nice": False, "zero": False}
    x: Spec = {"field": "x", "type": "quantitative", "scale": scale, "axis": labels | {"title": "To", "orient": "top"}}
    y: Spec = {
        "field": "y",
        "type": "quantitative",
        "scale": scale | {"reverse": True},
        "axis": labels | {"title": "From"},
    }
    tile: Spec = {
        "mark": {
            "type": "rect",
            "color": colour(theme, 1),
            "stroke": theme.paper,
            "strokeWidth": 1 if hosts <= 32 else 0,
        },
        "encoding": {
            "x": x,
            "x2": {"field": "x2"},
            "y": y,
            "y2": {"field": "y2"},
            "opacity": {"field": "o", "type": "quantitative", "scale": None, "legend": None},
            "description": {"field": "d"},
        },
    }
    layers = [tile]
    if hosts <= _MOST_TEXTS:
        centre = {"x": x | {"field": "cx"}, "y": y | {"field": "cy"}, "text": {"field": "t"}}
        size = 9 if theme.narrow else 12
        layers.append(
            {"mark": {"type": "text", "color": theme.ink, "fontSize": size, "aria": False}, "encoding": centre}
        )
    return compose_layers(theme, fields, layers) | {"width": side, "height": side}


def _fields(one: ClusterMap, table: PairMatrix) -> Iterator[Spec]:
    """Fields row by row; runs of one shade as one field where there are very many."""
    hosts, quickest = len(one.hosts), _quickest(table)
    for row in range(hosts):
        column = 0
        while column < hosts:
            shade = _shade(table, row, column, quickest)
            end = column + 1
            while hosts > _MOST_SINGLE and end < hosts and end != row and _shade(table, row, end, quickest) == shade:
                end += 1
            if column != row:
                yield _field(one, table, row, (column, end), shade)
            column = end if column != row else column + 1


def _quickest(table: PairMatrix) -> float:
    """How slow the quickest pairs are, as a multiple of the typical one."""
    known = sorted(ratio for row in table.values for value in row if (ratio := slowness(table, value)) > 0)
    return known[int(_QUICKEST * len(known))] if known else 1.0


def _shade(table: PairMatrix, row: int, column: int, quickest: float) -> float:
    """From 0.1 for the quickest pairs to 1; the diagonal has none."""
    if row == column:
        return 0.0
    ratio = slowness(table, table.values[row][column]) / quickest
    part = min(1.0, max(0.0, math.log(max(ratio, 1e-9)) / math.log(_STRONGEST)))
    return 0.1 + 0.9 * round(part * _STEPS) / _STEPS


def _field(one: ClusterMap, table: PairMatrix, row: int, columns: tuple[int, int], shade: float) -> Spec:
    first, end = columns
    value = table.values[row][first]
    to = phrasing.plain(one.hosts[first]) + (f" to {phrasing.plain(one.hosts[end - 1])}" if end - first > 1 else "")
    ratio = units.format_ratio(slowness(table, value))
    said = f"{describe_value(table, value)}, {ratio} × as slow as typical" if value > 0 else "not told"
    return {
        "x": first,
        "x2": end,
        "y": row,
        "y2": row + 1,
        "cx": (first + end) / 2,
        "cy": row + 0.5,
        "o": round(shade, 3),
        "t": units.three_digits(value / (1e3 if table.quantity == "latency" else 1e6)) if value > 0 else "·",
        "d": f"{phrasing.plain(one.hosts[row])}, {to}\n{said}",
    }
