"""A document run again: published and own numbers side by side, every claim with its verdict, questions answered."""

from __future__ import annotations

from collections.abc import Iterator

from markupsafe import Markup

from msgauge.advise.published import Drawing, Redrawn, said
from msgauge.report.drawn import drawn
from msgauge.report.figure import Figure
from msgauge.report.paper_terminal import MARKS, place_text
from msgauge.report.plain_figure import Axes, Trail, plain_figure
from msgauge.report.template import fill
from msgauge.report.view import RunView

order = 5
title = "The document run again"


def applies(view: RunView) -> bool:
    """Whether the run was that of a document."""
    return view.paper is not None


def figures(view: RunView) -> Iterator[Figure]:
    """The figures of the document from our data, and the bandwidths it published beside ours."""
    if view.paper is None:
        return
    for number, drawing in enumerate(view.paper.drawings, start=1):
        if any(line.points for line in drawing.lines):
            yield _figure(f"paper-{number}", drawing)


def render(view: RunView) -> Markup:
    """Tables, figures, claims, questions, and what is missing."""
    found = view.paper
    if found is None:
        return Markup()
    return fill(
        "paper.html",
        found=found,
        tables=[(table, _rows(table), said(table.closeness) if table.closeness else "") for table in found.tables],
        figures=[drawn(figure) for figure in figures(view)],
        counts=[(word, found.count(word)) for word in ("holds", "does not hold", "undecided")],
        marks=MARKS,
    )


def _rows(table: Redrawn) -> list[tuple[str, list[str]]]:
    return [
        (f"{label}, {unit}", [place_text(place) for place in row])
        for label, unit, row in zip(table.labels, table.units, table.places, strict=True)
    ]


def _figure(key: str, drawing: Drawing) -> Figure:
    trails = tuple(Trail(line.name, line.points) for line in drawing.lines if line.points)
    axes = Axes(
        "size" if drawing.across == "size" else "count",
        "ratio" if drawing.form == "efficiency" else drawing.form,
        title="Parallel efficiency" if drawing.form == "efficiency" else "",
    )
    text = f"{drawing.title}, redrawn from this run for {len(trails)} stacks."
    return plain_figure(key, drawing.title, text, trails, axes)
