"""Proof from inside the ranks that a launch stood on the hosts that were asked for, and that its messages left them.

Pure. Each rank tells its host's name and what the host's network interfaces received while neighbours exchanged a known
number of bytes (native/data_path.hpp). The library is not asked.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgauge.model import Pairs, Reach

MOST_OF_IT = 0.9
"""At least this share of the bytes between hosts must have come in by an interface."""


def misplacement(layout: Sequence[str], hosts: Sequence[str]) -> str:
    """Why ranks do not stand where they were asked to; '' when they do. ``hosts``: as each rank found it."""
    wrong = [
        rank for rank, (asked, found) in enumerate(zip(layout, hosts, strict=False)) if _short(found) != _short(asked)
    ]
    if not wrong or len(layout) != len(hosts):
        return ""
    first = wrong[0]
    return (
        f"{len(wrong)} of {len(layout)} ranks stand on other hosts than asked: rank {first} on {hosts[first]!r}, "
        f"not on {layout[first]!r}; its launcher did not obey the list of hosts"
    )


def check_crossing(layout: Sequence[str], frames: Sequence[Pairs], reach: Reach) -> str:
    """Why messages between hosts did not cross the wire; '' when they did, or nobody looked."""
    moved, received, interfaces = _count(layout, frames)
    if moved and received < MOST_OF_IT * moved and not reach.uncounted:
        return (
            f"of {moved:.0f} bytes sent between hosts {received:.0f} came in by a network interface: "
            "ranks of different hosts used shared memory or another way past the wire"
        )
    others = interfaces - {reach.interface, ""}
    if moved and reach.interface and others:
        return f"messages went by {', '.join(sorted(others))}, not by {reach.interface}"
    return ""


def describe_crossing(layout: Sequence[str], frames: Sequence[Pairs]) -> Pairs:
    """What the interfaces counted, for the record of the launch."""
    moved, received, interfaces = _count(layout, frames)
    if not moved:
        return (("wire", "not verified"),) if len(set(layout)) > 1 else ()
    names = "+".join(sorted(interfaces - {""})) or "no interface"
    return (("wire", f"{received:.0f} bytes received by {names} for {moved:.0f} sent between hosts"),)


def _count(layout: Sequence[str], frames: Sequence[Pairs]) -> tuple[float, float, set[str]]:
    """Bytes of large messages between neighbours of different hosts, what interfaces received, and which ones."""
    moved = received = 0.0
    interfaces = set()
    for frame in map(dict, frames):
        said = frame.get("rank", "")
        rank = int(said) if said.isdecimal() and len(said) < 10 else len(layout)
        peer = rank ^ 1
        if max(rank, peer) >= len(layout) or layout[rank] == layout[peer]:
            continue
        if "large_wire_received" in frame:
            moved += _number(frame.get("large_moved", "0"))
            received += _number(frame["large_wire_received"])
            interfaces.add(frame.get("wire", ""))
    return moved, received, interfaces


def _short(host: str) -> str:
    return host.partition(".")[0]


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return 0.0
