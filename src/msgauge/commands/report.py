"""``msgauge report``: the HTML page of a run."""

from __future__ import annotations

from pathlib import Path

from msgauge import evaluation
from msgauge.frontend.last_run import choose_run
from msgauge.report import json_output


def report(run: Path | None = None, /, *, output: Path | None = None, json: bool = False) -> int:
    """Write the HTML page of a run.

    Parameters
    ----------
    run
        The folder of the run, the last one below runs/ by default; its samples are analysed again, nothing is measured.
    output
        The file to write; report.html in the folder of the run by default.
    json
        Print the path of the page as JSON.
    """
    run = choose_run(run)
    folder, analysis = evaluation.reanalyse(run)
    evaluation.keep_if_possible(folder, analysis)
    place = evaluation.write_page(folder, output)
    print(json_output.text({"run": str(run.absolute()), "page": str(place.absolute())}) if json else place)
    return 0
