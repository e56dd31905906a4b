"""``msgauge run``: measure only."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from msgauge import answers
from msgauge.commands.asked import Asked
from msgauge.commands.compare import exit_code, measured
from msgauge.store import RunFolder


def run(
    study: str = "quick",
    /,
    *,
    asked: Asked = Asked(),  # noqa: B008 -- a frozen value
    runs: Annotated[Path, Parameter(name=["--runs", "--output"])] = Path("runs"),
    resume: Path | None = None,
    json: bool = False,
) -> int:
    """Measure a study and keep the samples; report later.

    Parameters
    ----------
    study
        quick (when left out), standard, or the path of a study file.
    runs
        The folder that run folders are made in.
    resume
        Go on with this run folder; only --rounds and --budget can be changed then.
    json
        Print the result as JSON; otherwise the folder of the run is printed.
    """
    result = measured(study, asked, runs, resume)
    if json:
        print(answers.text(answers.of_run(result.path, RunFolder.open(result.path).plan, result.analysis)))
    else:
        print(result.path)
    return exit_code(result.analysis, None)
