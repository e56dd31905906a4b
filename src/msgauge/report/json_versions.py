"""What ``diff`` and ``history`` print as JSON: levels of runs, and what changed between them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from msgauge.analysis.between_runs.history import CellHistory, History
from msgauge.analysis.between_runs.history_findings import describe_changes, describe_references
from msgauge.analysis.between_runs.measured_runs import Quantile
from msgauge.analysis.between_runs.run_comparison import RunChange, RunsCompared
from msgauge.analysis.between_runs.run_quantiles import tell_of
from msgauge.report.json_values import describe_comparison, make_number, make_warning, name_place

_ENDS = ("base", "other")


def of_diff(
    runs: tuple[Sequence[str], Sequence[str]],
    compared: RunsCompared,
    commands: Sequence[str],
    gate: tuple[str, str, str],
    quantile: Quantile = "p50",
) -> dict[str, Any]:
    """Two versions compared: schema ``diff``. ``gate``: the condition, what came of it, and that as a sentence."""
    old, new = ([str(Path(path).absolute()) for path in side] for side in runs)
    return {
        "old": old[0],
        "new": new[0],
        "old_runs": old,
        "new_runs": new,
        "quantile": quantile,
        "basis": compared.basis,
        "references": list(compared.references),
        "comparisons": [_run_change(one) for one in compared.changes],
        "geometric_means": [
            {
                "stack": one.pair.new,
                "old_stack": one.pair.old,
                "cells": one.cells,
                "ratio": make_number(one.ratio),
                "ratio_low": make_number(one.low),
                "ratio_high": make_number(one.high),
                "verdict": one.verdict,
            }
            for one in compared.means
        ],
        "commands": list(commands),
        "gate": _gate(*gate),
        "warnings": [make_warning(one) for one in compared.warnings],
    }


def _gate(condition: str, judgement: str, sentence: str) -> dict[str, str] | None:
    return {"condition": condition, "judgement": judgement, "sentence": sentence} if condition else None


def _run_change(one: RunChange) -> dict[str, Any]:
    """A cell of ``diff``: the comparison under the name of its stack, and both levels."""
    fields = {name: value for name, value in describe_comparison(one.comparison).items() if name not in _ENDS}
    levels = {
        f"{side}_{name}_ns": make_number(getattr(level, f"{name}_ns"))
        for side, level in (("old", one.old), ("new", one.new))
        for name in ("median", "low", "high")
    }
    pair = {"stack": one.comparison.other, "old_stack": one.comparison.base, "reference": one.reference}
    return {**pair, **fields, **levels}


def of_history(
    history: History,
    page: Path | None,
    gate: tuple[str, str, str],
    quantile: Quantile,
) -> dict[str, Any]:
    """Many runs in order of time: schema ``history``. ``gate``: as for ``of_diff``."""
    return {
        "runs": [
            {"run": str(Path(one.path).absolute()), "name": one.name, "started": one.started} for one in history.runs
        ],
        "quantile": quantile,
        "references": list(history.references),
        "findings": [*tell_of(describe_changes(history), quantile), *describe_references(history)],
        "series": [_cell_history(history, one) for one in history.series],
        "page": str(page.absolute()) if page else "",
        "gate": _gate(*gate),
        "warnings": [make_warning(one) for one in history.warnings],
    }


def _cell_history(history: History, one: CellHistory) -> dict[str, Any]:
    key = one.key
    points = zip(one.runs, one.versions, one.median_ns, one.low_ns, one.high_ns, strict=True)
    return {
        "stack": key.stack,
        **name_place(key.kernel, key.size_bytes, key.ranks, key.options),
        "mode": key.mode,
        "cache": key.cache,
        "spread": make_number(one.spread),
        "points": [
            {
                "run": history.runs[number].name,
                "number": number + 1,
                "stack": version,
                "median_ns": make_number(float(median)),
                "low_ns": make_number(float(low)),
                "high_ns": make_number(float(high)),
            }
            for number, version, median, low, high in points
        ],
        "changes": [
            {
                "first_run": history.runs[change.first].name,
                "number": change.first + 1,
                "earliest": change.earliest + 1,
                "latest": change.latest + 1,
                "ratio": change.factor,
                "ratio_low": change.low,
                "ratio_high": change.high,
                "together_low": change.together[0],
                "together_high": change.together[1],
                "p_adjusted": change.p_value,
                "build": change.build,
            }
            for change in one.changes
        ],
    }
