"""The figures of a run as files for papers and slides: the same specifications as on the page, in ink on white."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from pathlib import Path

from attrs import evolve, frozen

from msgauge.errors import StoreError, UsageError
from msgauge.report import sections
from msgauge.report.figures.figure import Figure, Spec
from msgauge.report.figures.theme import Theme, column
from msgauge.report.figures.vega_render import Format, render
from msgauge.report.view import RunView

FORMATS: tuple[Format, ...] = ("svg", "pdf", "png")


DEFAULT_WIDTH_PX = 672.0
"""Seven inches: both columns of a paper."""


@frozen
class FigureStyle:
    """How figures are made for a paper: width of the whole in px (96 to the inch), its title, its font."""

    width_px: float = DEFAULT_WIDTH_PX
    title: bool = True
    font: str = ""


def write(
    view: RunView, folder: Path, formats: Sequence[str] = FORMATS, style: FigureStyle | None = None
) -> list[Path]:
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
        return [_write(figure, folder, form, style or FigureStyle()) for figure in figures for form in known]
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


def _write(figure: Figure, folder: Path, form: Format, style: FigureStyle) -> Path:
    path = folder / f"{figure.key}.{form}"
    partial = path.with_suffix(f".{form}.partial")
    partial.write_bytes(render(apply_style(figure, style), column(style.width_px, style.font), form))
    return partial.replace(path)


def apply_style(figure: Figure, style: FigureStyle) -> Figure:
    """The figure as wide as it shall be, with its title above it unless a caption will say it."""

    def make(theme: Theme) -> Spec:
        spec = figure.make(theme)
        if "autosize" not in spec and "layer" in spec:
            spec |= {"width": style.width_px, "autosize": {"type": "fit-x", "contains": "padding"}}
        return _add_title(spec, figure.title, style.width_px) if style.title else spec

    return evolve(figure, make=make)


def _add_title(spec: Spec, title: str, width_px: float) -> Spec:
    lines = textwrap.wrap(title, max(20, int(width_px / 7)))
    spec = dict(spec)
    if isinstance(padding := spec.get("padding"), dict):
        spec["padding"] = padding | {"top": padding["top"] + 17 * len(lines) + 6}
    return spec | {"title": {"text": lines, "anchor": "start", "fontSize": 12, "fontWeight": "bold", "offset": 12}}
