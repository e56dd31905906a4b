"""What carried the messages of a launch and how its ranks waited, by counters of the kernel."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from msgauge.execution.data_path import route_of, variant_mismatch
from msgauge.model import (
    Carrier,
    Origin,
    Pairs,
    Promise,
    Route,
    Stack,
    WaitMode,
)
from msgauge.stacks.base.families import families

MOVED = {
    "small_moved": 1024,
    "large_moved": 262_144,
    "small_tcp_received": 0,
    "large_tcp_received": 0,
    "shared_bytes": 1 << 20,
    "unix_sockets": 1,
}
AT_INTERFACES_ALONE = {"large_moved": 262_144, "large_wire_received": 270_000}
"""What workers in Fortran and Octave tell: they cannot look at their sockets."""
TCP = {**MOVED, "small_tcp_received": 1300, "large_tcp_received": 262_200}
SPINNING = {
    "waited_ns": 20_000_000,
    "wait_cpu_ns": 19_900_000,
    "voluntary_switches": 0,
    "sched_yield_calls": 0,
    "semop_calls": 0,
}
YIELDING = {**SPINNING, "sched_yield_calls": 50_000}
SLEEPING = {**SPINNING, "wait_cpu_ns": 20_000, "voluntary_switches": 1}
CROWDED_SPINNING = {**SPINNING, "wait_cpu_ns": 1_000_000, "runqueue_wait_ns": 19_000_000}
CROWDED_SLEEPING = {**SLEEPING, "waited_ns": 60_000_000, "runqueue_wait_ns": 40_000_000}
STOLEN_SPINNING = {**SPINNING, "wait_cpu_ns": 6_000_000}
"""A virtual machine's processor was taken away: the rank neither ran nor, as its kernel sees it, waited to run."""
STARVED = {**SLEEPING, "voluntary_switches": 0, "waited_ns": 30_000_000, "runqueue_wait_ns": 29_900_000}
"""Others had the processors until the message was there: nobody can tell."""


def frame(numbers: dict[str, int]) -> Pairs:
    return tuple((name, str(value)) for name, value in numbers.items())


def route(way: dict[str, int], waiting: dict[str, int]) -> Route:
    """Of two ranks: the first is waited for, the second waits."""
    return route_of([frame(way), frame({**way, **waiting})])


@pytest.mark.parametrize(
    ("way", "waiting", "expected"),
    [
        (TCP, SPINNING, ("tcp", "tcp", "spins")),
        (MOVED, YIELDING, ("shared memory", "shared memory", "yields")),
        (MOVED, SLEEPING, ("shared memory", "shared memory", "sleeps")),
        (MOVED, CROWDED_SPINNING, ("shared memory", "shared memory", "spins")),
        (MOVED, CROWDED_SLEEPING, ("shared memory", "shared memory", "sleeps")),
        (MOVED, STOLEN_SPINNING, ("shared memory", "shared memory", "spins")),
        (MOVED, STARVED, ("shared memory", "shared memory", "")),
        ({**TCP, "large_tcp_received": 10}, SPINNING, ("tcp", "shared memory", "spins")),
        ({**TCP, "large_tcp_received": 80_000}, SPINNING, ("tcp", "tcp in part", "spins")),
        ({**MOVED, "shared_bytes": 0}, SPINNING, ("unix sockets", "unix sockets", "spins")),
        (
            {**MOVED, "shared_bytes": 0, "unix_sockets": 0},
            SPINNING,
            ("something unknown", "something unknown", "spins"),
        ),
        (AT_INTERFACES_ALONE, {}, ("", "", "")),
    ],
)
def test_the_counters_tell_carrier_and_waiting(
    way: dict[str, int], waiting: dict[str, int], expected: tuple[str, str, str]
) -> None:
    found = route(way, waiting)
    assert (found.small_transport, found.large_transport, found.wait_mode) == expected


