"""The map of a cluster: which hosts, pairs and groups stand out, and every pair as a picture."""

from __future__ import annotations

from collections.abc import Iterator

from markupsafe import Markup

from msgauge.analysis.findings.map_doubts import say_nothing_found
from msgauge.report.figures.cluster_matrix import plot_matrices
from msgauge.report.figures.figure import Figure
from msgauge.report.page_figure import FigureBlock, draw
from msgauge.report.template import fill
from msgauge.report.view import RunView

order = 7
title = "Map of the hosts"
brief = True


def applies(view: RunView) -> bool:
    """Whether all pairs of hosts were measured."""
    return bool(view.maps)


def figures(view: RunView) -> Iterator[Figure]:
    """One picture for each quantity and stack."""
    yield from plot_matrices(view.maps)


def render(view: RunView) -> Markup:
    """What stands out in sentences, then the pictures."""
    blocks = []
    for one in view.maps:
        drawings = tuple(draw(figure) for figure in plot_matrices([one]))
        blocks.append((one, say_nothing_found(one.notes), FigureBlock(one.stack, "", drawings)))
    return fill("pair_map.html", blocks=blocks)
