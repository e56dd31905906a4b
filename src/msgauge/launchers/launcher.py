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
    """What stacks may need of it (``model.RSH_AGENT`` ...)."""

    def is_around(self) -> bool:
        """Whether hosts are held for this process already: then they are taken without being asked for."""
        ...

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


def reason_against_job(hosts: HostSet, user: str, daemon: bool) -> str:
    """Why a stack cannot run inside the job that holds these hosts; '' when it can.

    ``user``: as whom its ranks run, if not as the present one. ``daemon``: it needs daemons, which a scheduler ends
    with the step that started them.
    """
    if hosts.allocation and user:
        return f"its ranks run as {user}, whose job this is not; run msgauge as another user than root"
    if hosts.allocation and hosts.apart and daemon:
        return f"its daemons need msgauge on {hosts.names[0]}, the first host of the job; a batch script runs there"
    return ""


def unfit_reason(
    needs: frozenset[str] | None, launcher: Launcher, speaks: Sequence[str] = (), pmis: Sequence[str] = ()
) -> str:
    """Why a stack with these needs cannot reach the hosts of a launcher; '' when it can.

    ``speaks``: the PMIs that its library speaks. ``pmis``: those by which a scheduler is to start ranks, if it is to.
    A library that is started over another one finds itself alone, N times rank 0 of 1, with exit code 0.
    """
    if launcher.name == "local":
        return ""
    if pmis and not speaks:
        return f"it speaks no PMI, so that {launcher.name} itself cannot bring its ranks together"
    if pmis and not set(speaks) & set(pmis):
        known, asked = " and ".join(speaks), " or ".join(pmis)
        return f"it speaks {known}, and is to be started by {asked}: each process would be rank 0 of 1"
    if pmis:
        return ""
    if needs is None:
        return "its ranks cannot leave the computer that they are started on"
    lacking = sorted(needs - launcher.offers)
    return f"it needs {', '.join(lacking)}, which the launcher {launcher.name} does not offer" if lacking else ""
