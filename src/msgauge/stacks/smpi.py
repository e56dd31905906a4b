"""MPI on simulated platforms: SMPI of SimGrid. Source: "SMPI: Simulate MPI Applications", manual of SimGrid 3.32.

The same native worker, compiled by smpicxx; all ranks live in one process, in the simulator's time. A platform is a
file in SimGrid's format: a shipped one by its name (``smpi[platform=torus]``), or any by its path, where a file of the
same name that ends in ``.options`` holds further options of smpirun, one a line. Times are those of the platform, the
same in every launch; they say nothing of this computer.
"""

# ruff: noqa: ARG002  (a method of the interface takes what any family may need)
from __future__ import annotations

import re
import shutil
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from urllib.parse import unquote

from attrs import evolve

from msgauge.config import Config
from msgauge.errors import StackError
from msgauge.hosts import Host
from msgauge.model import Command, Obtainable, Origin, Pairs, Setting, Stack
from msgauge.paths import expand_home, platforms_folder
from msgauge.stacks.base import debian
from msgauge.stacks.base.family import LaunchOptions, PlainFamily, Recipe, Variant
from msgauge.stacks.base.mpi_family import COMPILE_FLAGS
from msgauge.stacks.base.tool_query import ask
from msgauge.stacks.base.transport_header import capabilities_of
from msgauge.units import parse_size

SHIPPED = {
    "ethernet": "100BaseT: switched Ethernet of 100 Mbit/s (the default)",
    "gigabit": "switched Ethernet of 1 Gbit/s",
    "torus": "three-dimensional torus with the message costs of a Cray T3D",
}
SMPI_OPTIONS = {
    "os": "overhead of a send, threshold:seconds:per byte, entries separated by %3B",
    "ois": "overhead of a non-blocking send, likewise",
    "or": "overhead of a receive, likewise",
    "lat-factor": "factors of the latency, threshold:factor",
    "bw-factor": "factors of the bandwidth, threshold:factor",
}
SPEED = "1Gf"
CHOICES = "MSGAUGE_SMPI"
"""Carries the chosen words from variant to launch, and shows them with the command."""


class Smpi(PlainFamily):
    """SimGrid's MPI; see ``family.Family`` for what each method is for."""

    name = "smpi"
    title = "SMPI (simulated platforms)"
    other_names = ("simgrid", "smpirun")
    native = True
    transport = "smpi"
    debian_packages = ("libsimgrid-dev",)

    def variants(self) -> Sequence[Variant]:
        return (
            *(Variant(f"platform={name}", "transport", what) for name, what in SHIPPED.items()),
            Variant("platform=PATH", "transport", "a platform file of SimGrid's own format"),
            Variant("eager=SIZE", "parameter", "largest message that is sent eagerly"),
            Variant("compute=yes", "parameter", "time between calls is measured here and scaled by speed="),
            Variant("speed=FLOPS", "parameter", f"speed of this computer for compute=yes, as 4Gf; {SPEED} if left out"),
            *(Variant(f"{name}=LIST", "parameter", what) for name, what in SMPI_OPTIONS.items()),
        )

    def find(self, host: Host, config: Config) -> Iterator[Stack]:
        launcher, compiler = shutil.which("smpirun") or "", shutil.which("smpicxx") or ""
        if launcher:
            reason = "" if compiler else "smpirun has no smpicxx beside it; apt-get install libsimgrid-dev"
            yield Stack(
                family=self.name,
                version=_version(launcher),
                origin=Origin("system", str(Path(launcher).parent)),
                compiler=compiler,
                launcher=launcher,
                axes=_axes("ethernet"),
                simulated=True,
                usable=not reason,
                reason=reason,
            )

    def with_variant(self, stack: Stack, words: tuple[str, ...]) -> Stack:
        chosen: dict[str, str] = {}
        for word in sorted(set(words)):
            name, _, text = word.partition("=")
            if name in chosen:
                remedy = "keep one of them"
                raise StackError(f"{name}= is given twice", where=stack.spec, remedy=remedy)
            chosen[name] = _check_word(stack, name, unquote(text))
        return evolve(
            stack,
            variant=tuple(sorted(set(words))),
            environment=((CHOICES, " ".join(f"{name}={value}" for name, value in chosen.items())),) if chosen else (),
            axes=_axes(chosen.get("platform", "ethernet")),
        )

    def obtainable(self, host: Host) -> Sequence[Obtainable]:
        version = debian.version_on_offer(self.debian_packages[0]) if debian.is_there() else ""
        origin = Origin("system", " ".join(self.debian_packages))
        return (Obtainable(self.name, version, origin, "msgauge stacks install smpi"),) if version else ()

    def install(self, version: str, origin: str) -> None:
        if origin not in {"", "system"}:
            raise StackError(f"smpi cannot be had as {origin!r}", remedy="known ways: system")
        debian.install(self.debian_packages)

    def kernels(self, stack: Stack) -> frozenset[str] | None:
        return None

    def capabilities(self, stack: Stack) -> frozenset[str]:
        return capabilities_of("mpi") | {"clock"}

    def compile_command(self, stack: Stack, recipe: Recipe) -> Command | None:
        defines = (f"-D{define}" for define in recipe.defines)
        include = (f"-I{folder}" for folder in recipe.include)
        sources = map(str, recipe.sources)
        argv = (stack.compiler, *COMPILE_FLAGS, *defines, *include, *sources, "-o", str(recipe.output))
        return Command(argv)

    def launch_command(self, stack: Stack, program: Sequence[str], options: LaunchOptions) -> Command:
        """Ranks are dealt to the platform's hosts in their order; where there are more ranks, hosts are shared."""
        chosen = _parse_words(stack)
        argv = (
            stack.launcher,
            "-np",
            str(options.ranks),
            "-platform",
            str(_platform_file(chosen)),
            *_options(chosen),
            *program,
        )
        return Command(argv, (*stack.environment, ("TMPDIR", str(options.folder))), folder=str(options.folder))

    def settings(self, stack: Stack) -> Sequence[Setting]:
        source = "Configuring SimGrid, section SMPI: smpi/send-is-detached-thresh, smpi/async-small-thresh"
        what = "largest message that is sent eagerly"
        return (Setting("eager", "bytes", "65535", what, source, low=0, high=1 << 30),)

    def verify(self, stack: Stack, facts: Mapping[str, str]) -> str:
        said = facts.get("library", "")
        ours = re.match(r"SMPI Version (\d[\w.]*?)\.?(?:\s|$)", said)
        if ours and f"{stack.version}.".startswith(f"{ours[1]}."):
            return ""
        return f"{stack.spec} runs another library: {said[:80]!r}; check LD_LIBRARY_PATH"


