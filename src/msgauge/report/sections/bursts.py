"""Cumulative bytes against time: how fast messages leave and arrive, and where buffers fill."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import frozen
from markupsafe import Markup

from msgauge.report.cumulative import cumulative
from msgauge.report.drawn import Drawn, drawn
from msgauge.report.figure import Figure
from msgauge.report.template import fill
from msgauge.report.view import RunView

order = 19
title = "Bytes against time"
_MOST = 8
"""Figures on the page; the files have all of them."""


@frozen
class Block:
    """One kernel, size and set of options."""

    title: str
    meaning: str
    figures: tuple[Drawn, ...]


def applies(view: RunView) -> bool:
    """Whether samples were curves."""
    return bool(view.curves) and view.detail < 4


def figures(view: RunView) -> Iterator[Figure]:
    """One figure for each series of each cell."""
    for _, figure in cumulative(view):
        yield figure


def render(view: RunView) -> Markup:
    """The figures of each cell side by side."""
    blocks: dict[str, list[Figure]] = {}
    meanings: dict[str, str] = {}
    for heading, figure in cumulative(view):
        blocks.setdefault(heading.title, []).append(figure)
        meanings[heading.title] = heading.meaning
    some = list(blocks.items())[: _MOST // 2]
    shown = [Block(name, meanings[name], tuple(map(drawn, found))) for name, found in some]
    return fill("bursts.html", blocks=shown, more=len(blocks) - len(shown))
