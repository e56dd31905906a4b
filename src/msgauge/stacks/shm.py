"""Processes that share memory: the floor under every MPI's shared memory. Header: native/transports/shm.hpp."""

from __future__ import annotations

from msgauge.stacks.base.local_ranks import LocalRanks
from msgauge.stacks.base.promises import IN_SHARED_MEMORY


class Shm(LocalRanks):
    """One ring for each ordered pair of ranks, in memory without a name; who sleeps, sleeps on a futex."""

    name = "shm"
    title = "plain shared memory"
    other_names = ("shared-memory", "shmem", "vader")
    transport = "shm"
    plain_promise = IN_SHARED_MEMORY


FAMILY = Shm()
