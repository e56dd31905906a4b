"""Whether hosts reach each other's ports, as ranks will: a firewall between hosts that ssh passes stops every MPI.

On all hosts at once a small program listens on one port of the range from which systems hand ports out, the same
everywhere, and connects to that port of every other host. It needs python3 there.
"""

from __future__ import annotations

import os
import secrets
import shlex
import subprocess
import time
from collections.abc import Mapping, Sequence

from attrs import field, frozen

from msgauge.execution.host_access import HostAccess
from msgauge.model import Command

_PATIENCE_S = 15.0
_PATIENCE_OF_HOST_S = 0.3
_GRACE_S = 20.0
_LOWEST, _PORTS = 32768, 28000
PROBE = """
import errno, select, socket, sys, time
port, limit, peers = int(sys.argv[1]), time.monotonic() + float(sys.argv[2]), sys.argv[3:]
server = socket.socket()
server.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
server.bind(("", port))
server.listen(512)
came, left, calls, why = 0, dict.fromkeys(peers, 0.0), {}, {}
while time.monotonic() < limit and (left or calls or came < len(peers)):
    for name in [one for one, at in left.items() if at <= time.monotonic()]:
        del left[name]
        call = socket.socket()
        call.setblocking(False)
        try:
            code = call.connect_ex((socket.gethostbyname(name), port))
            if code not in (0, errno.EINPROGRESS):
                raise OSError(code, "no way there (" + errno.errorcode.get(code, str(code)) + ")")
            calls[call], why[name] = name, "no answer"
        except OSError as error:
            why[name] = error.strerror or str(error)
            call.close()
    readable, writable, _ = select.select([server], list(calls), [], 0.1)
    if readable:
        server.accept()[0].close()
        came += 1
    for call in writable:
        name, code = calls.pop(call), call.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR)
        call.close()
        if code:  # refused: its program may not listen yet
            why[name], left[name] = errno.errorcode.get(code, str(code)), time.monotonic() + 0.2
        else:
            del why[name]
for name, reason in why.items():
    print("closed", name, reason)
print("tried", len(peers))
"""


@frozen
class PortSurvey:
    """Ways between hosts that are closed, and hosts that could not try."""

    closed: Mapping[tuple[str, str], str] = field(factory=dict)
    """(from, to): what came of it."""
    untried: Mapping[str, str] = field(factory=dict)
    """Hosts on which nothing could be tried, each with the reason."""


def survey_ports(access: HostAccess) -> PortSurvey:
    """Try every way between two hosts, all at once."""
    names, port = access.reach.hosts.names, _LOWEST + secrets.randbelow(_PORTS)
    limit_s = _PATIENCE_S + _PATIENCE_OF_HOST_S * len(names)
    running = {name: _start(access, name, [other for other in names if other != name], port, limit_s) for name in names}
    closed, untried = dict[tuple[str, str], str](), dict[str, str]()
    until = time.monotonic() + limit_s + _GRACE_S
    for name, process in running.items():
        try:
            said, wrong = process.communicate(timeout=max(0.1, until - time.monotonic()))
        except subprocess.TimeoutExpired:
            process.kill()
            said, wrong = process.communicate()
        found = parse_closed(said)
        if found is None:
            untried[name] = (wrong.strip() or "it did not answer").splitlines()[-1][:200]
        else:
            closed |= {(name, other): why for other, why in found.items()}
    return PortSurvey(closed, untried)


def parse_closed(said: str) -> Mapping[str, str] | None:
    """Hosts that one could not connect to, each with the reason; None where it did not come to its end."""
    lines = [line.split(" ", 2) for line in said.splitlines()]
    if not any(words[0] == "tried" for words in lines):
        return None
    return {words[1]: words[2][:80] for words in lines if words[0] == "closed" and len(words) == 3}


def _start(access: HostAccess, name: str, others: Sequence[str], port: int, limit_s: float) -> subprocess.Popen[str]:
    words = shlex.join(["python3", "-I", "-S", "-c", PROBE, str(port), str(limit_s), *others])
    command = access.command(Command((access.reach.agent, name, f"exec {words}"), folder="/"))
    return subprocess.Popen(
        command.argv,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        errors="replace",
        env={**os.environ, **dict(command.environment)},
    )
