"""What the bare link between two hosts of a lab gives, by a minimal program over TCP."""

from __future__ import annotations

import re
import select
import subprocess
from contextlib import suppress

from attrs import frozen

from msgauge.errors import LaunchError
from msgauge.execution.own_program import compile_program
from msgauge.lab.emulation import Lab

_LIMIT_S = 20.0
_ANSWER = re.compile(r"half_round_trip_ns=(\d+) bytes_per_s=(\d+)")


@frozen
class BareLink:
    """The median half round trip of 8 bytes, and the rate of one long transfer, both of a plain blocking socket."""

    half_round_trip_ns: float
    bytes_per_s: float


def probe_link(lab: Lab, last: int = -1) -> BareLink | None:
    """Measure the link from the first host to the last, or another; None with one host alone, or without a compiler.

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
            return _probe(lab, str(program), server, last)
        finally:
            server.kill()


def _probe(lab: Lab, program: str, server: subprocess.Popen[str], last: int) -> BareLink:
    assert server.stdout is not None
    port = server.stdout.readline().strip() if select.select([server.stdout], [], [], _LIMIT_S)[0] else ""
    said = ""
    with suppress(OSError, subprocess.SubprocessError):
        argv = lab.argv_on(lab.hosts[0], [program, lab.addresses()[last], port])
        done = subprocess.run(
            argv, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=_LIMIT_S, check=False
        )
        said = f"{done.stdout}{done.stderr}"
    match = _ANSWER.search(said)
    if match is None:
        hosts = f"{lab.hosts[0]} and {lab.hosts[last]}"
        raise LaunchError(f"{hosts} of the lab do not reach each other: {said.strip() or 'no answer'}", where=lab.name)
    return BareLink(float(match.group(1)), float(match.group(2)))
