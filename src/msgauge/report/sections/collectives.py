"""Maps of the collective operations: who is the fastest at which size on how many processes, and by how much."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import frozen
from markupsafe import Markup

from msgauge.report.drawn import Drawn, drawn
from msgauge.report.figure import Figure
from msgauge.report.heat import maps
from msgauge.report.template import fill
from msgauge.report.view import RunView

order = 14
title = "Collectives at a glance"
_MOST = 16
"""Maps on the page; the files have all of them."""


@frozen
class Map:
    """One map, and what is a crossover in its kernel."""

    figure: Drawn
    turns: tuple[str, ...]


def applies(view: RunView) -> bool:
    """Whether there is a collective with sizes and numbers of processes to map."""
    return any(True for _ in maps(view))


def figures(view: RunView) -> Iterator[Figure]:
    """Every map."""
    for _, figure in maps(view):
        yield figure


def render(view: RunView) -> Markup:
    """The maps, each with the sentences that say where the order of two stacks turns."""
    turns = [finding for finding in view.analysis.findings if finding.kind == "crossover"]
    shown = [
        Map(drawn(figure), tuple(one.sentence for one in turns if dict(one.evidence).get("kernel") == grid.kernel.name))
        for grid, figure in maps(view)
    ]
    return fill("collectives.html", maps=shown[:_MOST], more=max(0, len(shown) - _MOST))
