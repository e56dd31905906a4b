"""A history for a terminal: what changed and when, then a line for each series; at most 100 columns."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import groupby

import numpy as np

from msgauge.analysis.history import CellHistory, History
from msgauge.analysis.history_findings import describe_cell_of, describe_changes, number_changes
from msgauge.report.diff_terminal import wrap_text
from msgauge.report.phrasing import plain
from msgauge.units import format_count, format_percent, format_time

_BARS = "▁▂▃▄▅▆▇█"
_MOST_BARS = 24
_WIDTHS = (30, _MOST_BARS, 8, 7)


def list_history(history: History) -> Iterator[str]:
    """Sentences, the table of all series, what its columns mean, warnings."""
    for sentence in describe_changes(history):
        yield from wrap_text(plain(sentence))
    yield ""
    first, last = history.runs[0], history.runs[-1]
    yield from wrap_text(f"{format_count(len(history.runs), 'run')} from {first.name} to {last.name}")
    yield _row("time per operation", "from first to last run", "last", "spread", "changes")
    for stack, members in groupby(sorted(history.series, key=lambda one: one.key.stack), key=lambda one: one.key.stack):
        yield ""
        yield from wrap_text(plain(stack))
        for one in members:
            yield from _lines(one)
    yield ""
    yield from wrap_text(
        "bars go from the fastest to the slowest run of a series, no less than 5 % apart; spread: how far "
        "neighbouring runs differ"
    )
    for warning in history.warnings:
        yield from wrap_text(f"warning: {plain(warning.message)}")
        yield from wrap_text(f"  remedy: {plain(warning.remedy)}")


def _lines(one: CellHistory) -> Iterator[str]:
    label = f"  {plain(describe_cell_of(one))}"
    if len(label) > _WIDTHS[0]:
        yield label
        label = ""
    spread = format_percent(float(f"{one.spread:.2g}")) if math.isfinite(one.spread) else "–"
    changes = list(number_changes(one)) or [""]
    yield _row(label, draw_bars(one.median_ns), format_time(float(one.median_ns[-1])), spread, changes[0])
    yield from (_row("", "", "", "", change) for change in changes[1:])


def draw_bars(values: Sequence[float] | np.ndarray, most: int = _MOST_BARS) -> str:
    """A bar for each value, or for the median of neighbours where they are more than ``most``; log scale."""
    logs = np.log(np.asarray(values, dtype=float))
    parts = np.array([np.median(part) for part in np.array_split(logs, min(most, logs.size))])
    low, span = parts.min(), max(float(np.ptp(parts)), math.log(1.05))
    return "".join(_BARS[int(place)] for place in np.minimum((parts - low) / span * len(_BARS), len(_BARS) - 1))


def _row(name: str, bars: str, last: str, spread: str, changes: str) -> str:
    texts = (name, bars, last, spread)
    return "  ".join([*(text.ljust(width) for text, width in zip(texts, _WIDTHS, strict=True)), changes]).rstrip()
