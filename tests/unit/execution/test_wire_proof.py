"""A launch that did not stand where it should, or did not send over the wire, has failed, and the reason says why."""

from __future__ import annotations

from msgauge.execution.wire_proof import check_crossing, describe_crossing, misplacement
from msgauge.model import HostSet, Pairs, Reach

TWO = HostSet("lab:2", "lab", ("n1", "n2"), emulated=True)
REACH = Reach(TWO, "/rsh", "eth0")


def frame(rank: int, received: float, wire: str = "eth0") -> Pairs:
    fields = {"rank": rank, "large_moved": 262144, "large_wire_received": received, "wire": wire}
    return tuple((name, str(value)) for name, value in fields.items())


def test_ranks_on_the_hosts_asked_for_are_well_placed() -> None:
    assert misplacement(TWO.layout(2), ["n1", "n2.cluster.example"]) == ""


def test_ranks_on_other_hosts_than_asked_are_a_failure() -> None:
    reason = misplacement(TWO.layout(4), ["n1", "n1", "n1", "n1"])
    assert reason.startswith("2 of 4 ranks stand on other hosts than asked: rank 1 on 'n1', not on 'n2'")


def test_bytes_that_came_in_by_the_interface_prove_the_wire() -> None:
    frames = [frame(0, 270000), frame(1, 268000)]
    assert check_crossing(TWO.layout(2), frames, REACH) == ""
    assert describe_crossing(TWO.layout(2), frames) == (
        ("wire", "538000 bytes received by eth0 for 524288 sent between hosts"),
    )


def test_silent_shared_memory_between_hosts_is_a_failure() -> None:
    """Hosts that share a name and /dev/shm: MPICH 5 took shared memory and ended with success."""
    reason = check_crossing(TWO.layout(2), [frame(0, 6000), frame(1, 7000)], REACH)
    assert reason.startswith("of 524288 bytes sent between hosts 13000 came in by a network interface")


def test_devices_whose_traffic_nothing_counts_are_believed() -> None:
    few = [frame(0, 6000), frame(1, 7000)]
    assert check_crossing(TWO.layout(2), few, Reach(TWO, "/rsh", "eth0", uncounted=True)) == ""


def test_another_interface_than_asked_is_a_failure() -> None:
    frames = [frame(0, 270000, "eth1"), frame(1, 270000, "eth1")]
    assert check_crossing(TWO.layout(2), frames, REACH) == "messages went by eth1, not by eth0"
    assert check_crossing(TWO.layout(2), frames, Reach(TWO)) == ""


def test_neighbours_on_one_host_prove_nothing_and_fail_nothing() -> None:
    packed = HostSet("lab:2x2", "lab", ("n1", "n2"), slots=2, map="core", emulated=True).layout(4)
    frames = [frame(rank, 0) for rank in range(4)]
    assert packed == ("n1", "n1", "n2", "n2")
    assert check_crossing(packed, frames, REACH) == ""
    assert describe_crossing(packed, frames) == (("wire", "not verified"),)


def test_a_launch_whose_ranks_said_nothing_of_the_wire_is_not_called_verified() -> None:
    assert describe_crossing(TWO.layout(2), []) == (("wire", "not verified"),)
    assert describe_crossing((), [frame(0, 1)]) == ()


def test_a_rank_that_does_not_say_which_it_is_proves_nothing() -> None:
    for rank in ("nan", "inf", "-1", "", "1e400", "two"):
        told = (("rank", rank), *frame(0, 0)[1:])
        assert check_crossing(TWO.layout(2), [told], REACH) == ""
