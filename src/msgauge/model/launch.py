"""What was built, and how each launch went: its cost, its placement, what carried its messages."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum

from attrs import field, frozen

from msgauge.model.plan import Launch
from msgauge.model.stack import Command, Pairs


@frozen
class Build:
    """A compiled worker (or why there is none)."""

    stack: str
    program: tuple[str, ...]
    command: Command | None
    log: str = ""
    reason: str = ""
    seconds: float = 0.0
    cached: bool = False
    unwritable_cache: str = ""
    """The cache that could not keep it, so that it stands in the run folder; empty when it was kept."""
    identity: str = ""
    """Digest of what runs: the worker, the libraries it loads, its environment; empty where that is not known."""
    installation: Pairs = ()
    """The files of the stack's installation, each with a digest of its content; none in older runs."""


@frozen
class Usage:
    """What a launch cost besides time, summed over all its processes (``peak_memory_bytes``: of the largest)."""

    user_s: float = 0.0
    system_s: float = 0.0
    voluntary_switches: int = 0
    involuntary_switches: int = 0
    peak_memory_bytes: int = 0


@frozen
class RankPlacement:
    """Where a rank really ran, as it saw it from inside: its process, host and allowed processors."""

    rank: int
    host: str
    pid: int
    cpus: str
    cpu: int = -1
    usage: Usage = field(factory=Usage)
    condition: Pairs = ()
    """How it is scheduled and what it may open, as it saw it: session, cgroup, open_files, policy, nice;
    ``loop_ns``: how long a fixed loop takes there."""


class Carrier(StrEnum):
    """What carried messages, by the kernel's own counters."""

    TCP = "tcp"
    TCP_IN_PART = "tcp in part"
    SHARED_MEMORY = "shared memory"
    UNIX_SOCKETS = "unix sockets"
    OTHER = "something unknown"
    UNSEEN = ""
    """Nobody looked, or nothing was sent."""


class WaitMode(StrEnum):
    """How a rank waits for a message that comes late."""

    SPINS = "spins"
    YIELDS = "yields"
    SLEEPS = "sleeps"
    UNSEEN = ""


@frozen
class Promise:
    """What the name of a stack says of its messages and its ranks; what it leaves open is empty."""

    carrier: Carrier = Carrier.UNSEEN
    wait_modes: tuple[WaitMode, ...] = ()
    """Each of them keeps the promise."""
    semaphores: bool | None = None
    """Whether waiting ranks sleep on System V semaphores."""

    def join(self, other: Promise) -> Promise:
        """Both promises; where they speak of the same, the other's word counts."""
        return Promise(
            other.carrier or self.carrier,
            other.wait_modes or self.wait_modes,
            self.semaphores if other.semaphores is None else other.semaphores,
        )


@frozen
class Route:
    """What carried the messages of a launch and how its ranks waited, by the kernel's counters; '' where unknown."""

    small_transport: Carrier = Carrier.UNSEEN
    large_transport: Carrier = Carrier.UNSEEN
    wait_mode: WaitMode = WaitMode.UNSEEN
    wait_cpu_fraction: float = 0.0
    """Processor seconds that a waiting rank uses per second of waiting; below 1 also where ranks share cores."""
    evidence: Pairs = ()


class Binding(StrEnum):
    """Which processors the ranks of a launch were bound to, from the masks that they had."""

    CORE_EACH = "one core each"
    SHARED_CORE = "several ranks on one core"
    IN_PART = "some ranks bound, others not"
    SUBSET = "a part of the processors each"
    NONE = "none"
    UNKNOWN = "unknown"


class CgroupKind(StrEnum):
    """Which cpu cgroup the ranks of a session are in; ranks in any are exempt from scheduler autogroups."""

    OWN = "own"
    INHERITED = "inherited"
    NONE = "none"


class VariantCheck(StrEnum):
    """Whether it was seen that what a variant asks for took effect; nothing is noted where it was."""

    UNVERIFIED = "not verified"


class SchedulingGroups(StrEnum):
    """What the scheduler shares processor time out to."""

    ALL_RANKS = "one for all ranks"
    PER_SESSION = "one for each session"
    CGROUPS = "several cgroups"


