"""Faults of a lab on purpose: as they are asked for, as the keeper gets them, and the orders that make them."""

from __future__ import annotations

import json

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from msgauge.errors import ToolError, UsageError
from msgauge.lab import wire_choice, wiring
from msgauge.lab.faults import (
    Faults,
    HostFault,
    from_plain,
    keeper_links,
    parse_loss,
    read_faults,
    read_uplink,
    to_plain,
)
from msgauge.lab.link import PRESETS, Link


def test_faults_of_one_host_are_gathered_from_all_options() -> None:
    faults = read_faults("n3:50Mbit,n1:1Mbit", "n3:200us", "n2:1.5%", hosts=3)
    assert faults.hosts == (
        HostFault(1, rate_bits=1_000_000),
        HostFault(2, lost_ppm=15_000),
        HostFault(3, rate_bits=50_000_000, late_ns=200_000),
    )
    assert faults.describe(3) == ("n1 at 1 Mbit/s; n2 loses 1.5 % of its frames each way; n3 at 50 Mbit/s, 200 µs late")


@pytest.mark.parametrize(
    "words",
    ["n4:50Mbit", "n0:50Mbit", "n1", "n1:fast", "x:50Mbit", "n1:50Mbit;reboot", "n1:1Mbit,", "n1:1Mbit,n1:2Mbit"],
)
def test_what_is_no_fault_of_these_hosts_is_refused(words: str) -> None:
    with pytest.raises(UsageError):
        read_faults(words, "", "", hosts=3)


@pytest.mark.parametrize("text", ["0%", "10.1%", "1", "-1%", "1e1%"])
def test_a_share_of_lost_frames_is_read_or_refused(text: str) -> None:
    assert parse_loss("0.25%") == 2500
    with pytest.raises(UsageError):
        parse_loss(text)


@given(st.text(max_size=30))
def test_any_words_are_read_or_refused(words: str) -> None:
    try:
        faults = read_faults(words, "", "", hosts=4)
    except UsageError:
        return
    assert all(1 <= fault.host <= 4 and fault.rate_bits > 0 for fault in faults.hosts)


def test_an_uplink_is_as_the_links_where_nothing_else_is_said() -> None:
    link = PRESETS["gigabit"]
    assert read_uplink(1, "", "", link, 4) is None
    assert read_uplink(2, "", "", link, 4) == Link(10**9, 20_000)
    assert read_uplink(2, "10Gbit", "1ms", link, 4) == Link(10**10, 1_000_000)
    for switches, rate, hosts in ((3, "", 4), (1, "1Gbit", 4), (2, "", 1)):
        with pytest.raises(UsageError):
            read_uplink(switches, rate, "", link, hosts)


def test_the_keeper_is_told_of_every_host_and_files_hold_the_same() -> None:
    faults = evolve(read_faults("n2:5Mbit", "n3:1ms", "n3:2%", hosts=3), uplink=Link(8000, 7))
    assert keeper_links(faults, 3, Link(100, 5)) == {
        "links": [(100, 0, 0), (5_000_000, 0, 0), (100, 1_000_000, 20_000)],
        "uplink": (3, 8000, 7),
    }
    assert from_plain(json.loads(json.dumps(to_plain(faults)))) == faults
    assert from_plain(json.loads(json.dumps(to_plain(Faults())))) == Faults()


def test_two_bridges_are_joined_by_an_uplink() -> None:
    batch = wiring.bridge_batch(first_beyond=3) + wiring.port_batch({1: 11, 2: 12, 3: 13}, first_beyond=3)
    assert batch.count(" type bridge ") == 2
    assert [line for line in batch.splitlines() if "master switch2" in line] == [
        "link set up2 master switch2 up",
        "link set p3 master switch2 up",
    ]
    assert "switch2" not in wiring.bridge_batch() + wiring.port_batch({1: 11})


def test_netem_delays_and_loses() -> None:
    assert wiring.delay_batch("p3", 200_000, shaped=True, lost_ppm=15_000).endswith(
        "delay 200.000us loss 1.5% limit 100000\n"
    )


def test_a_kernel_that_cannot_lose_frames_is_refused_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither netem nor TAP: a slow link can still be made, a late or lossy host cannot."""
    monkeypatch.setattr(wire_choice.subprocess, "run", lambda *_, **__: type("Done", (), {"returncode": 2}))
    monkeypatch.setattr(wire_choice.os, "access", lambda *_: False)
    slow, lossy = read_faults("n1:1Mbit", "", "", 2), read_faults("", "", "n1:1%", 2)
    assert wire_choice.choose_wire(PRESETS["bare"], slow) == "bridge"
    with pytest.raises(ToolError, match="neither delay nor lose"):
        wire_choice.choose_wire(PRESETS["bare"], lossy)
