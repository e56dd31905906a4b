"""Limits of what the numbers show: warnings as values, each with its remedy and its evidence."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from itertools import chain

import numpy as np
from attrs import evolve

from msgauge.analysis.estimates.launch_tables import look_at_launches
from msgauge.analysis.verdicts.clock_errors import MARKED, is_marked
from msgauge.analysis.verdicts.round_starts import read_starts
from msgauge.analysis.warnings.launch_conditions import find_beside_compilers, find_differences
from msgauge.analysis.warnings.lost_launches import warn_lost
from msgauge.analysis.warnings.odd_times import warn_not_positive
from msgauge.analysis.warnings.resembling_rounds import warn_resembling
from msgauge.analysis.warnings.test_names import name_test
from msgauge.analysis.warnings.unlike_starts import warn_barriers, warn_unlike_starts
from msgauge.model import CellKey, Comparison, Estimate, LaunchRecord, Notice, Plan, Samples
from msgauge.model.starts import BARRIER
from msgauge.results.dataset import CellSamples, Dataset
from msgauge.stats.launch_groups import find_launch_groups
from msgauge.stats.modes import spread
from msgauge.stats.round_memory import RoundMemory
from msgauge.units import format_count, format_percent, format_ratio, format_size, format_time

FEW_LAUNCHES = 5
WIDE_SPREAD = 0.10
MANY_LATE = 0.05
MUCH_EMPTY = 0.005
"""An empty round that is more of a sample than this is worth a word, though it was taken off."""
COARSE = {"batch": 0.005, "single": 0.01}
"""Largest share of one raw sample that the timer's resolution may be."""


def find_warnings(
    dataset: Dataset,
    estimates: Sequence[Estimate],
    comparisons: Sequence[Comparison],
    memories: Sequence[tuple[RoundMemory, Sequence[str]]] = (),
) -> tuple[Notice, ...]:
    """All warnings of a run; the same matter in several tests is one warning for each stack.

    ``memories``: as ``VerdictFamily.memories``.
    """
    records, cells = dataset.records, dataset.cells
    measured = [estimate for estimate in estimates if not estimate.failed]
    return tuple(
        evolve(warning, message=f"{warning.message}.")
        for warning in chain(
            _warn_oversubscribed(records),
            find_differences(records),
            find_beside_compilers(record for record in records if record.launch.stack not in dataset.simulated),
            warn_lost(dataset),
            _warn_few_launches(measured),
            warn_resembling(memories),
            _warn_mixed(measured, comparisons),
            _warn_emulated(measured),
            _warn_non_stationary(measured, cells),
            warn_bimodal(measured),
            _warn_launch_variation(measured),
            _warn_late(cells),
            warn_barriers(dataset),
            warn_unlike_starts(dataset),
            _warn_clocks(measured),
            warn_not_positive(cells),
            _warn_empty_rounds(cells),
            _warn_coarse_timer(cells, records),
        )
    )


def find_absent_stacks(plan: Plan) -> tuple[Notice, ...]:
    """Stacks that the study names as optional and that are not on this machine, with the way to get them."""
    return tuple(
        Notice("stack-absent", f"{name} is not compared: {reason}.", remedy, (("stack", name),))
        for name, reason, remedy in plan.absent
    )


def find_doubt_of_old(plan: Plan) -> tuple[Notice, ...]:
    """That an old version is taken from a run, and what stands there now may be another installation."""
    if not plan.doubt_of_old:
        return ()
    old = plan.stacks[0]
    what = f"{old} may be another installation than the one whose run was named: {plan.doubt_of_old}"
    remedy = "keep an old build in a prefix of its own and name that: --against PREFIX"
    return (Notice("old-not-known", what, remedy, (("stack", old),)),)


