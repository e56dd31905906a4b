"""Where the stacks of a run differed in the scheduling condition of their ranks, as warnings. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgauge.model import BESIDE_COMPILERS, Binding, LaunchRecord, LaunchStatus, Notice, SchedulingGroups, VariantCheck
from msgauge.units import format_count

_COMPARED = ("groups", "binding", "open_files", "policy", "nice")
"""Parts of a condition that must be the same for all stacks."""


def find_differences(records: Sequence[LaunchRecord]) -> Iterable[Notice]:
    """Warnings where stacks on as many ranks did not stand in the same condition, or stood in a doubtful one."""
    measured = [record for record in records if record.condition and record.status is LaunchStatus.OK]
    for ranks in sorted({record.launch.ranks for record in measured}):
        same = [record for record in measured if record.launch.ranks == ranks]
        for name in _COMPARED:
            yield from _unequal(name, ranks, same)
    yield from _by_session(measured)
    yield from _warn_unverified(measured)


def find_beside_compilers(records: Iterable[LaunchRecord]) -> Iterable[Notice]:
    """That some launches ran while workers of other stacks were compiled; ``records``: of ranks on real processors."""
    beside = [record.launch for record in records if BESIDE_COMPILERS in record.condition]
    if beside:
        stacks = ", ".join(dict.fromkeys(launch.stack for launch in beside))
        yield Notice(
            "beside-compilers",
            f"{format_count(len(beside), 'launch')} of round 1 ({stacks}) ran while workers were compiled on cores "
            "that no rank needs; they count",
            "measure again: all workers are in the cache by then",
            (("launches", ", ".join(str(launch.number) for launch in beside)),),
        )


def _unequal(name: str, ranks: int, records: Sequence[LaunchRecord]) -> Iterable[Notice]:
    stacks: dict[str, list[str]] = {}
    for record in records:
        value = dict(record.condition).get(name)
        if value is not None and record.launch.stack not in stacks.setdefault(value, []):
            stacks[value].append(record.launch.stack)
    if len(stacks) > 1:
        listed = "; ".join(f"{value}: {', '.join(names)}" for value, names in stacks.items())
        yield Notice(
            "unequal-condition",
            f"with {format_count(ranks, 'process')} the stacks did not stand in the same condition "
            f"({name.replace('_', ' ')}): {listed}",
            "read these comparisons as of library and condition together; 'msgauge doctor' says what can be had here",
            tuple((value, ", ".join(names)) for value, names in stacks.items()),
        )


def _by_session(records: Sequence[LaunchRecord]) -> Iterable[Notice]:
    """Ranks in several sessions that the scheduler sets against each other, more of them than processors."""
    odd = [record for record in records if dict(record.condition).get("groups") == SchedulingGroups.PER_SESSION]
    crowded = [record for record in odd if dict(record.condition).get("binding") == Binding.NONE]
    if crowded:
        yield Notice(
            "scheduled-by-session",
            f"the ranks of {', '.join(dict.fromkeys(record.launch.stack for record in crowded))} were scheduled "
            "session against session: yielding gives nothing to ranks of another session",
            "run msgauge where it may make a cpu cgroup, or set kernel.sched_autogroup_enabled=0",
            (("launches", str(len(crowded))),),
        )


def _warn_unverified(records: Sequence[LaunchRecord]) -> Iterable[Notice]:
    stacks = [
        record.launch.stack for record in records if dict(record.condition).get("variant") == VariantCheck.UNVERIFIED
    ]
    if stacks:
        yield Notice(
            "variant-not-verified",
            f"nobody has looked whether the variant of {', '.join(dict.fromkeys(stacks))} took effect: its worker does "
            "not say what carried its messages",
            "compare it with the same variant measured by the C++ worker, which is verified",
            (("launches", str(len(stacks))),),
        )
