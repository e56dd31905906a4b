"""The kernels over mpi4py, each in two manners: typed buffers, or pickled objects.

A buffer is sent as it stands in memory (``comm.Send``). An object is pickled, sent and made anew at the other end
(``comm.send``); here it is a ``bytes`` of the cell's size, of all objects the quickest to pickle, and for reductions a
list of numbers that Python adds up element by element.
"""

from __future__ import annotations

import array
from collections.abc import Callable, Mapping
from typing import Any, ClassVar

from msgauge.workers.python.protocol import Cell

PING, EXCHANGE, STREAM, ANSWER = 1, 2, 3, 4
WINDOW = 64
TYPES = {"int32": "i", "int64": "q", "float32": "f", "float64": "d", "byte": "B"}
PLUS: Mapping[str, Callable[[Any, Any], Any]] = {"sum": lambda a, b: a + b, "max": max, "min": min}


def pattern(size: int, rank: int, iteration: int) -> bytes:
    """Bytes that tell rank and iteration apart; period 251, so that no shift by a power of two goes unseen."""
    start = (rank * 101 + iteration * 29 + 1) % 251
    cycle = bytes((start + at) % 251 for at in range(251))
    return (cycle * (size // 251 + 1))[:size]


class Kernel:
    """What ``measure.py`` asks of a kernel. ``mpi`` is the module ``mpi4py.MPI``."""

    events = 1
    collective = False
    most_ranks = 0
    options: ClassVar[Mapping[str, tuple[str, ...]]] = {}
    """The options it knows, their defaults first; any other choice is refused."""

    def __init__(self, mpi: Any, cell: Cell, objects: bool) -> None:
        self.mpi, self.comm, self.cell, self.objects = mpi, mpi.COMM_WORLD, cell, objects
        self.rank = int(self.comm.Get_rank())
        self.out = bytearray(cell.bytes)
        self.into = bytearray(cell.bytes)
        self.message: Any = bytes(cell.bytes) if objects else [self.out, mpi.BYTE]
        self.room: Any = [self.into, mpi.BYTE]

    def option(self, name: str) -> str:
        """The chosen value of an option, else its default."""
        return self.cell.options.get(name, self.options[name][0])

    def prepare(self, iteration: int) -> None:
        """Fresh bytes to send, and others where they are to arrive."""
        self.out[:] = pattern(self.cell.bytes, self.rank, iteration)
        self.into[:] = b"\xee" * self.cell.bytes
        if self.objects:
            self.message = bytes(self.out)

    def take(self, source: int, tag: int) -> None:
        """Receive one message into ``into``, outside timed loops."""
        if self.objects:
            self.into[:] = self.comm.recv(None, source, tag)
        else:
            self.comm.Recv(self.room, source, tag)

    def repeat(self, count: int) -> None:
        """The operation, so many times: the timed code."""
        raise NotImplementedError

    def verify(self, iteration: int) -> bool:
        """Carry out the operation once on prepared bytes; whether the right ones arrived here. Untimed."""
        raise NotImplementedError


class PingPong(Kernel):
    """One message there, one of the same size back."""

    events = 2
    most_ranks = 2

    def repeat(self, count: int) -> None:
        comm, peer, message, room = self.comm, 1 - self.rank, self.message, self.room
        first = self.rank == 0
        if self.objects:
            send, recv = comm.send, comm.recv
            for _ in range(count):
                if first:
                    send(message, peer, PING)
                    recv(None, peer, PING)
                else:
                    recv(None, peer, PING)
                    send(message, peer, PING)
            return
        send, recv = comm.Send, comm.Recv
        for _ in range(count):
            if first:
                send(message, peer, PING)
                recv(room, peer, PING)
            else:
                recv(room, peer, PING)
                send(message, peer, PING)

    def verify(self, iteration: int) -> bool:
        peer = 1 - self.rank
        send = self.comm.send if self.objects else self.comm.Send
        if self.rank == 0:
            send(self.message, peer, PING)
        self.take(peer, PING)
        if self.rank != 0:
            send(self.message, peer, PING)
        return self.into == pattern(self.cell.bytes, peer, iteration)


class Stream(Kernel):
    """Windows of 64 messages one way, one short answer each."""

    events = WINDOW
    most_ranks = 2

    def repeat(self, count: int) -> None:
        for _ in range(count):
            self._window()

    def _window(self) -> None:
        comm, wait = self.comm, self.mpi.Request.waitall
        answer = [bytearray(1), self.mpi.BYTE]
        if self.rank == 0:
            send = comm.isend if self.objects else comm.Isend
            wait([send(self.message, 1, STREAM) for _ in range(WINDOW)])
            comm.Recv(answer, 1, ANSWER)
            return
        if self.objects:
            for _ in range(WINDOW):
                self.got = comm.recv(None, 0, STREAM)
        else:
            wait([comm.Irecv(self.room, 0, STREAM) for _ in range(WINDOW)])
        comm.Send(answer, 0, ANSWER)

    def verify(self, iteration: int) -> bool:
        self._window()
        if self.rank == 0:
            return True
        return bytes(self.got if self.objects else self.into) == pattern(self.cell.bytes, 0, iteration)


class Exchange(Kernel):
    """Two ranks send to each other at the same time."""

    most_ranks = 2
    options: ClassVar[Mapping[str, tuple[str, ...]]] = {"how": ("nonblocking", "sendrecv", "ordered")}

    def repeat(self, count: int) -> None:
        once = self._objects if self.objects else self._buffers
        for _ in range(count):
            once()

    def _buffers(self) -> None:
        comm, peer, how = self.comm, 1 - self.rank, self.option("how")
        if how == "nonblocking":
            coming = comm.Irecv(self.room, peer, EXCHANGE)
            going = comm.Isend(self.message, peer, EXCHANGE)
            coming.Wait()
            going.Wait()
        elif how == "sendrecv":
            comm.Sendrecv(self.message, peer, EXCHANGE, self.room, peer, EXCHANGE)
        else:
            for turn in (0, 1):
                if self.rank == turn:
                    comm.Send(self.message, peer, EXCHANGE)
                else:
                    comm.Recv(self.room, peer, EXCHANGE)

    def _objects(self) -> None:
        comm, peer, how = self.comm, 1 - self.rank, self.option("how")
        if how == "nonblocking":
            going = comm.isend(self.message, peer, EXCHANGE)
            self.got = comm.recv(None, peer, EXCHANGE)
            going.wait()
        elif how == "sendrecv":
            self.got = comm.sendrecv(self.message, peer, EXCHANGE, None, peer, EXCHANGE)
        else:
            for turn in (0, 1):
                if self.rank == turn:
                    comm.send(self.message, peer, EXCHANGE)
                else:
                    self.got = comm.recv(None, peer, EXCHANGE)

    def verify(self, iteration: int) -> bool:
        self.repeat(1)
        got = self.got if self.objects else self.into
        return bytes(got) == pattern(self.cell.bytes, 1 - self.rank, iteration)


class Bcast(Kernel):
    """Rank 0's message reaches all others."""

    collective = True
    options: ClassVar[Mapping[str, tuple[str, ...]]] = {"algorithm": ("native",), "root": ("0",)}

    def repeat(self, count: int) -> None:
        comm = self.comm
        for _ in range(count):
            if self.objects:
                self.got = comm.bcast(self.message, 0)
            else:
                comm.Bcast(self.message, 0)

    def verify(self, iteration: int) -> bool:
        if self.rank != 0:
            self.out[:] = b"\xee" * self.cell.bytes
            self.message = None if self.objects else self.message
        self.repeat(1)
        got = self.got if self.objects else self.out
        if self.objects:
            self.message = bytes(got)
        return bytes(got) == pattern(self.cell.bytes, 0, iteration)


class Reduce(Kernel):
    """The rows of all ranks, combined element by element, reach rank 0."""

    collective = True
    options: ClassVar[Mapping[str, tuple[str, ...]]] = {
        "algorithm": ("native",),
        "root": ("0",),
        "type": tuple(TYPES),
        "op": tuple(PLUS),
    }
    reaches_all = False

    def __init__(self, mpi: Any, cell: Cell, objects: bool) -> None:
        super().__init__(mpi, cell, objects)
        code, op = TYPES[self.option("type")], self.option("op")
        self.length = cell.bytes // array.array(code).itemsize
        self.row = array.array(code, bytes(self.length * array.array(code).itemsize))
        self.sum = array.array(code, self.row)
        self.numbers = list(self.row)
        combine = PLUS[op]
        self.op = (lambda a, b: [combine(x, y) for x, y in zip(a, b, strict=True)]) if objects else _operator(mpi, op)

    def prepare(self, iteration: int) -> None:
        for at in range(self.length):
            self.row[at] = self._element(self.rank, at, iteration)
        self.numbers = list(self.row)

    def repeat(self, count: int) -> None:
        comm = self.comm
        for _ in range(count):
            if self.reaches_all:
                if self.objects:
                    self.total = comm.allreduce(self.numbers, self.op)
                else:
                    comm.Allreduce(self.row, self.sum, self.op)
            elif self.objects:
                self.total = comm.reduce(self.numbers, self.op, 0)
            else:
                comm.Reduce(self.row, self.sum, self.op, 0)

    def verify(self, iteration: int) -> bool:
        self.repeat(1)
        if self.rank != 0 and not self.reaches_all:
            return True
        got = list(self.total) if self.objects else list(self.sum)
        combine, ranks = PLUS[self.option("op")], range(1, self.cell.ranks)
        expected = [self._element(0, at, iteration) for at in range(self.length)]
        for rank in ranks:
            expected = [combine(so_far, self._element(rank, at, iteration)) for at, so_far in enumerate(expected)]
        return got == expected

    @staticmethod
    def _element(rank: int, at: int, iteration: int) -> int:
        """Small whole numbers: sums of them are exact in every type, and fit a byte up to 40 ranks."""
        return (rank * 3 + at + iteration) % 7


class Allreduce(Reduce):
    """The rows of all ranks, combined element by element, reach every rank."""

    options: ClassVar[Mapping[str, tuple[str, ...]]] = {
        name: values for name, values in Reduce.options.items() if name != "root"
    }
    reaches_all = True


def _operator(mpi: Any, op: str) -> Any:
    return {"sum": mpi.SUM, "max": mpi.MAX, "min": mpi.MIN}[op]


KERNELS: Mapping[str, type[Kernel]] = {
    "pingpong": PingPong,
    "stream": Stream,
    "exchange": Exchange,
    "bcast": Bcast,
    "reduce": Reduce,
    "allreduce": Allreduce,
}
