"""A repeated paper: published and measured numbers, every claim with its verdict, open questions."""

from __future__ import annotations

from collections.abc import Iterator

from markupsafe import Markup

from msgauge.papers.claim_forecast import tell_forecast
from msgauge.papers.claims import tell_evidence
from msgauge.papers.figures import Line, PaperFigure
from msgauge.report.detail import Omission
from msgauge.report.figures.figure import Figure
from msgauge.report.figures.line_chart import Axes, PlottedLine, plot_lines
from msgauge.report.page_figure import draw
from msgauge.report.template import fill
from msgauge.report.terminal.paper_terminal import (
    MARKS,
    bands,
    count_verdicts,
    describe_missing_systems,
    describe_places,
    table_notes,
    tell_beside,
    tell_verdict,
)
from msgauge.report.view import RunView

order = 5
title = "The paper repeated"
brief = True
_X_TITLES = {"n": "Problem size", "message": "Message number", "bytes": "Cumulative bytes"}
_NO_FIGURES = 3
"""The level of detail from which on the figures are left out."""


def applies(view: RunView) -> bool:
    """Whether the run was that of a document."""
    return view.paper is not None


def omissions(view: RunView) -> tuple[Omission, ...]:
    """The figures, with those of later kernels."""
    return (Omission("the figures of the document", _NO_FIGURES),) if view.paper else ()


def figures(view: RunView) -> Iterator[Figure]:
    """The figures of the document from our data, and what it published beside ours."""
    if view.paper is None:
        return
    for number, drawing in enumerate(view.paper.figures, start=1):
        if any(line.points and not line.published for line in drawing.lines):
            yield _figure(f"paper-{number}", drawing)


def render(view: RunView) -> Markup:
    """Tables, figures, claims, questions, and what is missing."""
    found = view.paper
    if found is None:
        return Markup()
    shown = figures(view) if view.detail < _NO_FIGURES else ()
    return fill(
        "paper.html",
        found=found,
        tables=[
            (table, list(bands(table, found.across)), table_notes(table, found), describe_missing_systems(table, found))
            for table in found.tables
        ],
        figures=[draw(figure) for figure in shown],
        counts=count_verdicts(found),
        marks=MARKS,
        case=tell_evidence,
        places=describe_places(found) if found.network else "",
        tell=tell_verdict,
        beside=tell_beside,
        forecast=tell_forecast,
    )


def _figure(key: str, drawing: PaperFigure) -> Figure:
    lines = tuple(_plot_line(line, drawing) for line in drawing.lines if line.points)
    axes = Axes(
        "size" if drawing.x_axis in {"size", "bytes"} else "count",
        "ratio" if drawing.form == "efficiency" else drawing.form,
        title="Parallel efficiency" if drawing.form == "efficiency" else "",
        x_title=_X_TITLES.get(drawing.x_axis, ""),
    )
    text = f"{drawing.title}, with the data of this run: {'; '.join(map(_describe_line, lines))}."
    return plot_lines(key, drawing.title, text, lines, axes)


def _plot_line(line: Line, drawing: PaperFigure) -> PlottedLine:
    name = f"{line.name}, published" if line.published else line.name
    return PlottedLine(name, line.points, dots=drawing.x_axis not in {"message", "bytes"})


def _describe_line(line: PlottedLine) -> str:
    return f"{line.name} at {len(line.points)} points"
