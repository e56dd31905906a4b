"""Maps of hosts from the times of all pairs: what launches have to have measured for one."""

from __future__ import annotations

import re

import numpy as np
import pytest
from attrs import evolve
from benchmarks.truth.simulated_runs import make_plan, stacks

from msgauge.analysis.findings.cluster_map import ClusterMap, ClusterMaps, make_maps
from msgauge.kernels import load_kernels
from msgauge.model import Cell, Launch, LaunchRecord, LaunchStatus, Samples, Stopping
from msgauge.results.dataset import Dataset

RANKS = 5
PAIRS = RANKS * (RANKS - 1) // 2


def a_map(time_ns: int, points: int) -> ClusterMaps | None:
    """Of six launches with three passes of so many points each, all of the same time."""
    plan = make_plan(1, 1, Stopping(minimum_rounds=6, maximum_rounds=6))
    plan = evolve(plan, cells=(Cell(0, "all-pairs", 8, RANKS),))
    dataset = Dataset(plan, stacks(1))
    for round in range(6):
        launch = Launch(round, round, plan.stacks[0], RANKS, (0,), 1)
        values = np.full(3 * points, time_ns)
        frame = Samples(round, 0, "time", values, 1, attributes=(("points", str(points)),))
        dataset.add(LaunchRecord(launch, LaunchStatus.OK, seconds=1.0), [frame])
    return make_maps(dataset, load_kernels().values())


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("time_ns", [0, 1000])
def test_times_that_are_all_alike_are_a_map_without_a_slow_host(time_ns: int) -> None:
    found = a_map(time_ns, PAIRS + 1)
    assert found is not None
    (one,) = found.maps
    assert one.findings == () and one.tables[0].values[0][1] == time_ns


@pytest.mark.filterwarnings("error")
def test_launches_without_a_time_for_each_pair_are_no_map() -> None:
    """The ranks would be counted from the points: of one point there is one, beside none."""
    assert a_map(0, 1) is None
    assert a_map(1000, PAIRS) is None


SIZE = 262144


def measured(latency: np.ndarray, transfer: np.ndarray, launches: int = 6) -> ClusterMap:
    """The map of hosts whose pairs take so long, ns, with 1 % of noise: half a round trip, and a large message more.

    Both of shape (hosts, hosts); row: the sender.
    """
    random, hosts = np.random.default_rng(1), len(latency)
    upper = np.triu_indices(hosts, 1)
    plan = make_plan(1, 1, Stopping(minimum_rounds=launches, maximum_rounds=launches))
    short = Cell(0, "all-pairs", 8, hosts, (("schedule", "rounds"),))
    long = Cell(1, "all-pairs", SIZE, hosts, (("schedule", "rounds"), ("answer", "short")))
    dataset = Dataset(evolve(plan, cells=(short, long)), stacks(1))
    for round in range(launches):
        frames = []
        for cell, times in ((0, latency), (1, transfer + 2 * latency)):
            for name, way in (("forward", times[upper]), ("backward", times.T[upper])):
                passes = way * np.exp(random.normal(0, 0.01, (3, way.size)))
                values = np.column_stack([passes, passes.sum(axis=1)]).ravel().astype(np.int64)
                points = (("points", str(way.size + 1)),)
                frames.append(Samples(round, cell, name, values, 1, attributes=points))
        launch = Launch(round, round, plan.stacks[0], hosts, (0, 1), 1)
        dataset.add(LaunchRecord(launch, LaunchStatus.OK, seconds=1.0), frames)
    found = make_maps(dataset, load_kernels().values())
    assert found is not None
    return found.maps[0]


def alike(hosts: int) -> tuple[np.ndarray, np.ndarray]:
    """50 µs, and 125 MB/s between every two."""
    return np.full((hosts, hosts), 50e3), np.full((hosts, hosts), SIZE * 8.0)


def test_a_host_that_receives_slower_has_one_ratio_in_sentence_and_interval() -> None:
    """The ratio was told the other way round and its limits were not: 3.00 times [0.330 to 0.335]."""
    latency, transfer = alike(8)
    transfer[:, 0] *= 3
    transfer[:, 1] *= 3
    one = measured(latency, transfer)
    told = [found for found in one.findings if found.kind == "host-direction"]
    assert {found.hosts for found in told} == {("rank0",), ("rank1",)}
    for found in told:
        said = re.search(
            r"receives slower than it sends: .* ([\d.]+) times .*interval ([\d.]+) to ([\d.]+)", found.sentence
        )
        assert said is not None
        ratio, low, high = map(float, said.groups())
        assert 2.9 < low <= ratio <= high < 3.1
        assert found.low <= found.ratio <= found.high < 0.35, "the numbers stay below 1"


