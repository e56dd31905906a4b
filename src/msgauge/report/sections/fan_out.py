"""Time against the number of processes: one line for each stack, with a mark at the number of cores."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from attrs import frozen
from markupsafe import Markup

from msgauge import units
from msgauge.model import CellKey, Kernel, KernelKind, Pattern
from msgauge.model.measured_way import note_marks
from msgauge.report import secondary_series
from msgauge.report.figures.figure import Figure
from msgauge.report.figures.scaling import ScalingFamily, ScalingPoint, describe_time, make_scaling_families, plot_times
from msgauge.report.page_figure import FigureBlock, draw
from msgauge.report.template import fill
from msgauge.report.view import RunView
from msgauge.stats import programs

order = 16
title = "Scaling with the number of processes"
_ROUND = ("Stack", "Packet", "Processes", "Time per round", "Time per worker", "CPU time per round")
_MOST = 12
"""Figures on the page, shared out among its blocks; the files have all of them."""
_ABOUT = (
    "Filled points: a core for each process. Hollow points: oversubscribed; times of a library that polls include the "
    "scheduler."
)

Table = tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]
"""Columns and rows."""


@frozen
class FanOutGroup:
    """A kernel with its options: its families, one a size, and a figure for each that is measured often enough."""

    families: tuple[ScalingFamily, ...]
    figures: tuple[Figure, ...]

    @property
    def kernel(self) -> Kernel:
        return self.families[0].kernel

    @property
    def measurements(self) -> tuple[ScalingPoint, ...]:
        """Size by size, stack by stack, by the number of processes."""
        return tuple(
            measurement
            for one in self.families
            for measurement in sorted(one.measurements, key=lambda measurement: measurement.index)
        )

    @property
    def title(self) -> str:
        return ", ".join([self.kernel.title, *note_marks(self.families[0].cell)])


def applies(view: RunView) -> bool:
    """Whether a coordinator's round was measured, or anything on three or more numbers of processes."""
    return bool(_groups(view))


def figures(view: RunView) -> Iterator[Figure]:
    """A figure for each size."""
    for group in _groups(view):
        yield from group.figures


def render(view: RunView) -> Markup:
    """A block for each kernel with its options: always its numbers, and its share of the figures."""
    groups = _groups(view)
    cpu_ns = {cost.key: cost.cpu_ns_per_event for cost in view.analysis.costs}
    shown = [_block(group, kept, cpu_ns) for group, kept in zip(groups, _share_room(groups), strict=True)]
    more = sum(len(group.figures) for group in groups) - sum(len(block.figures) for block in shown)
    about = _ABOUT if any(block.figures for block in shown) else ""
    return fill("blocks.html", about=about, unit=" figures", blocks=shown, more=more)


def _groups(view: RunView) -> tuple[FanOutGroup, ...]:
    found: dict[tuple[object, ...], list[ScalingFamily]] = {}
    for family in make_scaling_families(view, _is_fan_out):
        cell = family.cell
        found.setdefault((cell.kernel, cell.options, cell.mode, cell.cache), []).append(family)
    groups = [
        FanOutGroup(tuple(some), tuple(filter(None, (plot_times(one, view) for one in some))))
        for some in found.values()
    ]
    return tuple(group for group in groups if group.figures or group.kernel.pattern is Pattern.FAN_OUT)


def _is_fan_out(kernel: Kernel) -> bool:
    """Not the programs, which have a section of their own."""
    return kernel.kind is not KernelKind.PROGRAM and not kernel.collective


def _share_room(groups: Sequence[FanOutGroup]) -> Iterator[tuple[Figure, ...]]:
    """The figures of each group that the page has room for: one of each in turn, its sizes evenly spread."""
    counts, left = [0] * len(groups), _MOST
    while left > 0 and any(count < len(group.figures) for count, group in zip(counts, groups, strict=True)):
        for index, group in enumerate(groups):
            if left > 0 and counts[index] < len(group.figures):
                counts[index], left = counts[index] + 1, left - 1
    for count, group in zip(counts, groups, strict=True):
        step = (len(group.figures) - 1) / max(1, count - 1)
        yield tuple(group.figures[round(index * step)] for index in range(count))


def _block(group: FanOutGroup, kept: Sequence[Figure], cpu_ns: Mapping[CellKey, float]) -> FigureBlock:
    columns, rows = _rounds(group, cpu_ns) if group.kernel.pattern is Pattern.FAN_OUT else _times(group)
    return FigureBlock(group.title, group.kernel.meaning, tuple(map(draw, kept)), columns, rows)


def _rounds(group: FanOutGroup, cpu_ns: Mapping[CellKey, float]) -> Table:
    """Time and CPU time of a coordinator's rounds."""
    rows = []
    for measurement in group.measurements:
        used_ns = cpu_ns.get(CellKey(measurement.stack, measurement.cell.id), 0.0)
        rows.append(
            (
                measurement.stack,
                units.format_size(measurement.cell.size_bytes),
                str(measurement.cell.ranks),
                describe_time(measurement.estimate),
                units.format_time(programs.per_worker_ns(measurement.estimate)),
                units.format_time(used_ns) if used_ns > 0 else "–",
            )
        )
    return _ROUND, tuple(rows)


def _times(group: FanOutGroup) -> Table:
    """The times of any other kernel, with its other series."""
    names = secondary_series.list_others(group.kernel, (measurement.estimate for measurement in group.measurements))
    rows = tuple(
        (
            measurement.stack,
            *([units.format_size(measurement.cell.size_bytes)] if group.kernel.sized else []),
            str(measurement.cell.ranks),
            describe_time(measurement.estimate),
            *secondary_series.times(measurement.estimate, names),
        )
        for measurement in group.measurements
    )
    size = ("Size",) if group.kernel.sized else ()
    return ("Stack", *size, "Processes", "Time", *(name.replace("_", " ").capitalize() for name in names)), rows