def find_emulated_hosts(plan: Plan, apart: Collection[str] = ()) -> tuple[Notice, ...]:
    """That hosts and network of a run are emulated, which holds for every number but those of ``apart``.

    ``apart``: the stacks that are simulated or stayed on the present computer.
    """
    hosts = plan.hosts
    if not hosts.emulated:
        return ()
    but = f" but those of {_join_items([stack for stack in plan.stacks if stack in apart])}" if apart else ""
    share = "shares" if len(hosts.names) == 1 else "share"
    return (
        Notice(
            "emulated-hosts",
            f"every number{but} is of emulated hosts: {format_count(len(hosts.names), 'host')} {share} the processors "
            f"of this computer, joined by an {hosts.network}.",
            "read them beside what the bare link gives; numbers of a cluster need its hosts",
            (("hosts", hosts.asked), ("map", hosts.map)),
        ),
    )


# --- about the machine and the run ---------------------------------------------------------------------------


def _warn_oversubscribed(records: Sequence[LaunchRecord]) -> Iterable[Notice]:
    oversubscribed = [record for record in records if record.oversubscribed]
    if not oversubscribed:
        return
    counts = sorted({record.launch.ranks for record in oversubscribed})
    cores = min(min(record.cores.values()) for record in oversubscribed)
    yield Notice(
        "oversubscribed",
        f"oversubscribed: {_join_items(counts)} processes on {cores} {'core' if cores == 1 else 'cores'}; the times of "
        "a library that waits by spinning include the scheduler",
        "use at most as many processes as cores, or read these tests as tests of the waiting policy",
        (("ranks", _join_items(counts)), ("cores", str(cores)), ("launches", str(len(oversubscribed)))),
    )


def _warn_few_launches(measured: Sequence[Estimate]) -> Iterable[Notice]:
    few = [one for one in measured if one.launches < FEW_LAUNCHES and one.low_ns != one.high_ns]
    if few:
        least, alone = min(one.launches for one in few), len(few) == 1
        yield Notice(
            "few-launches",
            f"{len(few)} of {_count(len(measured), 'estimate')} {'has' if alone else 'have'} fewer than {FEW_LAUNCHES} "
            f"launches (minimum {least}): "
            f"{'its interval is wide and assumes' if alone else 'their intervals are wide and assume'} log-normal data"
            + ", and one launch has none"
            * (least == 1),
            "measure more rounds than the run has: a larger --budget, or --rounds; tests that are dear are not in each",
            (("stacks", _join_items(dict.fromkeys(one.stack for one in few))), ("launches", str(least))),
        )


def _warn_mixed(measured: Sequence[Estimate], comparisons: Sequence[Comparison]) -> Iterable[Notice]:
    simulated = list(dict.fromkeys(one.stack for one in measured if one.simulated))
    if simulated and any(not one.simulated for one in measured):
        yield Notice(
            "simulated-apart",
            f"simulated time: {_join_items(simulated)}; never compared with measured stacks",
            "compare simulated stacks with each other",
            (("stacks", _join_items(simulated)), ("comparisons", str(len(comparisons)))),
        )


# --- about cells of one stack --------------------------------------------------------------------------------


def _warn_emulated(measured: Sequence[Estimate]) -> Iterable[Notice]:
    for stack, cells in _by_stack(measured, lambda one: one.emulated):
        yield Notice(
            "emulated",
            f"{stack} has no {_join_items(dict.fromkeys(one.kernel for one in cells))} of its own: emulated by a "
            "reference algorithm over its send and receive",
            "read these results as a lower bound on performance",
            (("cells", _where(cells)),),
        )


def _warn_non_stationary(measured: Sequence[Estimate], delivered: Mapping[CellKey, CellSamples]) -> Iterable[Notice]:
    for stack, cells in _by_stack(measured, lambda one: not one.stationary):
        levels = [_levels(delivered[one.key].frames) for one in cells]
        yield Notice(
            "not-stationary",
            f"non-stationary: {stack} did not reach a steady state within the time of a test in "
            f"{_count(len(cells), 'test')}",
            "give each test more time (cell_budget)",
            (("cells", _where(cells)), *(level for level in levels if level is not None)),
        )


def _levels(frames: Sequence[Samples]) -> tuple[str, str] | None:
    """First and last level of the first launch that did not reach a steady state."""
    for frame in frames:
        first, last = frame.attribute("level_first"), frame.attribute("level_last")
        if not frame.stationary and first and last:
            return f"levels of {_describe_frame(frame)}", f"{first} ns to {last} ns"
    return None


