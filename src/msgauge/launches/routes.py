"""What really carried a launch's messages and how its ranks waited, judged from the kernel's own counters. Pure.

The library is not asked: sockets count their bytes, and the worker counts the calls by which a library gives its
processor away or sleeps on a semaphore (native/route.hpp). A variant whose words say otherwise did not take effect.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from statistics import median

from msgauge.model import Pairs, Route

MOST_OF_IT = 0.5
"""At least this share of the bytes must have passed through TCP for TCP to have carried them."""
HARDLY_ANY = 0.1
LATE_NS = 20e6
"""How late the message comes that ranks wait for (native/route.hpp)."""
LONG_NS = 2e6
"""A rank that had a processor so late that it waited less than this did not wait: it found the message there."""
BUSY = 0.5
"""A rank that was neither running nor ready to run for more than this share of the wait, slept."""
HARD_AT_WORK_NS = 500_000.0
"""Nobody who sleeps burns so much; a rank that spins does so even where it hardly gets a processor."""
YIELD_EVERY_NS = 50_000.0
"""A rank that gives its processor away at least this often, in time that it burnt, waits by yielding."""

_SHARED = "shared memory"
_CARRIER = {"tcp": "tcp", "shm": _SHARED, "usysv": _SHARED, "sysv": _SHARED, "unix": "unix sockets"}
"""What each word of the axis ``transport`` promises; words that are not here promise nothing."""
_WAITING = {"spin": "spins", "yield": "yields", "block": "sleeps"}
_YIELDING_SPINNERS = frozenset({"tcp", "unix", "shm", "ucx", "zeromq"})
"""Libraries whose ``spin`` gives the processor away now and then, as they say themselves: it is a loop of ours."""


_REMEDY = "the library passes over what its variant sets, or a configuration file of yours overrides it"


def route_of(frames: Iterable[Pairs]) -> Route:
    """The route from the attributes of the frames ``series=route`` of all ranks; an empty one when there are none."""
    ranks = [{name: value for name, text in frame if (value := _number(text)) is not None} for frame in frames]
    ranks = [one for one in ranks if one]
    if not ranks:
        return Route()
    waited = [one for one in ranks if one.get("waited_ns", 0.0) >= LONG_NS]
    return Route(
        small=_carrier(ranks, "small"),
        large=_carrier(ranks, "large"),
        waits=_waiting(waited),
        busy=median(_busy(one) for one in waited) if waited else 0.0,
        evidence=_evidence(ranks),
    )


def promises(axes: Pairs) -> bool:
    """Whether the variants of a stack say anything of its route."""
    said = dict(axes)
    return said.get("transport", "") in _CARRIER or said.get("wait", "") in _WAITING


def misfit(spec: str, axes: Pairs, route: Route) -> str:
    """Why a launch was not what its stack's name says, in a sentence with a remedy; '' when it was, or nobody knows."""
    said = dict(axes)
    wanted = _CARRIER.get(said.get("transport", ""), "")
    for what, carrier in (("small", route.small), ("large", route.large)):
        if wanted and carrier and carrier != wanted:
            return (
                f"{spec} did not take effect: {what} messages went through {carrier}, not {wanted} "
                f"({_listed(route.evidence)}); {_REMEDY}"
            )
    return _wrong_sleep(spec, said, route) or _wrong_wait(spec, said, route)


def _wrong_wait(spec: str, said: Mapping[str, str], route: Route) -> str:
    expected = _WAITING.get(said.get("wait", ""), "")
    if not expected or route.waits in ("", expected):
        return ""
    if (expected, route.waits) == ("spins", "yields") and said.get("library") in _YIELDING_SPINNERS:
        return ""
    return f"{spec} did not take effect: a rank that waits {route.waits} ({_listed(route.evidence)}); {_REMEDY}"


def _wrong_sleep(spec: str, said: Mapping[str, str], route: Route) -> str:
    """LAM's two kinds of shared memory differ in this alone: ``sysv`` waits on semaphores, ``usysv`` never does."""
    by_semaphore = float(dict(route.evidence).get("semaphores", "0")) > 0
    word = said.get("transport", "")
    if route.waits and word in ("sysv", "usysv") and by_semaphore != (word == "sysv"):
        how = "on semaphores" if by_semaphore else "without semaphores"
        return f"{spec} did not take effect: its ranks wait {how}; look at what LAM_MPI_SSI_rpi is set to"
    return ""


def _carrier(ranks: Sequence[Mapping[str, float]], size: str) -> str:
    """What carried messages of a size: by the share of their bytes that TCP's counters saw."""
    moved = sum(one.get(f"{size}_moved", 0.0) for one in ranks)
    if moved <= 0:
        return ""
    share = sum(one.get(f"{size}_tcp_received", 0.0) for one in ranks if one.get(f"{size}_moved")) / moved
    if share >= MOST_OF_IT:
        return "tcp"
    if share >= HARDLY_ANY:
        return "tcp in part"
    if any(one.get("shared_bytes", 0.0) > 0 for one in ranks):
        return _SHARED
    return "unix sockets" if any(one.get("unix_sockets", 0.0) > 0 for one in ranks) else "something unknown"


def _waiting(waited: Sequence[Mapping[str, float]]) -> str:
    """How most of the ranks waited of which it can be told; '' when of none."""
    ways = [way for one in waited if (way := _way(one))]
    return max(dict.fromkeys(ways), key=ways.count) if ways else ""


def _way(one: Mapping[str, float]) -> str:
    """How a rank waited; '' when the machine was too busy with others to tell.

    Time in which it was ready to run and others had the processors is no sleep, and proves no spinning.
    """
    waited, burnt, queued = one["waited_ns"], one.get("burnt_ns", 0.0), one.get("queued_ns", 0.0)
    if one.get("naps", 0.0) >= 1 and waited - burnt - queued >= BUSY * min(waited, LATE_NS):
        return "sleeps"
    if one.get("yields", 0.0) * YIELD_EVERY_NS >= max(burnt, YIELD_EVERY_NS):
        return "yields"
    return "spins" if burnt >= HARD_AT_WORK_NS or queued < BUSY * waited else ""


def _busy(one: Mapping[str, float]) -> float:
    return one.get("burnt_ns", 0.0) / one["waited_ns"]


def _evidence(ranks: Sequence[Mapping[str, float]]) -> Pairs:
    """Sums over all ranks, as they were told."""
    return tuple((name, f"{sum(one.get(name, 0.0) for one in ranks):.0f}") for name in _TOLD)


_TOLD = (
    "small_moved",
    "small_tcp_received",
    "large_moved",
    "large_tcp_received",
    "waited_ns",
    "burnt_ns",
    "queued_ns",
    "naps",
    "yields",
    "semaphores",
)


def _listed(evidence: Pairs) -> str:
    return ", ".join(f"{name.replace('_', ' ')} {value}" for name, value in evidence if value != "0")


def _number(text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return value if abs(value) < 1e18 else None
