"""Processes that share memory: the floor under every MPI's shared memory. Header: native/transports/shm.hpp."""

from __future__ import annotations

from msgauge.stacks.local_ranks import LocalRanks


class Shm(LocalRanks):
    """One ring for each ordered pair of ranks, in memory without a name; who sleeps, sleeps on a futex."""

    name = "shm"
    title = "plain shared memory"
    transport = "shm"


FAMILY = Shm()
