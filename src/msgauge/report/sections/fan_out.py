"""Time against the number of processes: one line a stack, and where the processes become more than the cores."""

from __future__ import annotations

from collections.abc import Iterator

from markupsafe import Markup

from msgauge.model import Kernel
from msgauge.report.drawn import Block, drawn
from msgauge.report.figure import Figure
from msgauge.report.processes import Family, families, times
from msgauge.report.template import fill
from msgauge.report.view import RunView

order = 16
title = "Against the number of processes"
_MOST = 12
"""Figures on the page; the files have all of them."""
_ABOUT = (
    "Filled points: every process had a core. Hollow points: more processes than cores, where a library that polls "
    "measures the scheduler, and that is itself the finding."
)


def applies(view: RunView) -> bool:
    """Whether something was measured on three or more numbers of processes."""
    return view.detail < 4 and any(True for _ in figures(view))


def figures(view: RunView) -> Iterator[Figure]:
    """A figure for each size."""
    for _, figure in _drawings(view):
        yield figure


def render(view: RunView) -> Markup:
    """A block for each kernel with its options."""
    blocks: dict[tuple[str, str], list[Figure]] = {}
    meanings: dict[tuple[str, str], str] = {}
    for family, figure in _drawings(view):
        key = (family.kernel.title, ", ".join(f"{name} {value}" for name, value in family.cell.options))
        blocks.setdefault(key, []).append(figure)
        meanings[key] = family.kernel.meaning
    left, shown = _MOST, []
    for key, some in blocks.items():
        kept = some[: max(0, left)]
        left -= len(kept)
        if kept:
            name = ", ".join(part for part in key if part)
            shown.append(Block(name, meanings[key], tuple(drawn(figure) for figure in kept)))
    more = sum(map(len, blocks.values())) - (_MOST - max(0, left))
    return fill("blocks.html", about=_ABOUT, unit=" figures", blocks=shown, more=more)


def _drawings(view: RunView) -> Iterator[tuple[Family, Figure]]:
    for family in families(view, _wanted):
        figure = times(family, view)
        if figure is not None:
            yield family, figure


def _wanted(kernel: Kernel) -> bool:
    """Not the programs, which have a section of their own."""
    return "serial" not in kernel.series and not kernel.collective