def test_the_level_of_a_slow_link_is_that_of_both_directions() -> None:
    """That of sending alone was told where receiving is slow: 1.73 times (125 MB/s, typical 125 MB/s)."""
    latency, transfer = alike(8)
    transfer[:, 2] *= 3
    link = next(found for found in measured(latency, transfer).findings if found.kind == "host")
    assert link.ratio == pytest.approx(3**0.5, rel=0.02)
    said = re.search(r"\(([\d.]+) MB/s, between others ([\d.]+) MB/s\)", link.sentence)
    assert said is not None and float(said[2]) / float(said[1]) == pytest.approx(link.ratio, rel=0.02)


def test_levels_of_many_slow_hosts_are_set_against_the_others() -> None:
    """The typical of all pairs is one of a slow host itself where two of five are."""
    late = np.where(np.arange(5) < 2, np.log(2.0), 0.0)
    one = measured(50e3 * np.exp(late[:, None] + late[None, :]), alike(5)[1])
    told = [found for found in one.findings if found.kind == "host"]
    assert {found.hosts for found in told} == {("rank0",), ("rank1",)} and one.health == "slow"
    for found in told:
        said = re.search(r"\(([\d.]+) µs, between others ([\d.]+) µs\)", found.sentence)
        assert said is not None and float(said[1]) / float(said[2]) == pytest.approx(2.0, rel=0.03)


@pytest.mark.parametrize("late_ns", [0.4e6, 2e6, 10e6, 30e6])
def test_a_late_host_has_no_slow_link(late_ns: float) -> None:
    """A fifth of its time counted as transfer, however little that was: 2.11 times as long with 10 ms."""
    latency, transfer = alike(8)
    latency[0] += late_ns
    latency[:, 0] += late_ns
    one = measured(latency, transfer)
    assert [(found.kind, found.quantity, found.hosts) for found in one.findings] == [("host", "latency", ("rank0",))]
    assert "is late" in one.findings[0].sentence
    table = one.tables[1]
    assert table.typical == pytest.approx(125e6, rel=0.02)
    if late_ns > 1e6:
        assert table.values[0] == (0.0,) * 8 and table.host_ratios[0] == 0.0 and table.values[1][2] > 0
        (note,) = one.notes
        assert note.startswith("bandwidth is not told of rank0: messages of 256 KiB take little longer")


def across_switches(sizes: tuple[int, int], hidden: float, uplink_ns: float) -> tuple[np.ndarray, np.ndarray]:
    """Hosts on two switches, links alike; of a transfer across so great a part goes on within the latency."""
    latency, transfer = alike(sum(sizes))
    side = np.arange(sum(sizes)) < sizes[0]
    apart = side[:, None] != side[None, :]
    latency[apart] += uplink_ns
    transfer[apart] *= 1 - hidden
    return latency, transfer


@pytest.mark.parametrize("sizes", [(3, 3), (2, 4), (2, 2)])
def test_hosts_within_a_switch_are_not_slow_because_latency_hides_transfers_across(sizes: tuple[int, int]) -> None:
    """Pairs within a switch took 2.0 times as long as their hosts explain, since those across looked too fast."""
    one = measured(*across_switches(sizes, hidden=0.35, uplink_ns=0.5e6), launches=10)
    assert {found.kind for found in one.findings} <= {"group"} and one.notes == () and one.health == "good"
    assert min(one.tables[1].host_ratios) > 0, "of every host something is told"


@pytest.mark.parametrize("host", [0, 4])
def test_a_slow_link_behind_a_slow_uplink_is_named(host: int) -> None:
    latency, transfer = across_switches((2, 4), hidden=0.35, uplink_ns=0.4e6)
    transfer[host] *= 1.5
    transfer[:, host] *= 1.5
    transfer[2, 3] = transfer[3, 2] = 2 * SIZE * 8.0
    one = measured(latency, transfer)
    assert {(found.kind, found.hosts) for found in one.findings if found.quantity == "bandwidth"} == {
        ("host", (f"rank{host}",)),
        ("pair", ("rank2", "rank3")),
    }


