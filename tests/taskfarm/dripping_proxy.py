"""A connection that comes in pieces, in both directions, and a proof of how small the pieces were on the wire."""

from __future__ import annotations

import fcntl
import random
import socket
import struct
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from types import TracebackType

PAUSE_S = 20e-6
"""After each piece, so that who reads has taken it before the next one comes."""
SIOCOUTQNSD = 0x894B
"""The request for how many bytes of a TCP socket have not been sent."""
DATA_SEGMENTS_OUT = 156
"""Where Linux's struct tcp_info has the number of segments with data that were sent."""


class DrippingProxy:
    """Between workers and a coordinator on 127.0.0.1; a context manager.

    Args:
        port: the coordinator's.
        largest: bytes of a piece at most; each has a random size, 1 means byte by byte.
    """

    def __init__(self, port: int, largest: int) -> None:
        self.target, self.largest = port, largest
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = int(self.listener.getsockname()[1])
        self.sent: dict[str, int] = {"to-coordinator": 0, "to-worker": 0}
        self.segments: dict[str, int] = {"to-coordinator": 0, "to-worker": 0}
        self._open: list[socket.socket] = []
        self._threads: list[threading.Thread] = []

    def __enter__(self) -> DrippingProxy:
        self._start(self._accept)
        return self

    def __exit__(self, kind: type[BaseException] | None, value: object, traceback: TracebackType | None) -> None:
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()
        for one in self._open:
            with suppress(OSError):  # its other end may have gone first
                one.shutdown(socket.SHUT_RDWR)
        for thread in self._threads:
            thread.join(10)
        for one in self._open:
            one.close()

    def _start(self, work: Callable[..., None], *arguments: object) -> None:
        thread = threading.Thread(target=work, args=arguments, daemon=True)
        self._threads.append(thread)
        thread.start()

    def _accept(self) -> None:
        while True:
            try:
                worker = self.listener.accept()[0]
            except OSError:
                return
            coordinator = socket.create_connection(("127.0.0.1", self.target))
            for one in (worker, coordinator):
                one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self._open += [worker, coordinator]
            self._start(self._drip, worker, coordinator, "to-coordinator")
            self._start(self._drip, coordinator, worker, "to-worker")

    def _drip(self, source: socket.socket, sink: socket.socket, way: str) -> None:
        pieces = random.Random(self.largest)
        try:
            while data := source.recv(65536):
                at = 0
                while at < len(data):
                    count = sink.send(data[at : at + pieces.randint(1, self.largest)])
                    at += count
                    self.sent[way] += count
                    time.sleep(PAUSE_S)
                    while _unsent(sink) > 0:  # the kernel may cork it, and send it with the next one
                        time.sleep(PAUSE_S)
                self.segments[way] = _segments_out(sink)
            sink.shutdown(socket.SHUT_WR)
        except OSError:
            return  # the other direction has ended


def _unsent(connection: socket.socket) -> int:
    told = fcntl.ioctl(connection.fileno(), SIOCOUTQNSD, bytes(4))
    return int.from_bytes(told, sys.byteorder)


def _segments_out(connection: socket.socket) -> int:
    info = connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 256)
    return int(struct.unpack_from("<I", info, DATA_SEGMENTS_OUT)[0])
