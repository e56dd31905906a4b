"""The network of a lab as texts for ``ip -batch`` and ``tc -batch``. Pure; standard library alone (the keeper uses it).

Addresses are 10.99.x.y/16. Neighbour entries are permanent: the kernel's neighbour table is shared by all network
namespaces, and from about thirty hosts on it overflows when all talk to all ("No route to host").
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

BRIDGE = "switch"
_SECOND = "switch2"
UPLINK = ("up1", "up2")
"""The two ends of what joins two bridges."""
INTERFACE = "eth0"
_QUEUE_BYTES = 1_000_000
_LEAST_BURST_BYTES = 4600
"""Three frames: with less, tbf falls far below its rate at 100 Mbit/s."""


def address_of(number: int) -> str:
    """The address of the n-th host, from 1."""
    return f"10.99.{number >> 8}.{number & 255}"


def mac_of(number: int) -> str:
    """The hardware address of the n-th host."""
    return f"02:00:0a:63:{number >> 8:02x}:{number & 255:02x}"


def hosts_file(names: Sequence[str]) -> str:
    """What /etc/hosts holds in every host."""
    lines = ["127.0.0.1 localhost", *(f"{address_of(number)} {name}" for number, name in enumerate(names, start=1))]
    return "\n".join(lines) + "\n"


def bridge_batch(first_beyond: int = 0) -> str:
    """``ip``: a bridge; with ``first_beyond`` two, which an uplink joins."""
    bridges = [BRIDGE, *([_SECOND] if first_beyond else [])]
    lines = []
    for bridge in bridges:
        lines.append(f"link add {bridge} type bridge stp_state 0 forward_delay 0 mcast_snooping 0")
        lines.append(f"link set {bridge} up")
    if first_beyond:
        lines.append(f"link add {UPLINK[0]} type veth peer name {UPLINK[1]}")
        lines += [f"link set {end} master {bridge} up" for end, bridge in zip(UPLINK, bridges, strict=True)]
    return "\n".join(lines) + "\n"


def port_batch(pids: Mapping[int, int], first_beyond: int = 0) -> str:
    """``ip``: a port of the bridge for each host (number: process 1), whose other end is the host's interface.

    ``first_beyond``: this host and those after it are on the second bridge.
    """
    lines = []
    for number, pid in pids.items():
        bridge = _SECOND if first_beyond and number >= first_beyond else BRIDGE
        lines.append(f"link add p{number} type veth peer name {INTERFACE} netns {pid}")
        lines.append(f"link set p{number} master {bridge} up")
    return "\n".join(lines) + "\n"


def tap_batch(pids: Mapping[int, int]) -> str:
    """``ip``: devices of the switch in user space (``tap1`` ...) become interfaces of hosts (number: process 1)."""
    return "".join(f"link set tap{number} netns {pid} name {INTERFACE}\n" for number, pid in pids.items())


def host_batch(number: int, hosts: int) -> str:
    """``ip`` within the n-th host: its addresses, and where all the others are."""
    lines = [
        "link set lo up",
        f"link set {INTERFACE} address {mac_of(number)}",
        f"addr add {address_of(number)}/16 broadcast 10.99.255.255 dev {INTERFACE}",
        f"link set {INTERFACE} up",
    ]
    lines += [
        f"neigh replace {address_of(other)} lladdr {mac_of(other)} dev {INTERFACE} nud permanent"
        for other in range(1, hosts + 1)
        if other != number
    ]
    return "\n".join(lines) + "\n"


def rate_batch(devices: Sequence[str], rate_bits: int) -> str:
    """``tc``: no more than so many bits per second out of each device."""
    burst = max(_LEAST_BURST_BYTES, rate_bits // 40_000)
    text = f"root handle 1: tbf rate {rate_bits}bit burst {burst} limit {_QUEUE_BYTES}"
    return "".join(f"qdisc add dev {device} {text}\n" for device in devices)


def delay_batch(device: str, latency_ns: int, shaped: bool, lost_ppm: int = 0) -> str:
    """``tc``: every frame out of a device waits, and some are lost; below the rate where there is one (``shaped``)."""
    where = "parent 1: handle 2:" if shaped else "root handle 2:"
    loss = f" loss {lost_ppm / 10_000:g}%" if lost_ppm else ""
    return f"qdisc add dev {device} {where} netem delay {latency_ns / 1000:.3f}us{loss} limit 100000\n"
