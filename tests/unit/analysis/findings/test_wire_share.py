"""The wire's share: half round trips beside the bare link, of what went between two hosts alone."""

from __future__ import annotations

from math import isnan

import pytest
from attrs import evolve

from msgauge.analysis.findings.wire_share import find_wire_shares, interpolate, read_points
from msgauge.model import Cell, Estimate, HostSet, Kernel, Pattern, Plan

KERNELS = (Kernel("pingpong", "", "", "", pattern=Pattern.ROUND_TRIP), Kernel("bcast", "", "", ""))
HOSTS = HostSet("lab:2", "lab", ("n1", "n2"), emulated=True)
PLAN = Plan("s", 1, ("a@1",), (Cell(0, "pingpong", 8, 2), Cell(1, "bcast", 8, 2)), (2,), hosts=HOSTS)
FACTS = {"bare_half_round_trips_ns": "8:80000 1008:180000", "bare_half_pings_ns": "8:60000"}
HALF = Estimate("a@1", 0, "pingpong", 8, 2, (), 100_000.0, 90_000.0, 110_000.0)


def test_points_are_read_and_joined_by_straight_lines() -> None:
    points = read_points("64:200 8:100 junk 9:x")
    assert points == [(8, 100.0), (64, 200.0)]
    assert interpolate(points, 36) == pytest.approx(150.0)
    assert interpolate(points, 1) == 100.0
    assert isnan(interpolate(points, 65))
    assert isnan(interpolate([], 8))


def test_the_share_is_what_the_bare_link_takes_of_the_half_round_trip() -> None:
    small, large = find_wire_shares(PLAN, KERNELS, FACTS, [HALF, evolve(HALF, size_bytes=508, median_ns=260_000.0)])
    assert (small.wire_share, small.bare_share) == (pytest.approx(0.6), pytest.approx(0.8))
    assert large.bare_share == pytest.approx(0.5)
    assert isnan(large.wire_share)


def test_only_what_went_between_two_hosts_has_a_share() -> None:
    others = [
        evolve(HALF, local=True),
        evolve(HALF, simulated=True),
        evolve(HALF, failed="it crashed"),
        evolve(HALF, kernel="bcast", cell=1),
    ]
    assert find_wire_shares(PLAN, KERNELS, FACTS, others) == ()
    assert find_wire_shares(PLAN, KERNELS, {}, [HALF]) == ()
    filled = evolve(PLAN, hosts=evolve(HOSTS, slots=2, map="core"))
    assert find_wire_shares(filled, KERNELS, FACTS, [HALF]) == (), "both ranks stand on n1"


def test_a_share_says_how_its_ping_pong_was_measured() -> None:
    """Of a cold cache, and of the usual one: two rows of one size."""
    shares = find_wire_shares(PLAN, KERNELS, FACTS, [HALF, evolve(HALF, cache="cold", options=(("send", "ready"),))])
    assert [one.marks for one in shares] == ["", "send ready, cold cache"]
