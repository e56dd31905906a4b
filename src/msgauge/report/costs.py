"""What stacks cost besides time, as tables for terminal and page."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import Console, RenderableType
from rich.text import Text

from msgauge import units
from msgauge.model import Cost, Upkeep
from msgauge.report.sheet import Sheet, printed
from msgauge.report.view import RunView

UPKEEP = ("stack", "ranks", "carried by", "waits by", "burnt per s waited", "memory of a rank", "CPU a launch", "bound")
COSTS = ("kernel", "size", "ranks", "stack", "CPU a message", "processors", "slept per 1000", "preempted per 1000")
MEANING = (
    "Carried by and waits by: what the kernel's counters showed at the end of each launch. Burnt per s waited: "
    "processor seconds that a rank uses while it waits a second for a late message; 1 is a whole core. CPU a message: "
    "processor time of all ranks, with what surrounds the timed part. Slept and preempted: voluntary and involuntary "
    "context switches."
)


def sheets(view: RunView) -> tuple[Sheet, ...]:
    """Both tables; one that would be empty is left out."""
    analysis = view.analysis
    both = (
        Sheet("Of each stack", UPKEEP, tuple(_of_stack(one) for one in analysis.upkeep)),
        Sheet("Of each message", COSTS, tuple(_of_cell(one) for one in analysis.costs)),
    )
    return tuple(sheet for sheet in both if sheet.rows)


def show(view: RunView, console: Console | None = None) -> None:
    """Print both tables."""
    console = console or Console(highlight=False)
    for part in parts(view):
        console.print(part, highlight=False)


def parts(view: RunView) -> Iterator[RenderableType]:
    """What ``show`` prints."""
    yield Text("\nWhat it costs besides time", style="bold")
    yield Text(MEANING, style="dim")
    for sheet in sheets(view):
        yield from printed(sheet)


def _of_stack(one: Upkeep) -> tuple[str, ...]:
    carried = one.small if one.small == one.large else f"{one.small}, large {one.large}"
    return (
        one.stack,
        str(one.ranks),
        carried or "not told",
        _gerund(one.waits),
        f"{units.three_digits(one.busy)} s" if one.waits else "not told",
        units.format_amount(one.peak_memory_bytes),
        units.format_duration(one.cpu_s),
        dict(one.condition).get("binding", "unknown"),
    )


def _gerund(word: str) -> str:
    return {"spins": "spinning", "yields": "yielding", "sleeps": "sleeping"}.get(word, "not told")


def _of_cell(one: Cost) -> tuple[str, ...]:
    options = "".join(f" {name}={value}" for name, value in one.options)
    return (
        f"{one.kernel}{options}",
        units.format_size(one.size_bytes),
        str(one.ranks),
        one.stack,
        units.format_time(one.cpu_ns_per_event),
        units.three_digits(one.processors),
        units.three_digits(1000 * one.naps_per_event),
        units.three_digits(1000 * one.preemptions_per_event),
    )
