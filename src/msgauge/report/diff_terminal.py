"""Two versions for a terminal: old, new, change with its interval, verdict; at most 100 columns."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from itertools import groupby

from msgauge.analysis.run_comparison import Level, MeanChange, RunChange, RunsCompared
from msgauge.model import Comparison
from msgauge.report.phrasing import plain
from msgauge.units import format_change, format_size, format_time

WIDTH = 100
_WIDTHS = (30, 14, 14, 24)
_BASES = {
    "repeated runs": "intervals rest on how repeated runs of one version differ",
    "reference stacks": "intervals rest on how reference stacks, which did not change, differ between the runs",
    "nothing": "no intervals: how much runs of the same build differ on this machine is not known",
}


def list_lines(compared: RunsCompared, commands: Sequence[str]) -> Iterator[str]:
    """The table of every stack, what it rests on, warnings, and the commands that would decide what is open."""
    yield _row("time per operation", "old", "new", "new vs old, 95 %", "")
    for title, rows in groupby(compared.changes, key=_title):
        yield ""
        yield from wrap_text(plain(title))
        yield from (line for one in rows for line in _lines_of_cell(one))
        yield from (_mean_line(mean) for mean in compared.means if mean.pair.title == title)
    yield ""
    count = len(compared.judged)
    yield from wrap_text(f"{_BASES[compared.basis]}; verdicts are corrected for {count} comparisons")
    if commands:
        yield "to decide what is undecided, measure old and new side by side in one run:"
        yield from (f"  {plain(command)}" for command in commands)
    for warning in compared.warnings:
        yield from wrap_text(f"warning: {plain(warning.message)}")
        yield from wrap_text(f"  remedy: {plain(warning.remedy)}")


def wrap_text(text: str) -> list[str]:
    """Lines of at most 100 columns; a word that is longer stays whole, so that it can be copied."""
    return textwrap.wrap(text, WIDTH, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)


def _title(one: RunChange) -> str:
    pair = one.comparison
    name = pair.other if pair.base == pair.other else f"{pair.base} -> {pair.other}"
    return f"{name} (reference)" if one.reference else name


def _lines_of_cell(one: RunChange) -> Iterator[str]:
    label, verdict = describe_cell(one.comparison), "" if one.reference else one.comparison.verdict
    texts = _time(one.old), _time(one.new), format_delta(one.comparison), verdict
    if len(label) > _WIDTHS[0] - 2:
        yield f"  {plain(label)}"
        label = ""
    yield _row(f"  {plain(label)}", *texts)


def _mean_line(mean: MeanChange) -> str:
    delta = _span(mean.ratio, mean.low, mean.high)
    return _row(f"  geometric mean of {mean.cells}", "", "", delta, mean.verdict)


def _row(name: str, old: str, new: str, delta: str, verdict: str) -> str:
    first, *widths = _WIDTHS
    cells = "  ".join(text.ljust(width) for text, width in zip((old, new, delta), widths, strict=True))
    return f"{name:<{first}}  {cells}  {verdict}".rstrip()


def describe_cell(one: Comparison) -> str:
    """``bcast 1 KiB, 4 ranks, root=1``."""
    options = "".join(f", {name}={value}" for name, value in one.options)
    return f"{one.kernel} {format_size(one.size_bytes)}, {one.ranks} ranks{options}"


def format_delta(one: Comparison) -> str:
    """``+4.9 % [+3.1, +6.7]``; the change alone where there is no interval."""
    return _span(one.ratio, one.ratio_low, one.ratio_high)


def _span(ratio: float, low: float, high: float) -> str:
    if not low < float("inf"):
        return format_change(ratio)
    ends = ", ".join(format_change(end).removesuffix(" %") for end in (low, high))
    return f"{format_change(ratio)} [{ends}]"


def _time(level: Level) -> str:
    """``1.23 µs ±2%``."""
    if not level.low_ns > 0:
        return format_time(level.median_ns)
    half = max(level.high_ns / level.median_ns, level.median_ns / level.low_ns) - 1
    return f"{format_time(level.median_ns)} ±{f'{100 * half:.1f}' if half < 0.0995 else f'{100 * half:.0f}'}%"
