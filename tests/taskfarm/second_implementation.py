"""A worker written from taskfarm/docs/protocol.md alone, in pure Python: sockets, struct, mmap. No taskfarm code."""

from __future__ import annotations

import array
import mmap
import os
import socket
import struct
from pathlib import Path

HELLO, WELCOME, REFUSE, READY, TASK, RESULT, FAILURE, CANCEL = range(1, 9)
BROADCAST, HEARTBEAT, TUNE, GOODBYE, LEAVE, ATTACH, SKIPPED, STATISTICS, PADDING = range(9, 18)
HEADER = struct.Struct("<IBBHQQ")
HELLO_BODY = struct.Struct("<8sHHI16sQIIBBH")
WELCOME_BODY = struct.Struct("<HHI16sIIIIQII16sII")


def frame(kind: int, payload: bytes = b"", *, flags: int = 0, attempt: int = 0, task: int = 0, value: int = 0) -> bytes:
    """A frame's bytes."""
    return HEADER.pack(len(payload), kind, flags, attempt, task, value) + payload


def host_key() -> int:
    """FNV-1a (64 bits) of the kernel's boot id."""
    key = 14695981039346656037
    for byte in Path("/proc/sys/kernel/random/boot_id").read_text().strip().encode():
        key = (key ^ byte) * 1099511628211 % 2**64
    return key


def hello(identity: bytes, *, features: int = 0, versions: tuple[int, int] = (1, 1), role: int = 0) -> bytes:
    """The first frame of a worker."""
    body = HELLO_BODY.pack(b"TASKFARM", *versions, features, identity, host_key(), os.getpid(), 1, role, 0, 6)
    return frame(HELLO, body + b"second")


class SecondWorker:
    """One connection.

    Args:
        address: (host, port), or the path of a unix socket.
    """

    def __init__(self, address: tuple[str, int] | str, identity: bytes | None = None, features: int = 0) -> None:
        family = socket.AF_UNIX if isinstance(address, str) else socket.AF_INET
        self.socket = socket.socket(family)
        self.socket.settimeout(20)
        self.socket.connect(address)
        self.identity = identity or os.urandom(16)
        self.features = features
        self.descriptors: list[int] = []
        self.buffer = b""

    def join(self) -> tuple[int, ...]:
        """Hello, welcome, ready; the fields of the welcome."""
        welcome = self.greet()
        self.socket.sendall(frame(READY))
        return welcome

    def greet(self) -> tuple[int, ...]:
        """Hello and welcome."""
        self.socket.sendall(hello(self.identity, features=self.features))
        header, body = self.read()
        assert header[1] == WELCOME, (header, body)
        return WELCOME_BODY.unpack(body[: WELCOME_BODY.size])

    def read(self) -> tuple[tuple[int, ...], bytes]:
        """The next frame: (length, type, flags, attempt, task, value), payload."""
        header = HEADER.unpack(self._exactly(HEADER.size))
        return header, self._exactly(header[0])

    def read_task(self) -> tuple[int, int, bytes]:
        """The next task: id, attempt, payload; other frames are passed over."""
        while True:
            header, body = self.read()
            if header[1] == TASK:
                return header[4], header[3], body

    def reply(self, task: int, attempt: int, payload: bytes) -> None:
        """One result."""
        self.socket.sendall(frame(RESULT, payload, attempt=attempt, task=task, value=1000))

    def closed(self) -> bool:
        """Whether the coordinator ends the connection."""
        try:
            while self.socket.recv(65536):
                pass
        except ConnectionError:
            return True
        except TimeoutError:
            return False
        return True

    def _exactly(self, count: int) -> bytes:
        while len(self.buffer) < count:
            data, ancillary, _, _ = self.socket.recvmsg(65536, socket.CMSG_SPACE(64))
            if not data:
                raise ConnectionError("the coordinator closed the connection")
            for level, kind, raw in ancillary:
                if level == socket.SOL_SOCKET and kind == socket.SCM_RIGHTS:
                    fds = array.array("i")
                    fds.frombytes(raw[: len(raw) - len(raw) % fds.itemsize])
                    self.descriptors += fds
            self.buffer += data
        taken, self.buffer = self.buffer[:count], self.buffer[count:]
        return taken


class SecondSharedWorker(SecondWorker):
    """The same by shared memory, over a unix socket."""

    CONTROL = 4096
    TASK_TAIL, TASK_HEAD, RESULT_TAIL, RESULT_HEAD = 0, 64, 128, 192
    SLEEPS, WAITS, RUNNING = 256, 260, 320

    def __init__(self, address: str, *, pads: bool = False) -> None:
        super().__init__(address, features=1)
        self.pads, self.padded = pads, 0

    def join(self) -> tuple[int, ...]:
        """As of the socket, and maps segment and board."""
        welcome = self.greet()
        self.ring, self.slot = welcome[-2], welcome[-1]
        segment, board, self.doorbell = self.descriptors
        self.segment = mmap.mmap(segment, self.CONTROL + 2 * self.ring)
        self.board = mmap.mmap(board, os.fstat(board).st_size)
        self.head = self.tail = 0
        self.socket.sendall(frame(READY, flags=3 if self.pads else 1))
        return welcome

    def get(self, offset: int) -> int:
        """An index."""
        return int.from_bytes(self.segment[offset : offset + 8], "little")

    def set(self, offset: int, value: int) -> None:
        """Writes an index."""
        self.segment[offset : offset + 8] = (value % 2**64).to_bytes(8, "little")

    def read(self) -> tuple[tuple[int, ...], bytes]:
        """The next frame; from the socket before there is a segment."""
        if not hasattr(self, "segment"):
            return super().read()
        header = HEADER.unpack(self._from_ring(HEADER.size))
        if header[1] == PADDING:
            self.padded += 1
            self.head += header[0]
            self.set(self.TASK_HEAD, self.head)
            return self.read()
        return header, self._from_ring(header[0])

    def reply(self, task: int, attempt: int, payload: bytes) -> None:
        """One result through the ring."""
        data = frame(RESULT, payload, attempt=attempt, task=task, value=1000)
        left_out = self.ring - self.tail % self.ring - HEADER.size
        fits = left_out >= 0 and self.tail % self.ring >= len(data)
        if self.pads and fits and self.get(self.RESULT_HEAD) == self.tail:
            self._put(HEADER.pack(left_out, PADDING, 0, 0, 0, 0))
            self.tail += left_out
        self._put(data)
        self.set(self.RESULT_TAIL, self.tail)
        self.ring_bell()

    def _put(self, data: bytes) -> None:
        for byte in data:
            self.segment[self.CONTROL + self.ring + self.tail % self.ring] = byte
            self.tail += 1

    def ring_bell(self) -> None:
        """Sets the worker's bit, wakes the coordinator. (Alone on the board here, so no atomic or is needed.)"""
        place = 64 + self.slot // 8
        self.board[place] |= 1 << self.slot % 8
        os.write(self.doorbell, (1).to_bytes(8, "little"))

    def _from_ring(self, count: int) -> bytes:
        data = b""
        while len(data) < count:
            if self.get(self.TASK_TAIL) == self.head:
                continue
            data += self.segment[self.CONTROL + self.head % self.ring].to_bytes(1, "little")
            self.head += 1
        self.set(self.TASK_HEAD, self.head)
        return data
