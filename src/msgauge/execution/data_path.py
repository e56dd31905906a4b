"""What really carried a launch's messages and how its ranks waited, judged from the kernel's own counters. Pure.

The library is not asked: sockets count their bytes, and the worker counts the calls by which a library gives its
processor away or sleeps on a semaphore (native/data_path.hpp). A variant whose words say otherwise did not take effect.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from statistics import median

from msgauge.model import Carrier, Pairs, Promise, Route, WaitMode

MOST_OF_IT = 0.5
"""At least this share of the bytes must have passed through TCP for TCP to have carried them."""
HARDLY_ANY = 0.1
LATE_NS = 20e6
"""How late the message comes that ranks wait for (native/data_path.hpp)."""
LONG_NS = 2e6
"""A rank that had a processor so late that it waited less than this did not wait: it found the message there."""
BUSY = 0.5
"""A rank that was neither running nor ready to run for more than this share of the wait, slept."""
HARD_AT_WORK_NS = 500_000.0
"""A sleeping rank uses less CPU time; a spinning one uses this much even where it hardly gets a processor."""
YIELD_EVERY_NS = 50_000.0
"""A rank that gives its processor away at least this often, in CPU time that it used, waits by yielding."""

_REMEDY = "the library passes over what its variant sets, or a configuration file of yours overrides it"


def route_of(frames: Iterable[Pairs]) -> Route:
    """The route from the attributes of the frames ``series=data_path`` of all ranks; empty when there are none."""
    ranks = [{name: value for name, text in frame if (value := _number(text)) is not None} for frame in frames]
    ranks = [one for one in ranks if one]
    if not ranks:
        return Route()
    waited = [one for one in ranks if one.get("waited_ns", 0.0) >= LONG_NS]
    return Route(
        small_transport=_carrier(ranks, "small"),
        large_transport=_carrier(ranks, "large"),
        wait_mode=_majority_wait(waited),
        wait_cpu_fraction=median(_busy(one) for one in waited) if waited else 0.0,
        evidence=_evidence(ranks),
    )


def variant_mismatch(spec: str, promise: Promise, route: Route) -> str:
    """Why a launch was not what its stack's name says, in a sentence with a remedy; '' when it was, or nobody knows."""
    for what, carrier in (("small", route.small_transport), ("large", route.large_transport)):
        if promise.carrier and carrier and carrier != promise.carrier:
            return (
                f"{spec} did not take effect: {what} messages went through {carrier}, not {promise.carrier} "
                f"({_format_evidence(route.evidence)}); {_REMEDY}"
            )
    return _wrong_sleep(spec, promise, route) or _wrong_wait(spec, promise, route)


def _wrong_wait(spec: str, promise: Promise, route: Route) -> str:
    if not promise.wait_modes or not route.wait_mode or route.wait_mode in promise.wait_modes:
        return ""
    evidence = _format_evidence(route.evidence)
    return f"{spec} did not take effect: a rank that waits {route.wait_mode} ({evidence}); {_REMEDY}"


def _wrong_sleep(spec: str, promise: Promise, route: Route) -> str:
    by_semaphore = float(dict(route.evidence).get("semop_calls", "0")) > 0
    if route.wait_mode and promise.semaphores not in (None, by_semaphore):
        how = "on semaphores" if by_semaphore else "without semaphores"
        return f"{spec} did not take effect: its ranks wait {how}; {_REMEDY}"
    return ""


def _carrier(ranks: Sequence[Mapping[str, float]], size: str) -> Carrier:
    """What carried messages of a size: by the share of their bytes that TCP's counters saw."""
    seen = [one for one in ranks if f"{size}_tcp_received" in one and one.get(f"{size}_moved")]
    moved = sum(one[f"{size}_moved"] for one in seen)
    if moved <= 0:
        return Carrier.UNSEEN
    share = sum(one[f"{size}_tcp_received"] for one in seen) / moved
    if share >= MOST_OF_IT:
        return Carrier.TCP
    if share >= HARDLY_ANY:
        return Carrier.TCP_IN_PART
    if any(one.get("shared_bytes", 0.0) > 0 for one in ranks):
        return Carrier.SHARED_MEMORY
    return Carrier.UNIX_SOCKETS if any(one.get("unix_sockets", 0.0) > 0 for one in ranks) else Carrier.OTHER


def _majority_wait(waited: Sequence[Mapping[str, float]]) -> WaitMode:
    """How most of the ranks waited of which it can be told; unseen when of none."""
    ways = [way for one in waited if (way := _wait_mode(one))]
    return max(dict.fromkeys(ways), key=ways.count) if ways else WaitMode.UNSEEN


def _wait_mode(one: Mapping[str, float]) -> WaitMode:
    """How a rank waited; unseen when the machine was too busy with others to tell.

    Time in which it was ready to run and others had the processors is no sleep, and proves no spinning.
    """
    waited, used, queued = one["waited_ns"], one.get("wait_cpu_ns", 0.0), one.get("runqueue_wait_ns", 0.0)
    if one.get("voluntary_switches", 0.0) >= 1 and waited - used - queued >= BUSY * min(waited, LATE_NS):
        return WaitMode.SLEEPS
    if one.get("sched_yield_calls", 0.0) * YIELD_EVERY_NS >= max(used, YIELD_EVERY_NS):
        return WaitMode.YIELDS
    return WaitMode.SPINS if used >= HARD_AT_WORK_NS or queued < BUSY * waited else WaitMode.UNSEEN


def _busy(one: Mapping[str, float]) -> float:
    return one.get("wait_cpu_ns", 0.0) / one["waited_ns"]


def _evidence(ranks: Sequence[Mapping[str, float]]) -> Pairs:
    """Sums over all ranks, as they were told."""
    return tuple((name, f"{sum(one.get(name, 0.0) for one in ranks):.0f}") for name in _TOLD)


_TOLD = (
    "small_moved",
    "small_tcp_received",
    "large_moved",
    "large_tcp_received",
    "waited_ns",
    "wait_cpu_ns",
    "runqueue_wait_ns",
    "voluntary_switches",
    "sched_yield_calls",
    "semop_calls",
)


def _format_evidence(evidence: Pairs) -> str:
    return ", ".join(f"{name.replace('_', ' ')} {value}" for name, value in evidence if value != "0")


def _number(text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return value if abs(value) < 1e18 else None
