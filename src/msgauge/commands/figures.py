"""``msgauge figures``: the figures of a run as files."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

from msgauge import evaluation
from msgauge.errors import UsageError, hint_nearest
from msgauge.frontend.last_run import choose_run
from msgauge.frontend.typed_lists import read_list
from msgauge.report import json_output

_FORMATS = ("svg", "pdf", "png")


def figures(
    run: Path | None = None,
    /,
    *,
    formats: str = "svg,pdf,png",
    output: Path | None = None,
    width: str = "7in",
    no_title: bool = False,
    font: str = "",
    json: bool = False,
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
    width
        Width of each figure, e.g. 3.5in (a column of a paper), 9cm or 252pt.
    no_title
        Leave out the title, which a caption says.
    font
        Font of all letters, one that is installed here; e.g. 'Latin Modern Roman'.
    json
        Print the names of the files as JSON.
    """
    run = choose_run(run)
    from msgauge.report import figure_files as drawing
    from msgauge.report import view

    wanted = [word.lower() for word in read_list("--formats", formats)]
    strange = [word for word in wanted if word not in _FORMATS]
    if strange or not wanted:
        near = hint_nearest(strange[0] if strange else "", _FORMATS)
        meant = f"did you mean {near}? " if near else ""
        remedy = f"{meant}write one or more of {','.join(_FORMATS)}"
        raise UsageError(f"cannot write figures as {formats!r}", remedy=remedy)
    style = drawing.FigureStyle(parse_width_px(width), not no_title, check_font(font))
    folder, analysis = evaluation.reanalyse(run)
    evaluation.keep_if_possible(folder, analysis)
    files = drawing.write(view.load(folder), output or run / "figures", wanted, style)
    names = [str(path) for path in files]
    print(json_output.text({"run": str(run.absolute()), "figures": names}) if json else "\n".join(names))
    return 0


_PX = {"in": 96.0, "cm": 96 / 2.54, "mm": 96 / 25.4, "pt": 96 / 72, "px": 1.0}
_NARROWEST_PX, _WIDEST_PX = 192.0, 2400.0


def parse_width_px(text: str) -> float:
    """Pixels, 96 to the inch, of ``3.5in``, ``9cm``, ``90mm``, ``252pt`` or ``336px``.

    Raises:
        UsageError: no width, or one below 2 or above 25 inches.
    """
    match = re.fullmatch(r"\s*(?P<number>\d+(?:\.\d+)?)\s*(?P<unit>in|cm|mm|pt|px)\s*", text)
    width = float(match["number"]) * _PX[match["unit"]] if match else 0.0
    if not _NARROWEST_PX <= width <= _WIDEST_PX:
        raise UsageError(
            f"cannot draw figures {text!r} wide", remedy="write --width 3.5in, 9cm or 252pt; 2 to 25 inches"
        )
    return width


def check_font(font: str) -> str:
    """The font, if it is installed or nobody can say.

    Raises:
        UsageError: the machine has no font of that name, and a drawing would silently have another.
    """
    lister = shutil.which("fc-list")
    if not font or lister is None:
        return font
    done = subprocess.run([lister, ":", "family"], capture_output=True, text=True, timeout=60, check=False)
    known = {name.strip() for line in done.stdout.splitlines() for name in line.split(",")}
    if known and font not in known:
        near = hint_nearest(font, known)
        raise UsageError(
            f"there is no font {font!r} on this machine",
            remedy=f"did you mean {near!r}? 'fc-list : family' lists all" if near else "'fc-list : family' lists all",
        )
    return font
