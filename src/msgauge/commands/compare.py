"""``msgauge compare``: measure and report, the main job."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Annotated

from attrs import evolve
from cyclopts import Parameter

from msgauge import answers, conclusion, pipeline
from msgauge.commands.asked import Asked, asked_limits, asked_study
from msgauge.errors import StackError, UsageError
from msgauge.gate import Gate, judge, parse_gate
from msgauge.kernels import load_kernels
from msgauge.model import Analysis
from msgauge.pipeline import Result
from msgauge.report.live import Live
from msgauge.store import RunFolder


def compare(
    study: str = "quick",
    /,
    *,
    asked: Asked = Asked(),  # noqa: B008 -- a frozen value
    runs: Annotated[Path, Parameter(name=["--runs", "--output"])] = Path("runs"),
    resume: Path | None = None,
    fail_on: str = "",
    costs: bool = False,
    series: bool = False,
    json: bool = False,
) -> int:
    """Measure stacks side by side and say which is faster, by how much and how surely.

    Parameters
    ----------
    study
        quick (when left out), standard, or the path of a study file.
    runs
        The folder that run folders are made in.
    resume
        Go on with this run folder; only --rounds and --budget can be changed then.
    fail_on
        Exit 1 when a stack is slower (faster, different) than the base by more, e.g. 'slower>5%'; 3 when undecided.
    costs
        Show what the stacks cost besides time, too.
    series
        Show what kernels tell beside what is compared, too: a collective's root, a program's calls.
    json
        Print the result as JSON.
    """
    gate = parse_gate(fail_on) if fail_on else None
    result = measured(study, asked if gate is None else _with_base(asked), runs, resume)
    conclusion.write_page(result.path)
    show(result, json=json, by=asked.by, costs=costs, series=series)
    return exit_code(result.analysis, gate)


def measured(study: str, asked: Asked, runs: Path, resume: Path | None) -> Result:
    """Run a study or go on with a run, with progress on standard error.

    Raises:
        UsageError: options of a study together with ``--resume``.
    """
    kernels = load_kernels()
    if resume is not None and (evolve(asked, rounds=0, budget="") != Asked() or study != "quick"):
        raise UsageError(
            "--resume takes its study from the run folder",
            remedy="leave all other options but --rounds and --budget out",
        )
    with Live(kernels=tuple(kernels.values())) as watch:
        if resume is not None:
            return pipeline.resume(resume, watch, None if asked == Asked() else partial(asked_limits, asked=asked))
        return pipeline.run(asked_study(study, asked, kernels), runs, watch)


def show(result: Result, *, json: bool, by: str = "", costs: bool = False, series: bool = False) -> None:
    """Print a run to standard output, as the report for people or as JSON; on request further tables."""
    folder = RunFolder.open(result.path)
    if json:
        print(answers.text(answers.of_run(result.path, folder.plan, result.analysis)))
        return
    from msgauge.report import along, beside, terminal, view
    from msgauge.report import costs as spent

    loaded = view.load(folder)
    terminal.show(loaded)
    if by:
        along.show(loaded, by)
    if costs:
        spent.show(loaded)
    if series:
        beside.show(loaded)


def exit_code(analysis: Analysis, gate: Gate | None) -> int:
    """What the run says to a script; see docs/reference/exit-codes.md.

    Raises:
        StackError: nothing at all was measured.
    """
    if analysis.stopped == "interrupted":
        return 130
    measured = any(not estimate.failed for estimate in analysis.estimates)
    if not measured:
        reasons = "; ".join(dict.fromkeys(f"{one.stack}: {one.reason}" for one in analysis.failures))
        raise StackError(
            f"no stack could be measured: {reasons}", remedy="msgauge stacks shows and proves what is here"
        )
    judgement = judge(gate, analysis.comparisons)[0] if gate else "passed"
    if judgement == "regression":
        return 1
    if analysis.failures or any(estimate.failed for estimate in analysis.estimates):
        return 4
    return 3 if judgement == "undecided" else 0


def _with_base(asked: Asked) -> Asked:
    """Under --fail-on the first stack named is the base, when no other is."""
    from msgauge.stacks.choice import split_list

    named = split_list(asked.stacks)
    return asked if asked.base or not named else evolve(asked, base=named[0])
