"""Message passing through files from Octave: the toolbox in matlab/filempi, measured by a worker in Octave.

``filempi`` takes the stream on the local file system; ``filempi[protocol=file]`` a file per message;
``filempi[protocol=classic]`` the buffer and lock files of MatlabMPI with its pause of 10 ms,
``filempi[protocol=classic-spin]`` the same without a pause.
"""

# ruff: noqa: ARG002

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from attrs import evolve

from msgauge.config import Config
from msgauge.errors import StackError
from msgauge.hosts import Host
from msgauge.model import RSH_AGENT, SHARED_FOLDER, Command, Obtainable, Origin, Promise, Setting, Stack, Traces
from msgauge.stacks.base.family import LaunchOptions, PlainFamily, Recipe, Variant
from msgauge.stacks.base.octave import OCTAVE_NOISE, octave_version
from msgauge.stacks.base.promises import BY_SPINNING

WORKER = Path(__file__).parents[1] / "workers" / "octave" / "start_worker.m"
PROTOCOLS = {
    "stream": "small messages in one growing file for each pair of ranks (the default)",
    "file": "every message a file of its own, as on a network file system",
    "classic": "a buffer and a lock file, polled every 10 ms, as MatlabMPI does it",
    "classic-spin": "a buffer and a lock file, polled without a pause",
    "classic-binary": "as classic, with the buffer in MATLAB's binary format where Octave's own is text",
}


class FileMpi(PlainFamily):
    """The file toolbox on Octave; MATLAB is not launched."""

    name = "filempi"
    title = "files, from Octave"
    other_names = ("matlabmpi", "octave", "matlab", "pmatlab")
    native = False
    transport = "filempi"
    log_noise = OCTAVE_NOISE
    needs = frozenset({RSH_AGENT, SHARED_FOLDER})
    traces = Traces(job_folders=(r"filempi-[0-9a-f]{24}",))
    """A job is a folder, which the shell that started its ranks works in and removes at the end."""

    def variants(self) -> Sequence[Variant]:
        spinning = BY_SPINNING
        return tuple(
            Variant(f"protocol={name}", "transport", what, spinning if name == "classic-spin" else Promise())
            for name, what in PROTOCOLS.items()
        )

    def confinement(self, stack: Stack) -> str:
        if dict(stack.environment)["FILEMPI_TRANSPORT"] != "stream":
            return ""
        return "a growing file can be followed on one computer alone; between hosts take filempi[protocol=file]"

    def find(self, host: Host, config: Config) -> Iterator[Stack]:
        octave = shutil.which("octave-cli") or ""
        reason = ""
        if not octave:
            reason = "there is no octave-cli: apt-get install octave"
        elif toolbox() is None:
            reason = "the toolbox matlab/filempi is not beside this installation: run msgauge from its source tree"
        yield Stack(
            family=self.name,
            version=octave_version(octave) if octave else "0",
            origin=Origin("system", octave),
            launcher=octave,
            environment=(("FILEMPI_TRANSPORT", "stream"),),
            language="octave",
            axes=_axes("stream"),
            usable=not reason,
            reason=reason,
        )

    def with_variant(self, stack: Stack, words: tuple[str, ...]) -> Stack:
        known = {f"protocol={name}": name for name in PROTOCOLS}
        unknown = [word for word in words if word not in known]
        if unknown or len(words) > 1:
            raise StackError(
                f"filempi does not know the variant {','.join(words)!r}",
                where=stack.spec,
                remedy=f"give one of: {', '.join(known)}",
            )
        protocol = known[words[0]] if words else "stream"
        return evolve(
            stack,
            variant=words if protocol != "stream" else (),
            environment=(("FILEMPI_TRANSPORT", protocol),),
            axes=_axes(protocol),
        )

    def obtainable(self, host: Host) -> Sequence[Obtainable]:
        if shutil.which("octave-cli"):
            return ()
        return (Obtainable(self.name, "", Origin("system", "octave"), "apt-get install octave"),)

    def install(self, version: str, origin: str) -> None:
        raise StackError("filempi needs Octave, which msgauge does not install", remedy="apt-get install octave")

    def kernels(self, stack: Stack) -> frozenset[str] | None:
        names = frozenset(file.stem.removeprefix("kernel_") for file in WORKER.parent.glob("kernel_*.m"))
        return names - {"stream"} if "classic" in dict(stack.environment)["FILEMPI_TRANSPORT"] else names

    def capabilities(self, stack: Stack) -> frozenset[str]:
        words = "send recv sendrecv barrier bcast scatter gather allgather reduce allreduce alltoall"
        if "classic" not in dict(stack.environment)["FILEMPI_TRANSPORT"]:
            words += " isend irecv wait test probe any_source any_tag"
        return frozenset(words.split())

    def compile_command(self, stack: Stack, recipe: Recipe) -> Command | None:
        return None

    def program(self, stack: Stack, binary: Path) -> tuple[str, ...]:
        folder = toolbox()
        place = str(folder) if folder is not None else ""
        return (stack.launcher, "-qfW", "--no-gui", str(WORKER), "--toolbox", place)

    def launch_command(self, stack: Stack, program: Sequence[str], options: LaunchOptions) -> Command:
        away: tuple[str, ...] = ()
        if options.reach:
            names = dict(options.reach.own_names)
            machines = ",".join(names.get(host, host) for host in options.layout)
            away = ("--machines", machines, "--agent", options.reach.agent)
        argv = (*program, "--ranks", str(options.ranks), *away)
        return Command(argv, (*stack.environment, ("OMP_NUM_THREADS", "1")), folder=str(options.folder))

    def settings(self, stack: Stack) -> Sequence[Setting]:
        return (Setting("FILEMPI_SPIN", "integer", "0.002", "seconds a wait spins", "docs/how-to/filempi.md"),)

    def verify(self, stack: Stack, facts: Mapping[str, str]) -> str:
        said, wanted = facts.get("transport", ""), dict(stack.environment)["FILEMPI_TRANSPORT"]
        return "" if said == wanted else f"its ranks report the protocol {said!r} where {wanted!r} was asked for"


def toolbox() -> Path | None:
    """The toolbox: inside an installed package, or in the source tree; None when it is in neither."""
    package = Path(__file__).parents[1]
    for place in (package / "matlab" / "filempi", package.parents[1] / "matlab" / "filempi"):
        if (place / "MPI_Run.m").is_file():
            return place
    return None


def _axes(protocol: str) -> tuple[tuple[str, str], ...]:
    wait = {"classic": "sleep", "classic-binary": "sleep", "classic-spin": "spin"}.get(protocol, "default")
    return (("library", "filempi"), ("language", "octave"), ("transport", protocol), ("wait", wait))


FAMILY = FileMpi()
