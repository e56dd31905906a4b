"""A document run again: published and own numbers together, every claim with its verdict, questions answered."""

from __future__ import annotations

from collections.abc import Iterator

from markupsafe import Markup

from msgauge.advise.drawings import Drawing, Line
from msgauge.advise.published import Redrawn, said
from msgauge.report.drawn import drawn
from msgauge.report.figure import Figure
from msgauge.report.paper_terminal import CROWDED, MARKS, bands, case_text, is_crowded, lacking
from msgauge.report.plain_figure import Axes, Trail, plain_figure
from msgauge.report.template import fill
from msgauge.report.view import RunView

order = 5
title = "The document run again"
_X_TITLES = {"n": "Size of the problem", "message": "Message number", "bytes": "Bytes so far"}
_DRAWN_DETAIL = 3
"""From this level of detail on the figures are left out."""


def applies(view: RunView) -> bool:
    """Whether the run was that of a document."""
    return view.paper is not None


def figures(view: RunView) -> Iterator[Figure]:
    """The figures of the document from our data, and what it published beside ours."""
    if view.paper is None:
        return
    for number, drawing in enumerate(view.paper.drawings, start=1):
        if any(line.points and not line.published for line in drawing.lines):
            yield _figure(f"paper-{number}", drawing)


def render(view: RunView) -> Markup:
    """Tables, figures, claims, questions, and what is missing."""
    found = view.paper
    if found is None:
        return Markup()
    shown = figures(view) if view.detail < _DRAWN_DETAIL else ()
    return fill(
        "paper.html",
        found=found,
        tables=[(table, list(bands(table)), _notes(table), lacking(table, found)) for table in found.tables],
        figures=[drawn(figure) for figure in shown],
        counts=[(word, found.count(word)) for word in ("holds", "does not hold", "undecided")],
        marks=MARKS,
        case=case_text,
    )


def _notes(table: Redrawn) -> list[str]:
    notes = [said(table.closeness) if table.closeness else "", table.note, CROWDED if is_crowded(table) else ""]
    return [note for note in notes if note]


def _figure(key: str, drawing: Drawing) -> Figure:
    trails = tuple(_trail(line, drawing) for line in drawing.lines if line.points)
    axes = Axes(
        "size" if drawing.across in {"size", "bytes"} else "count",
        "ratio" if drawing.form == "efficiency" else drawing.form,
        title="Parallel efficiency" if drawing.form == "efficiency" else "",
        x_title=_X_TITLES.get(drawing.across, ""),
    )
    text = f"{drawing.title}, redrawn from this run: {'; '.join(map(_told, trails))}."
    return plain_figure(key, drawing.title, text, trails, axes)


def _trail(line: Line, drawing: Drawing) -> Trail:
    name = f"{line.name}, published" if line.published else line.name
    return Trail(name, line.points, dots=drawing.across not in {"message", "bytes"})


def _told(trail: Trail) -> str:
    return f"{trail.name} at {len(trail.points)} places"
