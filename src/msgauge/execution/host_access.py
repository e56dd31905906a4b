"""The way to the hosts of a run while it is open: what a launcher gives to the sessions of a run."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from msgauge.model import Command, HostSet, Pairs, Reach


class HostAccess(Protocol):
    """An open way to hosts."""

    reach: Reach
    first_processes: tuple[int, ...]
    """Process 1 of each emulated host, as it is numbered here; empty for real ones."""
    facts: Pairs
    """What was found out about the hosts and what joins them, for the run folder."""
    one_clock: bool
    """CLOCK_MONOTONIC of the hosts is that of this computer."""

    def command(self, command: Command) -> Command:
        """The same command, run where a stack's own launcher is to run: on the first host."""
        ...

    def share(self, folders: Sequence[Path]) -> None:
        """Make folders of this computer seen on every host under the same names.

        Raises:
            LaunchError: that cannot be done.
        """
        ...

    def end_session(self, session: str) -> None:
        """End what processes of a session left on hosts that its keeper cannot reach.

        Raises:
            LaunchError: a host does not answer.
            HostsLostError: the hosts are gone.
        """
        ...


class PresentComputer:
    """Nothing to open: ranks are started here."""

    reach = Reach(HostSet())
    first_processes: tuple[int, ...] = ()
    facts: Pairs = ()
    one_clock = True

    def command(self, command: Command) -> Command:
        """The command itself."""
        return command

    def share(self, folders: Sequence[Path]) -> None:
        """Everything is here."""

    def end_session(self, session: str) -> None:
        """The keeper has ended everything."""
