"""Two versions for a terminal: old, new, change with its interval, verdict; at most 100 columns.

Where the terminal is narrower than the table, each test has two lines.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from msgauge.analysis.between_runs.cell_names import describe_cell
from msgauge.analysis.between_runs.measured_runs import Quantile
from msgauge.analysis.between_runs.run_comparison import Level, MeanChange, RunChange, RunsCompared
from msgauge.analysis.between_runs.run_quantiles import name_time
from msgauge.model import Comparison
from msgauge.report.grid import format_halfwidth
from msgauge.report.phrasing import plain
from msgauge.report.terminal.labelled_rows import WIDTH, measure_columns, wrap_text, write_row
from msgauge.units import format_change, format_count, format_time

_FAR = 10.0
"""An end of an interval that is farther from 1 is not told to the digit."""
_Row = tuple[str, str, str, str, str]
"""A line of the table: what it is about, and old, new, change, verdict."""
_BASES = {
    "repeated runs": "intervals rest on how repeated runs of one version differ",
    "reference stacks": "intervals rest on how reference stacks, which did not change, differ between the runs",
    "nothing": "no intervals: how much runs of the same build differ on this machine is not known",
}


def list_lines(
    compared: RunsCompared, commands: Sequence[str], width: int = WIDTH, quantile: Quantile = "p50"
) -> Iterator[str]:
    """The table of every stack, what it rests on, warnings, and the commands that would decide what is open."""
    ranks = {one.comparison.ranks for one in compared.changes}
    common = f", {ranks.pop()} ranks" if len(ranks) == 1 else ""
    groups = {
        title: [_row_of(one, common) for one in rows]
        + [_mean_row(mean) for mean in compared.means if mean.pair.title == title]
        for title, rows in groupby(compared.changes, key=_title)
    }
    yield from _table(f"{name_time(quantile)}{common}", groups, width)
    yield ""
    count = format_count(len(compared.judged), "comparison")
    each = "" if compared.basis == "nothing" else " each is of 95 %,"
    yield from wrap_text(f"{_BASES[compared.basis]};{each} verdicts are corrected for {count}", width)
    if _takes_references_off(compared):
        yield from wrap_text("the mean change of the references is taken off the changes of the others", width)
    if commands:
        yield "to decide what is undecided, measure old and new side by side in one run:"
        yield from (f"  {plain(command)}" for command in commands)
    for warning in compared.warnings:
        yield from wrap_text(f"warning: {plain(warning.message)}", width)
        yield from wrap_text(f"  remedy: {plain(warning.remedy)}", width)


def _takes_references_off(compared: RunsCompared) -> bool:
    """Whether changes are beside those of references, so that a row may seem not to follow from its levels."""
    parted = any(warning.code == "references-disagree" for warning in compared.warnings)
    return any(one.reference for one in compared.changes) and not parted and compared.basis != "nothing"


def _table(title: str, groups: dict[str, list[_Row]], width: int) -> Iterator[str]:
    """The groups, in columns that are as wide as what stands in them, or in two lines a test."""
    head = (title, "old", "new", "new vs old, 95 %", "")
    widths = measure_columns([head, *(row for some in groups.values() for row in some)])
    write = write_row if sum(widths) + 2 * len(widths) <= width else _write_pair
    yield from write(head, widths)
    for name, some in groups.items():
        yield ""
        yield from wrap_text(plain(name), width)
        for row in some:
            yield from write(row, widths)


def _write_pair(row: _Row, widths: Sequence[int]) -> Iterator[str]:
    label, old, new, change, verdict = row
    if old:
        yield f"{label.ljust(widths[0])}  {old.ljust(widths[1])}  {new}".rstrip()
    else:
        yield label
    yield f"      {change.ljust(widths[3])}  {verdict}".rstrip()


def _title(one: RunChange) -> str:
    pair = one.comparison
    name = pair.other if pair.base == pair.other else f"{pair.base} -> {pair.other}"
    return f"{name} (reference)" if one.reference else name


def _row_of(one: RunChange, common: str) -> _Row:
    verdict = "" if one.reference else one.comparison.verdict
    label = describe_cell(one.comparison).replace(common, "", 1) if common else describe_cell(one.comparison)
    return f"  {plain(label)}", format_level(one.old), format_level(one.new), format_delta(one.comparison), verdict


def _mean_row(mean: MeanChange) -> _Row:
    delta = _span(mean.ratio, mean.low, mean.high)
    return f"  geometric mean of {mean.cells}", "", "", delta, mean.verdict


def format_delta(one: Comparison) -> str:
    """``+4.9 % [+3.1, +6.7]``; the change alone where there is no interval."""
    return _span(one.ratio, one.ratio_low, one.ratio_high)


def _span(ratio: float, low: float, high: float) -> str:
    if not low < float("inf"):
        return format_change(ratio)
    return f"{format_change(ratio)} [{_name_end(low, ratio)}, {_name_end(high, ratio)}]"


def _name_end(end: float, ratio: float) -> str:
    """An end of an interval, in percent; far from a ratio that is near 1 it is enough that it is (few, wild rounds)."""
    if ratio < _FAR < end:
        return f">{format_change(_FAR).removesuffix(' %')}"
    if end < 1 / _FAR < ratio:
        return f"<{format_change(1 / _FAR).removesuffix(' %')}"
    return format_change(end).removesuffix(" %")


def format_level(level: Level) -> str:
    """``1.23 µs ±2%``."""
    if not level.low_ns > 0:
        return format_time(level.median_ns)
    return f"{format_time(level.median_ns)} {format_halfwidth(level.median_ns, level.low_ns, level.high_ns)}"
