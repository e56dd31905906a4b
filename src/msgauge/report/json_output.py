"""What ``--json`` prints: plain values with stable names, described by the schemas in ``schemas/``.

Times are ns per event, sizes bytes, ratios other / base. NaN and infinity are written as null.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from attrs import asdict, fields

from msgauge.analysis.estimates.host_clocks import ClockSummary
from msgauge.analysis.findings.ranking import rank
from msgauge.analysis.findings.topics import arrange_findings
from msgauge.model import (
    Analysis,
    Cell,
    Cost,
    Estimate,
    Failure,
    Finding,
    Kernel,
    Place,
    Plan,
    SlowLaunches,
    Summary,
    TailComparison,
    serialization,
)
from msgauge.report.json_values import (
    describe_comparison,
    make_number,
    make_numbers,
    make_warning,
    name_place,
    name_way,
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
    ways = {cell.id: name_way(cell) for cell in plan.cells}
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
            "clocks": [make_numbers(asdict(one)) for one in clocks],
        },
        "estimates": [{**_estimate(one), **ways[one.cell]} for one in analysis.estimates if not one.failed],
        "comparisons": [
            {**describe_comparison(one), "tails": [_tail(tail) for tail in one.tails]} for one in analysis.comparisons
        ],
        "summary": _summary(analysis.summary),
        "findings": [_finding(one) for one in rank(analysis.findings)],
        **_arrange(analysis),
        "failures": [*map(_failure, analysis.failures), *_list_failed_cells(analysis)],
        "refusals": _list_refusals(plan, analysis.refusals),
        "warnings": [make_warning(one) for one in analysis.warnings],
        "factor_effects": [
            {
                "factor": one.axis,
                "base_value": one.base,
                "other_value": one.other,
                **describe_comparison(one.comparison),
            }
            for one in analysis.factor_effects
        ],
        "efficiencies": [
            {**asdict(one.key), **make_numbers({"value": one.value, "low": one.low, "high": one.high})}
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
            "mean": make_numbers(asdict(row.mean)) if row.mean else None,
            "results": [
                {**make_numbers(asdict(result)), "size_bytes": test.size_bytes, "flags": list(result.flags)}
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


def text(answer: Mapping[str, object]) -> str:
    """The answer as standard JSON, indented, with the version of the schemas."""
    return json.dumps({"schema_version": SCHEMA_VERSION, **answer}, indent=1, ensure_ascii=False, allow_nan=False)


def _estimate(one: Estimate) -> dict[str, Any]:
    times = {f"{name}_ns": make_number(getattr(one, f"{name}_ns")) for name in _TIMES}
    return {
        "stack": one.stack,
        **name_place(one.kernel, one.size_bytes, one.ranks, one.options),
        "cell": one.cell,
        **times,
        "bandwidth_bytes_per_s": make_number(one.bandwidth_bytes_per_s),
        "messages_per_s": make_number(one.messages_per_s),
        "launches": one.launches,
        "samples": one.samples,
        "emulated": one.emulated,
        "simulated": one.simulated,
        "local": one.local,
        "stationary": one.stationary,
        "oversubscribed": one.oversubscribed,
        "clock_error_ns": make_number(one.clock_error_ns),
        **_place_among(one.place),
        "slow_launches": _slow(one.slow_launches),
        "series": {name: make_number(value) for name, value in one.series},
    }


def _place_among(one: Place | None) -> dict[str, Any]:
    """Where a stack stands in its test; null where nothing was compared."""
    return make_numbers(asdict(one)) if one else {field.name: None for field in fields(Place)}


def _tail(one: TailComparison) -> dict[str, Any]:
    return make_numbers(asdict(one, filter=lambda attribute, _: attribute.name != "stretch"))


def _slow(one: SlowLaunches | None) -> dict[str, Any] | None:
    return None if one is None else make_numbers(asdict(one))


def _cost(one: Cost) -> dict[str, Any]:
    return {
        "stack": one.stack,
        **name_place(one.kernel, one.size_bytes, one.ranks, one.options),
        "cell": one.cell,
        "cpu_ns_per_event": make_number(one.cpu_ns_per_event),
        "cores_used": make_number(one.processors),
        "voluntary_switches_per_event": make_number(one.voluntary_switches_per_event),
        "involuntary_switches_per_event": make_number(one.involuntary_switches_per_event),
    }


def _finding(one: Finding) -> dict[str, Any]:
    return {
        "kind": one.kind,
        "sentence": one.sentence,
        "weight": make_number(one.weight),
        "evidence": dict(one.evidence),
    }


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
    place = name_place(cell.kernel, cell.size_bytes, cell.ranks, cell.options)
    return {"cell": cell.id, **place, **name_way(cell)}
