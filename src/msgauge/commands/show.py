"""``msgauge show``: the report of a run once more."""

from __future__ import annotations

from pathlib import Path

from msgauge import conclusion
from msgauge.commands.compare import show as show_result
from msgauge.pipeline import Result
from msgauge.stacks.axes import checked_axis


def show(run: Path, /, *, by: str = "", costs: bool = False, series: bool = False, json: bool = False) -> int:
    """Show the findings and tables of a run again.

    Parameters
    ----------
    run
        The folder of the run.
    by
        Also what stacks differ by that are alike in all but this: language, transport, version or wait.
    costs
        Also what the stacks cost besides time.
    series
        Also what kernels tell beside what is compared: a collective's root, a program's calls, the parts of a start-up.
    json
        Print them as JSON.
    """
    checked_axis(by)
    folder, analysis = conclusion.analysed_again(run)
    conclusion.keep_if_possible(folder, analysis)
    show_result(Result(run, analysis), json=json, by=by, costs=costs, series=series)
    return 0
