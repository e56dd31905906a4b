"""The figures of a run as files for papers and slides: the same specifications as on the page, in ink on white."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from attrs import evolve

from msgauge.errors import StoreError, UsageError
from msgauge.report import sections
from msgauge.report.figure import Figure
from msgauge.report.theme import paper
from msgauge.report.vega_render import Format, render
from msgauge.report.view import RunView

FORMATS: tuple[Format, ...] = ("svg", "pdf", "png")


def write(view: RunView, folder: Path, formats: Sequence[str] = FORMATS) -> list[Path]:
    """Write every figure of the run into ``folder`` in each format; returns the files in the order of the page.

    Raises:
        UsageError: a format that is not known, or a run without anything to draw.
        StoreError: the folder cannot be written.
    """
    known = [form for form in FORMATS if form in formats]
    if len(known) != len(set(formats)):
        strange = ", ".join(sorted(set(formats) - set(FORMATS)))
        raise UsageError(f"no such format: {strange}", remedy=f"choose among {', '.join(FORMATS)}")
    figures = list(figures_of(view))
    if not figures:
        raise UsageError("this run holds nothing that could be drawn", remedy="see what failed: msgauge show RUN")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        return [_write(figure, folder, form) for figure in figures for form in known]
    except OSError as error:
        raise StoreError(
            f"the figures cannot be written: {error.strerror}",
            where=str(folder),
            remedy="name a folder that you may write to, on a disk with room",
        ) from error


def figures_of(view: RunView) -> Iterator[Figure]:
    """Every figure of a run, in the order in which the page shows them; the page may leave some out, this does not."""
    for section in sections.every():
        if hasattr(section, "figures"):
            yield from section.figures(view)


def _write(figure: Figure, folder: Path, form: Format) -> Path:
    path = folder / f"{figure.key}.{form}"
    partial = path.with_suffix(f".{form}.partial")
    partial.write_bytes(render(_add_title(figure), paper(), form))
    return partial.replace(path)


def _add_title(figure: Figure) -> Figure:
    """The figure with its title above it, as a file stands alone."""
    title = {"text": figure.title, "anchor": "start", "fontSize": 13, "fontWeight": "bold", "offset": 14, "limit": 560}
    return evolve(figure, make=lambda theme: figure.make(theme) | {"title": title})
