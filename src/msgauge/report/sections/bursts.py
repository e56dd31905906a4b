"""Cumulative bytes against time: how fast messages leave and arrive, and where buffers fill."""

from __future__ import annotations

from collections.abc import Iterator

from markupsafe import Markup

from msgauge.report.figures.cumulative import plot_cumulative
from msgauge.report.figures.figure import Figure
from msgauge.report.page_figure import FigureBlock, draw
from msgauge.report.template import fill
from msgauge.report.view import RunView

order = 19
title = "Cumulative bytes over time"
_MOST = 8
"""Figures on the page; the files have all of them."""
_ABOUT = (
    "Each line is the median burst of a stack: the cumulative bytes sent or received since the first send. A straight "
    "line is a constant rate; a bend is a change of the rate, as where a buffer is full."
)


def applies(view: RunView) -> bool:
    """Whether samples were curves."""
    return bool(view.curves)


def figures(view: RunView) -> Iterator[Figure]:
    """One figure for each series of each cell."""
    for _, figure in plot_cumulative(view):
        yield figure


def render(view: RunView) -> Markup:
    """The figures of each cell side by side."""
    blocks: dict[str, list[Figure]] = {}
    meanings: dict[str, str] = {}
    for heading, figure in plot_cumulative(view):
        blocks.setdefault(heading.title, []).append(figure)
        meanings[heading.title] = heading.meaning
    some = list(blocks.items())[: _MOST // 2]
    shown = [FigureBlock(name, meanings[name], tuple(map(draw, found))) for name, found in some]
    return fill("blocks.html", about=_ABOUT, unit="", blocks=shown, more=len(blocks) - len(shown))
