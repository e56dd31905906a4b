"""Time against the number of processes: one line a stack, and where the processes become more than the cores."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from attrs import frozen
from markupsafe import Markup

from msgauge import units
from msgauge.model import Kernel
from msgauge.report import beside
from msgauge.report.drawn import Block, drawn
from msgauge.report.figure import Figure
from msgauge.report.processes import Family, Spot, families, times
from msgauge.report.template import fill
from msgauge.report.view import RunView
from msgauge.stats import programs

order = 16
title = "Against the number of processes"
_ROUND = ("Stack", "Packet", "Processes", "A round", "For each worker", "Processor time a round")
_MOST = 12
"""Figures on the page, shared out among its blocks; the files have all of them."""
_ABOUT = (
    "Filled points: every process had a core. Hollow points: more processes than cores, where a library that polls "
    "measures the scheduler, and that is itself the finding."
)

Table = tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]
"""Columns and rows."""


@frozen
class Group:
    """A kernel with its options: its families, one a size, and a figure for each that is measured often enough."""

    families: tuple[Family, ...]
    figures: tuple[Figure, ...]

    @property
    def kernel(self) -> Kernel:
        return self.families[0].kernel

    @property
    def spots(self) -> tuple[Spot, ...]:
        """Size by size, stack by stack, by the number of processes."""
        return tuple(spot for one in self.families for spot in sorted(one.spots, key=lambda spot: spot.index))

    @property
    def title(self) -> str:
        options = (f"{name} {value}" for name, value in self.families[0].cell.options)
        return ", ".join([self.kernel.title, *options])


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
    burnt = {(cost.stack, cost.cell): cost.cpu_ns_per_event for cost in view.analysis.costs}
    shown = [_block(group, kept, burnt) for group, kept in zip(groups, _shared_out(groups), strict=True)]
    more = sum(len(group.figures) for group in groups) - sum(len(block.figures) for block in shown)
    about = _ABOUT if any(block.figures for block in shown) else ""
    return fill("blocks.html", about=about, unit=" figures", blocks=shown, more=more)


def _groups(view: RunView) -> tuple[Group, ...]:
    found: dict[tuple[object, ...], list[Family]] = {}
    for family in families(view, _wanted):
        cell = family.cell
        found.setdefault((cell.kernel, cell.options, cell.mode, cell.cache), []).append(family)
    groups = [Group(tuple(some), tuple(filter(None, (times(one, view) for one in some)))) for some in found.values()]
    return tuple(group for group in groups if group.figures or group.kernel.name == "fanout")


def _wanted(kernel: Kernel) -> bool:
    """Not the programs, which have a section of their own."""
    return "serial" not in kernel.series and not kernel.collective


def _shared_out(groups: Sequence[Group]) -> Iterator[tuple[Figure, ...]]:
    """The figures of each group that the page has room for: one of each in turn, its sizes evenly spread."""
    counts, left = [0] * len(groups), _MOST
    while left > 0 and any(count < len(group.figures) for count, group in zip(counts, groups, strict=True)):
        for index, group in enumerate(groups):
            if left > 0 and counts[index] < len(group.figures):
                counts[index], left = counts[index] + 1, left - 1
    for count, group in zip(counts, groups, strict=True):
        step = (len(group.figures) - 1) / max(1, count - 1)
        yield tuple(group.figures[round(index * step)] for index in range(count))


def _block(group: Group, kept: Sequence[Figure], burnt: Mapping[tuple[str, int], float]) -> Block:
    columns, rows = _rounds(group, burnt) if group.kernel.name == "fanout" else _times(group)
    return Block(group.title, group.kernel.meaning, tuple(map(drawn, kept)), columns, rows)


def _rounds(group: Group, burnt: Mapping[tuple[str, int], float]) -> Table:
    """What a coordinator's rounds take and burn."""
    rows = []
    for spot in group.spots:
        cpu_ns = burnt.get((spot.stack, spot.cell.id), 0.0)
        rows.append(
            (
                spot.stack,
                units.format_size(spot.cell.size_bytes),
                str(spot.cell.ranks),
                units.format_time(spot.estimate.median_ns),
                units.format_time(programs.per_worker_ns(spot.estimate)),
                units.format_time(cpu_ns) if cpu_ns > 0 else "–",
            )
        )
    return _ROUND, tuple(rows)


def _times(group: Group) -> Table:
    """The times of any other kernel, with its further series."""
    names = beside.further(group.kernel, (spot.estimate for spot in group.spots))
    rows = tuple(
        (
            spot.stack,
            *([units.format_size(spot.cell.size_bytes)] if group.kernel.sized else []),
            str(spot.cell.ranks),
            units.format_time(spot.estimate.median_ns),
            *beside.times(spot.estimate, names),
        )
        for spot in group.spots
    )
    size = ("Size",) if group.kernel.sized else ()
    return ("Stack", *size, "Processes", "Time", *(name.replace("_", " ").capitalize() for name in names)), rows
