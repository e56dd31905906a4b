"""What discovery finds: stacks, where they come from, their settings, and the commands that use them."""

from __future__ import annotations

from enum import StrEnum
from typing import Literal

from attrs import evolve, frozen

OriginKind = Literal["managed", "system", "module", "spack", "prefix", "builtin"]
Pairs = tuple[tuple[str, str], ...]


@frozen
class Origin:
    """Where a stack comes from: the kind, and the prefix, module or package that names it to a person."""

    kind: OriginKind
    where: str = ""


class VariantMark(StrEnum):
    """A word of a variant that no family knows: it tells two of one stack apart in one run."""

    AGAIN = "again"
    """The same stack once more, for a check of A against A."""
    OLD = "old"
    """The version that a new one is compared with."""
    LOCAL = "local"
    """Its ranks stay on the present computer while those of the other stacks of the run stand on hosts."""
    NODE = "map=node"
    """Its ranks are dealt to hosts one each in turn, whatever the run says."""
    CORE = "map=core"
    """Its ranks fill one host after the other, whatever the run says."""


@frozen
class Stack:
    """One message-passing stack as it stands on this machine, ready to compile for and to launch.

    ``spec`` names it everywhere: ``openmpi@5.0.11``, ``openmpi@5.0.11[tcp]``, ``pvm@3.4.6[encoding=raw,route=direct]``;
    two origins of the same version are told apart as ``mpich@4.0.2/system``.
    """

    family: str
    version: str
    origin: Origin
    variant: tuple[str, ...] = ()
    compiler: str = ""
    launcher: str = ""
    environment: Pairs = ()
    library: str = ""
    """The library's own version string, as the two-rank hello printed it; empty until proved."""
    language: str = "c++"
    axes: Pairs = ()
    """What this stack varies on, for ``--by``: library, version, language, transport, wait."""
    simulated: bool = False
    usable: bool = True
    reason: str = ""
    """Why it is not usable, in a sentence that ends in a remedy; empty when usable."""
    user: str = ""
    """Its ranks must run as this user (LAM refuses root); empty means the present one."""
    ambiguous: bool = False
    """Another origin on this machine has the same family, version and variant."""

    @property
    def spec(self) -> str:
        origin = f"/{self.origin.kind}" if self.ambiguous else ""
        variant = f"[{','.join(self.variant)}]" if self.variant else ""
        return f"{self.family}@{self.version}{origin}{variant}"

    def has_mark(self, mark: VariantMark) -> bool:
        """Whether it carries this mark."""
        return mark in self.variant

    def with_mark(self, mark: VariantMark) -> Stack:
        """The same stack under a name of its own."""
        return evolve(self, variant=(*self.variant, mark.value))

    @property
    def map(self) -> str:
        """How its ranks are dealt to hosts: ``node`` or ``core``; empty: as the run says."""
        marks = (VariantMark.NODE, VariantMark.CORE)
        return next((mark.value.removeprefix("map=") for mark in marks if mark in self.variant), "")

    @property
    def stays(self) -> bool:
        """Whether its ranks stay on the present computer whatever hosts a run has."""
        return self.simulated or self.has_mark(VariantMark.LOCAL)

    @property
    def family_words(self) -> tuple[str, ...]:
        """The words of its variant that its family knows."""
        return tuple(word for word in self.variant if word not in set(VariantMark))


@frozen
class Obtainable:
    """A stack that is not here but could be had, and the exact way to get it."""

    family: str
    version: str
    origin: Origin
    command: str
    reason: str = ""

    @property
    def spec(self) -> str:
        """As a stack's, without a version where it has none before it is built."""
        return f"{self.family}@{self.version}" if self.version else self.family


@frozen
class Setting:
    """A tunable of a stack: type, range and default as its documentation (``source``) states them."""

    name: str
    kind: Literal["bytes", "integer", "boolean", "choice"]
    default: str
    what: str
    source: str
    choices: tuple[str, ...] = ()
    low: int | None = None
    high: int | None = None


OperationSupport = Literal["native", "emulated", "absent"]


@frozen
class TemporaryFiles:
    """Files in the system's temporary folder, whatever TMPDIR says: a pattern, and the program that may need them."""

    pattern: str
    maker: str


@frozen
class Traces:
    """What processes of a family leave behind when they are killed, for the keeper that removes it."""

    shared_memory: tuple[str, ...] = ()
    """Regular expressions for the beginning of names in /dev/shm, in any case of letters."""
    temporary_files: tuple[TemporaryFiles, ...] = ()
    job_folders: tuple[str, ...] = ()
    """Regular expressions for the whole name of a folder that a killed process works in and would have removed."""

    def join(self, other: Traces) -> Traces:
        """All of both."""
        return Traces(
            self.shared_memory + other.shared_memory,
            self.temporary_files + other.temporary_files,
            self.job_folders + other.job_folders,
        )


@frozen
class StackFacts:
    """What a family states of one of its stacks, written into the run folder when the run is planned.

    Whoever reads a run takes it from there: the family itself need not be installed where the run is read.
    """

    stack: str
    title: str = ""
    """The family's name for people: Open MPI."""
    kernels: tuple[str, ...] | None = None
    """The kernels that its worker has; None: every native one."""
    operations: tuple[tuple[str, OperationSupport], ...] = ()
    """Every operation of the transport interface, and whether the stack has it of its own."""
    settings: tuple[Setting, ...] = ()
    daemon: bool = False
    """Whether its launches need a daemon that is brought up before."""


@frozen
class Command:
    """An argv with the environment it adds, as shown to the user; making one runs nothing."""

    argv: tuple[str, ...]
    environment: Pairs = ()
    user: str = ""
    """Run as this user (LAM refuses root); empty means the present one."""
    folder: str = ""
