"""``msgauge figures``: the figures of a run as files."""

from __future__ import annotations

from pathlib import Path

from msgauge import evaluation
from msgauge.errors import UsageError
from msgauge.frontend.last_run import choose_run
from msgauge.report import json_output

_FORMATS = ("svg", "pdf", "png")


def figures(
    run: Path | None = None, /, *, formats: str = "svg,pdf,png", output: Path | None = None, json: bool = False
) -> int:
    """Write the figures of a run as SVG, PDF or PNG.

    Parameters
    ----------
    run
        The folder of the run; the last one below runs/ by default.
    formats
        Some of svg, pdf, png.
    output
        The folder to write to; figures/ in the folder of the run by default.
    json
        Print the names of the files as JSON.
    """
    run = choose_run(run)
    from msgauge.report import figures as drawing
    from msgauge.report import view

    wanted = [word.strip().lower() for word in formats.split(",") if word.strip()]
    if not wanted or not set(wanted) <= set(_FORMATS):
        raise UsageError(f"cannot write figures as {formats!r}", remedy=f"write one or more of {','.join(_FORMATS)}")
    folder, analysis = evaluation.reanalyse(run)
    evaluation.keep_if_possible(folder, analysis)
    files = drawing.write(view.load(folder), output or run / "figures", wanted)
    names = [str(path) for path in files]
    print(json_output.text({"run": str(run.absolute()), "figures": names}) if json else "\n".join(names))
    return 0
