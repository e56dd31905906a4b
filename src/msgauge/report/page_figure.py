"""A figure as the page shows it: drawn for wide and narrow screens, with a legend that can be pressed."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import frozen
from markupsafe import Markup

from msgauge.report.figures.figure import Figure
from msgauge.report.figures.theme import PAPER_COLOURS, dash, screen, shape
from msgauge.report.figures.vega_render import minify, render_svg


@frozen
class Key:
    """One stack in a legend: its ink, dash and point."""

    name: str
    ink: int
    dash: str
    shape: str


@frozen
class PageFigure:
    """A figure with its drawings; ``wide`` is empty where one drawing serves every screen."""

    key: str
    kind: str
    title: str
    text: str
    narrow: Markup
    wide: Markup
    legend: tuple[Key, ...]


@frozen
class FigureBlock:
    """Figures that belong together, under a title of their own, and their numbers where a table says more than they."""

    title: str
    meaning: str
    figures: tuple[PageFigure, ...]
    columns: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()


def draw(figure: Figure, *, wide: bool = False) -> PageFigure:
    """Draw a figure for the page; with ``wide`` also in full width."""
    return PageFigure(
        key=figure.key,
        kind=figure.kind,
        title=figure.short,
        text=figure.text,
        narrow=_markup(figure, narrow=True),
        wide=_markup(figure, narrow=False) if wide else Markup(),
        legend=() if figure.kind == "samples" else tuple(_legend(figure)),
    )


def size_bytes(one: PageFigure) -> int:
    """About what a figure takes on the page, with its legend and frame."""
    return len(one.narrow.encode()) + len(one.wide.encode()) + 700 + 650 * len(one.legend)


def _legend(figure: Figure) -> Iterator[Key]:
    for index, name in enumerate(figure.stacks):
        if figure.drawn is None or index in figure.drawn:
            yield _key(index, name)


def _markup(figure: Figure, *, narrow: bool) -> Markup:
    return Markup(minify(render_svg(figure, screen(narrow=narrow))))


def _key(index: int, name: str) -> Key:
    return Key(name, index % len(PAPER_COLOURS) + 1, " ".join(map(str, dash(index))), shape(index))
