"""What a reader must know before trusting a number: warnings as values, each with its remedy and its evidence."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain

import numpy as np
from attrs import evolve

from msgauge.analysis.gather import Gathered, Group, attribute
from msgauge.launches.conditions import differing
from msgauge.model import Comparison, Estimate, LaunchRecord, Plan, Samples, Warning
from msgauge.stats.modes import spread, two_modes
from msgauge.units import format_percent, format_size, format_time

FEW_LAUNCHES = 5
WIDE_SPREAD = 0.10
MANY_LATE = 0.05
COARSE = {"batch": 0.005, "single": 0.01}
"""Largest share of one raw sample that the timer's resolution may be."""


def cautions(
    gathered: Gathered,
    records: Sequence[LaunchRecord],
    estimates: Sequence[Estimate],
    comparisons: Sequence[Comparison],
) -> tuple[Warning, ...]:
    """All warnings of a run, the same matter in several cells merged into one warning a stack."""
    measured = [estimate for estimate in estimates if not estimate.failed]
    return tuple(
        evolve(warning, message=f"{warning.message}.")
        for warning in chain(
            _oversubscribed(records),
            _disturbed(gathered, records),
            differing(records),
            _few_launches(measured),
            _mixed(measured, comparisons),
            _emulated(measured),
            _not_stationary(measured, gathered),
            _bimodal(measured),
            _scattered(measured),
            _late(gathered.groups),
            _coarse_timer(gathered.groups, records),
        )
    )


def absences(plan: Plan) -> tuple[Warning, ...]:
    """A stack that the study would have liked to compare is missing by name, with the way to get it."""
    return tuple(
        Warning("stack-absent", f"{name} is not compared: {reason}.", remedy, (("stack", name),))
        for name, reason, remedy in plan.absent
    )


# --- about the machine and the run ---------------------------------------------------------------------------


def is_oversubscribed(record: LaunchRecord) -> bool:
    """Whether more ranks ran on some host than they were allowed processors there."""
    ranks: dict[str, int] = {}
    for placed in record.placement:
        ranks[placed.host] = ranks.get(placed.host, 0) + 1
    cores = cores_of(record)
    return any(0 < cores[host] < count for host, count in ranks.items())


def cores_of(record: LaunchRecord) -> dict[str, int]:
    """Processors that the ranks of a launch were allowed to use together, by host; 0 where none was reported."""
    allowed: dict[str, set[int]] = {}
    for placed in record.placement:
        allowed.setdefault(placed.host, set()).update(_processors(placed.cpus))
    return {host: len(cpus) for host, cpus in allowed.items()}


def _processors(text: str) -> Iterable[int]:
    """``0-1,4`` as 0, 1, 4; what is no such list holds none."""
    for part in text.split(","):
        first, _, last = part.strip().partition("-")
        if first.isdecimal() and (last or first).isdecimal() and int(last or first) - int(first) < 65536:
            yield from range(int(first), int(last or first) + 1)


def _oversubscribed(records: Sequence[LaunchRecord]) -> Iterable[Warning]:
    crowded = [record for record in records if is_oversubscribed(record)]
    if not crowded:
        return
    counts = sorted({record.launch.ranks for record in crowded})
    cores = min(min(cores_of(record).values()) for record in crowded)
    yield Warning(
        "oversubscribed",
        f"{_listed(counts)} processes shared {cores} {'core' if cores == 1 else 'cores'}: a library that waits by "
        "spinning is then measured together with the scheduler",
        "use at most as many processes as cores, or read these cells as a test of the waiting policy",
        (("ranks", _listed(counts)), ("cores", str(cores)), ("launches", str(len(crowded)))),
    )


