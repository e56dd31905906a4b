"""The clocks of the hosts of a run, as its launches found them against the host of rank 0."""

from __future__ import annotations

from collections.abc import Iterable

from attrs import frozen

from msgauge.model import HostClock, LaunchRecord


@frozen
class ClockSummary:
    """One host's clock: the offset of its last launch, the drift of the launch that knew it best."""

    host: str
    offset_ns: int
    offset_error_ns: int
    drift_ppm: float
    drift_error_ppm: float
    launches: int
    largest_error_ns: int
    """Of the offset, in any launch."""
    uneven: int
    """Launches in which the clock did not run evenly."""


def summarise_clocks(records: Iterable[LaunchRecord]) -> tuple[ClockSummary, ...]:
    """By host, in the order they are met; empty where all ranks read one clock. The host of rank 0 is left out."""
    found: dict[str, list[HostClock]] = {}
    for record in records:
        hosts = {placed.rank: placed.host for placed in record.placement}
        of_launch = {hosts.get(one.rank, ""): one for one in reversed(record.clocks) if hosts.get(one.rank)}
        for host in sorted(of_launch, key=lambda name: of_launch[name].rank):
            if host != hosts.get(0):
                found.setdefault(host, []).append(of_launch[host])
    return tuple(_summarise(host, clocks) for host, clocks in found.items())


def _summarise(host: str, clocks: list[HostClock]) -> ClockSummary:
    last, best = clocks[-1], min(clocks, key=lambda one: one.drift_error_ppm)
    return ClockSummary(
        host=host,
        offset_ns=last.offset_ns,
        offset_error_ns=last.offset_error_ns,
        drift_ppm=best.drift_ppm,
        drift_error_ppm=best.drift_error_ppm,
        launches=len(clocks),
        largest_error_ns=max(one.offset_error_ns for one in clocks),
        uneven=sum(one.uneven > 0 for one in clocks),
    )
