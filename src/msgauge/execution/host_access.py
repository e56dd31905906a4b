"""The way to the hosts of a run while it is open: what a launcher gives to the sessions of a run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Protocol

from attrs import frozen

from msgauge.model import Command, HostSet, Pairs, Reach


@frozen
class SessionFiles:
    """What the launches of a session read."""

    programs: tuple[Path, ...]
    """Files that every rank runs."""
    installation: Path | None
    """The folder of a stack that is not the system's."""
    folders: tuple[Path, ...]
    """All folders that hold something of it, for hosts that can be shown a folder."""


class HostAccess(Protocol):
    """An open way to hosts."""

    reach: Reach
    facts: Pairs
    """What was found out about the hosts and what joins them, for the run folder."""
    one_clock: bool
    """CLOCK_MONOTONIC of the hosts is that of this computer."""
    copies: bool
    """Hosts get copies of a launch's files: these come there after the moment that the plan names as its beginning."""
    notes: Pairs
    """What was done to hosts for the launches, for their records: what was copied to which."""

    returns: int
    """How often hosts that were lost came back: what had been started on them is gone."""

    @property
    def first_processes(self) -> tuple[int, ...]:
        """Process 1 of each emulated host, as it is numbered here; empty for real ones."""
        ...

    def find_lost(self) -> Mapping[str, str]:
        """Hosts that cannot be used any more, each with the reason; asked every second while a launch runs."""
        ...

    def bring_back(self, names: Sequence[str]) -> tuple[str, ...]:
        """Try to reach hosts again, those of these that were lost; which came back. It may take a minute."""
        ...

    def command(self, command: Command) -> Command:
        """The same command, run where a stack's own launcher is to run: on the first host."""
        ...

    def equip(self, files: SessionFiles) -> None:
        """Make what a session reads seen on every host.

        Raises:
            LaunchError: that cannot be done.
        """
        ...

    def share(self, folders: Sequence[Path]) -> None:
        """Make folders of this computer seen under the same names where a stack's own launcher runs.

        Raises:
            LaunchError: that cannot be done.
        """
        ...

    def begin(self, session: str, folder: Path) -> None:
        """A launch of the session begins, whose files stand in ``folder``. Raises LaunchError."""
        ...

    def deliver(self, folder: Path) -> None:
        """The files of the launch are written for good: every host is to have them. Raises LaunchError."""
        ...

    def finish(self, session: str, folder: Path) -> None:
        """The launch is over: bring back what its ranks wrote, end what it left on hosts."""
        ...

    def sweep(self, session: str) -> None:
        """End all that runs on other hosts for the session, daemons too.

        Raises:
            LaunchError: a host does not answer.
            HostsLostError: the hosts are gone.
        """
        ...


class PlainAccess:
    """Hosts that this computer's keeper reaches, and that see its folders."""

    copies = False
    returns = 0
    notes: Pairs = ()

    def find_lost(self) -> Mapping[str, str]:
        """None: nobody looks."""
        return {}

    def bring_back(self, names: Sequence[str]) -> tuple[str, ...]:  # noqa: ARG002
        """None: it is seen when they are there again."""
        return ()

    def equip(self, files: SessionFiles) -> None:
        """All folders are shown."""
        self.share(files.folders)

    def share(self, folders: Sequence[Path]) -> None:
        """Everything is here."""

    def begin(self, session: str, folder: Path) -> None:  # noqa: ARG002
        """The folder of the launch is shown."""
        self.share([folder])

    def deliver(self, folder: Path) -> None:
        """Files in a folder that is shared are there."""

    def finish(self, session: str, folder: Path) -> None:
        """Its keeper has ended all."""

    def sweep(self, session: str) -> None:
        """Its keeper ends all."""


class PresentComputer(PlainAccess):
    """Nothing to open: ranks are started here."""

    reach = Reach(HostSet())
    first_processes: tuple[int, ...] = ()
    facts: Pairs = ()
    one_clock = True

    def command(self, command: Command) -> Command:
        """The command itself."""
        return command
