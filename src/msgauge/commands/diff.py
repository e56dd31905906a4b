"""``msgauge diff``: two versions in different runs compared, for people and for scripts."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

from attrs import evolve
from cyclopts import Parameter

from msgauge.analysis.between_runs.measured_runs import Quantile, read_quantiles
from msgauge.analysis.between_runs.other_kernels import warn_of_other_kernels
from msgauge.analysis.between_runs.run_comparison import RunsCompared, compare_runs
from msgauge.analysis.between_runs.run_levels import RunLevels, list_runs
from msgauge.analysis.between_runs.run_quantiles import (
    choose_quantile,
    leave_out_copies,
    leave_out_short_tails,
    tell_gate_of,
    warn_of_changed_tails,
)
from msgauge.analysis.between_runs.shared_changes import warn_of_shared_change
from msgauge.analysis.beyond_amount import find_beyond_between_runs
from msgauge.analysis.verdicts.regression_gate import Gate, Judgement, apply_gate, describe_gate, parse_gate
from msgauge.discovery.old_run import make_signature, name_stack, without_marks
from msgauge.errors import UsageError
from msgauge.frontend.exit_status import judgement_code
from msgauge.frontend.typed_lists import read_list
from msgauge.model import Comparison, Stack, VariantMark
from msgauge.report import json_output, json_versions
from msgauge.report.conditions import name_conditions
from msgauge.report.terminal import diff_terminal
from msgauge.report.terminal.console import make_console
from msgauge.report.terminal.labelled_rows import wrap_text
from msgauge.results.incomplete_runs import warn_of_runs
from msgauge.results.run_folders import name_study


def diff(
    old: Path,
    new: Path,
    /,
    *,
    more_old: Annotated[list[Path] | None, Parameter(name="--old", consume_multiple=True)] = None,
    more_new: Annotated[list[Path] | None, Parameter(name="--new", consume_multiple=True)] = None,
    reference: str = "",
    quantile: Quantile = "p50",
    fail_on: str = "",
    json: bool = False,
) -> int:
    """Compare two versions in different runs, and fail on a regression if asked to.

    Parameters
    ----------
    old
        A run of the earlier version, or a folder of repeated runs of it.
    new
        A run of the later version, or a folder of such; verdicts are about this version.
    more_old
        Further runs of the earlier version.
    more_new
        Further runs of the later version.
    reference
        Stacks that are known not to have changed, e.g. tcp,mpich; by default those of the same build in all runs.
    quantile
        Compare the medians of launches, or their P95 or P99 in tests whose every operation was timed.
    fail_on
        Exit 1 when the new version is surely slower (faster, different) by more, e.g. 'slower>5%'; 3 when undecided.
    json
        Print the comparisons as JSON.
    """
    gate = parse_gate(fail_on) if fail_on else None
    references = read_list("--reference", reference)
    every = _read([old, *(more_old or ())], [new, *(more_new or ())])
    (old_side, new_side), short = leave_out_short_tails([leave_out_copies(side) for side in every], quantile)
    sides = old_side, new_side
    before, after = (choose_quantile(side, quantile) for side in sides)
    compared = compare_runs(before, after, references)
    missing = warn_of_runs([(run["p50"].path, run["p50"].origin) for side in every for run in side])
    tails = warn_of_changed_tails(*sides, compared, references) if quantile == "p50" else ()
    medians = [choose_quantile(side, "p50") for side in sides]
    kernels = warn_of_other_kernels(medians[0], medians[1], compared)
    warnings = (*missing, *kernels, *warn_of_shared_change(compared), *tails, *short, *compared.warnings)
    compared = evolve(compared, warnings=name_conditions(warnings))
    if not compared.changes:
        raise _make_nothing_common_error(before, after)
    found = judgement, _ = _apply(gate, compared) if gate else ("passed", ())
    said = tell_gate_of(describe_gate(gate, found, len(compared.judged)), quantile) if gate else ""
    commands = list_commands(compared, before, after)
    if json:
        answer = json_versions.of_diff(
            ([run.path for run in before], [run.path for run in after]),
            compared,
            commands,
            (fail_on, judgement, said),
            quantile,
        )
        print(json_output.text(answer))
    else:
        width = make_console().width
        lines = [*diff_terminal.list_lines(compared, commands, width, quantile), *wrap_text(said, width)]
        print("\n".join(lines))
    return judgement_code(judgement)


def _apply(gate: Gate, compared: RunsCompared) -> tuple[Judgement, tuple[Comparison, ...]]:
    return apply_gate(gate, compared.judged, find_beyond_between_runs(gate, compared.found))


def _make_nothing_common_error(before: Sequence[RunLevels], after: Sequence[RunLevels]) -> UsageError:
    """Why no row can be shown, by what each version has where they share no stack; marks are part of names."""
    what, remedy = "the two versions have no test of the same stack in common", "name runs of the same study and stacks"
    sides = [list(dict.fromkeys(stack for run in runs for stack in run.stacks)) for runs in (before, after)]
    if {stack.spec for stack in sides[0]} & {stack.spec for stack in sides[1]}:
        return UsageError(what, remedy=remedy)
    old, new = (", ".join(stack.spec for stack in side) for side in sides)
    what += f": the old one has {old}, the new one {new}"
    marked = next((run for run in (*before, *after) for stack in run.stacks if stack.has_mark(VariantMark.OLD)), None)
    if marked is not None:
        what += "; the mark [old] of a run by --against is part of a name"
        remedy += f"; what that run says of its two versions: msgauge show {shlex.quote(marked.path)}"
    return UsageError(what, remedy=remedy)


def list_commands(compared: RunsCompared, before: Sequence[RunLevels], after: Sequence[RunLevels]) -> list[str]:
    """For each stack with an undecided cell, the command that measures old and new in one run.

    None where both are one stack of this machine, which is its own old version.
    """
    undecided = dict.fromkeys((one.base, one.other) for one in compared.judged if one.verdict == "undecided")
    study = name_study(after[0].path)
    commands = []
    for old_spec, new_spec in undecided:
        old_run, old = _find_stack(before, old_spec)
        _, new = _find_stack(after, new_spec)
        if make_signature(old) != make_signature(new):
            named = name_stack(old_run.path, old_run.stacks, old, new)
            commands.append(["msgauge", "compare", study, "--stacks", without_marks(new).spec, "--against", named])
    return [shlex.join(words) for words in commands]


def _find_stack(runs: Sequence[RunLevels], spec: str) -> tuple[RunLevels, Stack]:
    """The first of the runs that has a stack, and the stack."""
    return next((run, stack) for run in runs for stack in run.stacks if stack.spec == spec)


def _read(
    old: Sequence[Path], new: Sequence[Path]
) -> tuple[list[dict[Quantile, RunLevels]], list[dict[Quantile, RunLevels]]]:
    """The runs of both versions, each once, by each quantile."""
    first, second = list_runs(old), list_runs(new)
    both = {path.resolve() for path in first} & {path.resolve() for path in second}
    if both:
        names = ", ".join(str(path) for path in sorted(both))
        raise UsageError(f"{names} stands for both versions", remedy="name different runs as old and new")
    return [read_quantiles(path) for path in first], [read_quantiles(path) for path in second]