@pytest.mark.parametrize(
    ("spec", "way", "waiting", "fits"),
    [
        ("openmpi[tcp]", TCP, SPINNING, True),
        ("openmpi[tcp]", MOVED, SPINNING, False),
        ("mpich[tcp]", {**TCP, "large_tcp_received": 10}, SPINNING, False),
        ("tcp", TCP, SPINNING, True),
        ("tcp", MOVED, SPINNING, False),
        ("intelmpi[shm]", MOVED, SPINNING, True),
        ("shm", TCP, SPINNING, False),
        ("unix", {**MOVED, "shared_bytes": 0}, SPINNING, True),
        ("openmpi", TCP, SLEEPING, True),
        ("zeromq[ipc]", TCP, SLEEPING, True),
        ("openmpi[yield]", MOVED, YIELDING, True),
        ("openmpi[yield]", MOVED, SPINNING, False),
        ("openmpi[spin]", MOVED, YIELDING, False),
        ("tcp[spin]", TCP, YIELDING, True),
        ("ucx[spin]", MOVED, YIELDING, True),
        ("zeromq[spin]", TCP, SLEEPING, False),
        ("tcp[block]", TCP, STARVED, True),
        ("tcp[block]", TCP, SLEEPING, True),
        ("tcp[block]", TCP, SPINNING, False),
        ("lam[sysv]", MOVED, {**SLEEPING, "semop_calls": 2}, True),
        ("lam[sysv]", MOVED, YIELDING, False),
        ("lam[usysv]", MOVED, YIELDING, True),
        ("lam[usysv]", MOVED, {**SLEEPING, "semop_calls": 2}, False),
    ],
)
def test_a_variant_that_did_not_take_effect_is_named(
    spec: str, way: dict[str, int], waiting: dict[str, int], fits: bool
) -> None:
    reason = variant_mismatch(spec, promised(spec), route(way, waiting))
    assert (reason == "") is fits
    assert fits or reason.startswith(f"{spec} did not take effect")


def promised(spec: str) -> Promise:
    """What its family promises of a stack under its words."""
    name, _, words = spec.rstrip("]").partition("[")
    stack = Stack(name, "1", Origin("builtin"), variant=tuple(filter(None, words.split(","))))
    return families()[name].promise(stack)


def test_a_stack_without_words_promises_only_what_it_is() -> None:
    silent = {name for name in families() if promised(name) == Promise()}
    assert silent == families().keys() - {"tcp", "shm", "unix"}


def test_ranks_that_found_the_message_there_say_nothing_of_waiting() -> None:
    late = {
        **TCP,
        **YIELDING,
        "waited_ns": 26_000_000,
        "wait_cpu_ns": 96_000,
        "runqueue_wait_ns": 25_900_000,
        "sched_yield_calls": 9,
    }
    there = {
        **TCP,
        **YIELDING,
        "waited_ns": 40_000,
        "wait_cpu_ns": 41_000,
        "runqueue_wait_ns": 0,
        "sched_yield_calls": 0,
    }
    ranks = [tuple((name, str(value)) for name, value in one.items()) for one in (there, there, late)]
    assert route_of(ranks).wait_mode == "yields"
    assert route_of(ranks).wait_cpu_fraction < 0.01
    assert route_of(ranks[:2]).wait_mode == ""


def test_without_evidence_nothing_is_claimed() -> None:
    assert route_of([]) == Route()
    assert variant_mismatch("a", Promise(Carrier.TCP), Route()) == ""


@given(st.lists(st.dictionaries(st.sampled_from([*TCP, *SPINNING]), st.text(max_size=12)), max_size=4))
def test_no_frame_of_a_worker_is_an_error(frames: list[dict[str, str]]) -> None:
    found = route_of([tuple(one.items()) for one in frames])
    variant_mismatch("a", Promise(Carrier.SHARED_MEMORY, (WaitMode.YIELDS,), semaphores=True), found)
