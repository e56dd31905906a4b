"""What ``--json`` prints: plain values with stable names, described by the schemas in ``schemas/``.

Times are ns per event, sizes bytes, ratios other / base. NaN and infinity are written as null.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from attrs import asdict, fields

from msgauge.analysis.between_runs.history import CellHistory, History
from msgauge.analysis.between_runs.history_findings import describe_changes
from msgauge.analysis.between_runs.run_comparison import RunChange, RunsCompared
from msgauge.analysis.between_runs.run_quantiles import Quantile, tell_of
from msgauge.analysis.estimates.host_clocks import ClockSummary
from msgauge.analysis.findings.ranking import rank
from msgauge.analysis.findings.topics import arrange_findings
from msgauge.model import (
    Analysis,
    Cell,
    Comparison,
    Cost,
    Estimate,
    Failure,
    Finding,
    Kernel,
    Notice,
    Pairs,
    Place,
    Plan,
    SlowLaunches,
    Summary,
    TailComparison,
    serialization,
)

SCHEMA_VERSION = 1
"""Raised when a key is renamed or removed or changes its meaning; a new key leaves it as it is."""
_TIMES = ("median", "low", "high", "mean", "minimum", "p5", "p95", "p99", "p999")


def of_run(
    path: Path,
    plan: Plan,
    analysis: Analysis,
    facts: Mapping[str, str] | None = None,
    clocks: Sequence[ClockSummary] = (),
) -> dict[str, Any]:
    """A measured run: schema ``compare``. ``facts``, ``clocks``: what was found out about its hosts."""
    ways = {cell.id: _way(cell) for cell in plan.cells}
    return {
        "run": str(path.absolute()),
        "study": analysis.study,
        "stop_reason": analysis.stopped,
        "rounds": analysis.rounds,
        "interval_level": analysis.interval_level,
        "seed": plan.seed,
        "stacks": list(plan.stacks),
        "hosts": {
            **_list_hosts(plan),
            "facts": dict(facts or {}),
            "clocks": [_numbers(asdict(one)) for one in clocks],
        },
        "estimates": [{**_estimate(one), **ways[one.cell]} for one in analysis.estimates if not one.failed],
        "comparisons": [
            {**_comparison(one), "tails": [_tail(tail) for tail in one.tails]} for one in analysis.comparisons
        ],
        "summary": _summary(analysis.summary),
        "findings": [_finding(one) for one in rank(analysis.findings)],
        **_arrange(analysis),
        "failures": [*map(_failure, analysis.failures), *_list_failed_cells(analysis)],
        "refusals": _list_refusals(plan, analysis.refusals),
        "warnings": [_make_warning(one) for one in analysis.warnings],
        "factor_effects": [
            {"factor": one.axis, "base_value": one.base, "other_value": one.other, **_comparison(one.comparison)}
            for one in analysis.factor_effects
        ],
        "efficiencies": [
            {**asdict(one.key), **_numbers({"value": one.value, "low": one.low, "high": one.high})}
            for one in analysis.efficiencies
        ],
        "costs": [{**_cost(one), **ways[one.cell]} for one in analysis.costs],
        "stack_costs": [
            {**serialization.to_plain(one), "condition": dict(one.condition)} for one in analysis.stack_costs
        ],
    }


def _summary(one: Summary | None) -> dict[str, Any] | None:
    """The decision; results in the order of the key tests, null where a stack has none."""
    if one is None:
        return None
    tests = [{**asdict(test), "options": dict(test.options)} for test in one.key_tests]
    rows = [
        {
            **{name: value for name, value in asdict(row).items() if name != "results"},
            "mean": _numbers(asdict(row.mean)) if row.mean else None,
            "results": [
                {**_numbers(asdict(result)), "size_bytes": test.size_bytes, "flags": list(result.flags)}
                if result
                else None
                for test, result in zip(one.key_tests, row.results, strict=True)
            ],
        }
        for row in one.stacks
    ]
    return {
        "purpose": one.purpose,
        "tests": one.tests,
        "tests_left_out": one.left_out,
        "key_tests": tests,
        "stacks": rows,
        "guidance": list(one.guidance),
    }


def _numbers(values: Mapping[str, Any]) -> dict[str, Any]:
    return {name: _number(value) if isinstance(value, float) else value for name, value in values.items()}


def _arrange(analysis: Analysis) -> dict[str, Any]:
    """Which findings are told one by one and which are folded, by their places in ``findings``."""
    place = {id(one): number for number, one in enumerate(rank(analysis.findings))}
    arranged = arrange_findings(analysis.findings)
    return {
        "decisive": [place[id(one)] for one in arranged.decisive],
        "topics": [
            {"title": one.title, "sentence": one.sentence, "findings": [place[id(each)] for each in one.findings]}
            for one in arranged.topics
        ],
    }


def of_plan(
    plan: Plan, commands: Sequence[Mapping[str, Any]], resolutions: Sequence[Mapping[str, Any]]
) -> dict[str, Any]:
    """What would be run: schema ``plan``."""
    return {
        "study": plan.study,
        "seed": plan.seed,
        "stacks": list(plan.stacks),
        "hosts": _list_hosts(plan),
        "expected_s": plan.expected_s,
        "rounds": {"minimum": plan.stopping.minimum_rounds, "maximum": plan.stopping.maximum_rounds},
        "budget_s": plan.stopping.budget_s,
        "resolvable": [dict(one) for one in resolutions],
        "cells": [_cell(cell) for cell in plan.cells],
        "refusals": _list_refusals(plan, plan.refusals),
        "commands": [dict(command) for command in commands],
    }


def _list_hosts(plan: Plan) -> dict[str, Any]:
    """Where the ranks stand; no names for the present computer alone."""
    hosts = plan.hosts
    return {
        "asked": hosts.asked,
        "launcher": hosts.launcher,
        "names": list(hosts.names),
        "map": hosts.map,
        "emulated": hosts.emulated,
        "network": hosts.network,
    }


def of_kernels(kernels: Iterable[Kernel]) -> dict[str, Any]:
    """The kernels: schema ``kernels``."""
    return {"kernels": serialization.to_plain(list(kernels))}


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
                "ratio": _number(one.ratio),
                "ratio_low": _number(one.low),
                "ratio_high": _number(one.high),
                "verdict": one.verdict,
            }
            for one in compared.means
        ],
        "commands": list(commands),
        "gate": _gate(*gate),
        "warnings": [_make_warning(one) for one in compared.warnings],
    }


def _gate(condition: str, judgement: str, sentence: str) -> dict[str, str] | None:
    return {"condition": condition, "judgement": judgement, "sentence": sentence} if condition else None


def _run_change(one: RunChange) -> dict[str, Any]:
    """A cell of ``diff``: the comparison under the name of its stack, and both levels."""
    fields = {name: value for name, value in _comparison(one.comparison).items() if name not in _ENDS}
    levels = {
        f"{side}_{name}_ns": _number(getattr(level, f"{name}_ns"))
        for side, level in (("old", one.old), ("new", one.new))
        for name in ("median", "low", "high")
    }
    pair = {"stack": one.comparison.other, "old_stack": one.comparison.base, "reference": one.reference}
    return {**pair, **fields, **levels}


def of_history(history: History, page: Path | None, gate: tuple[str, str, str], quantile: Quantile) -> dict[str, Any]:
    """Many runs in order of time: schema ``history``. ``gate``: as for ``of_diff``."""
    return {
        "runs": [
            {"run": str(Path(one.path).absolute()), "name": one.name, "started": one.started} for one in history.runs
        ],
        "quantile": quantile,
        "findings": list(tell_of(describe_changes(history), quantile)),
        "series": [_cell_history(history, one) for one in history.series],
        "page": str(page.absolute()) if page else "",
        "gate": _gate(*gate),
        "warnings": [_make_warning(one) for one in history.warnings],
    }


def _cell_history(history: History, one: CellHistory) -> dict[str, Any]:
    key = one.key
    points = zip(one.runs, one.versions, one.median_ns, one.low_ns, one.high_ns, strict=True)
    return {
        "stack": key.stack,
        **_place(key.kernel, key.size_bytes, key.ranks, key.options),
        "mode": key.mode,
        "cache": key.cache,
        "spread": _number(one.spread),
        "points": [
            {
                "run": history.runs[number].name,
                "number": number + 1,
                "stack": version,
                "median_ns": _number(float(median)),
                "low_ns": _number(float(low)),
                "high_ns": _number(float(high)),
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


def text(answer: Mapping[str, object]) -> str:
    """The answer as standard JSON, indented, with the version of the schemas."""
    return json.dumps({"schema_version": SCHEMA_VERSION, **answer}, indent=1, ensure_ascii=False, allow_nan=False)


_ENDS = ("base", "other")


def _estimate(one: Estimate) -> dict[str, Any]:
    times = {f"{name}_ns": _number(getattr(one, f"{name}_ns")) for name in _TIMES}
    return {
        "stack": one.stack,
        **_place(one.kernel, one.size_bytes, one.ranks, one.options),
        "cell": one.cell,
        **times,
        "bandwidth_bytes_per_s": _number(one.bandwidth_bytes_per_s),
        "messages_per_s": _number(one.messages_per_s),
        "launches": one.launches,
        "samples": one.samples,
        "emulated": one.emulated,
        "simulated": one.simulated,
        "local": one.local,
        "stationary": one.stationary,
        "oversubscribed": one.oversubscribed,
        "clock_error_ns": _number(one.clock_error_ns),
        **_place_among(one.place),
        "slow_launches": _slow(one.slow_launches),
        "series": {name: _number(value) for name, value in one.series},
    }


def _comparison(one: Comparison) -> dict[str, Any]:
    return {
        "base": one.base,
        "other": one.other,
        **_place(one.kernel, one.size_bytes, one.ranks, one.options),
        **_way(one),
        "cell": one.cell,
        "ratio": _number(one.ratio),
        "ratio_low": _number(one.ratio_low),
        "ratio_high": _number(one.ratio_high),
        "verdict": one.verdict,
        "reason": one.reason,
        "p_value": _number(one.p_value),
        "p_adjusted": _number(one.p_adjusted),
        "rounds": one.rounds,
    }


def _place_among(one: Place | None) -> dict[str, Any]:
    """Where a stack stands in its test; null where nothing was compared."""
    return _numbers(asdict(one)) if one else {field.name: None for field in fields(Place)}


def _tail(one: TailComparison) -> dict[str, Any]:
    return _numbers(asdict(one, filter=lambda attribute, _: attribute.name != "stretch"))


def _slow(one: SlowLaunches | None) -> dict[str, Any] | None:
    return None if one is None else _numbers(asdict(one))


def _cost(one: Cost) -> dict[str, Any]:
    return {
        "stack": one.stack,
        **_place(one.kernel, one.size_bytes, one.ranks, one.options),
        "cell": one.cell,
        "cpu_ns_per_event": _number(one.cpu_ns_per_event),
        "cores_used": _number(one.processors),
        "voluntary_switches_per_event": _number(one.voluntary_switches_per_event),
        "involuntary_switches_per_event": _number(one.involuntary_switches_per_event),
    }


def _finding(one: Finding) -> dict[str, Any]:
    return {"kind": one.kind, "sentence": one.sentence, "weight": _number(one.weight), "evidence": dict(one.evidence)}


def _failure(one: Failure) -> dict[str, Any]:
    return {"stack": one.stack, "kernel": one.kernel, "reason": one.reason, "cell": one.cell, "log": one.log}


def _list_failed_cells(analysis: Analysis) -> list[dict[str, Any]]:
    """Cells without an estimate that no failure names: they failed with their stack."""
    named = {one.key for one in analysis.failures}
    return [
        {"stack": one.stack, "kernel": one.kernel, "reason": one.failed, "cell": one.cell, "log": ""}
        for one in analysis.estimates
        if one.failed and one.key not in named
    ]


def _list_refusals(plan: Plan, refusals: Iterable[Any]) -> list[dict[str, Any]]:
    cells = {cell.id: cell for cell in plan.cells}
    return [
        {"stack": one.stack, **_cell(cells[one.cell]), "reason": one.reason} for one in refusals if one.cell in cells
    ]


def _cell(cell: Cell) -> dict[str, Any]:
    place = _place(cell.kernel, cell.size_bytes, cell.ranks, cell.options)
    return {"cell": cell.id, **place, **_way(cell)}


def _way(one: Cell | Comparison) -> dict[str, str]:
    """How a test was measured: two of them may differ in nothing else."""
    return {"mode": one.mode, "cache": one.cache}


def _place(kernel: str, size_bytes: int, ranks: int, options: Pairs) -> dict[str, Any]:
    return {"kernel": kernel, "size_bytes": size_bytes, "ranks": ranks, "options": dict(options)}


def _make_warning(one: Notice) -> dict[str, Any]:
    return {"code": one.code, "message": one.message, "remedy": one.remedy, "evidence": dict(one.evidence)}


def _number(value: float) -> float | None:
    return value if math.isfinite(value) else None
