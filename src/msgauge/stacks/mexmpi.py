"""MPI from Octave by MEX: the toolbox in matlab/mexmpi over each MPI that it was built for.

The Octave worker measures it. A build stands in the cache, one for each MPI, made by
``msgauge stacks install mexmpi@openmpi``.
A stack is named by the versions of Octave and of the MPI, ``mexmpi@7.3.0+openmpi-5.0.11``, or in short
``mexmpi@openmpi``; it lies on the axes of its MPI.
"""

# ruff: noqa: ARG002  (a method of the interface takes what any family may need)
from __future__ import annotations

import hashlib
import re
import shutil
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from attrs import evolve

from msgauge.config import Config, load_config
from msgauge.errors import StackError
from msgauge.hosts import Host, this_host
from msgauge.model import Obtainable, Origin, Stack
from msgauge.paths import cache_folder
from msgauge.stacks import intelmpi, mpich, openmpi
from msgauge.stacks.base.family import Variant
from msgauge.stacks.base.log_noise import join_noise
from msgauge.stacks.base.mpi_family import MpiFamily
from msgauge.stacks.base.octave import OCTAVE_NOISE, octave_version
from msgauge.stacks.base.over_mpi import OverMpi
from msgauge.stacks.base.tool_query import ask

WORKER = Path(__file__).parents[1] / "workers" / "octave" / "start_mexmpi.m"
BELOW: Mapping[str, MpiFamily] = {family.name: family for family in (openmpi.FAMILY, mpich.FAMILY, intelmpi.FAMILY)}
CAPABILITIES = (
    "send recv sendrecv isend irecv wait test probe any_source any_tag barrier bcast scatter gather allgather reduce "
    "allreduce alltoall"
)
"""What its worker calls; the toolbox itself has all of MPI."""
INTO = "into"
BUILD = "MEXMPI_BUILD"
"""The variable of a stack's environment that names its build."""
LIMIT_S = 900.0


class MexMpi(OverMpi):
    """mexmpi on Octave; everything about launching is left to the family of the MPI below."""

    name = "mexmpi"
    title = "MPI from Octave (mexmpi)"
    other_names = ("mpitb", "mpi-tb", "octave-mpi")
    transport = "mexmpi"
    log_noise = join_noise(OCTAVE_NOISE, *(family.log_noise for family in BELOW.values()))
    language = "octave"
    manner = INTO
    below = BELOW

    def variants(self) -> Sequence[Variant]:
        return (
            Variant(INTO, "language", "receives into a variable (MPI_Recv_into) in place of a new value"),
            *self.list_variants_below(tuple(BELOW.values())),
        )

    def find(self, host: Host, config: Config) -> Iterator[Stack]:
        octave, source = shutil.which("octave-cli") or "", toolbox()
        if not octave or source is None or not builds_folder().is_dir():
            return
        version = octave_version(octave)
        for family in BELOW.values():
            for below in family.find(host, config):
                build = builds_folder() / build_name(below)
                if below.usable and (build / "build.txt").is_file():
                    yield _over(below, octave, version, build, fingerprint(source))

    def with_variant(self, stack: Stack, words: tuple[str, ...]) -> Stack:
        varied = super().with_variant(stack, words)
        added = (("MSGAUGE_INTO", "1"),) if INTO in words else ()
        return evolve(varied, environment=(*varied.environment, *added))

    def obtainable(self, host: Host) -> Sequence[Obtainable]:
        if not shutil.which("octave-cli"):
            return (Obtainable(self.name, "", Origin("system", "octave"), "apt-get install octave octave-dev"),)
        return (Obtainable(self.name, "", Origin("managed", "mexmpi"), "msgauge stacks install mexmpi@openmpi"),)

    def install(self, version: str, origin: str) -> None:
        octave, source = shutil.which("octave-cli"), toolbox()
        if octave is None or source is None or shutil.which("mkoctfile") is None:
            raise StackError(
                "mexmpi needs octave-cli, mkoctfile and the toolbox matlab/mexmpi of msgauge's source tree",
                remedy="apt-get install octave octave-dev, and run msgauge from its source tree",
            )
        wanted = version or "openmpi"
        below = _all_below()
        fitting = [stack for stack in below if build_name(stack).startswith(wanted)]
        if not fitting:
            known = ", ".join(build_name(stack) for stack in below)
            raise StackError(
                f"there is no MPI {wanted!r} to build mexmpi for",
                remedy=f"install one first: msgauge stacks install openmpi; there are: {known or 'none'}",
            )
        _make_build(fitting[0], octave, source)

    def kernels(self, stack: Stack) -> frozenset[str] | None:
        if INTO in stack.variant:
            return frozenset({"pingpong"})
        return frozenset(file.stem.removeprefix("kernel_") for file in WORKER.parent.glob("kernel_*.m"))

    def capabilities(self, stack: Stack) -> frozenset[str]:
        return frozenset(CAPABILITIES.split())

    def program(self, stack: Stack, binary: Path) -> tuple[str, ...]:
        return (stack.compiler, "-qfW", "--no-gui", str(WORKER), "--build", dict(stack.environment)[BUILD])

    def verify(self, stack: Stack, facts: Mapping[str, str]) -> str:
        below, family = self.find_below(stack)
        if facts.get("transport", "mex") != "mex":
            return f"{stack.spec} reports the transport {facts['transport']!r}, not mex"
        return family.verify(below, facts)


