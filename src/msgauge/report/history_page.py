"""One self-contained HTML page of a history: what changed and when, the series of each cell, and the runs."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import frozen

from msgauge import units
from msgauge.analysis.between_runs.cell_names import describe_cell
from msgauge.analysis.between_runs.history import CellHistory, Change, History
from msgauge.analysis.between_runs.history_findings import (
    count_unseen,
    describe_changes,
    describe_range,
    describe_references,
    format_p,
    format_start,
)
from msgauge.analysis.between_runs.measured_runs import Quantile
from msgauge.analysis.between_runs.run_quantiles import name_quantile, name_time, tell_of
from msgauge.report.figures.history_charts import plot_cell
from msgauge.report.page_figure import PageFigure, draw, size_bytes
from msgauge.report.series_order import order_series
from msgauge.report.template import LIMIT_BYTES, fill_page


@frozen
class ChangeRow:
    """One change in the table."""

    stack: str
    cell: str
    size: str
    run: str
    range: str
    p_value: str
    build: str


def render_history(history: History, gate: str = "", quantile: Quantile = "p50") -> str:
    """The page; figures of cells without a change are left out first where it would grow too large."""
    stacks = list(dict.fromkeys(one.key.stack for one in history.series))
    figures, left_out = _draw_cells(history, stacks, name_time(quantile))
    return fill_page(
        "history.html",
        history=history,
        starts=[format_start(run.started) for run in history.runs],
        unseen=count_unseen(history),
        stacks=stacks,
        sentences=(*tell_of(describe_changes(history), quantile), *describe_references(history)),
        gate=gate,
        level=name_quantile(quantile),
        time=name_time(quantile),
        rows=[_row(history, one, change) for one in history.series for change in one.changes],
        versions=_list_versions(history),
        figures=figures,
        left_out=left_out,
    )


def _list_versions(history: History) -> list[str]:
    """For each run what it measured of the stacks that have several versions; none where there is none of these."""
    changing = [one for one in history.series if len(set(one.versions)) > 1]
    held = [dict[str, None]() for _ in history.runs]
    for one in changing:
        for run, version in zip(one.runs, one.versions, strict=True):
            held[run][version] = None
    return [", ".join(versions) for versions in held] if changing else []


def _draw_cells(history: History, stacks: Sequence[str], time: str) -> tuple[list[PageFigure], int]:
    """The figures in the order of cells, and how many cells have none."""
    cells: dict[object, list[CellHistory]] = {}
    for one in order_series(history.series):
        cells.setdefault(one.key.of(""), []).append(one)
    members = list(cells.values())
    by_weight = sorted(range(len(members)), key=lambda index: not any(one.changes for one in members[index]))
    drawn: dict[int, PageFigure] = {}
    room = float(LIMIT_BYTES)
    for index in by_weight:
        figure = draw(plot_cell(history, members[index], stacks, index, time), wide=True)
        room -= size_bytes(figure)
        if room < 0 and drawn:
            break
        drawn[index] = figure
    return [drawn[index] for index in sorted(drawn)], len(members) - len(drawn)


def _row(history: History, one: CellHistory, change: Change) -> ChangeRow:
    ends = " to ".join(map(units.format_change, change.together))
    return ChangeRow(
        one.key.stack,
        describe_cell(one.key),
        f"{units.format_change(change.factor)} ({ends})".replace(" %", "\N{NO-BREAK SPACE}%"),
        history.runs[change.first].name,
        describe_range(change),
        format_p(change.p_value),
        {"same": "same", "changed": "changed"}.get(change.build, "not known"),
    )
