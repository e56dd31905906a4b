"""``msgauge report``: the HTML page of a run."""

from __future__ import annotations

from pathlib import Path

from msgauge import answers, conclusion


def report(run: Path, /, *, output: Path | None = None, json: bool = False) -> int:
    """Write the HTML page of a run.

    Parameters
    ----------
    run
        The folder of the run; its samples are analysed anew, nothing is measured.
    output
        The file to write; report.html in the folder of the run when left out.
    json
        Print where the page is as JSON.
    """
    folder, analysis = conclusion.analysed_again(run)
    conclusion.keep_if_possible(folder, analysis)
    place = conclusion.write_page(run, output)
    print(answers.text({"run": str(run.absolute()), "page": str(place.absolute())}) if json else place)
    return 0
