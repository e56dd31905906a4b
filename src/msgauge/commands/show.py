"""``msgauge show``: the report of a run."""

from __future__ import annotations

from pathlib import Path

from msgauge import evaluation
from msgauge.model.factors import parse_axis
from msgauge.report.run_output import OutputOptions, print_run


def show(run: Path, /, *, by: str = "", costs: bool = False, series: bool = False, json: bool = False) -> int:
    """Show the findings and tables of a run.

    Parameters
    ----------
    run
        The folder of the run.
    by
        Also show pairs of stacks that differ in this factor alone: language, transport, version or wait.
    costs
        Also show CPU and memory use of the stacks.
    series
        Also show series that are not compared: the root's time of a collective, the calls of a program.
    json
        Print them as JSON.
    """
    parse_axis(by)
    folder, analysis = evaluation.reanalyse(run)
    evaluation.keep_if_possible(folder, analysis)
    print_run(folder, analysis, OutputOptions(json, by, costs, series))
    return 0
