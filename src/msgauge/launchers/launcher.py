"""What a launcher is: it reads which hosts are wanted, opens the way to them, and says what it offers to stacks.

A stack says what it needs (``needs`` of its family), a launcher what it ``offers``; what does not fit is a refusal with
its reason before anything starts. So N stacks and M launchers are N + M files.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import Protocol, runtime_checkable

from msgauge.execution.host_access import HostAccess
from msgauge.model import HostMap, HostSet


class Launcher(Protocol):
    """The plug-in interface of one way to other computers."""

    name: str
    offers: frozenset[str]
    """What stacks may need of it (``model.hosts``)."""

    def read(self, words: str, mapping: HostMap) -> HostSet:
        """The hosts that ``NAME:words`` asks for; starts nothing.

        Raises:
            UsageError: words that make no sense.
        """
        ...

    def open(self, hosts: HostSet, users: Sequence[str]) -> AbstractContextManager[HostAccess]:
        """The way to these hosts; ``users``: as whom ranks run besides the present one.

        Raises:
            MsgaugeError: the hosts are not to be had, with the reason.
        """
        ...


@runtime_checkable
class Examining(Protocol):
    """A launcher whose hosts stand before a run, so that they can be asked before anything is planned."""

    def examine(self, hosts: HostSet) -> HostSet:
        """The hosts with what they tell of themselves: whether they are emulated, what joins them, their processors.

        Raises:
            UsageError: one of them cannot be had; with the reason of each.
        """
        ...


def unfit_reason(needs: frozenset[str] | None, launcher: Launcher) -> str:
    """Why a stack with these needs cannot reach the hosts of a launcher; '' when it can."""
    if launcher.name == "local":
        return ""
    if needs is None:
        return "its ranks cannot leave the computer that they are started on"
    lacking = sorted(needs - launcher.offers)
    return f"it needs {', '.join(lacking)}, which the launcher {launcher.name} does not offer" if lacking else ""
