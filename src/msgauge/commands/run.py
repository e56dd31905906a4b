"""``msgauge run``: measure only."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from msgauge.frontend.exit_status import exit_code
from msgauge.frontend.last_run import RUNS
from msgauge.frontend.measurement import measure_study
from msgauge.frontend.study_options import StudyOptions
from msgauge.report.run_output import OutputOptions, print_run


def run(
    study: str = "quick",
    /,
    *,
    asked: StudyOptions = StudyOptions(),  # noqa: B008 -- a frozen value
    runs: Annotated[Path, Parameter(name=["--runs", "--output"])] = RUNS,
    resume: Path | None = None,
    json: bool = False,
) -> int:
    """Measure a study and keep the samples; no report.

    Parameters
    ----------
    study
        quick (the default), standard or another study, a kernel, or the path of a study file.
    runs
        Folder in which run folders are created.
    resume
        Resume this run folder; only --rounds and --budget can be changed.
    json
        Print the result as JSON; otherwise the folder of the run is printed.
    """
    result = measure_study(study, asked, runs, resume)
    if json:
        print_run(result.folder, result.analysis, OutputOptions(json=True))
    else:
        print(result.path)
    return exit_code(result.analysis, hosts_lost=result.hosts_lost)