def _disturbed(gathered: Gathered, records: Sequence[LaunchRecord]) -> Iterable[Warning]:
    blocks = {(r.launch.round, r.launch.ranks, r.launch.block) for r in records if r.disturbed}
    kept = sorted({block[0] + 1 for block in blocks - gathered.left_out})
    repeated = sorted({block[0] + 1 for block in blocks & gathered.left_out})
    if repeated:
        yield Warning(
            "disturbed-repeated",
            f"the machine changed its pace during {_counted(len(repeated), 'round')}; each was left out whole and "
            "measured again",
            "nothing to do; a quieter machine saves the time",
            (("rounds", _listed(repeated)),),
        )
    if kept:
        yield Warning(
            "disturbed",
            f"the machine changed its pace during {_counted(len(kept), 'round')} that could not be repeated and "
            "therefore count",
            "end other programs, see 'msgauge doctor', and measure again with a larger budget",
            (("rounds", _listed(kept)),),
        )


def _few_launches(measured: Sequence[Estimate]) -> Iterable[Warning]:
    few = [one for one in measured if one.launches < FEW_LAUNCHES]
    if few:
        least = min(one.launches for one in few)
        yield Warning(
            "few-launches",
            f"{_counted(len(few), 'cell')} of {_counted(len(measured), 'estimate')} rest on fewer than {FEW_LAUNCHES} "
            f"launches (down to {least}): intervals are wide and suppose lognormal scatter",
            f"give it more time, for at least {FEW_LAUNCHES} rounds",
            (("stacks", _listed(dict.fromkeys(one.stack for one in few))), ("launches", str(least))),
        )


def _mixed(measured: Sequence[Estimate], comparisons: Sequence[Comparison]) -> Iterable[Warning]:
    simulated = list(dict.fromkeys(one.stack for one in measured if one.simulated))
    if simulated and any(not one.simulated for one in measured):
        yield Warning(
            "simulated-apart",
            f"{_listed(simulated)} ran in simulated time and is never compared with measured stacks",
            "compare simulated stacks with each other",
            (("stacks", _listed(simulated)), ("comparisons", str(len(comparisons)))),
        )


# --- about cells of one stack --------------------------------------------------------------------------------


def _emulated(measured: Sequence[Estimate]) -> Iterable[Warning]:
    for stack, cells in _by_stack(measured, lambda one: one.emulated):
        yield Warning(
            "emulated",
            f"{stack} lacks {_listed(dict.fromkeys(one.kernel for one in cells))}: a reference algorithm over its "
            "send and receive was measured instead",
            "read these cells as a floor of what the stack could do, not as what it offers",
            (("cells", _where(cells)),),
        )


def _not_stationary(measured: Sequence[Estimate], gathered: Gathered) -> Iterable[Warning]:
    for stack, cells in _by_stack(measured, lambda one: not one.stationary):
        levels = [_levels(gathered.groups[stack, one.cell].frames) for one in cells]
        yield Warning(
            "not-stationary",
            f"{stack} never settled in {_counted(len(cells), 'cell')}: its times still drifted when the launch's time "
            "for the cell was over",
            "give the cells more time (cell_budget); both levels are given here",
            (("cells", _where(cells)), *(level for level in levels if level is not None)),
        )


def _levels(frames: Sequence[Samples]) -> tuple[str, str] | None:
    """First and last level of the first launch that did not settle."""
    for frame in frames:
        first, last = attribute(frame, "level_first"), attribute(frame, "level_last")
        if attribute(frame, "stationary") == "no" and first and last:
            return f"levels of cell {frame.cell}", f"{first} ns to {last} ns"
    return None


def _bimodal(measured: Sequence[Estimate]) -> Iterable[Warning]:
    found = {(one.stack, one.cell): two_modes(_positive(one)) for one in measured}
    for stack, cells in _by_stack(measured, lambda one: found[one.stack, one.cell] is not None):
        worst = max(cells, key=lambda one: _apart(found[one.stack, one.cell]))
        modes = found[stack, worst.cell]
        assert modes is not None
        yield Warning(
            "bimodal",
            f"launches of {stack} fall into two groups in {_counted(len(cells), 'cell')}, most in {_where([worst])}: "
            f"{modes.in_lower} near {format_time(modes.lower)}, {modes.in_upper} near {format_time(modes.upper)}",
            "look at where the ranks ran (placement); bind them, or read the interval as spanning both groups",
            (("cells", _where(cells)),),
        )


def _apart(modes: object) -> float:
    return float(getattr(modes, "upper", 1.0) / getattr(modes, "lower", 1.0))


