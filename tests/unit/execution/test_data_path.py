"""Claims about equal conditions and verified variants, on invented launches and an invented tree of cgroups."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from msgauge import evaluation
from msgauge.analysis.estimates.failures import find_failures
from msgauge.analysis.estimates.resource_usage import stack_costs
from msgauge.analysis.findings.timer_resolution import timer_findings
from msgauge.analysis.warnings.launch_conditions import find_beside_compilers, find_differences
from msgauge.execution import teardown
from msgauge.execution.cgroup import Cgroup
from msgauge.execution.data_path import route_of, variant_mismatch
from msgauge.execution.scheduling import condition_of, describe_binding
from msgauge.model import (
    BESIDE_COMPILERS,
    Build,
    Carrier,
    Cell,
    Command,
    Estimate,
    Launch,
    LaunchRecord,
    Origin,
    Pairs,
    Plan,
    Promise,
    RankPlacement,
    Route,
    Samples,
    Stack,
    Usage,
    WaitMode,
)
from msgauge.results import wire
from msgauge.results.dataset import Dataset
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


def placed(*cpus: str, session: str = "7", **told: str) -> tuple[RankPlacement, ...]:
    condition = {"session": session, "cgroup": "/", "open_files": "1024", "policy": "0", "nice": "0"} | told
    return tuple(RankPlacement(n, "h", n, cpu, condition=tuple(condition.items())) for n, cpu in enumerate(cpus))


@pytest.mark.parametrize(
    ("masks", "word"),
    [
        (("0", "1"), "one core each"),
        (("0", "0"), "several ranks on one core"),
        (("0-1", "0-1"), "none"),
        (("0", "0-1"), "some ranks bound, others not"),
        (("0-1", "2-3"), "a part of the processors each"),
        (("", "0"), "unknown"),
    ],
)
def test_binding_is_what_the_ranks_saw(masks: tuple[str, ...], word: str) -> None:
    assert describe_binding(placed(*masks)) == word


def test_ranks_in_several_sessions_of_the_root_cgroup_are_told_from_those_in_one_group() -> None:
    apart = (*placed("0", session="1"), *placed("1", session="2"))
    assert dict(condition_of(apart, (), "on"))["groups"] == "one for each session"
    assert dict(condition_of(apart, (), "off"))["groups"] == "one for all ranks"
    together = (*placed("0", session="1", cgroup="/a"), *placed("1", session="2", cgroup="/a"))
    assert dict(condition_of(together, (), "on"))["groups"] == "one for all ranks"


def launched(stack: str, condition: dict[str, str], ranks: int = 2) -> LaunchRecord:
    return LaunchRecord(Launch(0, 0, stack, ranks, (0,), 1), "ok", condition=tuple(condition.items()))


def test_unequal_conditions_are_said_and_equal_ones_are_not() -> None:
    bound, free = {"binding": "one core each", "nice": "0"}, {"binding": "none", "nice": "0"}
    assert list(find_differences([launched("a", bound), launched("b", bound)])) == []
    assert list(find_differences([launched("a", bound), launched("b", free, ranks=8)])) == [], "other numbers of ranks"
    (warning,) = find_differences([launched("a", bound), launched("b", free)])
    assert warning.code == "unequal-condition"
    assert "one core each: a; none: b" in warning.message


def test_launches_beside_compilers_are_said_once_with_their_numbers() -> None:
    beside, later = launched("a", dict([BESIDE_COMPILERS])), Launch(4, 0, "a", 8, (0,), 1)
    assert list(find_beside_compilers([launched("a", {"nice": "0"})])) == []
    (warning,) = find_beside_compilers([beside, launched("b", {"nice": "0"}), evolve(beside, launch=later)])
    assert warning.code == "beside-compilers"
    assert "2 launches of round 1 (a) ran while workers were compiled" in warning.message
    assert warning.evidence == (("launches", "0, 4"),)


def test_scheduling_by_session_and_unverified_variants_are_warned_of() -> None:
    by_session = {"groups": "one for each session", "binding": "none"}
    codes = [warning.code for warning in find_differences([launched("a", {**by_session, "variant": "not verified"})])]
    assert codes == ["scheduled-by-session", "variant-not-verified"]


def test_teardown_stands_before_the_last_frame_and_the_file_stays_whole(tmp_path: Path) -> None:
    word = Samples(0, -1, "end", np.array([], dtype=np.int64), attributes=(("at_ns", "500"),))
    end = b"cell=-1 kernel=launch series=end at_ns=500 count=0\n"
    said = (("kernel", "any"), ("bytes", "0"), ("status", "ok"))
    one = np.array([1], dtype=np.int64)
    measured = [Samples(0, 3, name, one, attributes=(*said, ("kind", "launch"))) for name in ("ready", "first")]
    measured.append(Samples(0, 4, "time", one, attributes=said))
    cells = teardown.find_launch_cells(measured).values()
    path = tmp_path / "samples.bin"
    path.write_bytes(teardown.with_teardown(end, cells, 42))
    frames, whole = wire.read_frames(path)
    assert whole
    assert [(one.cell, one.series, one.values.tolist()) for one in frames[:-1]] == [(3, "teardown", [42])]
    assert frames[0].attributes == said
    assert teardown.last_frame_ns([word]) == teardown.last_frame_ns(frames) == 500


def test_a_launch_is_told_when_it_began_and_where_to_run() -> None:
    plan = Plan("s", 1, ("a",), (Cell(0, "startup", 0, 2),), (2,))
    launch = Launch(1, 0, "a", 2, (0,), 5)
    told = wire.write_plan(plan, launch, 2, wire.Start(10, 20, (0, 3))).splitlines()[1]
    assert told == "launch number=1 round=0 seed=5 ranks=2 cores=2 boot_ns=10 begun_ns=20 pin=0,3"
    assert "pin" not in wire.write_plan(plan, launch, 2)


def test_waiting_is_what_most_launches_did_and_each_number_of_ranks_has_its_own() -> None:
    def one(ranks: int, waits: str) -> LaunchRecord:
        route = Route("tcp", "tcp", waits, 0.5)
        return LaunchRecord(Launch(0, 0, "a", ranks, (0,), 1), "ok", placement=placed("0", "1"), route=route)

    told = stack_costs([one(2, "spins"), one(2, "spins"), one(2, "yields"), one(8, "sleeps"), one(8, "")])
    assert [(cost.ranks, cost.wait_mode) for cost in told] == [(2, "spins"), (8, "sleeps")]


def test_upkeep_is_the_largest_memory_and_the_usual_waiting() -> None:
    def one(memory: int, busy: float) -> LaunchRecord:
        return LaunchRecord(
            Launch(0, 0, "a", 2, (0,), 1),
            "ok",
            usage=Usage(1.0, 0.5, 3, 4, memory),
            placement=placed("0", "1"),
            route=Route("tcp", "tcp", "spins", busy),
        )

    (told,) = stack_costs([one(10, 0.9), one(30, 1.0), one(20, 0.8)])
    assert (told.peak_memory_bytes, told.wait_cpu_fraction, told.wait_mode, told.cpu_s, told.launches) == (
        30,
        0.9,
        "spins",
        1.5,
        3,
    )


def cgroup_tree(root: Path, membership: str, mounts: str, handed_down: dict[str, str]) -> Path:
    for name, text in {"proc/self/cgroup": membership, "proc/self/mounts": mounts}.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    for folder, controllers in handed_down.items():
        place = root / "sys/fs/cgroup" / folder
        place.mkdir(parents=True, exist_ok=True)
        (place / "cgroup.subtree_control").write_text(controllers)
    return root


UNIFIED = "cgroup2 /sys/fs/cgroup cgroup2 rw 0 0\n"


def test_a_unified_tree_that_hands_cpu_down_gives_an_own_group(tmp_path: Path) -> None:
    root = cgroup_tree(tmp_path, "0::/\n", UNIFIED, {"": "cpuset cpu memory\n"})
    group = Cgroup(root)
    assert group.word == "own"
    assert group.path is not None and group.path.parent == root / "sys/fs/cgroup"
    assert (group.path / "cgroup.procs").read_text() == str(os.getpid())


def test_a_unified_group_of_a_session_is_inherited(tmp_path: Path) -> None:
    root = cgroup_tree(tmp_path, "0::/user.slice/scope\n", UNIFIED, {"": "cpu\n", "user.slice": "cpu memory\n"})
    assert Cgroup(root).word == "inherited: /user.slice/scope"


def test_a_unified_tree_without_cpu_says_why_there_is_none(tmp_path: Path) -> None:
    root = cgroup_tree(tmp_path, "0::/\n", UNIFIED, {"": "memory\n"})
    assert Cgroup(root).word.startswith("none: the cpu controller is not handed down")
    other = cgroup_tree(tmp_path / "b", "0::/\n", "", {})
    assert Cgroup(other).word == "none: cgroup2 is not mounted"
    assert Cgroup(tmp_path / "nothing").word == "none: this kernel has no cgroups"


def test_a_timer_that_steps_by_a_microsecond_is_said_to() -> None:
    def timer(stack: str, step: float) -> Estimate:
        return Estimate(
            stack, 0, "wtime", 0, 2, median_ns=30.0, series=(("step", step), ("tick", 1.0)), kernel_kind="timer"
        )

    coarse, fine = timer_findings([timer("openmpi@5", 31.0), timer("lam@7", 1000.0), timer("mpich@5", 28.0)])
    assert coarse.sentence.startswith("The own timer of lam@7 has a resolution of 1.00 µs (it claims 1.00 ns)")
    assert "openmpi@5, mpich@5" in fine.sentence and "lam" not in fine.sentence
    assert fine.sentence.endswith("overhead, about 30.0 ns."), "of one launch no limit is known"
    assert timer_findings([]) == ()
    limited = [evolve(timer("openmpi@5", 31.0), high_ns=33.0), evolve(timer("mpich@5", 28.0), high_ns=32.0)]
    assert timer_findings(limited)[0].sentence.endswith("overhead, at most 33.0 ns.")


def test_workers_that_the_cache_could_not_take_are_warned_of(tmp_path: Path) -> None:
    compiled = Command(("mpicxx",))
    builds = [
        Build("a", (str(tmp_path / "builds/a/worker"),), compiled, unwritable_cache="/cache/workers"),
        Build("b", ("/cache/workers/b/worker",), compiled),
        Build("octave", ("octave", str(tmp_path / "builds/octave/worker")), None),
    ]
    (warning,) = evaluation._warn_uncached(builds)
    assert warning.code == "cache-not-writable"
    assert warning.evidence == (("stacks", "a"),)
    assert "/cache/workers" in warning.message
    assert "MSGAUGE_CACHE" in warning.remedy


def test_rounds_are_counted_from_one_as_they_are_while_measuring() -> None:
    record = LaunchRecord(Launch(1, 0, "a", 2, (0,), 1), "failed", reason="it crashed")
    plan = Plan("s", 1, ("a",), (Cell(0, "pingpong", 8, 2),), (2,))
    assert find_failures(Dataset.of(plan, [], [record], []))[0].reason == "round 1, 2 processes: it crashed"
