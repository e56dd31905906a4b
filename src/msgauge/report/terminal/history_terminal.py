"""A history for a terminal: what changed and when, then a line for each series; at most 100 columns."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import groupby

import numpy as np

from msgauge.analysis.between_runs.cell_names import describe_cell
from msgauge.analysis.between_runs.history import CellHistory, History
from msgauge.analysis.between_runs.history_findings import describe_changes, describe_references, number_changes
from msgauge.analysis.between_runs.measured_runs import Quantile
from msgauge.analysis.between_runs.run_quantiles import name_time, tell_of
from msgauge.report.phrasing import plain
from msgauge.report.series_order import order_series
from msgauge.report.terminal.labelled_rows import WIDTH, measure_columns, wrap_text, write_row
from msgauge.units import format_count, format_percent, format_time

_BARS = "▁▂▃▄▅▆▇█"
_MOST_BARS = 24


def list_history(history: History, width: int = WIDTH, quantile: Quantile = "p50") -> Iterator[str]:
    """Sentences, the table of all series, what its columns mean, warnings."""
    for sentence in (*tell_of(describe_changes(history), quantile), *describe_references(history)):
        yield from wrap_text(plain(sentence), width)
    yield ""
    first, last = history.runs[0], history.runs[-1]
    yield from wrap_text(f"{format_count(len(history.runs), 'run')} from {first.name} to {last.name}", width)
    yield from _table(history, width, name_time(quantile))
    yield ""
    yield from wrap_text(
        "bars go from the fastest to the slowest run of a series, no less than 5 % apart; spread: how far "
        "neighbouring runs differ",
        width,
    )
    for warning in history.warnings:
        yield from wrap_text(f"warning: {plain(warning.message)}", width)
        yield from wrap_text(f"  remedy: {plain(warning.remedy)}", width)


def _table(history: History, width: int, what: str) -> Iterator[str]:
    """A line for each series, in columns as wide as what stands in them."""
    ranks = {one.key.ranks for one in history.series}
    common = f", {ranks.pop()} ranks" if len(ranks) == 1 else ""
    head = (f"{what}{common}", "first to last run", "last", "spread", "changes")
    members = sorted(order_series(history.series), key=lambda one: one.key.stack)
    rows = {id(one): _texts(one, common) for one in members}
    widths = measure_columns([head, *rows.values()])
    yield from write_row(head, widths)
    for stack, some in groupby(members, key=lambda one: one.key.stack):
        yield ""
        yield from wrap_text(plain(stack), width)
        for one in some:
            yield from write_row(rows[id(one)], widths)
            for change in list(number_changes(one))[1:]:
                yield from write_row(("", "", "", "", change), widths)


def _texts(one: CellHistory, common: str) -> tuple[str, str, str, str, str]:
    """Label, bars, last level, spread, the first change."""
    label = f"  {plain(describe_cell(one.key).replace(common, '', 1) if common else describe_cell(one.key))}"
    spread = format_percent(float(f"{one.spread:.2g}")) if math.isfinite(one.spread) else "–"
    last = format_time(float(one.median_ns[-1]))
    return label, draw_bars(one.median_ns), last, spread, next(iter(number_changes(one)), "")


def draw_bars(values: Sequence[float] | np.ndarray, most: int = _MOST_BARS) -> str:
    """A bar for each value, or for the median of neighbours where they are more than ``most``; log scale."""
    logs = np.log(np.asarray(values, dtype=float))
    parts = np.array([np.median(part) for part in np.array_split(logs, min(most, logs.size))])
    low, span = parts.min(), max(float(np.ptp(parts)), math.log(1.05))
    return "".join(_BARS[int(place)] for place in np.minimum((parts - low) / span * len(_BARS), len(_BARS) - 1))
