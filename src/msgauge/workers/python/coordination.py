"""How the ranks of a cell act together: rank 0 gives orders between timed chunks, the others carry them out."""

from __future__ import annotations

import time
from dataclasses import astuple, dataclass
from typing import Any

ORDER, REPORT, FENCE = 32010, 32011, 32001
NAP_S = 0.0002


@dataclass(frozen=True)
class Order:
    """What all ranks of a cell do next: finish, check, batches, agreed, fenced or program."""

    kind: str
    count: int = 0
    operations: int = 1
    lead_in: int = 0
    start_ns: int = 0
    period_ns: int = 0


def give(comm: Any, order: Order, first: int, ranks: int) -> None:
    """Rank 0 tells the ranks first to ranks-1 what to do."""
    for rank in range(first, ranks):
        comm.send(astuple(order), rank, ORDER)


def take_order(comm: Any, sleeping: bool = False) -> Order:
    """What rank 0 wants next; ``sleeping``: without burning the processor that measuring ranks may need."""
    while sleeping and not comm.iprobe(0, ORDER):
        time.sleep(NAP_S)
    return Order(*comm.recv(None, 0, ORDER))


def all_agree(comm: Any, yes: bool, ranks: int) -> bool:
    """Rank 0 learns whether all said yes, and tells everyone."""
    if comm.Get_rank() != 0:
        comm.send(yes, 0, REPORT)
        return bool(comm.recv(None, 0, ORDER))
    everyone = all([yes, *(comm.recv(None, rank, REPORT) for rank in range(1, ranks))])
    for rank in range(1, ranks):
        comm.send(everyone, rank, ORDER)
    return everyone


class Fence:
    """A dissemination barrier of our own over single bytes: the stack's own is never the ruler."""

    def __init__(self, mpi: Any, ranks: int) -> None:
        self._comm = mpi.COMM_WORLD
        self._out, self._into = [bytearray(1), mpi.BYTE], [bytearray(1), mpi.BYTE]
        rank = self._comm.Get_rank()
        distances = [1 << step for step in range(max(0, (ranks - 1).bit_length()))]
        self._peers = [((rank + far) % ranks, (rank - far) % ranks) for far in distances]

    def __call__(self) -> None:
        for to, source in self._peers:
            self._comm.Sendrecv(self._out, to, FENCE, self._into, source, FENCE)