def warn_bimodal(measured: Sequence[Estimate]) -> Iterable[Notice]:
    """Stacks some of whose launches are slow as a group (``stats.launch_groups``), one notice for each."""
    found = look_at_launches(measured, find_launch_groups)
    for stack, cells in _by_stack(measured, lambda one: one.key in found):
        worst = max(cells, key=lambda one: found[one.key].factor)
        groups = found[worst.key]
        yield Notice(
            "bimodal",
            f"bimodal launches of {stack} in {_count(len(cells), 'test')}, furthest apart in {_where([worst])}: "
            f"{groups.fast} near {format_time(groups.fast_ns)}, {groups.slow} near {format_time(groups.slow_ns)}",
            "check where the ranks ran (placement) and bind them; else the interval covers both modes",
            (("cells", _where(cells)),),
        )


def _warn_launch_variation(measured: Sequence[Estimate]) -> Iterable[Notice]:
    spreads = {one.key: spread(_positive(one)) if one.launches > 2 else 0.0 for one in measured}
    for stack, cells in _by_stack(measured, lambda one: spreads[one.key] > WIDE_SPREAD):
        worst = max(cells, key=lambda one: spreads[one.key])
        times = _positive(worst)
        ends = (format_ratio(end / np.median(times)) for end in (times.min(), times.max()))
        yield Notice(
            "launch-variation",
            f"launches of {stack} varied by more than ±{format_percent(WIDE_SPREAD)} in {_count(len(cells), 'test')}, "
            f"the most in {_where([worst])}: typically ±{format_percent(spreads[worst.key])}, "
            f"from {' to '.join(ends)} × the median in this run",
            "add launches (samples within a launch do not help); 'msgauge doctor' looks for the cause",
            (("cells", _where(cells)),),
        )


def _positive(one: Estimate) -> np.ndarray:
    medians = np.array(one.launch_medians_ns)
    return medians[medians > 0] if (medians > 0).any() else np.ones(1)


def _warn_late(delivered: Mapping[CellKey, CellSamples]) -> Iterable[Notice]:
    worst: dict[str, tuple[float, CellSamples]] = {}
    for group in delivered.values():
        share = _late_share(group.frames)
        if share > max(MANY_LATE, worst.get(group.key.stack, (0.0, group))[0]):
            worst[group.key.stack] = share, group
    for stack, (share, group) in worst.items():
        yield Notice(
            "late-rounds",
            f"a rank of {stack} missed the synchronised start in up to {format_percent(share)} of the repetitions of "
            f"{_describe_frame(group.frames[0])}; discarded{_describe_barriers(group)}",
            "use fewer processes than cores, or rerun on an idle machine",
            (("cells", _describe_frame(group.frames[0])), ("share", format_percent(share))),
        )


def _describe_barriers(group: CellSamples) -> str:
    """In how many launches of a test barriers took the place of a start that could not be kept."""
    behind = sum(start == BARRIER for start in read_starts(group).values())
    return (
        f"; rounds began behind a barrier in {behind} of {format_count(len(group.frames), 'launch')}" if behind else ""
    )


def _warn_clocks(measured: Sequence[Estimate]) -> Iterable[Notice]:
    """Tests whose times the hosts' clocks leave open by a share that matters."""
    for stack, cells in _by_stack(measured, is_marked):
        worst = max(cells, key=lambda one: one.clock_error_ns / max(one.median_ns, 1e-9))
        yield Notice(
            "clock-interval",
            f"the hosts of {stack} have clocks of their own, which leave {_count(len(cells), 'test')} open by more "
            f"than {format_percent(MARKED)}, most in {_where([worst])}: {format_time(worst.median_ns)} within "
            f"±{format_time(worst.clock_error_ns)}",
            "the interval is half of the quickest round trips, whatever way they took: read times of round trips or "
            "the root's own time (root_ns) instead, or compare larger messages",
            (("cells", _where(cells)),),
        )


