"""What joins the hosts of a lab: rate and latency, by the name of a network or by numbers. Pure."""

from __future__ import annotations

import re

from attrs import frozen

from msgauge import units
from msgauge.errors import UsageError, hint_nearest


@frozen
class Link:
    """A full-duplex link of every host to one switch; 0 where nothing is limited or added.

    ``latency_ns`` is what the network adds to a frame one way, besides its serialisation.
    """

    rate_bits: int = 0
    latency_ns: int = 0
    name: str = ""

    def __str__(self) -> str:
        rate = f"{format_rate(self.rate_bits)}" if self.rate_bits else "no limit of rate"
        latency = f"latency {units.format_time(self.latency_ns)}" if self.latency_ns else "no latency added"
        return f"{rate}, {latency}"


PRESETS = {
    "bare": Link(0, 0, "bare"),
    "100baset": Link(100_000_000, 30_000, "100baset"),
    "gigabit": Link(1_000_000_000, 20_000, "gigabit"),
    "10gbe": Link(10_000_000_000, 10_000, "10gbe"),
    "25gbe": Link(25_000_000_000, 5_000, "25gbe"),
    "wan": Link(100_000_000, 5_000_000, "wan"),
}
_RATE = re.compile(r"(\d+(?:\.\d+)?)\s*([kmg]?)(?:bit|bit/s|bps)", re.IGNORECASE | re.ASCII)
_MOST_BITS = 400_000_000_000
_MOST_LATENCY_NS = 1_000_000_000


def find_preset(word: str) -> Link:
    """The link of a named network.

    Raises:
        UsageError: no such name.
    """
    link = PRESETS.get(word.lower())
    if link is None:
        near = hint_nearest(word, PRESETS)
        remedy = f"did you mean {near!r}?" if near else f"known are: {', '.join(PRESETS)}"
        raise UsageError(f"there is no network {word!r}", remedy=remedy)
    return link


def parse_rate(text: str) -> int:
    """``1Gbit`` in bits per second.

    Raises:
        UsageError: not a rate, or one that no link has.
    """
    match = _RATE.fullmatch(text.strip())
    bits = round(float(match.group(1)) * {"": 1, "k": 1e3, "m": 1e6, "g": 1e9}[match.group(2).lower()]) if match else 0
    if not 8_000 <= bits <= _MOST_BITS:
        raise UsageError(
            f"cannot read the rate {text!r}", remedy="write for example 100Mbit or 1Gbit (8kbit to 400Gbit)"
        )
    return bits


def parse_latency(text: str) -> int:
    """``20us`` in nanoseconds.

    Raises:
        UsageError: not a duration, or more than a second.
    """
    latency = round(units.parse_duration_s(text) * 1e9) if text.strip() != "0" else 0
    if not 0 <= latency <= _MOST_LATENCY_NS:
        raise UsageError(f"a latency of {text} is not between 0 and 1 s", remedy="write for example 20us")
    return latency


def format_rate(bits: int) -> str:
    """``1 Gbit/s``."""
    for scale, unit in ((1e9, "Gbit/s"), (1e6, "Mbit/s"), (1e3, "kbit/s")):
        if bits >= scale:
            return f"{bits / scale:g} {unit}"
    return f"{bits} bit/s"
