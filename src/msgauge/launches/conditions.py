"""The scheduling condition that the ranks of a launch really had, told by themselves; and where stacks differ in it.

Pure. With ``kernel.sched_autogroup_enabled=1`` tasks of the root cpu cgroup are scheduled session against session, and
yielding gives nothing back to a rank of another session: such a comparison compares sessions, not libraries.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgauge.model import LaunchRecord, Pairs, RankPlacement, Warning
from msgauge.units import counted

_COMPARED = ("groups", "binding", "open_files", "policy", "nice")
"""Parts of a condition that must be the same for all stacks."""


def condition_of(placement: Sequence[RankPlacement], kept: Pairs, autogroup: str) -> Pairs:
    """The condition of a launch: what the keeper prepared, and what the ranks then found.

    ``kept``: cgroup and open files as the keeper has them; ``autogroup``: on, off or ''.
    """
    told = [dict(one.condition) for one in placement if one.condition]
    pairs = dict(kept)
    if autogroup:
        pairs["autogroup"] = autogroup
    if placement:
        pairs["binding"] = binding_of(placement)
    if told:
        pairs["groups"] = _groups(told, autogroup == "on")
        pairs["sessions"] = counted(len({one.get("session", "") for one in told}), "session")
        for name in ("open_files", "policy", "nice"):
            values = sorted({one[name] for one in told if name in one})
            if values:
                pairs[name] = ", ".join(values)
    return tuple(pairs.items())


def binding_of(placement: Sequence[RankPlacement]) -> str:
    """``one core each``, ``a part of the processors``, ``none``, or ``unknown``, from the masks the ranks had."""
    masks = [one.cpus for one in placement]
    if not all(masks):
        return "unknown"
    single = [mask for mask in masks if mask.isdecimal()]
    if len(single) == len(masks):
        return "one core each" if len(set(masks)) == len(masks) else "several ranks on one core"
    if single:
        return "some ranks bound, others not"
    return "none" if len(set(masks)) == 1 else "a part of the processors each"


def differing(records: Sequence[LaunchRecord]) -> Iterable[Warning]:
    """Warnings where stacks on as many ranks did not stand in the same condition, or stood in a doubtful one."""
    measured = [record for record in records if record.condition and record.status == "ok"]
    for ranks in sorted({record.launch.ranks for record in measured}):
        same = [record for record in measured if record.launch.ranks == ranks]
        for name in _COMPARED:
            yield from _unequal(name, ranks, same)
    yield from _by_session(measured)
    yield from _unverified(measured)


def _unequal(name: str, ranks: int, records: Sequence[LaunchRecord]) -> Iterable[Warning]:
    stacks: dict[str, list[str]] = {}
    for record in records:
        value = dict(record.condition).get(name)
        if value is not None and record.launch.stack not in stacks.setdefault(value, []):
            stacks[value].append(record.launch.stack)
    if len(stacks) > 1:
        told = "; ".join(f"{value}: {', '.join(names)}" for value, names in stacks.items())
        yield Warning(
            "unequal-condition",
            f"with {counted(ranks, 'process')} the stacks did not stand in the same condition "
            f"({name.replace('_', ' ')}): {told}",
            "read these comparisons as of library and condition together; 'msgauge doctor' says what can be had here",
            tuple((value, ", ".join(names)) for value, names in stacks.items()),
        )


def _by_session(records: Sequence[LaunchRecord]) -> Iterable[Warning]:
    """Ranks in several sessions that the scheduler sets against each other, more of them than processors."""
    odd = [record for record in records if dict(record.condition).get("groups", "").startswith("one for each session")]
    crowded = [record for record in odd if dict(record.condition).get("binding") == "none"]
    if crowded:
        yield Warning(
            "scheduled-by-session",
            f"the ranks of {', '.join(dict.fromkeys(record.launch.stack for record in crowded))} were scheduled "
            "session against session: yielding gives nothing to ranks of another session",
            "run msgauge where it may make a cpu cgroup, or set kernel.sched_autogroup_enabled=0",
            (("launches", str(len(crowded))),),
        )


def _unverified(records: Sequence[LaunchRecord]) -> Iterable[Warning]:
    stacks = [record.launch.stack for record in records if dict(record.condition).get("variant") == "not verified"]
    if stacks:
        yield Warning(
            "variant-not-verified",
            f"nobody has looked whether the variant of {', '.join(dict.fromkeys(stacks))} took effect: its worker does "
            "not say what carried its messages",
            "compare it with the same variant measured by the C++ worker, which is verified",
            (("launches", str(len(stacks))),),
        )


def _groups(told: Sequence[dict[str, str]], autogroup: bool) -> str:
    """What the scheduler shares processor time out to."""
    groups = {one.get("cgroup", "") for one in told}
    if groups <= {"/", ""}:
        sessions = len({one.get("session", "") for one in told})
        return f"one for each session ({sessions})" if autogroup and sessions > 1 else "one for all ranks"
    return "one for all ranks" if len(groups) == 1 else f"{len(groups)} cgroups"