def builds_folder() -> Path:
    """Folder of the builds, one for each MPI."""
    return cache_folder() / "mexmpi"


def build_name(below: Stack) -> str:
    """The folder's name of the build for an MPI."""
    return f"{below.family}-{below.version}"


def toolbox() -> Path | None:
    """The toolbox in the source tree; None where msgauge was installed without it."""
    place = Path(__file__).parents[3] / "matlab" / "mexmpi"
    return place if (place / "mexmpi_build.m").is_file() else None


def fingerprint(source: Path) -> str:
    """Of everything that a build is made of."""
    digest = hashlib.sha256()
    for path in sorted([*source.glob("source/**/*pp"), *source.glob("source/**/*.inc"), source / "mexmpi_build.m"]):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def _all_below() -> list[Stack]:
    host, config = this_host(), load_config()
    return [stack for family in BELOW.values() for stack in family.find(host, config) if stack.usable]


def _make_build(below: Stack, octave: str, source: Path) -> None:
    """Compile, by the toolbox's own function; it puts the build into its place when it is whole."""
    wrapper = str(Path(below.compiler).with_name(re.sub(r"mpi(cxx|c\+\+)", "mpicc", Path(below.compiler).name)))
    where = shutil.which(wrapper if "/" in below.compiler else Path(wrapper).name) or wrapper
    name = build_name(below)
    statement = f"addpath('{source}'); mexmpi_build('{where}', 'name', '{name}')"
    builds_folder().mkdir(parents=True, exist_ok=True)
    environment = {**dict(below.environment), "MEXMPI_BUILDS": str(builds_folder())}
    answer = ask((octave, "-qfW", "--no-gui", "--eval", statement), environment=environment, limit_s=LIMIT_S)
    if "is built for" not in answer.text:
        tail = "\n".join(answer.text.strip().splitlines()[-8:])
        raise StackError(f"mexmpi could not be built for {name}: {tail}", remedy="see what the compiler says")
    (builds_folder() / name / "fingerprint").write_text(fingerprint(source), encoding="ascii")


def _over(below: Stack, octave: str, version: str, build: Path, wanted: str) -> Stack:
    """mexmpi over an MPI; ``compiler`` is Octave, for nothing else is needed to make a worker."""
    made = build / "fingerprint"
    stale = not made.is_file() or made.read_text(encoding="ascii") != wanted
    reason = f"its build is of another source: msgauge stacks install mexmpi@{build.name}" if stale else ""
    own = ((BUILD, str(build)), ("OMP_NUM_THREADS", "1"))
    return Stack(
        family="mexmpi",
        version=f"{version}+{build.name}",
        origin=Origin(below.origin.kind, below.origin.where),
        compiler=octave,
        launcher=below.launcher,
        environment=(*below.environment, *own),
        language="octave",
        axes=tuple({**dict(below.axes), "version": below.version, "language": "octave"}.items()),
        user=below.user,
        usable=not stale,
        reason=reason,
    )


FAMILY = MexMpi()
