"""The scheduling condition that the ranks of a launch really had, reported by themselves.

Pure. With ``kernel.sched_autogroup_enabled=1`` tasks of the root cpu cgroup are scheduled session against session, and
yielding gives nothing back to a rank of another session: such a comparison compares sessions, not libraries.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgauge.model import Binding, Pairs, RankPlacement, SchedulingGroups
from msgauge.units import format_count


def condition_of(placement: Sequence[RankPlacement], kept: Pairs, autogroup: str) -> Pairs:
    """The condition of a launch: what the keeper prepared, and what the ranks then found.

    ``kept``: cgroup and open files as the keeper has them; ``autogroup``: on, off or ''.
    """
    conditions = [dict(one.condition) for one in placement if one.condition]
    pairs = dict(kept)
    if autogroup:
        pairs["autogroup"] = autogroup
    if placement:
        pairs["binding"] = describe_binding(placement)
    if conditions:
        pairs["groups"] = _groups(conditions, autogroup == "on")
        pairs["sessions"] = format_count(len({one.get("session", "") for one in conditions}), "session")
        for name in ("open_files", "policy", "nice"):
            values = sorted({one[name] for one in conditions if name in one})
            if values:
                pairs[name] = ", ".join(values)
    return tuple(pairs.items())


def describe_binding(placement: Sequence[RankPlacement]) -> Binding:
    """Which processors the ranks were bound to, from the masks that they had."""
    masks = [one.cpus for one in placement]
    if not all(masks):
        return Binding.UNKNOWN
    single = [mask for mask in masks if mask.isdecimal()]
    if len(single) == len(masks):
        return Binding.CORE_EACH if len(set(masks)) == len(masks) else Binding.SHARED_CORE
    if single:
        return Binding.IN_PART
    return Binding.NONE if len(set(masks)) == 1 else Binding.SUBSET


def _groups(conditions: Sequence[dict[str, str]], autogroup: bool) -> SchedulingGroups:
    """What the scheduler shares processor time out to."""
    groups = {one.get("cgroup", "") for one in conditions}
    if groups <= {"/", ""}:
        sessions = len({one.get("session", "") for one in conditions})
        return SchedulingGroups.PER_SESSION if autogroup and sessions > 1 else SchedulingGroups.ALL_RANKS
    return SchedulingGroups.ALL_RANKS if len(groups) == 1 else SchedulingGroups.CGROUPS
