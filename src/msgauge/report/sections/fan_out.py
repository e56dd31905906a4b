"""Time against the number of processes: one line a stack, and where the processes become more than the cores."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from markupsafe import Markup

from msgauge import units
from msgauge.model import Kernel
from msgauge.report.drawn import Block, drawn
from msgauge.report.figure import Figure
from msgauge.report.processes import Family, families, times
from msgauge.report.template import fill
from msgauge.report.view import RunView
from msgauge.stats import programs

order = 16
title = "Against the number of processes"
_COLUMNS = ("Stack", "Packet", "Processes", "A round", "For each worker", "Processor time a round")
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
    blocks: dict[tuple[str, str], list[tuple[Family, Figure]]] = {}
    for family, figure in _drawings(view):
        key = (family.kernel.title, ", ".join(f"{name} {value}" for name, value in family.cell.options))
        blocks.setdefault(key, []).append((family, figure))
    burnt = {(cost.stack, cost.cell): cost.cpu_ns_per_event for cost in view.analysis.costs}
    left, shown = _MOST, []
    for key, some in blocks.items():
        kept = some[: max(0, left)]
        left -= len(kept)
        if kept:
            rows = tuple(row for family, _ in some for row in _rounds(family, burnt))
            name = ", ".join(part for part in key if part)
            figures = tuple(drawn(figure) for _, figure in kept)
            shown.append(Block(name, some[0][0].kernel.meaning, figures, _COLUMNS, rows))
    more = sum(map(len, blocks.values())) - (_MOST - max(0, left))
    return fill("blocks.html", about=_ABOUT, unit=" figures", blocks=shown, more=more)


def _drawings(view: RunView) -> Iterator[tuple[Family, Figure]]:
    for family in families(view, _wanted):
        figure = times(family, view)
        if figure is not None:
            yield family, figure


def _rounds(family: Family, burnt: Mapping[tuple[str, int], float]) -> Iterator[tuple[str, ...]]:
    """What a coordinator's round takes and burns, stack by stack; nothing for other kernels."""
    if family.kernel.name != "fanout":
        return
    for spot in sorted(family.spots, key=lambda spot: spot.index):
        cpu_ns = burnt.get((spot.stack, spot.cell.id), 0.0)
        yield (
            spot.stack,
            units.format_size(spot.cell.size_bytes),
            str(spot.cell.ranks),
            units.format_time(spot.estimate.median_ns),
            units.format_time(programs.per_worker_ns(spot.estimate)),
            units.format_time(cpu_ns) if cpu_ns > 0 else "–",
        )


def _wanted(kernel: Kernel) -> bool:
    """Not the programs, which have a section of their own."""
    return "serial" not in kernel.series and not kernel.collective
