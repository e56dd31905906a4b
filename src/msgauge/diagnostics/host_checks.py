"""Whether several hosts suit one measurement: what differs between them, each with its remedy. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from msgauge import units
from msgauge.diagnostics.checks import LEVELS, Diagnosis, Level
from msgauge.diagnostics.port_survey import PortSurvey
from msgauge.execution.host_survey import HostFacts

_ALIKE: Mapping[str, tuple[str, Level, str]] = {
    "machine": ("architecture", "problem", "leave these hosts out: one worker does not run on both"),
    "libc": ("C library", "caution", "install the same release of the system on all hosts, or build on the oldest"),
    "kernel": ("kernel", "caution", "boot the same kernel everywhere, or say in the report that they differ"),
    "processor": ("processor", "caution", "take hosts of one kind, or compare stacks on equal hosts only"),
    "cores": (
        "number of processors",
        "caution",
        "give each host its own number of ranks (n1:8,n2:16), or leave it out",
    ),
    "clocksource": ("clock source", "caution", "set the same one: /sys/devices/system/clocksource/clocksource0"),
    "governor": ("frequency governor", "caution", "cpupower frequency-set -g performance on each host"),
    "congestion": ("congestion control", "caution", "sysctl net.ipv4.tcp_congestion_control=... on each host"),
    "interface": ("interface of the route", "caution", "name the stacks' interface yourself, or alike on all hosts"),
    "mtu": ("MTU", "problem", "ip link set dev INTERFACE mtu ... on each host: packets are lost or split between them"),
    "speed": ("speed of the link, Mbit/s", "problem", "look at cable, port and autonegotiation: ethtool INTERFACE"),
}
"""What should be the same everywhere: its name, how bad a difference is, and what to do."""
_FEW_MS = 50_000_000
_MOST_WAYS = 12
_OPEN = "let firewalls of the hosts pass TCP between them on ports from 1024 on, and look at routes and names"


def examine_hosts(
    hosts: Sequence[HostFacts], stacks: Mapping[str, Sequence[str]], ports: PortSurvey | None = None
) -> tuple[Diagnosis, ...]:
    """All findings, the most severe first. ``stacks``: the files of each stack that were asked for."""
    answered = [host for host in hosts if not host.silence]
    found = [_answers(hosts)]
    if answered:
        found += [_alike(answered, key, *_ALIKE[key]) for key in _ALIKE]
        found += [_links(answered), _clocks(answered)]
        found += [_ports(ports, [host.name for host in answered])] if ports and len(answered) > 1 else []
        found += [_stack(answered, stack, files) for stack, files in stacks.items()]
    return tuple(sorted(found, key=lambda one: LEVELS.index(one.level)))


def _answers(hosts: Sequence[HostFacts]) -> Diagnosis:
    silent = [host for host in hosts if host.silence]
    if not silent:
        return Diagnosis("hosts", "fine", f"all of {units.format_count(len(hosts), 'host')} answer")
    told = "; ".join(f"{host.name}: {host.silence}" for host in silent)
    remedy = "look whether these hosts are up, or leave them out"
    return Diagnosis("hosts", "problem", f"{len(silent)} of {len(hosts)} hosts do not answer: {told}", remedy)


def _alike(hosts: Sequence[HostFacts], key: str, name: str, level: Level, remedy: str) -> Diagnosis:
    values = {host.name: host.said.get(key, "") for host in hosts}
    if not any(values.values()):
        return Diagnosis(f"host-{key}", "fine", f"{name}: no host tells")
    usual, _ = Counter(values.values()).most_common(1)[0]
    others = {host: value for host, value in values.items() if value != usual}
    if not others:
        return Diagnosis(f"host-{key}", "fine", f"{name}: {usual} on all")
    told = "; ".join(f"{value or 'not told'} on {', '.join(group)}" for value, group in _by_value(others))
    most = units.format_count(len(hosts) - len(others), "host")
    message = f"{name} differs: {usual or 'not told'} on {most}, {told}"
    return Diagnosis(f"host-{key}", level, message, remedy, tuple(values.items()))


def _by_value(values: Mapping[str, str]) -> Iterator[tuple[str, list[str]]]:
    for value in dict.fromkeys(values.values()):
        yield value, [host for host, own in values.items() if own == value]


def _links(hosts: Sequence[HostFacts]) -> Diagnosis:
    bad = []
    for host in hosts:
        if host.said.get("link", "up") in ("down", "lowerlayerdown", "notpresent"):
            bad.append(f"{host.name} is {host.said['link']}")
        elif host.said.get("duplex") == "half":
            bad.append(f"{host.name} has half duplex")
    if bad:
        remedy = "look at cable, port and autonegotiation: ethtool INTERFACE"
        return Diagnosis("host-links", "problem", f"links: {', '.join(bad)}", remedy)
    return Diagnosis("host-links", "fine", "no link is down or of half duplex")


def _ports(ports: PortSurvey, hosts: Sequence[str]) -> Diagnosis:
    """Ways between hosts on a port such as ranks listen on; a host that nobody reaches is named once.

    Where a host could not try, nothing listened either: that nobody reached it says nothing of a firewall.
    """
    untried = {name: ports.untried[name] for name in hosts if name in ports.untried}
    tried = [name for name in hosts if name not in untried]
    closed = {way: why for way, why in ports.closed.items() if set(way) <= set(tried)}
    heard = Counter(to for _, to in closed)
    deaf = [name for name, count in heard.items() if count == len(tried) - 1 and len(tried) > 2]
    ways = [f"{one} to {to} ({why})" for (one, to), why in closed.items() if to not in deaf]
    parts = [f"no host reaches {', '.join(deaf)}"] if deaf else []
    parts += [f"closed: {', '.join(ways[:_MOST_WAYS])}{', ...' if len(ways) > _MOST_WAYS else ''}"] if ways else []
    parts += [f"not tried on {'; '.join(f'{name}: {why}' for name, why in untried.items())}"] if untried else []
    if not parts:
        return Diagnosis(
            "host-ports", "fine", "every host that answered reaches every other one on a port such as ranks listen on"
        )
    remedies = [_OPEN] if closed else []
    remedies += [f"install python3 on {', '.join(untried)}, or mend the reason that is named"] if untried else []
    evidence = {f"{one} to {to}": why for (one, to), why in closed.items()} | untried
    level: Level = "problem" if closed else "unknown"
    return Diagnosis(
        "host-ports", level, f"ranks' ports: {'; '.join(parts)}", "; ".join(remedies), tuple(evidence.items())
    )


def _clocks(hosts: Sequence[HostFacts]) -> Diagnosis:
    """Wall clocks; what measurements use is synchronised by the ranks themselves."""
    apart = [host for host in hosts if abs(host.clock_ahead_ns) - host.clock_error_ns > _FEW_MS]
    told = tuple(
        (host.name, f"{units.format_time(host.clock_ahead_ns)} ±{units.format_time(host.clock_error_ns)}")
        for host in hosts
    )
    if not apart:
        most = max(host.clock_error_ns for host in hosts)
        return Diagnosis("host-clocks", "fine", f"wall clocks agree within ±{units.format_time(most)}", evidence=told)
    listed = ", ".join(
        f"{host.name} {'ahead' if host.clock_ahead_ns > 0 else 'behind'} "
        f"by {units.format_time(abs(host.clock_ahead_ns))} ±{units.format_time(host.clock_error_ns)}"
        for host in apart
    )
    remedy = "let chrony or ntpd set them; times of measurements do not depend on it, logs and files do"
    return Diagnosis("host-clocks", "caution", f"wall clocks differ from this computer's: {listed}", remedy, told)


def _stack(hosts: Sequence[HostFacts], stack: str, files: Sequence[str]) -> Diagnosis:
    code = f"host-stack-{stack}"
    lacking = [host.name for host in hosts if any(not host.files.get(file) for file in files)]
    usual = Counter(tuple(host.files.get(file, "") for file in files) for host in hosts if host.name not in lacking)
    other = [
        host.name
        for host in hosts
        if host.name not in lacking and tuple(host.files.get(file, "") for file in files) != usual.most_common(1)[0][0]
    ]
    if not lacking and not other:
        return Diagnosis(code, "fine", f"{stack} is the same on all")
    parts = [f"is missing on {', '.join(lacking)}"] if lacking else []
    parts += [f"is another build on {', '.join(other)}"] if other else []
    remedy = "install the same version there; what msgauge installed itself it copies by ssh"
    return Diagnosis(code, "problem", f"{stack} {' and '.join(parts)}", remedy)
