"""What the bare link between two hosts of a lab gives, by a minimal program over TCP and by pings."""

from __future__ import annotations

import re
import select
import subprocess
from collections.abc import Sequence

from attrs import frozen

from msgauge.errors import LaunchError
from msgauge.execution.own_program import compile_program
from msgauge.lab.emulation import Lab

_LIMIT_S = 20.0
_LONGEST_S = 60.0
"""At 1 Mbit/s what waits in the buffers of one transfer takes half of it."""
SMALLEST = (8,)
_SIZES = (*SMALLEST, 64, 512, 1024, 4096, 16384, 65536)
_SERIES = re.compile(r"bytes=(\d+) half_round_trip_ns=(\d+)(?: half_ping_ns=(\d+))?")
_RATE = re.compile(r"bytes_per_s=(\d+)")


@frozen
class Exchange:
    """Messages of one size, there and back: medians of half of it."""

    size_bytes: int
    half_round_trip_ns: float
    """By plain sockets of TCP, blocking or polled, whichever is faster."""
    half_ping_ns: float = 0.0
    """By ICMP echo, answered by the other kernel; 0 where that was not measured."""


@frozen
class BareLink:
    """What the link gives without a library: exchanges of several sizes, the smallest first, and one long transfer."""

    exchanges: tuple[Exchange, ...]
    bytes_per_s: float

    @property
    def half_round_trip_ns(self) -> float:
        """That of the smallest message."""
        return self.exchanges[0].half_round_trip_ns


def probe_link(lab: Lab, last: int = -1, sizes: Sequence[int] = _SIZES) -> BareLink | None:
    """Measure the link from the first host to the last, or another; None with one host alone, or without a compiler.

    ``sizes``: of the exchanges, the smallest first.

    Raises:
        LaunchError: the hosts do not reach each other.
    """
    program = compile_program("link_probe")
    if len(lab.hosts) < 2 or program is None:
        return None
    lab.share([program.parent])
    argv = lab.argv_on(lab.hosts[last], [str(program), "serve"])
    with subprocess.Popen(argv, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True) as server:
        try:
            return _probe(lab, str(program), sizes, server, last)
        finally:
            server.kill()


def _probe(lab: Lab, program: str, sizes: Sequence[int], server: subprocess.Popen[str], last: int) -> BareLink:
    assert server.stdout is not None
    port = server.stdout.readline().strip() if select.select([server.stdout], [], [], _LIMIT_S)[0] else ""
    argv = lab.argv_on(lab.hosts[0], [program, lab.addresses()[last], port, *map(str, sizes)])
    said = _run_probe(argv)
    found = tuple(Exchange(int(size), float(half), float(ping or 0)) for size, half, ping in _SERIES.findall(said))
    rate = _RATE.search(said)
    hosts = f"{lab.hosts[0]} and {lab.hosts[last]}"
    if not found:
        what = f"{hosts} of the lab do not reach each other: {said.strip() or 'no answer'}"
        raise LaunchError(what, where=lab.name, remedy="mend what was cut (msgauge lab mend HOST), or make another lab")
    if rate is None:
        what = f"the link between {hosts} is too slow: one transfer did not end within {_LONGEST_S:g} s"
        raise LaunchError(what, where=lab.name, remedy="make a lab with less latency, fewer lost frames or more rate")
    return BareLink(found, float(rate.group(1)))


def _run_probe(argv: Sequence[str]) -> str:
    """What the client says, also where it is ended at the limit; nothing where it cannot be started."""
    try:
        said = subprocess.run(
            argv,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=_LONGEST_S,
            check=False,
        ).stdout
    except subprocess.TimeoutExpired as late:
        said = late.stdout or b""
    except OSError:
        said = b""
    return said.decode(errors="replace")
