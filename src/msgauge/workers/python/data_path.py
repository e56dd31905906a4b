"""What really carried the messages of a launch: the kernel's counters, as native/data_path.hpp reads them.

How ranks wait is not told: the calls by which a library gives its processor away can be counted from inside it alone.
"""

from __future__ import annotations

import os
import socket
import struct
from collections.abc import Mapping
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

from msgauge.workers.python.coordination import REPORT

SMALL_MESSAGES, SMALL_BYTES, LARGE_BYTES = 16, 64, 1 << 18
_COUNTERS_AT = 120
"""Bytes before ``bytes_acked`` and ``bytes_received`` in the kernel's tcp_info (since Linux 4.1)."""


def clock_identity() -> str:
    """Equal for ranks that read one clock: of one boot of one computer, in one time namespace."""
    boot = Path("/proc/sys/kernel/random/boot_id")
    identity = boot.read_text(encoding="ascii").strip() if boot.exists() else socket.gethostname()
    with suppress(OSError):
        identity += str(Path("/proc/self/ns/time").readlink())
    return identity


def describe_carrier(mpi: Any, rank: int, size: int) -> Mapping[str, object]:
    """The attributes of ``series=data_path``; all ranks call it together."""
    exchange = _Exchange(mpi, rank, size)
    exchange.run(SMALL_BYTES, 1)  # connections that are made on first use
    facts: dict[str, object] = {"rank": rank}
    for name, size_bytes, times in (("small", SMALL_BYTES, SMALL_MESSAGES), ("large", LARGE_BYTES, 1)):
        before, wire_before = count_sockets(), count_interfaces()
        exchange.run(1, 1)  # nobody sends before both have read their counters
        exchange.run(size_bytes, times)
        after, wire_after = count_sockets(), count_interfaces()
        got = {one: count - wire_before.get(one, count) for one, count in wire_after.items()}
        facts |= {
            f"{name}_moved": size_bytes * times if exchange.peer != rank else 0,
            f"{name}_tcp_sent": after[0] - before[0],
            f"{name}_tcp_received": after[1] - before[1],
            f"{name}_wire_received": sum(got.values()),
        }
    busiest = max(got, key=lambda one: got[one], default="")
    wire = busiest if got.get(busiest, 0) > 0 else ""
    return {**facts, "wire": wire, "shared_bytes": count_shared_memory(), "unix_sockets": after[2]}


class _Exchange:
    """Messages between neighbours, first one way and then the other."""

    def __init__(self, mpi: Any, rank: int, size: int) -> None:
        self._comm, self._byte, self._rank = mpi.COMM_WORLD, mpi.BYTE, rank
        self.peer = rank ^ 1 if rank ^ 1 < size else rank
        self._memory = bytearray(LARGE_BYTES)

    def run(self, size_bytes: int, times: int) -> None:
        """So many messages of a size there, and as many back."""
        if self.peer == self._rank:
            return
        buffer = [memoryview(self._memory)[:size_bytes], self._byte]
        calls = [self._comm.Send, self._comm.Recv] if self._rank < self.peer else [self._comm.Recv, self._comm.Send]
        for call in calls:
            for _ in range(times):
                call(buffer, self.peer, REPORT)


def count_sockets() -> tuple[int, int, int]:
    """Bytes that all TCP sockets of this process have sent and received, and its number of Unix sockets."""
    sent = received = unix = 0
    for entry in Path("/proc/self/fd").iterdir():
        with suppress(OSError), closing(socket.socket(fileno=os.dup(int(entry.name)))) as one:
            unix += one.family == socket.AF_UNIX
            told = one.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, _COUNTERS_AT + 16)
            acked, came = struct.unpack_from("=QQ", told, _COUNTERS_AT)
            sent, received = sent + acked, received + came
    return sent, received, unix


def count_interfaces() -> Mapping[str, int]:
    """Bytes that each network interface of this host has received, but for the one that talks to itself."""
    found = {}
    with suppress(OSError):
        for line in Path("/proc/net/dev").read_text(encoding="ascii").splitlines():
            name, colon, counters = line.partition(":")
            if colon and name.strip() != "lo":
                found[name.strip()] = int(counters.split()[0])
    return found


def count_shared_memory() -> int:
    """Bytes of memory that is mapped for sharing and writing."""
    total = 0
    with suppress(OSError):
        for line in Path("/proc/self/maps").read_text(encoding="utf-8", errors="replace").splitlines():
            span, rights = line.split(" ", 2)[:2]
            if rights[1] == "w" and rights[3] == "s":
                first, last = span.split("-")
                total += int(last, 16) - int(first, 16)
    return total