RECONNECTED = "reconnected"
"""Names, in the condition of a launch, the hosts to which connections had ended and were made again just before."""
BESIDE_COMPILERS = ("compilers", "ran on other cores")
"""Stands in the condition of a launch during which workers of other stacks were compiled."""


class LaunchStatus(StrEnum):
    """How a launch ended: ``failed`` is a crash, a wrong number of ranks, or the wrong library."""

    OK = "ok"
    FAILED = "failed"
    TIMEOUT = "timeout"
    INTERRUPTED = "interrupted"

    @property
    def broke_off(self) -> bool:
        """Whether the launch failed by itself; one that the user interrupted did not."""
        return self in (LaunchStatus.FAILED, LaunchStatus.TIMEOUT)


@frozen
class HostClock:
    """What the clock of a rank said at the end of a launch, against that of rank 0, as messages proved it."""

    rank: int
    at_ns: int
    """When that was, by rank 0's clock."""
    offset_ns: int
    """By how much it was ahead, within ``offset_error_ns`` to either side whatever way its messages took."""
    offset_error_ns: int
    drift_ppm: float
    """How fast it gets further ahead, within ``drift_error_ppm``."""
    drift_error_ppm: float
    round_trip_ns: int
    """The quickest exchange of the last synchronisation."""
    uneven: int = 0
    """How often what messages proved could not be true of clocks that run evenly."""


@frozen
class LaunchRecord:
    """How one launch went."""

    launch: Launch
    status: LaunchStatus = field(converter=LaunchStatus)
    reason: str = ""
    exit_code: int | None = None
    started: str = ""
    seconds: float = 0.0
    command: Command | None = None
    usage: Usage = field(factory=Usage)
    placement: tuple[RankPlacement, ...] = ()
    timer_cost_ns: float = 0.0
    timer_resolution_ns: float = 0.0
    condition: Pairs = ()
    """The scheduling condition the ranks were started in: session, cgroup, limits."""
    route: Route = field(factory=Route)
    clocks: tuple[HostClock, ...] = ()
    """Of each rank, where the ranks' hosts have clocks of their own."""
    sentinel_before: Pairs = ()
    sentinel_after: Pairs = ()
    log: str = ""
    """The tail of what it printed, when it did not go well."""
    waited_s: float = 0.0
    """Seconds that the run waited since the launch before it: for workers to be compiled, for hosts that were lost."""
    lost: bool = False
    """Its hosts went away, which says nothing about the stack: ``--resume`` does this launch again."""
    astray: bool = False
    """It ran and was not what was asked for: another library, other ranks or hosts, a setting without effect. Nothing
    of it counts; its samples stay where they are."""
    samples_digest: str = ""
    """Of the samples as the launch left them: damage between two frames shows in nothing else; '' in older runs."""

    @property
    def cores(self) -> dict[str, int]:
        """Processors that its ranks were allowed to use together, by host; 0 where none was reported."""
        allowed: dict[str, set[int]] = {}
        for placed in self.placement:
            allowed.setdefault(self._computer(placed), set()).update(_processors(placed.cpus))
        return {host: len(cpus) for host, cpus in allowed.items()}

    @property
    def oversubscribed(self) -> bool:
        """Whether more ranks ran on some host than they were allowed processors there."""
        ranks: dict[str, int] = {}
        for placed in self.placement:
            ranks[self._computer(placed)] = ranks.get(self._computer(placed), 0) + 1
        return any(0 < cores < ranks[host] for host, cores in self.cores.items())

    def _computer(self, placed: RankPlacement) -> str:
        """Whose processors a rank uses: emulated hosts share those of one computer."""
        return "" if ("hosts", "emulated") in self.condition else placed.host


def _processors(text: str) -> Iterator[int]:
    """``0-1,4`` as 0, 1, 4; what is no such list holds none."""
    for part in text.split(","):
        first, _, last = part.strip().partition("-")
        if first.isdecimal() and (last or first).isdecimal() and int(last or first) - int(first) < 65536:
            yield from range(int(first), int(last or first) + 1)
