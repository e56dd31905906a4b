"""Whole programs: parallel efficiency, what the time went into, and what it cost in processor time."""

from __future__ import annotations

from collections.abc import Iterator

from markupsafe import Markup

from msgauge import units
from msgauge.model import Kernel
from msgauge.report import beside, words
from msgauge.report.drawn import Block, drawn
from msgauge.report.figure import Figure
from msgauge.report.processes import Family, Spot, efficiencies, efficiency, families, share, shares, times
from msgauge.report.template import fill
from msgauge.report.view import RunView
from msgauge.stats import programs

order = 18
title = "Programs"
_MOST = 8
"""Programs with figures on the page; the table has all of them, and so have the files."""
_DRAWN_DETAIL = 5
"""From this level of detail on the figures are left out."""
_COLUMNS = ("Stack", "Processes", "Time", "Serial", "Efficiency", "In calls", "Processors busy")
_ABOUT = (
    "Efficiency is the time of the serial program divided by the processes and by their time: 100\u00a0% where the "
    "work divides perfectly. The share in calls of the stack holds waiting as well. Processors busy is processor time "
    "of all processes divided by the time. Further columns are calls that the program times alone."
)


def applies(view: RunView) -> bool:
    """Whether a program was run whole, beside its serial twin."""
    return bool(families(view, _wanted))


def figures(view: RunView) -> Iterator[Figure]:
    """Efficiency, shares and times of each program."""
    for family in families(view, _wanted):
        yield from _figures(family, view)


def render(view: RunView) -> Markup:
    """A block for each program."""
    blocks = []
    for number, family in enumerate(families(view, _wanted)):
        made = _figures(family, view) if number < _MOST and view.detail < _DRAWN_DETAIL else ()
        calls = tuple(dict.fromkeys(name for spot in family.spots for name in _calls(spot)))
        rows = tuple((*_row(spot), *beside.times(spot.estimate, calls)) for spot in family.spots)
        drawings = tuple(drawn(one) for one in made)
        blocks.append(
            Block(
                family.title, family.kernel.meaning, drawings, (*_COLUMNS, *(name.capitalize() for name in calls)), rows
            )
        )
    return fill("blocks.html", about=_ABOUT, unit="", blocks=blocks, more=0)


def _wanted(kernel: Kernel) -> bool:
    return "serial" in kernel.series


def _figures(family: Family, view: RunView) -> Iterator[Figure]:
    for make in (efficiencies, shares, times):
        figure = make(family, view)
        if figure is not None:
            yield figure


def _row(spot: Spot) -> tuple[str, ...]:
    """Stack, processes, time, serial time, efficiency, share of the calls, processors kept busy."""
    one, serial, cpu = spot.estimate, spot.series.get("serial", 0.0), spot.series.get("cpu", 0.0)
    crowded = " (> cores)" if one.oversubscribed else ""
    return (
        words.plain(spot.stack),
        f"{spot.cell.ranks}{crowded}",
        units.format_time(one.median_ns),
        units.format_time(serial) if serial > 0 else "–",
        _percent(efficiency(spot)),
        _percent(share(spot, "communication")),
        f"{cpu / one.median_ns:.2f}" if cpu > 0 else "–",
    )


def _calls(spot: Spot) -> tuple[str, ...]:
    """The calls that the program times alone: scatter, reduce, collect."""
    worth = programs.program(spot.estimate)
    return tuple(name for name, _ in worth.calls) if worth else ()


def _percent(value: float | None) -> str:
    return units.format_percent(value) if value is not None else "–"
