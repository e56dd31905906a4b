"""Pairs of stacks that differ in one factor alone, as tables: language, transport, version, wait policy."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator

from attrs import frozen
from rich.console import Console, RenderableType
from rich.text import Text

from msgauge import units
from msgauge.model import FactorEffect
from msgauge.model.measured_way import name_marks
from msgauge.report.phrasing import plain
from msgauge.report.terminal.console import make_console
from msgauge.report.text_table import make_open_table
from msgauge.report.view import RunView

TITLES = {
    "language": "Effect of the language",
    "map": "Effect of the placement",
    "transport": "Effect of the transport",
    "version": "Effect of the version",
    "wait": "Effect of the wait policy",
}


@frozen
class FactorLine:
    """One test of one pair: what was measured, and the ratio of the other's time to the base's."""

    kernel: str
    size: str
    ranks: int
    ratio: str
    interval: str
    verdict: str
    reason: str = ""


@frozen
class FactorTable:
    """Two stacks that differ in one factor alone, in all their tests."""

    axis: str
    title: str
    base: str
    other: str
    summary: str
    lines: tuple[FactorLine, ...]


def make_tables(view: RunView, axis: str = "") -> tuple[FactorTable, ...]:
    """One table a pair, of one axis or of all."""
    grouped: dict[tuple[str, str, str], list[FactorEffect]] = {}
    for one in view.analysis.factor_effects:
        if axis in ("", one.axis):
            grouped.setdefault((one.axis, one.comparison.base, one.comparison.other), []).append(one)
    return tuple(_pair(found) for found in grouped.values())


def print_factor_effects(view: RunView, axis: str, console: Console | None = None) -> None:
    """Print the tables of an axis."""
    console = console or make_console()
    for part in parts(view, axis):
        console.print(part, highlight=False)


def parts(view: RunView, axis: str) -> Iterator[RenderableType]:
    """What is printed."""
    pairs = make_tables(view, axis)
    level = units.format_level(view.analysis.interval_level)
    heading = f"\n{TITLES.get(axis, axis)}: ratio of times (first stack / second stack), {level} interval"
    yield Text(heading, style="bold")
    if not pairs:
        yield Text(f"No two stacks of this run share a test and differ in {axis} alone.")
    for pair in pairs:
        yield Text.assemble("\n", (plain(pair.other), "bold"), " vs ", (plain(pair.base), "bold"))
        yield Text(pair.summary, style="dim")
        table = make_open_table()
        for name in ("kernel", "size", "ranks", "ratio", "interval", "verdict"):
            left, short = name in ("kernel", "verdict"), name in ("ranks", "ratio")
            table.add_column(name, justify="left" if left else "right", no_wrap=short, overflow="fold")
        for line in pair.lines:
            row = (line.kernel, line.size, str(line.ranks), line.ratio, line.interval, line.verdict)
            table.add_row(*(Text(plain(word)) for word in row))
        yield table


def _pair(found: list[FactorEffect]) -> FactorTable:
    first = found[0]
    return FactorTable(
        axis=first.axis,
        title=TITLES.get(first.axis, first.axis),
        base=first.comparison.base,
        other=first.comparison.other,
        summary=_summary(found),
        lines=tuple(_line(one) for one in found),
    )


def _summary(found: list[FactorEffect]) -> str:
    first = found[0]
    known = [one.comparison.ratio for one in found if math.isfinite(one.comparison.ratio) and one.comparison.ratio > 0]
    what = f"{first.axis} {first.other} vs {first.base}"
    if not known:
        return f"{what}: no round in common"
    words = Counter(one.comparison.verdict for one in found)
    counted = ", ".join(f"{word} in {count}" for word, count in words.most_common())
    return f"{what}: {counted} of {units.format_count(len(found), 'test')}"


def _line(one: FactorEffect) -> FactorLine:
    found = one.comparison
    options = "".join(f" {word}" for word in name_marks(found))
    known = math.isfinite(found.ratio_low) and math.isfinite(found.ratio_high)
    told, limits = units.format_estimate(found.ratio, found.ratio_low, found.ratio_high)
    interval = limits if known else ""
    ratio = told if math.isfinite(found.ratio) else "unknown"
    size = units.format_size(found.size_bytes)
    return FactorLine(f"{found.kernel}{options}", size, found.ranks, ratio, interval, found.verdict, found.reason)
