"""Processes connected by plain TCP sockets: the floor under every MPI's TCP. Header: native/transports/tcp.hpp."""

from __future__ import annotations

from msgauge.model import RSH_AGENT
from msgauge.stacks.base.local_ranks import LocalRanks
from msgauge.stacks.base.promises import BY_TCP


class Tcp(LocalRanks):
    """One socket for each pair of ranks, TCP_NODELAY."""

    name = "tcp"
    title = "plain TCP"
    other_names = ("socket", "sockets", "tcpip")
    transport = "tcp"
    plain_promise = BY_TCP
    needs = frozenset({RSH_AGENT})


FAMILY = Tcp()
