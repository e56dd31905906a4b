"""What a stack plug-in is: one object that finds, compiles for and launches one family of stacks.

A plug-in file holds one class with this interface and one ``FAMILY = Class()``; it is found by being in this folder,
or by an entry point of group ``msgauge.stacks``. Its methods return values and run nothing, except ``find`` (which may
ask the tools of the machine, with a time limit, and never raises), ``install`` and ``session``.
"""

# ruff: noqa: ARG002  (a method of the interface takes what any family may need)
from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Protocol

from attrs import frozen

from msgauge.config import Config
from msgauge.errors import StackError, hint_nearest
from msgauge.hosts import Host
from msgauge.model import Carrier, Command, Obtainable, Promise, Reach, Setting, Stack, Traces
from msgauge.stacks.base.log_noise import NO_NOISE, LogNoise

NOTHING = Promise()


@frozen
class Variant:
    """One word a family understands in brackets, e.g. ``tcp`` on the axis ``transport``."""

    word: str
    axis: str
    what: str
    promise: Promise = NOTHING
    """What a launch under this word must show, by the kernel's counters."""


def refuse_variant(stack: Stack, word: str, known: Sequence[Variant]) -> StackError:
    """The error for a word in brackets that the family of a stack does not know, with the one probably meant."""
    near = hint_nearest(word, [one.word for one in known])
    meant = f"did you mean {near!r}? " if near else ""
    listed = ", ".join(f"{one.word} ({one.what})" for one in known) or "none"
    return StackError(
        f"{stack.family} knows no variant {word!r}", where=stack.spec, remedy=f"{meant}Known are: {listed}"
    )


@frozen
class Recipe:
    """What ``compile_command`` is asked to make.

    A worker that is not compiled (Python, Octave) is given back by ``program``.
    """

    sources: tuple[Path, ...]
    """What becomes one program: sources in C++ (``native/worker.cpp`` and ``native/kernels.cpp``), and object files."""
    include: tuple[Path, ...]
    """Folders for ``-I``: the shipped ``native`` folder, and a generated one with the list of kernels."""
    output: Path
    defines: tuple[str, ...] = ()


@frozen
class LaunchOptions:
    """How ranks are to be started, the same for every stack of a round."""

    ranks: int
    cores: int
    """Cores the ranks may use; more ranks than this is oversubscribed and must be allowed explicitly."""
    folder: Path
    """A folder of this launch that the stack may write to (hostfiles, session files)."""
    hosts: tuple[Host, ...] = ()
    reach: Reach | None = None
    """The other computers that ranks stand on, and the way there; None for the present computer alone."""
    session: str = ""
    """Names the session: the same for its daemons and for all launches in it; empty where there is one launch alone."""

    @property
    def oversubscribed(self) -> bool:
        return self.ranks > self.cores

    @property
    def layout(self) -> tuple[str, ...]:
        """The host of each rank, where they stand on other computers."""
        return self.reach.hosts.layout(self.ranks) if self.reach else ()

    @property
    def must_yield(self) -> bool:
        """Whether ranks of different emulated hosts share a processor, which no library can know."""
        return self.reach is not None and self.reach.hosts.emulated and self.oversubscribed


class Runner(Protocol):
    """Runs a command inside a session's process tree and waits for it: what ``session`` is given."""

    def run(self, command: Command, limit_s: float) -> tuple[int, str]:
        """Exit code and combined output; the process tree is ended past the limit (exit code -9)."""
        ...


class PlainFamily:
    """What most families state: a rank is the worker, nothing stands around it, and nothing can be tuned.

    No daemon, nothing left behind, and no promise but those of the words of a variant.
    """

    daemon = False
    other_names: tuple[str, ...] = ()
    traces = Traces()
    variables: tuple[str, ...] = ()
    log_noise = NO_NOISE
    needs: frozenset[str] | None = None
    plain_promise = NOTHING
    """What the stack promises under every variant."""

    def variants(self) -> Sequence[Variant]:
        return ()

    def needs_of(self, stack: Stack) -> frozenset[str] | None:
        return self.needs

    def pmis(self, stack: Stack) -> tuple[str, ...]:
        return ()

    def confinement(self, stack: Stack) -> str:
        carrier = self.promise(stack).carrier
        if carrier not in (Carrier.SHARED_MEMORY, Carrier.UNIX_SOCKETS):
            return ""
        return f"its messages go through {carrier}, which end{'s' * (carrier is Carrier.SHARED_MEMORY)} at one computer"

    def promise(self, stack: Stack) -> Promise:
        promised = self.plain_promise
        for variant in self.variants():
            if variant.word in stack.variant:
                promised = promised.join(variant.promise)
        return promised

    def program(self, stack: Stack, binary: Path) -> tuple[str, ...]:
        return (str(binary),)

    def session(self, stack: Stack, options: LaunchOptions, runner: Runner) -> AbstractContextManager[None]:
        return nullcontext()

    def settings(self, stack: Stack) -> Sequence[Setting]:
        return ()


