"""A stack from outside msgauge, whole: this file and one transport header."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from msgauge.model import Command, Stack
from msgauge.stacks.base.builtin_transport import OwnTransport
from msgauge.stacks.base.family import LaunchOptions


class Toy(OwnTransport):
    """Processes of one parent over socket pairs."""

    name = "toy"
    title = "socket pairs"
    transport = "toy"
    headers = Path(__file__).parent / "headers"

    def launch_command(self, stack: Stack, program: Sequence[str], options: LaunchOptions) -> Command:
        argv = (*program, "--ranks", str(options.ranks))
        return Command(argv, stack.environment, folder=str(options.folder))


FAMILY = Toy()