def _warn_empty_rounds(delivered: Mapping[CellKey, CellSamples]) -> Iterable[Notice]:
    """Tests of which a reading of the clock was a share that matters, before it was taken off."""
    shares = {key: max(map(_empty_share, group.frames)) for key, group in delivered.items()}
    found = {key: share for key, share in shares.items() if share > MUCH_EMPTY}
    if not found:
        return
    worst = max(found, key=lambda key: found[key])
    frame = delivered[worst].frames[0]
    yield Notice(
        "empty-round",
        f"an empty round (one clock read, {frame.attribute('empty_ns')} ns) was subtracted from each sample; it was "
        f"more than {format_percent(MUCH_EMPTY)} of {_count(len(found), 'test')}, up to {format_percent(found[worst])} "
        f"({worst.stack}, {_describe_frame(frame)})",
        "differences of a few nanoseconds in these tests may be the clock's; compare larger messages or more ranks",
        (("tests", str(len(found))), ("share", f"{found[worst]:.3g}")),
    )


def _empty_share(frame: Samples) -> float:
    """Of a sample as it was measured, the part that an empty round takes; 0 where nothing was taken off."""
    empty = frame.attribute("empty_ns", "0")
    empty_ns = int(empty) if empty.isdecimal() else 0
    return empty_ns / (empty_ns + frame.median_ns) if empty_ns > 0 and frame.median_ns >= 0 else 0.0


def _late_share(frames: Sequence[Samples]) -> float:
    late = sum(int(count) for frame in frames if (count := frame.attribute("late", "0")).isdecimal())
    return late / (late + sum(frame.values.size for frame in frames))


def _warn_coarse_timer(delivered: Mapping[CellKey, CellSamples], records: Sequence[LaunchRecord]) -> Iterable[Notice]:
    resolution = {record.launch.number: record.timer_resolution_ns for record in records}
    worst: dict[str, tuple[float, CellSamples]] = {}
    for group in delivered.values():
        pairs = zip(group.frames, group.medians_ns, strict=True)
        shares = [_timer_share(frame, median, resolution) for frame, median in pairs]
        excess = max(shares)
        if excess > 1 and excess > worst.get(group.key.stack, (0.0, group))[0]:
            worst[group.key.stack] = excess, group
    for stack, (excess, group) in worst.items():
        yield Notice(
            "coarse-timer",
            f"timer resolution is {excess:.1f} × the limit for a sample of {stack} in "
            f"{_describe_frame(group.frames[0])}",
            "use mode 'batch', or another clock",
            (("cell", str(group.key.cell)), ("excess", f"{excess:.3g}")),
        )


def _timer_share(frame: Samples, median_ns: float, resolution: Mapping[int, float]) -> float:
    """The timer's resolution over the raw sample, in units of the limit."""
    allowed = COARSE.get(frame.attribute("mode", "batch"), COARSE["batch"])
    raw = median_ns * frame.divisor
    return resolution[frame.launch] / raw / allowed if raw > 0 else 0.0


# --- wording -------------------------------------------------------------------------------------------------


def _by_stack(
    measured: Sequence[Estimate], applies: Callable[[Estimate], bool]
) -> Iterable[tuple[str, list[Estimate]]]:
    stacks: dict[str, list[Estimate]] = {}
    for one in measured:
        if applies(one):
            stacks.setdefault(one.stack, []).append(one)
    return stacks.items()


def _where(cells: Sequence[Estimate]) -> str:
    words = [name_test(one) for one in cells]
    return "; ".join(words[:6]) + (f" and {len(words) - 6} more" if len(words) > 6 else "")


def _describe_frame(frame: Samples) -> str:
    """``bcast, 8 B``; the kernel alone where the frame has no size."""
    size = frame.attribute("bytes", "")
    name = frame.attribute("kernel", f"cell {frame.cell}")
    return f"{name}, {format_size(int(size))}" if size.isdecimal() else name


def _count(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def _join_items(items: Iterable[object]) -> str:
    return ", ".join(str(item) for item in items)
