"""Every number of the run in one table that can be sorted, filtered and downloaded."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence

from markupsafe import Markup

from msgauge.analysis.verdicts.clock_errors import is_marked
from msgauge.model import Cell, Comparison, Estimate
from msgauge.report import phrasing
from msgauge.report.template import data, fill
from msgauge.report.view import RunView
from msgauge.units import format_limits, format_time

order = 40
title = "All numbers"
_COLUMNS = (
    ("stack", "Stack", "text"),
    ("kernel", "Kernel", "text"),
    ("options", "Options", "text"),
    ("mode", "Mode", "text"),
    ("cache", "Cache", "text"),
    ("ranks", "Ranks", "count"),
    ("size_bytes", "Size", "size"),
    ("may_be_fastest", "May be the fastest", "mark"),
    ("best_rank", "Best rank", "count"),
    ("worst_rank", "Worst rank", "count"),
    ("median_ns", "Median", "time"),
    ("low_ns", "Low", "time"),
    ("high_ns", "High", "time"),
    ("p95_ns", "P95", "time"),
    ("p99_ns", "P99", "time"),
    ("p999_ns", "P99.9", "time"),
    ("bandwidth_bytes_per_s", "Bandwidth", "rate"),
    ("messages_per_s", "Messages", "messages"),
    ("launches", "Launches", "count"),
    ("samples", "Samples", "count"),
    ("base", "Base", "text"),
    ("ratio", "Ratio", "ratio"),
    ("ratio_low", "Ratio low", "ratio"),
    ("ratio_high", "Ratio high", "ratio"),
    ("verdict", "Verdict", "text"),
    ("series", "Other series", "series"),
    ("notes", "Notes", "text"),
)

_TOLD_WHERE_THEY_DIFFER = ("mode", "cache")
_FACTORS = (1.0, 1e3, 1e6, 1e9)
"""Between the units that the page's script shows a value in."""
_MOST = 6000
"""Rows that the page carries."""


def applies(view: RunView) -> bool:
    """Whether there is any estimate, failed ones included."""
    return bool(view.analysis.estimates)


def render(view: RunView) -> Markup:
    """The rows as data (texts by their place in a list); the page's script makes the table of them."""
    compared = {(one.other, one.cell): one for one in view.analysis.comparisons}
    cells = {cell.id: cell for cell in view.plan.cells}
    shown = view.analysis.estimates[:_MOST]
    columns = _choose_columns([cells[one.cell] for one in shown])
    keys = [key for key, _, _ in columns]
    rows = [_row(keys, one, cells[one.cell], compared.get((one.stack, one.cell))) for one in shown]
    texts = sorted({text for row in rows for value in row for text in _texts(value)})
    place = {text: index for index, text in enumerate(texts)}
    table = {
        "name": phrasing.plain(view.name),
        "columns": [{"key": key, "title": title, "kind": kind} for key, title, kind in columns],
        "texts": texts,
        "rows": [[_pack(value, place) for value in row] for row in rows],
    }
    return fill(
        "all_numbers.html", table=data(table), count=len(rows), left_out=len(view.analysis.estimates) - len(rows)
    )


def _choose_columns(cells: Sequence[Cell]) -> list[tuple[str, str, str]]:
    """Without those of how tests were measured where all were measured alike."""
    alike = [name for name in _TOLD_WHERE_THEY_DIFFER if len({getattr(cell, name) for cell in cells}) < 2]
    return [column for column in _COLUMNS if column[0] not in alike]


def _row(keys: Sequence[str], estimate: Estimate, cell: Cell, one: Comparison | None) -> list[object]:
    """One estimate in the order of the keys of columns; what is not known is null."""
    notes = ["emulated"] * estimate.emulated + ["simulated"] * estimate.simulated
    notes += ["oversubscribed"] * estimate.oversubscribed + ["non-stationary"] * (not estimate.stationary)
    notes += [f"hosts' clocks: ±{format_time(estimate.clock_error_ns)}"] * is_marked(estimate)
    notes += [f"failed: {estimate.failed}"] if estimate.failed else []
    extra: dict[str, object] = {
        "messages_per_s": estimate.messages_per_s,
        "series": {name: _clean(value) for name, value in estimate.series} or None,
        "options": " ".join(f"{name}={value}" for name, value in estimate.options),
        "notes": ", ".join(notes),
        "mode": cell.mode,
        "cache": cell.cache,
    }
    places = ("may_be_fastest", "best_rank", "worst_rank")
    extra |= {key: getattr(estimate.place, key) if estimate.place else None for key in places}
    compared = ("base", "ratio", "ratio_low", "ratio_high", "verdict")
    extra |= {key: getattr(one, key) if one else None for key in compared}
    return [_clean(extra[key] if key in extra else getattr(estimate, key)) for key in keys]


def _texts(value: object) -> Iterator[str]:
    """The texts of a value: itself, or the names of the series."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        yield from value


def _pack(value: object, place: Mapping[str, int]) -> object:
    """Texts by their place in the list; series as pairs of such a place and a number."""
    if isinstance(value, dict):
        return [[place[name], number] for name, number in value.items()]
    return place[value] if isinstance(value, str) else value


def _clean(value: object) -> object:
    if isinstance(value, float):
        return _shorten(value) if math.isfinite(value) else None
    return phrasing.plain(value) if isinstance(value, str) else value


def _shorten(value: float) -> float:
    """The value with five digits; with as many more as it takes to read the same as the page's script shows it."""
    shorter = (float(f"{value:.{digits}g}") for digits in range(5, 17))
    shown = _show(value)
    return next((one for one in shorter if _show(one) == shown), value)


def _show(value: float) -> list[str]:
    """The value with three digits in any unit; what then reads as 1, as a ratio too."""
    shown = [f"{value / factor:.3g}" for factor in _FACTORS]
    return [*shown, format_limits(value, value)] if shown[0] == "1" else shown
