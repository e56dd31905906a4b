"""How much of a message between hosts is the wire: half round trips beside what the bare link gives. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import nan

import numpy as np
from attrs import frozen

from msgauge.model import Estimate, Kernel, Pattern, Plan
from msgauge.model.measured_way import note_marks

Points = Sequence[tuple[int, float]]
"""Bytes and ns, ascending."""


@frozen
class WireShare:
    """One stack and size of a ping-pong between two hosts, beside the bare link; ns, nan where that is not known."""

    stack: str
    size_bytes: int
    marks: str
    """Its options, and how it was measured where that is not as usual."""
    half_round_trip_ns: float
    low_ns: float
    high_ns: float
    ping_ns: float
    """Half of an ICMP echo of as many bytes: the wire, and the two kernels below any socket."""
    socket_ns: float
    """Half a round trip of a minimal TCP program."""

    @property
    def wire_share(self) -> float:
        """The part of the half round trip that a ping takes."""
        return self.ping_ns / self.half_round_trip_ns

    @property
    def bare_share(self) -> float:
        """The part that a minimal TCP program takes: at 1 a library costs nothing."""
        return self.socket_ns / self.half_round_trip_ns


def find_wire_shares(
    plan: Plan, kernels: Iterable[Kernel], facts: Mapping[str, str], estimates: Iterable[Estimate]
) -> tuple[WireShare, ...]:
    """Every ping-pong between two hosts of the run, where the bare link was measured; ``facts``: of the hosts."""
    ping_pongs = {kernel.name for kernel in kernels if kernel.pattern is Pattern.ROUND_TRIP}
    sockets, pings = (read_points(facts.get(f"bare_half_{name}_ns", "")) for name in ("round_trips", "pings"))
    if not sockets:
        return ()
    return tuple(
        WireShare(
            one.stack,
            one.size_bytes,
            ", ".join(note_marks(one)),
            one.median_ns,
            one.low_ns,
            one.high_ns,
            interpolate(pings, one.size_bytes),
            interpolate(sockets, one.size_bytes),
        )
        for one in estimates
        if one.kernel in ping_pongs
        and not (one.failed or one.local or one.simulated)
        and one.median_ns > 0
        and len(set(plan.hosts.of(one.stack).layout(one.ranks)[:2])) == 2
    )


def read_points(text: str) -> Points:
    """``8:78700 64:84100`` as bytes and ns; what is no number is left out."""
    found = []
    for word in text.split():
        size, _, time_ns = word.partition(":")
        if size.isdecimal() and time_ns.isdecimal():
            found.append((int(size), float(time_ns)))
    return sorted(found)


def interpolate(points: Points, size_bytes: int) -> float:
    """The time of a size between two that were measured, linear in bytes; nan beyond the largest.

    Below the smallest it is that of the smallest: no frame is shorter than 64 bytes.
    """
    if not points or size_bytes > points[-1][0]:
        return nan
    sizes, times_ns = zip(*points, strict=True)
    return float(np.interp(size_bytes, sizes, times_ns))
