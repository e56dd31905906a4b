"""The scheduling condition that the ranks of a launch really had, reported by themselves.

Pure. With ``kernel.sched_autogroup_enabled=1`` tasks of the root cpu cgroup are scheduled session against session, and
yielding gives nothing back to a rank of another session: such a comparison compares sessions, not libraries.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgauge.model import Pairs, RankPlacement
from msgauge.units import format_count


def condition_of(placement: Sequence[RankPlacement], kept: Pairs, autogroup: str) -> Pairs:
    """The condition of a launch: what the keeper prepared, and what the ranks then found.

    ``kept``: cgroup and open files as the keeper has them; ``autogroup``: on, off or ''.
    """
    told = [dict(one.condition) for one in placement if one.condition]
    pairs = dict(kept)
    if autogroup:
        pairs["autogroup"] = autogroup
    if placement:
        pairs["binding"] = describe_binding(placement)
    if told:
        pairs["groups"] = _groups(told, autogroup == "on")
        pairs["sessions"] = format_count(len({one.get("session", "") for one in told}), "session")
        for name in ("open_files", "policy", "nice"):
            values = sorted({one[name] for one in told if name in one})
            if values:
                pairs[name] = ", ".join(values)
    return tuple(pairs.items())


def describe_binding(placement: Sequence[RankPlacement]) -> str:
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


def _groups(told: Sequence[dict[str, str]], autogroup: bool) -> str:
    """What the scheduler shares processor time out to."""
    groups = {one.get("cgroup", "") for one in told}
    if groups <= {"/", ""}:
        sessions = len({one.get("session", "") for one in told})
        return f"one for each session ({sessions})" if autogroup and sessions > 1 else "one for all ranks"
    return "one for all ranks" if len(groups) == 1 else f"{len(groups)} cgroups"