class Family(Protocol):
    """The plug-in interface of one family of stacks."""

    name: str
    title: str
    other_names: tuple[str, ...]
    """What else people call it: a name that is not known is answered with the family that has it here."""
    native: bool
    """True when its worker is the C++ one compiled with ``transport``; False: ``program`` names another worker."""
    transport: str
    """The header in ``native/transports`` its workers include, without ``.hpp``."""
    daemon: bool
    """Whether ``session`` brings up a daemon that launches need."""
    traces: Traces
    """What its processes leave behind when they are killed."""
    variables: tuple[str, ...]
    """How the names of the environment variables begin that its launcher leaves or its library obeys."""
    log_noise: LogNoise
    """What its launcher or interpreter may write at the end of a run, whatever happened."""
    needs: frozenset[str] | None
    """What it needs of a launcher (``model.RSH_AGENT`` ...) to reach other computers; None: its ranks stay here."""

    def needs_of(self, stack: Stack) -> frozenset[str] | None:
        """The same of one stack, where it lacks what others of its family have."""
        ...

    def pmis(self, stack: Stack) -> tuple[str, ...]:
        """The process-management interfaces over which a scheduler can start its ranks, the one to take first."""
        ...

    def confinement(self, stack: Stack) -> str:
        """Why ranks of this stack cannot stand on different computers though those of others can; '' when they can."""
        ...

    def variants(self) -> Sequence[Variant]:
        """The words that may stand in brackets behind its specs."""
        ...

    def find(self, host: Host, config: Config) -> Iterator[Stack]:
        """Every stack of this family on the host, usable or not (with the reason). Plain ones only, no variants."""
        ...

    def with_variant(self, stack: Stack, words: tuple[str, ...]) -> Stack:
        """The same stack under these variant words, with its axes. Raises StackError for a word it does not know."""
        ...

    def promise(self, stack: Stack) -> Promise:
        """What the name of a stack says of how messages travel and ranks wait; every launch is held to it."""
        ...

    def obtainable(self, host: Host) -> Sequence[Obtainable]:
        """What could be had here, whether or not it is there already; the registry leaves out what is."""
        ...

    def install(self, version: str, origin: str) -> None:
        """Get it: ``version`` may be shortened or empty (newest), ``origin`` managed, system or empty (the usual one).

        Raises:
            StackError: it cannot be had so.
            ToolError: the tool that gets it is missing, or needs rights that are not there; the command to run.
        """
        ...

    def kernels(self, stack: Stack) -> frozenset[str] | None:
        """Names of the kernels its worker has; None: every native kernel."""
        ...

    def capabilities(self, stack: Stack) -> frozenset[str]:
        """Operations it offers natively, by the words of docs/reference/wire-protocol.md; the rest is emulated."""
        ...

    def compile_command(self, stack: Stack, recipe: Recipe) -> Command | None:
        """How to compile a worker; None when there is nothing to compile."""
        ...

    def program(self, stack: Stack, binary: Path) -> tuple[str, ...]:
        """The argv of one rank, before the worker's own arguments; for native workers ``(str(binary),)``."""
        ...

    def launch_command(self, stack: Stack, program: Sequence[str], options: LaunchOptions) -> Command:
        """How to start ``options.ranks`` processes of ``program`` (argv of one rank with all its arguments)."""
        ...

    def session(self, stack: Stack, options: LaunchOptions, runner: Runner) -> AbstractContextManager[None]:
        """Daemons that must be up around launches; a null context where there are none."""
        ...

    def settings(self, stack: Stack) -> Sequence[Setting]:
        """Its tunables."""
        ...

    def verify(self, stack: Stack, facts: Mapping[str, str]) -> str:
        """Check what the worker's hello reported (library string ...); '' or the reason it is not what it claims."""
        ...
