"""``msgauge show``: the report of a run once more."""

from __future__ import annotations

from pathlib import Path

from msgauge import conclusion
from msgauge.commands.compare import show as show_result
from msgauge.pipeline import Result


def show(run: Path, /, *, json: bool = False) -> int:
    """Show the findings and tables of a run again.

    Parameters
    ----------
    run
        The folder of the run.
    json
        Print them as JSON.
    """
    folder, analysis = conclusion.analysed_again(run)
    conclusion.keep_if_possible(folder, analysis)
    show_result(Result(run, analysis), json=json)
    return 0
