"""Processes connected by plain AF_UNIX stream sockets. Header: native/transports/unix.hpp."""

from __future__ import annotations

from msgauge.stacks.local_ranks import LocalRanks


class Unix(LocalRanks):
    """One socket for each pair of ranks, under abstract names: no file, and no network, in between."""

    name = "unix"
    title = "plain Unix sockets"
    transport = "unix"


FAMILY = Unix()
