"""Maps of the collective operations: the fastest stack by size and number of processes, and its lead."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import frozen
from markupsafe import Markup

from msgauge.report.figures.figure import Figure
from msgauge.report.figures.heatmap import plot_maps
from msgauge.report.page_figure import PageFigure, draw
from msgauge.report.template import fill
from msgauge.report.view import RunView

order = 14
title = "Collectives: fastest stack"
_MOST = 16
"""Maps on the page; the files have all of them."""


@frozen
class Map:
    """One map, and the crossovers of its kernel."""

    figure: PageFigure
    crossovers: tuple[str, ...]


def applies(view: RunView) -> bool:
    """Whether there is a collective with sizes and numbers of processes to map."""
    return any(True for _ in plot_maps(view))


def figures(view: RunView) -> Iterator[Figure]:
    """Every map."""
    for _, figure in plot_maps(view):
        yield figure


def render(view: RunView) -> Markup:
    """The maps, each with the crossovers of its kernel."""
    crossovers = [finding for finding in view.analysis.findings if finding.kind == "crossover"]
    found = list(plot_maps(view))
    shown = [
        Map(
            draw(figure),
            tuple(one.sentence for one in crossovers if dict(one.evidence).get("kernel") == grid.kernel.name),
        )
        for grid, figure in found[:_MOST]
    ]
    return fill("collectives.html", maps=shown, more=len(found) - len(shown))
