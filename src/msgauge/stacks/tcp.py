"""Processes connected by plain sockets: the floor under every MPI's TCP. Header: native/transports/tcp.hpp."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from msgauge.model import Command, Stack
from msgauge.stacks.family import LaunchOptions
from msgauge.stacks.own_transport import OwnTransport

LAUNCHER = Path(__file__).parents[1] / "launchers" / "ranks.py"


class Tcp(OwnTransport):
    """One socket for each pair of ranks, TCP_NODELAY; ranks spin while there is a core for each, else they block."""

    name = "tcp"
    title = "plain TCP"
    transport = "tcp"

    def launch_command(self, stack: Stack, program: Sequence[str], options: LaunchOptions) -> Command:
        argv = (sys.executable, "-I", str(LAUNCHER), "-n", str(options.ranks), "--", *program)
        return Command(argv, stack.environment, folder=str(options.folder))


FAMILY = Tcp()
