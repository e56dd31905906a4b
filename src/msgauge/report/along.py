"""Stacks that differ in one respect alone, as tables: what language, transport, version or way of waiting cost."""

from __future__ import annotations

import math
from collections.abc import Iterator

from attrs import frozen
from rich import box
from rich.console import Console, RenderableType
from rich.table import Table
from rich.text import Text

from msgauge import units
from msgauge.model import AlongAxis
from msgauge.report.view import RunView
from msgauge.report.words import plain

QUESTIONS = {
    "language": "What the language costs",
    "transport": "What the transport costs",
    "version": "What the version costs",
    "wait": "What the way of waiting costs",
}


@frozen
class Line:
    """One cell of one pair: what was measured, and the ratio of the other's time to the base's."""

    kernel: str
    size: str
    ranks: int
    ratio: str
    interval: str
    verdict: str
    reason: str = ""


@frozen
class Pair:
    """Two stacks that differ on one axis alone, in all their cells."""

    axis: str
    title: str
    base: str
    other: str
    summary: str
    lines: tuple[Line, ...]


def paired_tables(view: RunView, axis: str = "") -> tuple[Pair, ...]:
    """One table a pair, of one axis or of all."""
    grouped: dict[tuple[str, str, str], list[AlongAxis]] = {}
    for one in view.analysis.along:
        if axis in ("", one.axis):
            grouped.setdefault((one.axis, one.comparison.base, one.comparison.other), []).append(one)
    return tuple(_pair(found) for found in grouped.values())


def show(view: RunView, axis: str, console: Console | None = None) -> None:
    """Print the tables of an axis."""
    console = console or Console(highlight=False)
    for part in parts(view, axis):
        console.print(part, highlight=False)


def parts(view: RunView, axis: str) -> Iterator[RenderableType]:
    """What ``show`` prints."""
    pairs = paired_tables(view, axis)
    yield Text(f"\n{QUESTIONS.get(axis, axis)}: time of the second over time of the first, 95 % interval", style="bold")
    if not pairs:
        yield Text(f"No two stacks of this run were measured in one cell and differ in their {axis} alone.")
    for pair in pairs:
        yield Text.assemble("\n", (plain(pair.other), "bold"), " against ", (plain(pair.base), "bold"))
        yield Text(pair.summary, style="dim")
        table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 2, 0, 0), show_edge=False)
        for name in ("kernel", "size", "ranks", "ratio", "interval", "verdict"):
            table.add_column(name, justify="left" if name in ("kernel", "verdict") else "right", no_wrap=True)
        for line in pair.lines:
            row = (line.kernel, line.size, str(line.ranks), line.ratio, line.interval, line.verdict)
            table.add_row(*(Text(plain(word)) for word in row))
        yield table


def _pair(found: list[AlongAxis]) -> Pair:
    first = found[0]
    return Pair(
        axis=first.axis,
        title=QUESTIONS.get(first.axis, first.axis),
        base=first.comparison.base,
        other=first.comparison.other,
        summary=_summary(found),
        lines=tuple(_line(one) for one in found),
    )


def _summary(found: list[AlongAxis]) -> str:
    first = found[0]
    known = [one.comparison.ratio for one in found if math.isfinite(one.comparison.ratio) and one.comparison.ratio > 0]
    what = f"{first.axis} {first.other} in place of {first.base}"
    if not known:
        return f"{what}: nothing to pair"
    mean = math.exp(sum(map(math.log, known)) / len(known))
    cells = f"{len(known)} {'cell' if len(known) == 1 else 'cells'}"
    return f"{what}: {units.format_ratio(mean)} times the time, geometric mean of {cells}"


def _line(one: AlongAxis) -> Line:
    told = one.comparison
    options = "".join(f" {name}={value}" for name, value in told.options)
    known = math.isfinite(told.ratio_low) and math.isfinite(told.ratio_high)
    interval = f"{units.format_ratio(told.ratio_low)} to {units.format_ratio(told.ratio_high)}" if known else ""
    ratio = units.format_ratio(told.ratio) if math.isfinite(told.ratio) else "unknown"
    size = units.format_size(told.size_bytes)
    return Line(f"{told.kernel}{options}", size, told.ranks, ratio, interval, told.verdict, told.reason)