def _scattered(measured: Sequence[Estimate]) -> Iterable[Warning]:
    spreads = {(one.stack, one.cell): spread(_positive(one)) if one.launches > 2 else 0.0 for one in measured}
    for stack, cells in _by_stack(measured, lambda one: spreads[one.stack, one.cell] > WIDE_SPREAD):
        worst = max(cells, key=lambda one: spreads[one.stack, one.cell])
        yield Warning(
            "launch-variation",
            f"one launch of {stack} is unlike the next in {_counted(len(cells), 'cell')}: they scatter by up to "
            f"±{format_percent(spreads[stack, worst.cell])} ({_where([worst])})",
            "more launches narrow the interval, more samples in a launch do not; see 'msgauge doctor' for the cause",
            (("cells", _where(cells)),),
        )


def _positive(one: Estimate) -> np.ndarray:
    medians = np.array(one.launch_medians_ns)
    return medians[medians > 0] if (medians > 0).any() else np.ones(1)


def _late(groups: Mapping[tuple[str, int], Group]) -> Iterable[Warning]:
    worst: dict[str, tuple[float, Group]] = {}
    for group in groups.values():
        share = _late_share(group.frames)
        if share > max(MANY_LATE, worst.get(group.stack, (0.0, group))[0]):
            worst[group.stack] = share, group
    for stack, (share, group) in worst.items():
        kernel = attribute(group.frames[0], "kernel", "a kernel")
        yield Warning(
            "late-rounds",
            f"in up to {format_percent(share)} of the repetitions of {kernel} (cell {group.cell}) a rank of {stack} "
            "came late to the agreed start; they were left out",
            "use fewer processes than cores, or a quieter machine",
            (("cell", str(group.cell)), ("share", f"{share:.3g}")),
        )


def _late_share(frames: Sequence[Samples]) -> float:
    late = sum(int(said) for frame in frames if (said := attribute(frame, "late", "0")).isdecimal())
    return late / (late + sum(frame.values.size for frame in frames))


def _coarse_timer(groups: Mapping[tuple[str, int], Group], records: Sequence[LaunchRecord]) -> Iterable[Warning]:
    resolution = {record.launch.number: record.timer_resolution_ns for record in records}
    worst: dict[str, tuple[float, int]] = {}
    for group in groups.values():
        pairs = zip(group.frames, group.medians_ns, strict=True)
        shares = [_timer_share(frame, median, resolution) for frame, median in pairs]
        excess = max(shares)
        if excess > 1 and excess > worst.get(group.stack, (0.0, 0))[0]:
            worst[group.stack] = excess, group.cell
    for stack, (excess, cell) in worst.items():
        yield Warning(
            "coarse-timer",
            f"the clock's step is {excess:.1f} times what is allowed for one sample of {stack} (cell {cell})",
            "use mode 'batch', or another clock",
            (("cell", str(cell)), ("excess", f"{excess:.3g}")),
        )


def _timer_share(frame: Samples, median_ns: float, resolution: Mapping[int, float]) -> float:
    """The timer's resolution against the raw sample, in units of what is allowed."""
    allowed = COARSE.get(attribute(frame, "mode", "batch"), COARSE["batch"])
    raw = median_ns * frame.divisor
    return resolution[frame.launch] / raw / allowed if raw > 0 else 0.0


# --- wording -------------------------------------------------------------------------------------------------


def _by_stack(
    measured: Sequence[Estimate], concerned: Callable[[Estimate], bool]
) -> Iterable[tuple[str, list[Estimate]]]:
    stacks: dict[str, list[Estimate]] = {}
    for one in measured:
        if concerned(one):
            stacks.setdefault(one.stack, []).append(one)
    return stacks.items()


def _where(cells: Sequence[Estimate]) -> str:
    words = [f"{one.kernel} {format_size(one.size_bytes)} on {one.ranks}" for one in cells]
    return ", ".join(words[:6]) + (f" and {len(words) - 6} more" if len(words) > 6 else "")


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def _listed(items: Iterable[object]) -> str:
    return ", ".join(str(item) for item in items)
