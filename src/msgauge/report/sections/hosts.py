"""The hosts of a run: what they are, what differs, what the bare link between them gives, and the wire's share."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from math import isfinite

from attrs import frozen
from markupsafe import Markup

from msgauge import units
from msgauge.analysis.findings.wire_share import WireShare, find_wire_shares, read_points
from msgauge.report import phrasing
from msgauge.report.template import fill
from msgauge.report.view import RunView

order = 13
title = "The hosts"
brief = True
_NAMES = {
    "libc": "C library",
    "cores": "processors",
    "congestion": "congestion control",
    "clocksource": "clock source",
    "mtu": "MTU",
    "speed": "speed of the interface, Mbit/s",
}
_VIRTUAL = frozenset({"speed", "duplex", "link"})
"""What an interface of an emulated host says of itself, and is not so: the network's line has its rate."""
_MOST_NAMED = 8


@frozen
class HostFact:
    """One fact of the hosts: what most of them say, and who says something else."""

    name: str
    usual: str
    others: str


@frozen
class BareRow:
    """What the bare link gives at one size."""

    size_bytes: int
    ping: str
    socket: str


def applies(view: RunView) -> bool:
    """Whether ranks stood on hosts."""
    return bool(view.plan.hosts.names)


def render(view: RunView) -> Markup:
    """Where ranks stood, one table of all hosts, the bare link, and the wire's share of what was measured."""
    hosts = view.plan.hosts
    return fill(
        "hosts.html",
        where=phrasing.describe_hosts(hosts, {}),
        clocks=phrasing.describe_clocks(view.records),
        emulated=hosts.emulated,
        count=len(hosts.names),
        names=_name_hosts(hosts.names),
        facts=list(_compare_hosts(view.host_survey, _VIRTUAL if hosts.emulated else frozenset())),
        silent=[name for name, said in view.host_survey.items() if not said],
        bare=_list_bare(view.hosts),
        rate=_describe_rate(view.hosts),
        shares=[(one, _describe_share(one)) for one in _find_shares(view)],
        mapped=bool(view.maps),
    )


def _find_shares(view: RunView) -> tuple[WireShare, ...]:
    found = find_wire_shares(view.plan, view.kernels, view.hosts, view.analysis.estimates)
    return tuple(sorted(found, key=lambda one: (one.size_bytes, one.marks, one.half_round_trip_ns)))


def _describe_share(one: WireShare) -> tuple[str, str, str, str, str]:
    """Half round trip with its interval, ping, wire's share, minimal TCP program, its share."""
    interval = f"{units.format_time(one.low_ns)} to {units.format_time(one.high_ns)}"
    half = f"{units.format_time(one.half_round_trip_ns)} ({interval})"
    ping, socket = ((units.format_time(time), _describe_part(one, time)) for time in (one.ping_ns, one.socket_ns))
    return half, *ping, *socket


def _describe_part(one: WireShare, time_ns: float) -> str:
    """``60 % (55 % to 67 %)``: a share of the half round trip, with what the interval of that leaves open."""
    if not isfinite(time_ns):
        return "–"
    share, low, high = (
        units.format_percent(round(time_ns / half, 2)) if half > 0 else "–"
        for half in (one.half_round_trip_ns, one.high_ns, one.low_ns)
    )
    return f"{share} ({low} to {high})"


def _list_bare(facts: Mapping[str, str]) -> list[BareRow]:
    pings = dict(read_points(facts.get("bare_half_pings_ns", "")))
    sockets = read_points(facts.get("bare_half_round_trips_ns", ""))
    return [
        BareRow(size, units.format_time(pings[size]) if size in pings else "–", units.format_time(time_ns))
        for size, time_ns in sockets
    ]


def _describe_rate(facts: Mapping[str, str]) -> str:
    rate = facts.get("bare_bytes_per_s", "")
    return units.format_rate(float(rate)) if rate.isdecimal() else ""


def _compare_hosts(survey: Mapping[str, Mapping[str, str]], without: frozenset[str]) -> Iterator[HostFact]:
    """One line for each fact that any host told; ``others`` is empty where all say the same."""
    spoke = {name: said for name, said in survey.items() if said}
    for key in dict.fromkeys(key for said in spoke.values() for key in said if key not in without):
        values = {name: _format_fact(key, said.get(key, "")) for name, said in spoke.items()}
        ((usual, _),) = Counter(values.values()).most_common(1)
        odd: dict[str, list[str]] = {}
        for name, value in values.items():
            if value != usual:
                odd.setdefault(value or "not told", []).append(name)
        others = "; ".join(f"{_name_hosts(names)}: {value}" for value, names in odd.items())
        if usual or others:
            yield HostFact(_NAMES.get(key, key.replace("_", " ")), usual or "not told", others)


def _format_fact(key: str, value: str) -> str:
    """The kernel tells memory as ``24683656 kB``, by 1024."""
    number, _, unit = value.partition(" ")
    if key == "memory" and unit == "kB" and number.isdecimal():
        return units.format_amount(1024 * int(number))
    return value


def _name_hosts(names: Sequence[str]) -> str:
    """``n1, n2, n3``; of many the first and the last."""
    return ", ".join(names) if len(names) <= _MOST_NAMED else f"{', '.join(names[:3])} ... {names[-1]}"
