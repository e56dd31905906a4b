"""The map of a cluster in a terminal: what stands out, then every pair in a table that fits 100 columns."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from rich.text import Text

from msgauge import units
from msgauge.analysis.findings.cluster_map import ClusterMap, PairMatrix
from msgauge.analysis.findings.map_doubts import say_nothing_found, shorten_names
from msgauge.model import Pairs
from msgauge.report.figures.cluster_matrix import describe_value
from msgauge.report.phrasing import plain
from msgauge.report.terminal.console import make_console

_MOST_ROWS = 20
"""With more hosts, each row and column of the table stands for several."""
_FEW = 16
"""With no more rows, numbers may have four digits."""


def print_maps(maps: Sequence[ClusterMap], failed: Pairs, refused: Pairs, path: Path) -> None:
    """Print the maps to standard output; ``failed``: stacks that did not deliver all of theirs, and ``refused``: those
    that could not send some of the messages, each with a reason.
    """
    console = make_console()
    for number, one in enumerate(maps):
        for line in [*([""] if number else []), *describe_map(one)]:
            console.print(Text(line))
    for title, mark, found in (("Failed", "×", failed), ("Not run", "–", refused)):
        if found:
            console.print(Text(f"\n{title}"))
        for stack, reason in found:
            console.print(Text(f" {mark} {stack}: {plain(reason)}"))
    console.print(Text(f"\nRun folder {path}\n  page with the picture  {path / 'report.html'}"))


def describe_map(one: ClusterMap) -> Iterator[str]:
    """The map in lines."""
    place = "emulated hosts" if one.emulated else "hosts"
    way = {"sequence": "one pair after the other", "rounds": "in rounds, each host in one pair at a time"}
    yield f"Map by {one.stack}: {len(one.hosts)} {place}, {way.get(one.schedule, one.schedule)}, " + units.format_count(
        one.launches, "launch"
    )
    yield ""
    if not one.findings:
        yield f" • {say_nothing_found(one.notes)}"
    for found in one.findings:
        yield f" • {found.sentence}"
    for note in one.notes:
        yield f" ! {note}"
    yield ""
    for table in one.tables:
        name = "Half round trip" if table.quantity == "latency" else "Bandwidth"
        head = f"{name}, {units.format_size(table.size_bytes)}: typical pair "
        yield f"{head}{describe_value(table, table.typical) if table.typical else 'not told'}"
    yield from _whole(one)
    yield from _matrix(one)


def _whole(one: ClusterMap) -> Iterator[str]:
    if one.together_bytes_per_s:
        yield f"Every host to every other at once: {units.format_rate(one.together_bytes_per_s)} in all"
    if one.bisection_bytes_per_s:
        half = len(one.hosts) // 2
        ends = f"{shorten_names(one.hosts[:half])} | {shorten_names(one.hosts[half : 2 * half])}"
        yield f"Bisection ({ends}): {units.format_rate(one.bisection_bytes_per_s)}, both ways together"


def _matrix(one: ClusterMap) -> Iterator[str]:
    """Above the diagonal the first table, below it the last one."""
    hosts = len(one.hosts)
    if not one.tables or hosts < 2:
        return
    each = math.ceil(hosts / _MOST_ROWS)
    blocks = [range(start, min(start + each, hosts)) for start in range(0, hosts, each)]
    upper, lower = one.tables[0], one.tables[-1]
    digits = 4 if len(blocks) <= _FEW else 3
    units_of = [_unit(table, digits) for table in (upper, lower)]
    yield ""
    yield f"Above the diagonal: {_head(upper, units_of[0])}. Below it: {_head(lower, units_of[1])}."
    if each > 1:
        yield f"Each row and column stands for {each} hosts, by their slowest pair."
    names = [one.hosts[block[0]] if each == 1 else f"{one.hosts[block[0]]}…" for block in blocks]
    widest = max(map(len, names))
    shown = [name if len(name) <= digits else f"{name[: digits - 1]}…" for name in names]
    yield " " * widest + " " + "".join(name.rjust(digits + 1) for name in shown)
    for row, name in enumerate(names):
        cells = []
        for column in range(len(blocks)):
            table, unit = (upper, units_of[0]) if column >= row else (lower, units_of[1])
            cells.append(_cell(table, unit[0], blocks[row], blocks[column]).rjust(digits + 1))
        yield f"{name.rjust(widest)} {''.join(cells)}"


def _head(table: PairMatrix, unit: tuple[float, str]) -> str:
    what = "half round trip" if table.quantity == "latency" else "bandwidth, the slower direction"
    return f"{what} in {unit[1]}"


def _unit(table: PairMatrix, digits: int) -> tuple[float, str]:
    """A unit in which the largest value has so many digits or fewer."""
    largest = max(max(row) for row in table.values)
    scales = (("ns", 1.0), ("µs", 1e3), ("ms", 1e6), ("s", 1e9))
    if table.quantity == "bandwidth":
        scales = (("B/s", 1.0), ("kB/s", 1e3), ("MB/s", 1e6), ("GB/s", 1e9))
    return next(
        ((scale, name) for name, scale in scales if largest / scale < 10**digits - 0.5), (scales[-1][1], scales[-1][0])
    )


def _cell(table: PairMatrix, scale: float, rows: Sequence[int], columns: Sequence[int]) -> str:
    """The slowest pair of two blocks of hosts, either direction."""
    values = np.array([table.values[i][j] for i in rows for j in columns if i != j])
    values = np.append(values, [table.values[j][i] for i in rows for j in columns if i != j])
    values = values[values > 0]
    if not values.size:
        return "·"
    value = float(values.max() if table.quantity == "latency" else values.min()) / scale
    return f"{value:.0f}" if value >= 9.95 else f"{value:.1f}"
