"""CPU and memory use of stacks, as tables for terminal and page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.console import Console, RenderableType
from rich.text import Text

from msgauge import units
from msgauge.model import Binding, Cost, StackCost
from msgauge.model.measured_way import name_way
from msgauge.report.terminal.console import make_console
from msgauge.report.text_table import TextTable, print_table
from msgauge.report.view import RunView

STACK_COLUMNS = (
    "stack",
    "ranks",
    "transport",
    "wait policy",
    "CPU s per s waiting",
    "peak memory per rank",
    "CPU per launch",
    "binding",
)
MESSAGE_COLUMNS = (
    "kernel",
    "size",
    "ranks",
    "stack",
    "CPU per message",
    "cores used",
    "voluntary context switches per 1000",
    "involuntary per 1000",
)
MEANING = (
    "Transport and wait policy: from the kernel's counters at the end of each launch. CPU s per s waiting: CPU time of "
    "a rank per second that it waits for a late message; 1 is a whole core. CPU per message: CPU time of all ranks, "
    "including buffers, checks and warm-up. Context switches: of all ranks, per 1000 messages. All "
    "are medians over launches without an interval, and peak memory is that of the largest rank of all launches: what "
    "differs between stacks here is not tested."
)


def make_tables(view: RunView) -> tuple[TextTable, ...]:
    """Both tables; one that would be empty is left out."""
    analysis, ways = view.analysis, {cell.id: name_way(cell) for cell in view.plan.cells}
    both = (
        TextTable("Per stack", STACK_COLUMNS, tuple(_of_stack(one) for one in analysis.stack_costs)),
        TextTable("Per message", MESSAGE_COLUMNS, tuple(_of_cell(one, ways[one.cell]) for one in analysis.costs)),
    )
    return tuple(table for table in both if table.rows)


def print_resource_usage(view: RunView, console: Console | None = None) -> None:
    """Print both tables."""
    console = console or make_console()
    for part in parts(view):
        console.print(part, highlight=False)


def parts(view: RunView) -> Iterator[RenderableType]:
    """What is printed."""
    yield Text("\nCPU and memory use", style="bold")
    yield Text(MEANING, style="dim")
    for table in make_tables(view):
        yield from print_table(table)


def _of_stack(one: StackCost) -> tuple[str, ...]:
    transport = (
        one.small_transport
        if one.small_transport == one.large_transport
        else f"{one.small_transport}, large {one.large_transport}"
    )
    return (
        one.stack,
        str(one.ranks),
        transport or "unknown",
        _describe_wait(one.wait_mode),
        f"{units.three_digits(one.wait_cpu_fraction)} s" if one.wait_mode else "unknown",
        units.format_amount(one.peak_memory_bytes),
        units.format_duration(one.cpu_s),
        dict(one.condition).get("binding", Binding.UNKNOWN),
    )


def _describe_wait(word: str) -> str:
    return {"spins": "spin", "yields": "yield", "sleeps": "sleep"}.get(word, "unknown")


def _of_cell(one: Cost, way: Sequence[str]) -> tuple[str, ...]:
    options = "".join(f" {word}" for word in (*(f"{name}={value}" for name, value in one.options), *way))
    return (
        f"{one.kernel}{options}",
        units.format_size(one.size_bytes),
        str(one.ranks),
        one.stack,
        units.format_time(one.cpu_ns_per_event),
        units.three_digits(one.processors),
        units.three_digits(1000 * one.voluntary_switches_per_event),
        units.three_digits(1000 * one.involuntary_switches_per_event),
    )
