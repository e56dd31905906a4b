"""``msgauge export``: a run for other programs."""

from __future__ import annotations

import csv
import io
import math
import tempfile
from collections.abc import Iterator
from pathlib import Path

from msgauge import evaluation
from msgauge.analysis.verdicts.tails import QUANTILES
from msgauge.errors import UsageError, hint_nearest
from msgauge.frontend.last_run import choose_run
from msgauge.model import Analysis, Comparison, Estimate, Plan
from msgauge.report import table_export
from msgauge.report.run_output import describe_run
from msgauge.report.terminal.console import print_warnings
from msgauge.results.incomplete_runs import MISSING, NOTHING, UNFINISHED, UNNOTED, warn_incomplete
from msgauge.results.publishing import publish_output
from msgauge.results.run_folder import RunFolder
from msgauge.results.stop_reason import UNKNOWN

FORMATS = ("csv", "markdown", "latex", "json", "parquet")
_COLUMNS = (
    "stack",
    "kernel",
    "size_bytes",
    "ranks",
    "options",
    *(f"{name}_ns" for name in ("median", "low", "high", "mean", "minimum", "p5", "p95", "p99", "p999")),
    "bandwidth_bytes_per_s",
    "messages_per_s",
    "launches",
    "samples",
    "emulated",
    "simulated",
    "stationary",
    "oversubscribed",
    "may_be_fastest",
    "best_rank",
    "worst_rank",
)
_INCOMPLETE = (MISSING, NOTHING, UNFINISHED, UNKNOWN, UNNOTED)
"""Warnings that tables have no place for, and without which they may be taken for the whole run."""
_COMPARED = ("base", "ratio", "ratio_low", "ratio_high", "verdict")
"""Of the comparison with the base; empty where there is none."""
_SLOW = ("share", "share_low", "share_high", "factor", "factor_low", "factor_high")
_TAIL = ("ratio", "ratio_low", "ratio_high", "verdict")
_WAY = ("mode", "cache")
"""How a test was measured: two of them may differ in nothing else."""


def export(run: Path | None = None, /, *, format: str = "csv", output: Path | None = None, json: bool = False) -> int:
    """Write a run as CSV, Markdown, LaTeX, JSON or Parquet.

    Parameters
    ----------
    run
        The folder of the run; the last one below runs/ by default.
    format
        csv: the estimates with ratio and verdict, one row each; markdown, latex: the same as tables for papers;
        json: all that compare --json prints; parquet: every sample, one row each.
    output
        The file to write; by default to standard output, parquet to the folder of the run.
    json
        The same as --format json.
    """
    run = choose_run(run)
    wanted = "json" if json else format
    if wanted not in FORMATS:
        near = hint_nearest(wanted, FORMATS, {"md": "markdown", "tex": "latex", "pq": "parquet"})
        meant = f"did you mean {near}? " if near else ""
        raise UsageError(f"cannot export as {format!r}", remedy=f"{meant}write --format {', '.join(FORMATS)}")
    if wanted == "parquet":
        folder = RunFolder.open(run)
        print_warnings(warn_incomplete(folder, has_times=bool(folder.dataset.cells)))
        return _samples(folder, output)
    folder, analysis = evaluation.reanalyse(run)
    print_warnings(one for one in analysis.warnings if one.code in _INCOMPLETE)
    if wanted == "json":
        text = describe_run(folder, analysis) + "\n"
    elif wanted == "csv":
        text = _table(folder.plan, analysis)
    else:
        tables = table_export.make_tables(folder.plan, analysis, folder.facts.kernels)
        text = table_export.write_latex(tables) if wanted == "latex" else table_export.write_markdown(tables)
    if output is None:
        print(text, end="")
    else:
        publish_output(output, text.encode(errors="backslashreplace"))
        print(output)
    return 0


def _samples(folder: RunFolder, output: Path | None) -> int:
    if output is None:
        print(folder.write_parquet())
        return 0
    with tempfile.TemporaryDirectory(prefix="msgauge-") as place:  # the folder of the run may be one to read only
        publish_output(output, folder.write_parquet(Path(place) / "samples.parquet").read_bytes())
    print(output)
    return 0


def _table(plan: Plan, analysis: Analysis) -> str:
    """CSV by RFC 4180; options as name=value with blanks between; an unknown value is an empty field.

    After the columns that every run has: the median of each further series of its kernels, ``root_ns`` and so on.
    """
    cells = {cell.id: cell for cell in plan.cells}
    text = io.StringIO()
    measured = [one for one in analysis.estimates if not one.failed]
    compared = {one.other_key: one for one in analysis.comparisons}
    further = sorted({name for one in measured for name, _ in one.series})
    writer = csv.writer(text)
    beyond = (*(f"slow_{name}" for name in _SLOW), *(f"{tail}_{name}" for tail in QUANTILES for name in _TAIL))
    writer.writerow((*_COLUMNS, *_COMPARED, *_WAY, *beyond, *(f"{name}_ns" for name in further)))
    for one in measured:
        series = dict(one.series)
        values = (_value(one, column) for column in _COLUMNS)
        other = (_finite_or_none(getattr(compared.get(one.key), name, "")) for name in _COMPARED)
        way = (getattr(cells[one.cell], name) for name in _WAY)
        rest = (_finite_or_none(series.get(name, math.nan)) for name in further)
        writer.writerow((*values, *other, *way, *_beyond_medians(one, compared.get(one.key)), *rest))
    return text.getvalue()


def _beyond_medians(one: Estimate, comparison: Comparison | None) -> Iterator[object]:
    """Slow launches of a stack, and its tails against those of the base; empty where there are none."""
    yield from (_finite_or_none(getattr(one.slow_launches, name, "")) for name in _SLOW)
    tails = {tail.quantile: tail for tail in comparison.tails} if comparison else {}
    yield from (_finite_or_none(getattr(tails.get(tail), name, "")) for tail in QUANTILES for name in _TAIL)


def _value(one: Estimate, column: str) -> object:
    if column == "options":
        return " ".join(f"{name}={value}" for name, value in one.options)
    place = column in ("may_be_fastest", "best_rank", "worst_rank")
    return _finite_or_none(getattr(one.place, column, "") if place else getattr(one, column))


def _finite_or_none(value: object) -> object:
    return "" if isinstance(value, float) and not math.isfinite(value) else value
