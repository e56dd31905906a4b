"""Networks by name and by numbers, and the orders for ip and tc that make them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from msgauge.errors import UsageError
from msgauge.lab import wiring
from msgauge.lab.emulation import check_name
from msgauge.lab.link import PRESETS, find_preset, parse_latency, parse_rate


def test_a_network_has_its_rate_and_its_latency() -> None:
    assert (find_preset("Gigabit").rate_bits, find_preset("gigabit").latency_ns) == (1_000_000_000, 20_000)
    assert str(PRESETS["100baset"]) == "100 Mbit/s, latency 30.0 µs"
    with pytest.raises(UsageError, match="gigabit"):
        find_preset("gigabyte")


@pytest.mark.parametrize(("text", "bits"), [("1Gbit", 10**9), ("100 Mbit/s", 10**8), ("2.5gbit", 2_500_000_000)])
def test_rates_are_read_in_bits(text: str, bits: int) -> None:
    assert parse_rate(text) == bits


@pytest.mark.parametrize("text", ["1", "1GB", "0Gbit", "900Gbit", "-1Gbit", "1Gbit; reboot"])
def test_what_is_no_rate_is_refused(text: str) -> None:
    with pytest.raises(UsageError):
        parse_rate(text)


def test_latencies_are_read_in_nanoseconds() -> None:
    assert (parse_latency("20us"), parse_latency("1.5ms"), parse_latency("0")) == (20_000, 1_500_000, 0)
    with pytest.raises(UsageError):
        parse_latency("2s")


@given(st.text(max_size=40))
def test_only_plain_names_name_a_lab(text: str) -> None:
    """A name becomes part of a path and of shell scripts: whatever passes holds letters, digits and '-' alone."""
    try:
        name = check_name(text)
    except UsageError:
        return
    assert name.isascii() and name.replace("-", "a").isalnum() and name == name.lower() and not name.startswith("-")


def test_every_host_has_an_address_of_its_own() -> None:
    addresses = [wiring.address_of(number) for number in range(1, 501)]
    macs = [wiring.mac_of(number) for number in range(1, 501)]
    assert len(set(addresses)) == len(set(macs)) == 500
    assert wiring.address_of(300) == "10.99.1.44"


def test_every_host_knows_where_all_others_are() -> None:
    batch = wiring.host_batch(2, 4)
    assert [line.split()[2] for line in batch.splitlines() if line.startswith("neigh")] == [
        wiring.address_of(number) for number in (1, 3, 4)
    ]


def test_a_limit_of_rate_lets_three_frames_pass_at_once_or_a_fraction_of_a_millisecond() -> None:
    assert "burst 4600 " in wiring.rate_batch(["eth0"], 100_000_000)
    assert "burst 25000 " in wiring.rate_batch(["eth0"], 1_000_000_000)


def test_a_delay_stands_below_the_rate() -> None:
    assert wiring.delay_batch("eth0", 20_000, shaped=True).split()[4:] == (
        ["parent", "1:", "handle", "2:", "netem", "delay", "20.000us", "limit", "100000"]
    )
    assert "root" in wiring.delay_batch("eth0", 20_000, shaped=False)
