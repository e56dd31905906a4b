"""What stacks cost besides time: processor time, context switches, memory, and the CPU time of waiting. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from statistics import median, mode

from msgauge.model import Cell, CellKey, Cost, LaunchRecord, LaunchStatus, Plan, Samples, StackCost
from msgauge.results.dataset import CellSamples


def costs(plan: Plan, cells: Mapping[CellKey, CellSamples]) -> tuple[Cost, ...]:
    """One for every stack and cell whose worker counted, in the order of the plan; medians over launches."""
    return tuple(
        cost
        for cell in plan.cells
        for stack in plan.stacks
        if (one := cells.get(CellKey(stack, cell.id))) is not None and (cost := _cost(stack, cell, one)) is not None
    )


def stack_costs(records: Sequence[LaunchRecord]) -> tuple[StackCost, ...]:
    """One for every stack and number of ranks that was launched well, in the order they first were."""
    grouped: dict[tuple[str, int], list[LaunchRecord]] = {}
    for record in records:
        if record.status is LaunchStatus.OK and record.placement:
            grouped.setdefault((record.launch.stack, record.launch.ranks), []).append(record)
    return tuple(_stack_cost(*key, same) for key, same in grouped.items())


def _cost(stack: str, cell: Cell, one: CellSamples) -> Cost | None:
    counted = [numbers for frame in one.frames if (numbers := _numbers(frame))["events"] > 0]
    if not counted:
        return None
    return Cost(
        stack=stack,
        cell=cell.id,
        kernel=cell.kernel,
        size_bytes=cell.size_bytes,
        ranks=cell.ranks,
        options=cell.options,
        cpu_ns_per_event=_median(counted, lambda one: one["cpu_ns"] / one["events"]),
        processors=_median(counted, lambda one: one["cpu_ns"] / one["wall_ns"] if one["wall_ns"] > 0 else 0.0),
        voluntary_switches_per_event=_median(counted, lambda one: one["voluntary"] / one["events"]),
        involuntary_switches_per_event=_median(counted, lambda one: one["involuntary"] / one["events"]),
    )


_COUNTED = ("events", "wall_ns", "cpu_ns", "voluntary", "involuntary")


def _numbers(frame: Samples) -> dict[str, float]:
    """What the worker counted of a cell; zeros where it did not."""
    said = dict(frame.attributes)
    return {name: float(said[name]) if said.get(name, "").isdecimal() else 0.0 for name in _COUNTED}


def _median(counted: Sequence[Mapping[str, float]], of: Callable[[Mapping[str, float]], float]) -> float:
    return median(of(one) for one in counted)


def _stack_cost(stack: str, ranks: int, records: Sequence[LaunchRecord]) -> StackCost:
    known = [record.route for record in records if record.route.wait_mode]
    last = records[-1]
    return StackCost(
        stack=stack,
        ranks=ranks,
        small_transport=last.route.small_transport,
        large_transport=last.route.large_transport,
        wait_mode=mode(route.wait_mode for route in known) if known else "",
        wait_cpu_fraction=median(route.wait_cpu_fraction for route in known) if known else 0.0,
        peak_memory_bytes=max(record.usage.peak_memory_bytes for record in records),
        cpu_s=median(record.usage.user_s + record.usage.system_s for record in records),
        voluntary_switches=round(median(record.usage.voluntary_switches for record in records)),
        involuntary_switches=round(median(record.usage.involuntary_switches for record in records)),
        condition=last.condition,
        launches=len(records),
    )