def _options(chosen: Mapping[str, str]) -> tuple[str, ...]:
    """Options of smpirun: quiet, exact, and computing free of charge unless it was asked for."""
    measured = chosen.get("compute", "no") == "yes"
    options = [
        "--log=xbt_cfg.thresh:warning",
        f"--cfg=smpi/simulate-computation:{'yes' if measured else 'no'}",
        f"--cfg=smpi/host-speed:{chosen.get('speed', SPEED)}",
        "--cfg=smpi/wtime:0",
        "--cfg=surf/precision:1e-10",
        *_beside(_platform_file(chosen)),
        *(f"--cfg=smpi/{name}:{chosen[name]}" for name in SMPI_OPTIONS if name in chosen),
    ]
    if "eager" in chosen:
        limit = int(parse_size(chosen["eager"])) + 1
        options += [f"--cfg=smpi/{name}:{limit}" for name in ("send-is-detached-thresh", "async-small-thresh")]
    return tuple(options)


def _platform_file(chosen: Mapping[str, str]) -> Path:
    named = chosen.get("platform", "ethernet")
    return platforms_folder() / f"{named}.xml" if named in SHIPPED else Path(named)


def _beside(platform: Path) -> tuple[str, ...]:
    """The lines of the file of options that goes with a platform file."""
    try:
        lines = platform.with_suffix(".options").read_text(encoding="utf-8").splitlines()
    except OSError:
        return ()
    return tuple(line.strip() for line in lines if line.strip().startswith(("--cfg=", "--log=")))


def _check_word(stack: Stack, name: str, value: str) -> str:
    """The value of a word, paths made absolute. Raises StackError for what smpi does not know."""
    problem = ""
    if name == "platform" and value not in SHIPPED:
        path = expand_home(value).absolute()
        value = str(path)
        problem = "" if path.is_file() and " " not in value else f"there is no platform file {value!r}"
    elif name == "eager":
        problem = "" if re.fullmatch(r"\d+(B|KiB|MiB|GiB)?", value) else f"eager={value!r} is not a size"
    elif name == "compute":
        problem = "" if value in {"yes", "no"} else f"compute={value!r} is neither yes nor no"
    elif name == "speed":
        problem = "" if re.fullmatch(r"\d+(\.\d+)?(e\d+)?[kMGT]?f", value) else f"speed={value!r} is not like 4Gf"
    elif name in SMPI_OPTIONS:
        problem = "" if re.fullmatch(r"[0-9.e:;+-]+", value) else f"{name}={value!r} is not a list of numbers"
    elif name != "platform":
        problem = f"smpi knows no variant {name!r}"
    if problem:
        shipped = ", ".join(f"platform={platform}" for platform in SHIPPED)
        remedy = f"write {shipped}, platform=PATH, eager=64KiB, compute=yes, speed=4Gf, or {'= '.join(SMPI_OPTIONS)}="
        raise StackError(problem, where=stack.spec, remedy=remedy)
    return value


def _parse_words(stack: Stack) -> dict[str, str]:
    words = dict(stack.environment).get(CHOICES, "").split()
    return {name: value for name, _, value in (word.partition("=") for word in words)}


def _axes(platform: str) -> Pairs:
    return (("library", "smpi"), ("language", "c++"), ("transport", platform), ("wait", "default"))


def _version(launcher: str) -> str:
    found = re.search(r"SimGrid version (\d[\w.]*)", ask((launcher, "-version")).text)
    return found[1] if found else "unknown"


FAMILY = Smpi()
