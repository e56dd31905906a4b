"""The hosts that a run's ranks stand on, and how ranks reach them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from typing import Literal

from attrs import evolve, frozen

from msgauge.model.stack import Pairs

HostMap = Literal["node", "core"]
"""How ranks are dealt out: ``node`` one to each host in turn, ``core`` as many as a host takes, then the next host."""


@frozen
class HostSet:
    """The hosts that a run asks for; none are named where it runs on the present computer alone."""

    asked: str = ""
    """As the user wrote it: ``lab:4@gigabit``."""
    launcher: str = "local"
    names: tuple[str, ...] = ()
    slots: int = 1
    """Ranks that a host takes before the next one's turn, under ``core``."""
    map: HostMap = "node"
    emulated: bool = False
    """Hosts and network are emulated on the present computer."""
    network: str = ""
    """What joins them, in words; empty where that is not known."""
    cores: int = 0
    """Processors of all hosts that ranks may use; 0: those of the present computer."""
    config: str = ""
    """A configuration file of the launcher; empty: the user's own."""
    takes: tuple[int, ...] = ()
    """``slots`` of each host, where they differ."""
    pmis: tuple[str, ...] = ()
    """The process-management interfaces by which a scheduler starts ranks; empty: stacks' own launchers do."""
    allocation: str = ""
    """The scheduler's job that holds the hosts: ``Slurm job 7``."""
    apart: bool = False
    """msgauge runs on another computer than the first host of the job."""
    maps: Pairs = ()
    """The stacks whose ranks are dealt out otherwise, each with its own ``map``."""

    def __attrs_post_init__(self) -> None:
        """Raises ValueError: a run folder was edited."""
        if len(self.takes) not in (0, len(self.names)):
            raise ValueError("takes has not one number for each host")

    @property
    def on_this_computer(self) -> bool:
        """Whether all ranks run on the present computer, be it as hosts that are emulated."""
        return self.emulated or not self.names

    def of(self, stack: str) -> HostSet:
        """The hosts as the ranks of a stack are dealt out to them."""
        own = dict(self.maps).get(stack, self.map)
        return evolve(self, map="core" if own == "core" else "node")

    def slots_of(self, name: str) -> int:
        """Ranks that a host takes before the next one's turn."""
        if self.map == "node":
            return 1
        return self.takes[self.names.index(name)] if self.takes else self.slots

    def layout(self, ranks: int) -> tuple[str, ...]:
        """The host of each rank; empty where there is the present computer alone.

        When every host has its ``slots``, dealing begins anew with the first one.
        """
        turn = [name for name in self.names for _ in range(self.slots_of(name))]
        return tuple(turn[rank % len(turn)] for rank in range(ranks)) if turn else ()

    def list_needed(self, ranks: int) -> tuple[str, ...]:
        """Hosts without which so many ranks cannot be started: theirs, and the first, where a stack's launcher runs."""
        return tuple(dict.fromkeys((*self.names[:1], *self.layout(ranks))))

    def place(self, ranks: int) -> str:
        """``on 2 emulated hosts, 4 ranks on each``: where so many stand; '' for the present computer alone."""
        counts = Counter(self.layout(ranks)).values()
        if not counts:
            return ""
        fewest, most = min(counts), max(counts)
        kind = f"{'emulated ' if self.emulated else ''}host{'' if len(counts) == 1 else 's'}"
        each = (
            ""
            if most == 1 or len(counts) == 1
            else f", {most if fewest == most else f'{fewest} to {most}'} ranks on each"
        )
        return f"on {len(counts)} {kind}{each}"


@frozen
class Reach:
    """What a launcher offers to the stacks of a launch: hosts, and the means to start programs on them."""

    hosts: HostSet
    agent: str = ""
    """An executable that is called as rsh is: ``agent HOST COMMAND``; empty where there is none."""
    interface: str = ""
    """The network interface that messages are to cross."""
    temporary: str = ""
    """A folder for temporary files that every host has its own of; empty: the usual one."""
    own_names: Pairs = ()
    """How hosts call themselves, where that is not the name that they are reached by."""
    start: tuple[str, ...] = ()
    """The scheduler's command that starts ranks itself; to be filled in: ``{pmi}``, ``{ranks}``, ``{layout}``."""
    mark: str = ""
    """Processes of a session that may outlive their launcher are told by ``MSGAUGE_MARK=MARK.SESSION``; empty: none."""
    uncounted: bool = False
    """Hosts have devices whose traffic no interface counts (InfiniBand): few bytes counted then prove nothing."""

    def without(self, lost: Collection[str]) -> Reach:
        """The same without some hosts."""
        kept = [number for number, name in enumerate(self.hosts.names) if name not in lost]
        takes = tuple(self.hosts.takes[number] for number in kept) if self.hosts.takes else ()
        return evolve(self, hosts=evolve(self.hosts, names=tuple(self.hosts.names[one] for one in kept), takes=takes))


RSH_AGENT = "rsh agent"
"""A need of stacks and an offer of launchers: programs are started on a host by a command as rsh is one."""

SHARED_FOLDER = "a folder that hosts share over their network"
"""The same for stacks whose messages are files."""

OTHER_USER = "to start ranks as another user"
"""The same for stacks that refuse root, while root measures."""