def test_hosts_are_not_slow_because_latency_hides_transfers_of_half_of_them() -> None:
    """Each large message takes about as long as any other; three late hosts of six make the others look slow."""
    latency, transfer = alike(6)
    late = np.arange(6) >= 3
    latency += 0.25e6 * (late[:, None] + late[None, :].astype(float))
    transfer *= np.where(late[:, None] & late[None, :], 0.6, np.where(late[:, None] | late[None, :], 0.75, 1.0))
    one = measured(latency, transfer, launches=10)
    assert {(found.kind, found.quantity) for found in one.findings} == {("host", "latency")}


def test_a_transfer_that_is_less_than_half_of_the_time_is_not_told() -> None:
    """As 64 KiB across two switches 200 µs apart: 0.2 of 0.7 ms were left, and told as twice the bandwidth."""
    one = measured(*across_switches((3, 3), hidden=0.4, uplink_ns=1.2e6))
    (note,) = one.notes
    assert note.startswith("bandwidth is not told of ") and one.health == "unknown"
    assert one.tables[1].values[0][3] == 0.0 < one.tables[1].values[0][1]
    assert {found.kind for found in one.findings} == {"group"}


def test_nothing_is_told_of_the_directions_of_a_pair_that_is_not_told() -> None:
    """What its hosts' other pairs say stands for it: a host that sends, and one that receives slower by 17 %."""
    latency, transfer = across_switches((3, 3), hidden=0.4, uplink_ns=1.2e6)
    transfer[0] *= 1.17
    transfer[:, 3] *= 1.17
    one = measured(latency, transfer, launches=10)
    assert one.tables[1].values[0][3] == 0.0 and {found.kind for found in one.findings} == {"group"}


def test_a_late_pair_has_no_slow_link_and_its_hosts_are_told_of() -> None:
    latency, transfer = alike(6)
    latency[1, 4] = latency[4, 1] = 10e6
    transfer[:, 5] *= 2
    transfer[5, :] *= 2
    one = measured(latency, transfer)
    assert {(found.kind, found.quantity, found.hosts) for found in one.findings} == {
        ("pair", "latency", ("rank1", "rank4")),
        ("host", "bandwidth", ("rank5",)),
    }
    assert one.tables[1].values[1][4] == 0.0 and min(one.tables[1].host_ratios) > 0
    assert [note.split(":")[0] for note in one.notes] == ["bandwidth is not told of 1 pair"]


def test_no_bandwidth_is_told_where_all_are_late() -> None:
    one = measured(np.full((4, 4), 20e6), alike(4)[1])
    assert one.findings == () and one.health == "unknown" and one.tables[1].typical == 0.0
    assert one.notes[0].startswith("bandwidth is not told of rank0 rank1 rank2 rank3:")


def test_of_two_hosts_one_direction_is_told_and_nothing_else_is_known() -> None:
    latency, transfer = alike(2)
    transfer[0, 1] *= 5
    one = measured(latency, transfer, launches=10)
    (found,) = one.findings
    assert found.kind == "pair-direction" and found.hosts == ("rank0", "rank1") and found.low < 5 < found.high
    clean = measured(*alike(2), launches=10)
    assert clean.health == "unknown" and clean.findings == ()
    assert [note.split(":")[0] for note in clean.notes] == [
        "two hosts are one pair, and there is no other to set it against"
    ]


def test_of_three_hosts_a_slow_pair_is_set_against_the_other_two() -> None:
    """Pairs of fewer than four hosts were never asked for: one that takes 5 times as long ended in good health."""
    latency, transfer = alike(3)
    latency[0, 2] = latency[2, 0] = 250e3
    one = measured(latency, transfer, launches=10)
    (found,) = one.findings
    assert one.health == "slow" and "rank0 and rank2: short messages between them take 5" in found.sentence
    assert "as those of the other two pairs" in found.sentence
    assert measured(*alike(3), launches=10).health == "good"


def test_what_was_seen_in_every_launch_and_is_not_certain_is_unknown() -> None:
    """Three rings of three hosts, whose pairs no host explains: which pairs are to blame is not known."""
    latency, transfer = alike(9)
    for first in (0, 3, 6):
        ring = np.ix_(range(first, first + 3), range(first, first + 3))
        latency[ring] *= 3
    one = measured(latency, transfer)
    assert one.health == "unknown" and any(
        note.startswith("seen in every launch, but not certain: 9 pairs of rank0 ") for note in one.notes
    )
