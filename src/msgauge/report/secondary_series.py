"""Series of a kernel other than the one that is compared: the root's time of a collective, the receiver's of a train.

They are medians over launches without an interval; no verdict rests on them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rich.console import Console, RenderableType
from rich.text import Text

from msgauge import units
from msgauge.model import Estimate, Kernel
from msgauge.report.grid import Entry, Grid, make_grids
from msgauge.report.terminal.console import make_console
from msgauge.report.text_table import TextTable, print_table
from msgauge.report.view import RunView

MEANING = (
    "The first time is the series that is compared. The others are medians over launches, without an interval. "
    "'msgauge kernels' and the reference define each series."
)


def make_table(grid: Grid) -> TextTable | None:
    """A row for each stack and size, a column for each series; None where the kernel has one series only."""
    measured = [entry for entry in grid.entries if entry.estimate]
    names = list_others(grid.kernel, (entry.estimate for entry in measured if entry.estimate))
    if not names:
        return None
    compared = next((name for name in grid.kernel.series if name not in names), "time")
    columns = ("stack", "size", compared, *names)
    rows = tuple(_row(entry, entry.estimate, names) for entry in measured if entry.estimate)
    sized = grid.kernel.sized
    return TextTable(
        grid.title,
        tuple(name.replace("_", " ") for name in (columns if sized else (columns[0], *columns[2:]))),
        rows if sized else tuple((row[0], *row[2:]) for row in rows),
    )


def list_others(kernel: Kernel, estimates: Iterable[Estimate]) -> tuple[str, ...]:
    """The names of the series in these estimates other than the one that is compared, in the kernel's order."""
    found = {name for estimate in estimates for name, _ in estimate.series}
    stated = [name for name in kernel.series if name in found]
    return (*stated, *sorted(found.difference(stated)))


def times(estimate: Estimate, names: Iterable[str]) -> Iterator[str]:
    """The median of each series as text; ``–`` where this estimate has none."""
    known = dict(estimate.series)
    for name in names:
        yield units.format_time(known[name]) if name in known else "–"


def print_other_series(view: RunView, console: Console | None = None) -> None:
    """Print a table for each kernel that has more than one series."""
    console = console or make_console()
    for part in parts(view):
        console.print(part, highlight=False)


def parts(view: RunView) -> Iterator[RenderableType]:
    """What is printed."""
    yield Text("\nOther series", style="bold")
    found = [
        one for grid in make_grids(view.plan, view.analysis, view.kernels) if (one := make_table(grid)) is not None
    ]
    yield Text(MEANING if found else "No kernel of this run has more than one series.", style="dim")
    for one in found:
        yield from print_table(one)


def _row(entry: Entry, estimate: Estimate, names: tuple[str, ...]) -> tuple[str, ...]:
    compared = units.format_time(estimate.median_ns)
    return (entry.stack, units.format_size(entry.cell.size_bytes), compared, *times(estimate, names))
