"""The hosts on the page: one table of all, what differs by name; what stayed here stands in tables of its own."""

from __future__ import annotations

from math import nan

from attrs import evolve
from report_example import example_view

from msgauge.analysis.findings.wire_share import WireShare
from msgauge.model import Analysis, Cell, Estimate, HostSet, Plan
from msgauge.report.grid import make_grids
from msgauge.report.sections import hosts

HOSTS = HostSet("lab:3", "lab", ("n1", "n2", "n3"), emulated=True, network="emulated 100baset (100 Mbit/s)")
ALIKE = {"kernel": "6.1", "cores": "2"}


def page(**survey: dict[str, str]) -> str:
    view = example_view()
    facts = {"bare_half_round_trips_ns": "8:80000", "bare_half_pings_ns": "8:60000", "bare_bytes_per_s": "11000000"}
    return str(hosts.render(evolve(view, plan=evolve(view.plan, hosts=HOSTS), hosts=facts, host_survey=survey)))


def test_hosts_that_are_alike_are_one_column_and_nothing_more() -> None:
    text = page(n1=ALIKE, n2=ALIKE, n3=ALIKE)
    assert "3 hosts: n1, n2, n3" in text
    assert "They differ in nothing" in text
    assert ">but<" not in text
    assert "every number between them is emulated" in text
    assert "60.0 µs" in text
    assert "11.0 MB/s" in text


def test_what_differs_is_named_with_its_host() -> None:
    text = page(n1=ALIKE, n2={**ALIKE, "kernel": "5.4"}, n3={})
    assert "n2: 5.4" in text
    assert "No answer from n3" in text


def test_memory_has_the_unit_that_people_use() -> None:
    text = page(n1={"memory": "24683656 kB"}, n2={"memory": "24683656 kB"}, n3={"memory": "12341828 kB"})
    assert "23.5 GiB" in text and "n3: 11.8 GiB" in text
    assert "kB" not in text


def test_what_a_host_says_cannot_become_markup() -> None:
    assert "<script>" not in page(n1={"kernel": "<script>alert(1)</script>"}, n2=ALIKE, n3=ALIKE)


def test_what_stayed_on_this_computer_has_tables_of_its_own() -> None:
    plan = Plan("s", 1, ("a", "a[local]"), (Cell(0, "pingpong", 8, 2),), (2,), hosts=HOSTS)
    one = Estimate("a", 0, "pingpong", 8, 2, (), 100.0, 99.0, 101.0)
    analysis = Analysis("r", "s", "rounds", 5, (one, evolve(one, stack="a[local]", local=True)))  # type: ignore[arg-type]
    there, here = make_grids(plan, analysis)
    assert (there.stacks, here.stacks) == (("a",), ("a[local]",))
    assert there.title.endswith("on 2 emulated hosts")
    assert here.title.endswith("within this computer")
    assert there.key != here.key


def test_a_share_of_the_wire_says_what_the_interval_of_the_half_round_trip_leaves_open() -> None:
    one = WireShare("a@1", 8, "", 100_000.0, 90_000.0, 120_000.0, 60_000.0, nan)
    half, ping, share, socket, other = hosts._describe_share(one)
    assert (half, ping, share) == ("100 µs (90.0 µs to 120 µs)", "60.0 µs", "60 % (50 % to 67 %)")
    assert (socket, other) == ("–", "–")
