"""Processes connected by plain AF_UNIX stream sockets. Header: native/transports/unix.hpp."""

from __future__ import annotations

from msgauge.model import Carrier, Promise
from msgauge.stacks.base.local_ranks import LocalRanks


class Unix(LocalRanks):
    """One socket for each pair of ranks, under abstract names: no file, and no network, in between."""

    name = "unix"
    title = "plain Unix sockets"
    other_names = ("uds", "unix-socket", "af-unix")
    transport = "unix"
    plain_promise = Promise(Carrier.UNIX_SOCKETS)


FAMILY = Unix()
