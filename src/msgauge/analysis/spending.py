"""What stacks cost besides time: processor time, context switches, memory, and what waiting burns. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from statistics import median

from msgauge.analysis.gather import Group
from msgauge.model import Cell, Cost, LaunchRecord, Plan, Samples, Upkeep


def costs(plan: Plan, groups: Mapping[tuple[str, int], Group]) -> tuple[Cost, ...]:
    """One for every stack and cell whose worker counted, in the order of the plan; medians over launches."""
    return tuple(
        cost
        for cell in plan.cells
        for stack in plan.stacks
        if (group := groups.get((stack, cell.id))) is not None and (cost := _cost(stack, cell, group)) is not None
    )


def upkeep(records: Sequence[LaunchRecord]) -> tuple[Upkeep, ...]:
    """One for every stack and number of ranks that was launched well, in the order they first were."""
    grouped: dict[tuple[str, int], list[LaunchRecord]] = {}
    for record in records:
        if record.status == "ok" and record.placement:
            grouped.setdefault((record.launch.stack, record.launch.ranks), []).append(record)
    return tuple(_upkeep(*key, same) for key, same in grouped.items())


def _cost(stack: str, cell: Cell, group: Group) -> Cost | None:
    counted = [numbers for frame in group.frames if (numbers := _numbers(frame))["events"] > 0]
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
        naps_per_event=_median(counted, lambda one: one["voluntary"] / one["events"]),
        preemptions_per_event=_median(counted, lambda one: one["involuntary"] / one["events"]),
    )


_COUNTED = ("events", "wall_ns", "cpu_ns", "voluntary", "involuntary")


def _numbers(frame: Samples) -> dict[str, float]:
    """What the worker counted of a cell; zeros where it did not."""
    said = dict(frame.attributes)
    return {name: float(said[name]) if said.get(name, "").isdecimal() else 0.0 for name in _COUNTED}


def _median(counted: Sequence[Mapping[str, float]], of: Callable[[Mapping[str, float]], float]) -> float:
    return median(of(one) for one in counted)


def _upkeep(stack: str, ranks: int, records: Sequence[LaunchRecord]) -> Upkeep:
    known = [record.route for record in records if record.route.waits]
    last = records[-1]
    return Upkeep(
        stack=stack,
        ranks=ranks,
        small=last.route.small,
        large=last.route.large,
        waits=known[-1].waits if known else "",
        busy=median(route.busy for route in known) if known else 0.0,
        peak_memory_bytes=max(record.usage.peak_memory_bytes for record in records),
        cpu_s=median(record.usage.user_s + record.usage.system_s for record in records),
        naps=round(median(record.usage.voluntary_switches for record in records)),
        preemptions=round(median(record.usage.involuntary_switches for record in records)),
        condition=last.condition,
        launches=len(records),
    )
