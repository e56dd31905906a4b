"""``msgauge compare``: measure and report, the main job."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

from attrs import evolve
from cyclopts import Parameter

from msgauge import evaluation
from msgauge.analysis.beyond_amount import find_beyond
from msgauge.analysis.findings.caveats import describe_beyond_gate
from msgauge.analysis.verdicts.regression_gate import apply_gate, describe_gate, parse_gate
from msgauge.frontend.exit_status import exit_code
from msgauge.frontend.last_run import RUNS
from msgauge.frontend.measurement import measure_study
from msgauge.frontend.study_options import StudyOptions
from msgauge.model.stack_expression import split_list
from msgauge.report.run_output import OutputOptions, print_run
from msgauge.report.terminal.console import print_warning


def compare(
    study: str = "quick",
    /,
    *,
    asked: StudyOptions = StudyOptions(),  # noqa: B008 -- a frozen value
    runs: Annotated[Path, Parameter(name=["--runs", "--output"])] = RUNS,
    resume: Path | None = None,
    against: str = "",
    fail_on: str = "",
    costs: bool = False,
    series: bool = False,
    json: bool = False,
) -> int:
    """Measure and compare stacks: which is faster, by how much, with which confidence.

    Parameters
    ----------
    study
        quick (the default), standard or another study, a kernel, or the path of a study file.
    runs
        Folder in which run folders are created.
    resume
        Resume this run folder; only --rounds and --budget can be changed.
    against
        Compare a stack with its old version, interleaved in one run: the folder of an earlier run (RUN:SPEC for one of
        several stacks), the prefix of an installation, or a stack (openmpi@5.0.10). Name the new one with --stacks.
    fail_on
        Exit 1 when a stack is slower (faster, different) than the base by more, e.g. 'slower>5%'; 3 when undecided.
    costs
        Also show CPU and memory use of the stacks.
    series
        Also show series that are not compared: the root's time of a collective, calls of a program.
    json
        Print the result as JSON.
    """
    gate = parse_gate(fail_on) if fail_on else None
    result = measure_study(study, asked if gate is None or against else _with_base(asked), runs, resume, against)
    if missing := evaluation.keep_page(result.folder):
        print_warning(missing)
    print_run(result.folder, result.analysis, OutputOptions(json, asked.by, costs, series))
    if gate is None:
        return exit_code(result.analysis, hosts_lost=result.hosts_lost)
    compared = result.analysis.comparisons
    found = apply_gate(gate, compared, find_beyond(gate, result.folder.dataset, result.analysis))
    judgement, _ = found
    code = exit_code(result.analysis, judgement, hosts_lost=result.hosts_lost)
    level = result.analysis.interval_level
    beyond = describe_beyond_gate(gate, result.analysis.estimates, compared, level) if judgement != "regression" else ()
    print(describe_gate(gate, found, len(compared), code, beyond), file=sys.stderr if json else sys.stdout)
    return code


def _with_base(asked: StudyOptions) -> StudyOptions:
    """Under --fail-on the first stack named is the base, unless --base names one."""
    named = split_list(asked.stacks)
    return asked if asked.base or not named else evolve(asked, base=named[0])
