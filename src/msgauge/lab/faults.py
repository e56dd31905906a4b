"""What is wrong with a lab on purpose: a slow link, a late or lossy host, hosts on two switches. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from attrs import evolve, frozen

from msgauge import units
from msgauge.errors import UsageError
from msgauge.lab.link import Link, format_rate, parse_latency, parse_rate

_LOSS = re.compile(r"(\d{1,2}(?:\.\d{1,4})?)\s*%", re.ASCII)
_EXAMPLES = {"--slow": "50Mbit", "--late": "200us", "--lossy": "1%"}
_Value = TypeVar("_Value")


@frozen
class HostFault:
    """How the link of one host differs from those of the others."""

    host: int
    """Its number, from 1."""
    rate_bits: int = 0
    """0: the rate of all links."""
    late_ns: int = 0
    """What every frame to or from this host takes longer, one way."""
    lost_ppm: int = 0
    """So many frames of a million are lost on the way to this host, and as many on the way from it."""


@frozen
class Faults:
    """Everything that makes the hosts of a lab unlike each other; nothing, usually."""

    hosts: tuple[HostFault, ...] = ()
    uplink: Link | None = None
    """What joins two switches, each with half of the hosts; None: all hosts are on one switch."""

    def __bool__(self) -> bool:
        return bool(self.hosts or self.uplink)

    def of_host(self, number: int) -> HostFault:
        """What is wrong with the n-th host's link."""
        return next((fault for fault in self.hosts if fault.host == number), HostFault(number))

    def delays(self) -> bool:
        """Whether frames are to wait or to be lost, which a limit of rate alone cannot do."""
        held = any(fault.late_ns or fault.lost_ppm for fault in self.hosts)
        return held or (self.uplink is not None and self.uplink.latency_ns > 0)

    def describe(self, hosts: int) -> str:
        """``n3 at 50 Mbit/s; n5 200 µs late``: in words; '' where nothing is wrong."""
        words = [_describe_host(fault) for fault in self.hosts]
        if self.uplink is not None:
            first = first_beyond(hosts)
            words.append(f"{_span(1, first - 1)} and {_span(first, hosts)} on two switches, uplink {self.uplink}")
        return "; ".join(words)


def describe_network(link: Link, faults: Faults | None = None, hosts: int = 0) -> str:
    """``emulated gigabit (1 Gbit/s, latency 20 µs; on purpose: ...)``: how every report names it."""
    wrong = f"; on purpose: {faults.describe(hosts)}" if faults else ""
    return f"emulated {link.name or 'network'} ({link}{wrong})"


def _span(first: int, last: int) -> str:
    return f"n{first}" if first == last else f"n{first} to n{last}"


def first_beyond(hosts: int) -> int:
    """The first host on the second of two switches."""
    return (hosts + 1) // 2 + 1


def read_faults(slow: str, late: str, lossy: str, hosts: int) -> Faults:
    """The faults that a command line asks for: each a list ``n3:50Mbit,n7:10Mbit``.

    Raises:
        UsageError: no such host, or no such rate, latency or share.
    """
    found: dict[int, HostFault] = {}
    for number, rate in _read_list("--slow", slow, hosts, parse_rate):
        found[number] = evolve(found.get(number, HostFault(number)), rate_bits=rate)
    for number, latency in _read_list("--late", late, hosts, parse_latency):
        found[number] = evolve(found.get(number, HostFault(number)), late_ns=latency)
    for number, lost in _read_list("--lossy", lossy, hosts, parse_loss):
        found[number] = evolve(found.get(number, HostFault(number)), lost_ppm=lost)
    return Faults(tuple(found[number] for number in sorted(found)))


def read_uplink(switches: int, rate: str, latency: str, link: Link, hosts: int) -> Link | None:
    """What joins the switches, as the link of the hosts where nothing else is said; None for one switch.

    Raises:
        UsageError: another number of switches than 1 or 2, too few hosts, or an uplink without a second switch.
    """
    if switches not in (1, 2):
        raise UsageError(f"a lab has one switch or two, not {switches}", remedy="write --switches 2")
    if switches == 1:
        if rate or latency:
            raise UsageError("an uplink joins two switches", remedy="add --switches 2")
        return None
    if hosts < 2:
        raise UsageError(
            "two switches need two hosts or more", remedy="write --hosts 2 or more, or leave out --switches"
        )
    found = evolve(link, name="")
    found = evolve(found, rate_bits=parse_rate(rate)) if rate else found
    return evolve(found, latency_ns=parse_latency(latency)) if latency else found


def parse_loss(text: str) -> int:
    """``1%`` in frames of a million.

    Raises:
        UsageError: not a share between 0 and 10 %; where more is lost, TCP takes minutes to connect.
    """
    match = _LOSS.fullmatch(text.strip())
    lost = round(float(match.group(1)) * 10_000) if match else 0
    if not 1 <= lost <= 100_000:
        raise UsageError(f"cannot read the share {text!r} of lost frames", remedy="write for example 1% (at most 10%)")
    return lost


def keeper_links(faults: Faults, hosts: int, link: Link) -> dict[str, Any]:
    """For the keeper: rate, lateness and loss of each host's link; first host beyond the uplink, rate, latency."""
    found = [faults.of_host(number) for number in range(1, hosts + 1)]
    links = [(fault.rate_bits or link.rate_bits, fault.late_ns, fault.lost_ppm) for fault in found]
    uplink = faults.uplink
    return {"links": links, "uplink": (first_beyond(hosts), uplink.rate_bits, uplink.latency_ns) if uplink else None}


def to_plain(faults: Faults) -> dict[str, Any]:
    """The same for JSON; ``from_plain`` reads it back."""
    uplink = faults.uplink
    return {
        "hosts": [[one.host, one.rate_bits, one.late_ns, one.lost_ppm] for one in faults.hosts],
        "uplink": [uplink.rate_bits, uplink.latency_ns] if uplink else None,
    }


def from_plain(plain: Mapping[str, Any]) -> Faults:
    """Faults out of JSON. Raises LookupError or TypeError where it is none of ours."""
    uplink = Link(*plain["uplink"]) if plain["uplink"] else None
    return Faults(tuple(HostFault(*one) for one in plain["hosts"]), uplink)


def _read_list(option: str, words: str, hosts: int, read: Callable[[str], _Value]) -> Sequence[tuple[int, _Value]]:
    found: list[tuple[int, _Value]] = []
    for word in (part.strip() for part in words.split(",")) if words.strip() else ():
        name, colon, value = word.partition(":")
        if not word:
            raise UsageError(
                f"{option} {words!r} has a comma with nothing beside it",
                remedy="write what is missing, or leave it out",
            )
        number = int(name[1:]) if re.fullmatch(r"n[0-9]{1,4}", name, re.ASCII) else 0
        if not colon or not 1 <= number <= hosts:
            raise UsageError(
                f"{option} {word!r} names no host of n1 to n{hosts}",
                remedy=f"write for example {option} n1:{_EXAMPLES[option]}",
            )
        if number in (known for known, _ in found):
            raise UsageError(f"{option} {words!r} names {name} twice", remedy="name each host once")
        found.append((number, read(value)))
    return found


def _describe_host(fault: HostFault) -> str:
    parts = [
        f"at {format_rate(fault.rate_bits)}" if fault.rate_bits else "",
        f"{units.format_time(fault.late_ns)} late" if fault.late_ns else "",
        f"loses {fault.lost_ppm / 10_000:g} % of its frames each way" if fault.lost_ppm else "",
    ]
    return f"n{fault.host} " + ", ".join(filter(None, parts))
