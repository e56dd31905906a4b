"""Whole programs: parallel efficiency, shares of the time, and CPU time."""

from __future__ import annotations

from collections.abc import Iterator

from markupsafe import Markup

from msgauge import units
from msgauge.model import Kernel, KernelKind
from msgauge.report import phrasing, secondary_series
from msgauge.report.detail import Omission
from msgauge.report.figures.figure import Figure
from msgauge.report.figures.scaling import (
    ScalingFamily,
    ScalingPoint,
    describe_efficiency,
    describe_time,
    make_scaling_families,
    plot_efficiencies,
    plot_shares,
    plot_times,
    share,
)
from msgauge.report.page_figure import FigureBlock, draw
from msgauge.report.template import fill
from msgauge.report.view import RunView
from msgauge.stats import programs

order = 18
title = "Programs"
_MOST = 8
"""Programs with figures on the page; the table has all of them, and so have the files."""
_NO_FIGURES = 5
"""The level of detail from which on the figures are left out."""
_COLUMNS = ("Stack", "Processes", "Time", "Serial", "Parallel efficiency", "In calls", "Cores used")
_ABOUT = (
    "Parallel efficiency is the time of the serial program / (processes × their time) in the median launch, with its "
    "{level} interval; other numbers are medians over launches, without an interval. The share in calls of the stack "
    "includes waiting. Cores used is the CPU time of all processes / the time. Further columns are calls that the "
    "program times separately."
)


def applies(view: RunView) -> bool:
    """Whether a program was run together with its serial version."""
    return bool(make_scaling_families(view, _is_program))


def omissions(view: RunView) -> tuple[Omission, ...]:
    """The figures, on the largest pages."""
    return (Omission("the figures of programs", _NO_FIGURES),) if applies(view) else ()


def figures(view: RunView) -> Iterator[Figure]:
    """Efficiency, shares and times of each program."""
    for family in make_scaling_families(view, _is_program):
        yield from _figures(family, view)


def render(view: RunView) -> Markup:
    """A block for each program."""
    blocks = []
    for number, family in enumerate(make_scaling_families(view, _is_program)):
        made = _figures(family, view) if number < _MOST and view.detail < _NO_FIGURES else ()
        calls = tuple(dict.fromkeys(name for measurement in family.measurements for name in _calls(measurement)))
        rows = tuple(
            (*_row(measurement, view), *secondary_series.times(measurement.estimate, calls))
            for measurement in family.measurements
        )
        drawings = tuple(draw(one) for one in made)
        blocks.append(
            FigureBlock(
                family.title, family.kernel.meaning, drawings, (*_COLUMNS, *(name.capitalize() for name in calls)), rows
            )
        )
    about = _ABOUT.format(level=units.format_level(view.analysis.interval_level))
    return fill("blocks.html", about=about, unit="", blocks=blocks, more=0)


def _is_program(kernel: Kernel) -> bool:
    return kernel.kind is KernelKind.PROGRAM


def _figures(family: ScalingFamily, view: RunView) -> Iterator[Figure]:
    for make in (plot_efficiencies, plot_shares, plot_times):
        figure = make(family, view)
        if figure is not None:
            yield figure


def _row(measurement: ScalingPoint, view: RunView) -> tuple[str, ...]:
    """Stack, processes, time, serial time, efficiency, share of the calls, processors kept busy."""
    one, serial, cpu = measurement.estimate, measurement.series.get("serial", 0.0), measurement.series.get("cpu", 0.0)
    mark, worth = " (> cores)" if one.oversubscribed else "", view.efficiencies.get(one.key)
    return (
        phrasing.plain(measurement.stack),
        f"{measurement.cell.ranks}{mark}",
        describe_time(one),
        units.format_time(serial) if serial > 0 else "–",
        describe_efficiency(worth) if worth is not None else "–",
        _percent(share(measurement, "communication")),
        units.three_digits(cpu / one.median_ns) if cpu > 0 else "–",
    )


def _calls(measurement: ScalingPoint) -> tuple[str, ...]:
    """The calls that the program times alone: scatter, reduce, collect."""
    worth = programs.program(measurement.estimate)
    return tuple(name for name, _ in worth.calls) if worth else ()


def _percent(value: float | None) -> str:
    return units.format_percent(value) if value is not None else "–"
