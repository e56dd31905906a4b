"""The network of a lab as its keeper makes it: bridge or switch, links, and what happens to links later.

Runs in the keeper, in the network that holds the bridge. Standard library alone.
"""

from __future__ import annotations

import contextlib
import os
import select
import socket
import subprocess
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from msgauge.lab import namespaces, offloads, wiring

_LIMIT_S = 60.0
_CHANGE_S = 10.0
_PAUSE_S = 0.01


class LabNetwork:
    """What joins the hosts. ``config``: the lab's, see ``emulation.py``."""

    def __init__(self, config: dict[str, Any]) -> None:
        self._config = config
        self.folder = Path(config["folder"])
        self._hosts = len(config["hosts"])
        self._switch: subprocess.Popen[bytes] | None = None

    def build(self, pids: Sequence[int]) -> None:
        """Interfaces, addresses, rates and latency of hosts whose first processes these are.

        Raises:
            RuntimeError, OSError: something is refused.
        """
        if self._config["wire"] == "switch":
            self._start_switch()
        else:
            _batch("ip", wiring.bridge_batch(self._beyond()))
            if self._beyond():
                _, rate, latency = self._config["uplink"]
                for end in wiring.UPLINK:
                    self._tune(end, rate, latency, 0)
        self._plug_in(dict(enumerate(pids, start=1)))

    def cut(self, number: int) -> None:
        """Pull the cable of a host: its interface has no carrier, and nothing of its configuration changes.

        Raises:
            RuntimeError, OSError: as ``build``.
        """
        self._order(number, "cut", "down")

    def mend(self, number: int) -> None:
        """Put the cable back. Raises as ``cut``."""
        self._order(number, "plug", "up")

    def rewire(self, number: int, pid: int) -> None:
        """Join a host that was made anew, once what its predecessor had is gone. Raises as ``build``."""
        if self._switch is not None:
            _wait_for(lambda: self._has_new_device(number), f"the network that n{number} had is still there")
        else:
            _wait_for(lambda: not _exists(f"p{number}"), f"p{number} is still there")
        self._plug_in({number: pid})

    def _has_new_device(self, number: int) -> bool:
        """Whether the switch made one for the host: while the old one is there, the order falls on that."""
        self._tell(f"plug {number}")
        return _exists(f"tap{number}")

    def _plug_in(self, pids: dict[int, int]) -> None:
        if self._switch is not None:
            _batch("ip", wiring.tap_batch(pids))
        else:
            _batch("ip", wiring.port_batch(pids, self._beyond()))
            offloads.switch_off([f"p{number}" for number in pids])
            for number in pids:
                self._tune(f"p{number}", *self._config["links"][number - 1])
        for number, pid in pids.items():
            _in_network(pid, lambda number=number: self._furnish_host(number))

    def _beyond(self) -> int:
        """The first host on the second of two switches; 0 where there is one."""
        return int(self._config["uplink"][0]) if self._config["uplink"] else 0

    def _tune(self, port: str, rate: int, late: int, lost: int) -> None:
        """What a port of the bridge lets through."""
        offloads.switch_off([port])
        if rate:
            _batch("tc", wiring.rate_batch([port], rate))
        if self._config["wire"] == "netem" and (late or lost):
            _batch("tc", wiring.delay_batch(port, late, bool(rate), lost))

    def _furnish_host(self, number: int) -> None:
        """What is done within the network of a host."""
        rate, late, lost = self._config["links"][number - 1]
        _batch("ip", wiring.host_batch(number, self._hosts))
        offloads.switch_off([wiring.INTERFACE])
        _settle_protocols()
        if rate:
            _batch("tc", wiring.rate_batch([wiring.INTERFACE], rate))
        if self._config["wire"] == "netem":
            latency = self._config["latency_ns"] + late
            _batch("tc", wiring.delay_batch(wiring.INTERFACE, latency, bool(rate), lost))

    def _start_switch(self) -> None:
        rate, latency = self._config["rate_bits"], self._config["latency_ns"]
        argv = [self._config["switch"], str(self._hosts), str(rate), str(latency)]
        for number, link in enumerate(self._config["links"], start=1):
            if link != [rate, 0, 0]:
                argv.append(":".join(map(str, (number, *link))))
        if self._config["uplink"]:
            argv.append(":".join(map(str, ("uplink", *self._config["uplink"]))))
        self._switch = subprocess.Popen(
            argv,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            preexec_fn=namespaces.die_with_parent,  # noqa: PLW1509 (one thread here)
        )
        assert self._switch.stdout is not None
        line = self._switch.stdout.readline().decode(errors="replace").strip()
        if not line.startswith("ready"):
            raise RuntimeError(f"the switch did not start: {line or 'it said nothing'}")

    def _order(self, number: int, word: str, state: str) -> None:
        if self._switch is not None:
            self._tell(f"{word} {number}")
        else:
            _batch("ip", f"link set p{number} {state}\n")

    def _tell(self, order: str) -> None:
        """Have the switch do something; it is done when this comes back."""
        assert self._switch is not None and self._switch.stdin is not None and self._switch.stdout is not None
        os.write(self._switch.stdin.fileno(), f"{order}\n".encode())
        answered = select.select([self._switch.stdout], [], [], _CHANGE_S)[0]
        if not answered or self._switch.stdout.readline() != b"done\n":
            raise RuntimeError(f"the switch does not carry out {order!r}")


def _exists(interface: str) -> bool:
    try:
        return socket.if_nametoindex(interface) > 0
    except OSError:
        return False


def _wait_for(happened: Callable[[], bool], else_said: str) -> None:
    limit = time.monotonic() + _CHANGE_S
    while not happened():
        if time.monotonic() > limit:
            raise RuntimeError(else_said)
        time.sleep(_PAUSE_S)


def _in_network(pid: int, work: Any) -> None:
    """Do something within the network of a host, in a child. Raises RuntimeError with what went wrong."""
    reads, writes = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            namespaces.enter_network(pid)
            work()
        except Exception as error:
            os.write(writes, (str(error) or type(error).__name__).encode())
        os._exit(0)
    os.close(writes)
    with os.fdopen(reads, "rb") as wrong:
        said = wrong.read().decode(errors="replace")
    os.waitpid(child, 0)
    if said:
        raise RuntimeError(said)


def _batch(tool: str, text: str) -> None:
    """Give ``ip`` or ``tc`` a list of orders. Raises RuntimeError with what it said."""
    done = subprocess.run(
        [tool, "-batch", "-"], input=text.encode(), capture_output=True, timeout=_LIMIT_S, check=False
    )
    if done.returncode != 0:
        raise RuntimeError(f"{tool}: {(done.stderr or done.stdout).decode(errors='replace').strip()[:300]}")


def _settle_protocols() -> None:
    """The same congestion control for everyone, no memory of connections before, IPv4 alone."""
    for name, value in (
        ("ipv4/tcp_congestion_control", "reno"),
        ("ipv4/tcp_no_metrics_save", "1"),
        ("ipv6/conf/all/disable_ipv6", "1"),
    ):
        with contextlib.suppress(OSError):
            Path("/proc/sys/net", name).write_text(value)
