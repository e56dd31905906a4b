"""``msgauge history``: many runs in order of time, where they changed for good, and a gate for CI."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from attrs import evolve

from msgauge.analysis.between_runs.beside_references import RunsBesideReferences, divide_by_references
from msgauge.analysis.between_runs.cell_names import describe_cell
from msgauge.analysis.between_runs.history import trace_history
from msgauge.analysis.between_runs.history_findings import describe_history_gate, find_since, judge_history
from msgauge.analysis.between_runs.measured_runs import MeasuredRun, Quantile, read_measured
from msgauge.analysis.between_runs.run_levels import RunLevels, list_runs
from msgauge.analysis.between_runs.run_quantiles import (
    choose_quantile,
    find_short_tails,
    leave_out_copies,
    leave_out_version_of,
    name_quantile,
    tell_gate_of,
    warn_of_short_tails,
    warn_of_tails_in_history,
)
from msgauge.analysis.between_runs.wide_histories import warn_of_wide
from msgauge.analysis.verdicts.regression_gate import parse_gate
from msgauge.errors import NothingMeasuredError, UsageError
from msgauge.frontend.exit_status import judgement_code
from msgauge.frontend.last_run import RUNS
from msgauge.frontend.typed_lists import read_list
from msgauge.report import json_output, json_versions
from msgauge.report.conditions import name_conditions
from msgauge.report.terminal import history_terminal
from msgauge.report.terminal.console import make_console, print_warning
from msgauge.report.terminal.labelled_rows import wrap_text
from msgauge.results.incomplete_runs import warn_of_runs
from msgauge.results.publishing import publish_output
from msgauge.results.run_folder import RunFolder


def history(
    *runs: Path,
    quantile: Quantile = "p50",
    reference: str = "",
    fail_on: str = "",
    since: str = "",
    output: Path | None = None,
    json: bool = False,
) -> int:
    """Show the history of many runs: where the level of a test changed, and the first run after it.

    Parameters
    ----------
    runs
        Folders of runs, or a folder that holds them (runs/ when left out); they are ordered by their start.
    quantile
        Follow the medians of launches, or their P95 or P99 in tests whose every operation was timed.
    reference
        Take out what these stacks took in the same rounds, which did not change, e.g. tcp,mpich: they show the machine.
    fail_on
        Exit 1 when a level became surely slower (faster, different) by more and stayed so, e.g. 'slower>5%'; 3 when
        there are too few runs.
    since
        Under --fail-on, only changes from this run (or time, e.g. 2026-11-01, UTC unless it has an offset) on count.
    output
        Also write an HTML page with the series of each test to this file.
    json
        Print the history as JSON.
    """
    gate = parse_gate(fail_on) if fail_on else None
    names = read_list("--reference", reference)
    measured = _read_runs(runs or (RUNS,), gated=gate is not None)
    beside = divide_by_references(measured, names, quantile) if names else _leave_as_they_are(measured)
    if gate and names:
        _refuse_unseen(beside, quantile)
    distinct = leave_out_copies(beside.runs)
    once = distinct if len(distinct) > 1 else beside.runs  # copies of one run alone have no changes
    if gate and quantile != "p50":
        _refuse_short(once, quantile)
    traced = trace_history(choose_quantile(once, quantile))
    missing = warn_of_runs([(run.levels.path, run.levels.origin) for run in measured])
    tails = warn_of_tails_in_history(once, traced) if quantile == "p50" else ()
    short = warn_of_short_tails(once, quantile, "has gaps")
    warnings = (*missing, *beside.warnings, *tails, *short, *traced.warnings, *warn_of_wide(traced))
    traced = evolve(traced, warnings=name_conditions(warnings), references=beside.references)
    first = find_since(traced, since)
    judgement = judge_history(gate, traced, first)[0] if gate else "passed"
    said = tell_gate_of(describe_history_gate(gate, traced, first), quantile) if gate else ""
    if output is not None:
        from msgauge.report.history_page import render_history

        publish_output(output, render_history(traced, said, quantile).encode(errors="backslashreplace"))
    if json:
        print(json_output.text(json_versions.of_history(traced, output, (fail_on, judgement, said), quantile)))
    else:
        width = make_console().width
        page = [f"page: {output}"] if output else []
        lines = history_terminal.list_history(traced, width, quantile)
        print("\n".join([*lines, *page, *wrap_text(said, width)]))
    return judgement_code(judgement)


def _leave_as_they_are(measured: Sequence[MeasuredRun]) -> RunsBesideReferences:
    """Runs that stand beside no reference."""
    return RunsBesideReferences(tuple(run.by_quantile() for run in measured), ())


def _refuse_unseen(beside: RunsBesideReferences, quantile: Quantile) -> None:
    """Refuse a gate whose newest run lacks the references: whatever changed there would pass unseen."""
    newest = _find_newest(beside.runs)[quantile]
    if not newest.medians_ns:
        what = f"the newest run, {newest.name}, has no test of {' and '.join(beside.references)} beside another stack"
        raise UsageError(what, remedy="measure the references along in every run, or leave out --reference")


def _find_newest(runs: Sequence[Mapping[Quantile, RunLevels]]) -> Mapping[Quantile, RunLevels]:
    return max(runs, key=lambda run: (run["p50"].standing, run["p50"].name))


def _refuse_short(runs: Sequence[Mapping[Quantile, RunLevels]], quantile: Quantile) -> None:
    """Refuse a gate on a tail that tests of the newest run lack and others have: its launches may be slower."""
    newest = _find_newest(runs)
    short = find_short_tails(runs, quantile)
    tests = [
        describe_cell(key)
        for key in newest["p50"].medians_ns.keys() - newest[quantile].medians_ns.keys()
        if leave_out_version_of(key) in short
    ]
    if tests:
        what = f"the newest run, {newest['p50'].name}, has no {name_quantile(quantile)} in {min(tests)}, as others have"
        remedy = "measure it with a longer 'cell_budget': launches that are slow time fewer operations; or take p95"
        raise UsageError(what, remedy=remedy)


def _read_runs(places: Sequence[Path], *, gated: bool) -> list[MeasuredRun]:
    """Each run by each quantile; one found in a folder that measured nothing is left out with a warning.

    Raises:
        StoreError: a damaged run.
        NothingMeasuredError: a run that was named, or the newest one under a gate, which would pass unseen.
    """
    found, empty = [], dict[Path, NothingMeasuredError]()
    paths = list_runs(places)
    for path in paths:
        try:
            found.append(read_measured(path))
        except NothingMeasuredError as error:
            if path in places:
                raise
            empty[path] = error
    latest = max((run.levels.started for run in found), default="")
    by_name = max(paths, key=lambda path: path.name)
    for path, reason in empty.items():
        started = _find_start(path)
        if gated and (started > latest if started else path == by_name):
            raise reason
        print_warning(f"{path} is left out: nothing was measured in it")
    return found


def _find_start(path: Path) -> str:
    """When the first launch of a run began, as runs are ordered; '' where none did."""
    return min((record.started for record in RunFolder.open(path).records() if record.started), default="")
