"""ZeroMQ, what many would pick instead of MPI. Source: the manual pages zmq_socket(3), zmq_tcp(7), zmq_ipc(7)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from msgauge.model import RSH_AGENT, Pairs, Stack
from msgauge.stacks.base.family import Variant
from msgauge.stacks.base.local_ranks import WAIT_VARIANTS, WAITS
from msgauge.stacks.base.promises import BY_TCP
from msgauge.stacks.base.system_library import SystemLibrary


class ZeroMQ(SystemLibrary):
    """Each rank pulls from one socket and pushes into those of the others; an envelope carries source and tag."""

    name = "zeromq"
    title = "ZeroMQ"
    other_names = ("zmq", "0mq", "libzmq")
    transport = "zeromq"
    header = "zmq.h"
    version_macros = ("ZMQ_VERSION_MAJOR", "ZMQ_VERSION_MINOR", "ZMQ_VERSION_PATCH")
    libraries = ("zmq",)
    debian_packages = ("libzmq3-dev",)
    needs = frozenset({RSH_AGENT})
    library_pattern = re.compile(r"^ZeroMQ (\d[\w.]*)")

    def variants(self) -> Sequence[Variant]:
        return (
            Variant("tcp", "transport", "TCP, also between ranks of one host", BY_TCP),
            Variant("ipc", "transport", "Unix sockets under abstract names"),
            *WAIT_VARIANTS,
        )

    def confinement(self, stack: Stack) -> str:
        return "its messages go through Unix sockets, which end at one computer" if "ipc" in stack.variant else ""

    def variant_environment(self, word: str) -> Pairs:
        return (("MSGAUGE_WAIT" if word in WAITS else "MSGAUGE_ZEROMQ", word),)

    def settings_to_prove(self, stack: Stack) -> Mapping[str, str]:
        axes = {axis: word for axis, word in stack.axes if word != "default"}
        return {"transport": axes.get("transport", "tcp"), "wait": axes.get("wait", "block")}


FAMILY = ZeroMQ()
