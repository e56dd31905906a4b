"""Compile one worker per stack by the stack's own wrapper, as many at once as cores are idle; what was compiled once is
taken from the cache.

A worker has two sources: its core is the same whatever is measured, so another choice of kernels compiles these alone.
The key of each is a hash of everything that could change it: its sources, the list of kernels, the command with its
flags and environment, what the wrapper says it would do, and the compiler's version. Variants of a stack that compile
alike share a worker, and so do several installations of msgauge with the same sources.
"""

from __future__ import annotations

import hashlib
import os
import secrets
import shutil
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory

from attrs import evolve, frozen

from msgauge.errors import LaunchError
from msgauge.execution.compilers import Compilers
from msgauge.execution.output_limit import MOST_BYTES
from msgauge.execution.supervisor import Run, clean_environment
from msgauge.kernels import kernel_folders, parse_facts
from msgauge.model import Build, Command, Plan, Stack
from msgauge.model.shell import shell_line
from msgauge.paths import cache_folder, native_folder
from msgauge.stacks.base.build_identity import describe_installation, identify
from msgauge.stacks.base.families import collect_variables, families
from msgauge.stacks.base.family import Family, Recipe

LIMIT_S = 180.0
_COMPILER_BYTES = 1 << 30
"""What one compiler of a worker may need at most, with room to spare."""


@frozen
class CompilerRoom:
    """What compilers may use of this computer."""

    at_once: int
    """So many compile side by side."""
    processors: tuple[int, ...] = ()
    """The numbers of the processors that they are confined to; none where they may use all that this process may."""


@contextmanager
def begin_builds(
    stacks: Sequence[Stack], folder_of: Callable[[str], Path], kernels: Collection[str], room: CompilerRoom
) -> Iterator[tuple[dict[str, Future[Build]], Compilers]]:
    """Begin the worker of each stack, in their order: what comes of each, by spec, and the compilers that make them.

    ``folder_of``: spec to the folder of its build. Leaving the context, in whatever way (Ctrl-C), ends all compilers.
    """
    compilers = Compilers()

    def one(stack: Stack) -> Build:
        return build(stack, keep=folder_of(stack.spec), kernels=kernels, compilers=compilers)

    def confine() -> None:
        if room.processors:
            os.sched_setaffinity(0, room.processors)  # of this thread, and of what is started from it

    pool = ThreadPoolExecutor(max_workers=max(1, room.at_once), initializer=confine)
    try:
        yield {stack.spec: pool.submit(one, stack) for stack in stacks}, compilers
    finally:
        compilers.end()
        pool.shutdown(cancel_futures=True)


def find_spare_cores(plan: Plan, cores: Sequence[tuple[int, ...]], quota: object = None) -> tuple[tuple[int, ...], ...]:
    """The cores on which compilers disturb no launch of a plan, so that measuring need not wait for all workers.

    Of the ``cores`` of this computer, each by the numbers of its processors, each rank needs one and msgauge with its
    keepers needs one; the rest is to spare, the highest-numbered ones, as libraries that bind ranks begin with the
    lowest. None where the run has hosts (they may be emulated here, or this may be one of them), or under a ``quota``
    of processor time (None: there is no such limit): what compilers use of that is taken from the ranks.
    """
    if plan.hosts.names or quota is not None:
        return ()
    spare = len(cores) - max(plan.rank_counts) - 1
    return tuple(sorted(cores)[-spare:]) if spare > 0 else ()


def count_idle(cores: int, root: Path = Path("/proc")) -> int:
    """How many compilers may run at once: cores that nobody uses now, and room in memory for each; at least one."""
    with suppress(OSError, LookupError, ValueError):
        running = dict(line.split(maxsplit=1) for line in (root / "stat").read_text().splitlines())["procs_running"]
        memory = dict(line.split(":", 1) for line in (root / "meminfo").read_text().splitlines())["MemAvailable"]
        idle = cores - (int(running) - 1)  # this process runs too
        return max(1, min(idle, int(memory.split()[0]) * 1024 // _COMPILER_BYTES))
    return 1


def build(
    stack: Stack,
    *,
    keep: Path,
    kernels: Collection[str] | None = None,
    limit_s: float = LIMIT_S,
    compilers: Compilers | None = None,
) -> Build:
    """The worker of a stack: compiled, from the cache, or the reason why there is none. Never raises for a stack.

    The worker has the named ``kernels`` (None: all there are), so that a study pays for the compiling of its own alone.
    ``keep`` gets ``command.txt``, ``build.log`` and ``include/kernels.inc``: the command, which makes the worker in one
    step, can be repeated by hand.
    """
    family, compilers = families().get(stack.family), compilers or Compilers()
    if family is None:
        return Build(stack.spec, (), None, reason=f"no plug-in for stacks of the family {stack.family!r}")
    if not stack.usable:
        return Build(stack.spec, (), None, reason=stack.reason or "not usable")
    try:
        include = list_kernels(keep.absolute() / "include", kernels)
        built = _Worker(family, stack, include, limit_s, compilers).build()
        identity = identify(built.program, stack.environment)
        return evolve(built, identity=identity, installation=describe_installation(built.program, stack))
    except BlockingIOError:  # of a compiler, or of what looks at what it made
        reason = "no more processes can be started here; raise the limit (ulimit -u, or that of the job)"
        return Build(stack.spec, (), None, reason=reason)
    except OSError as error:
        reason = f"the worker cannot be kept: {error.strerror} ({error.filename}); make room, or set MSGAUGE_CACHE"
        return Build(stack.spec, (), None, reason=reason)
    except LaunchError as error:  # its keeper was killed
        if compilers.ended:
            raise
        return Build(stack.spec, (), None, reason=str(error))


def worker_sources() -> tuple[Path, ...]:
    """What a worker in C++ is compiled from: what is the same for all kernels, and the chosen ones."""
    return native_folder() / "worker.cpp", native_folder() / "kernels.cpp"


@frozen
class _Worker:
    """One worker to be found in the cache, or to be compiled."""

    family: Family
    stack: Stack
    include: Path
    """The folder of ``kernels.inc``, in the one where command and log are kept."""
    limit_s: float
    compilers: Compilers

    def build(self) -> Build:
        started = time.monotonic()
        recipe = self._recipe(worker_sources(), "worker")
        command = self.family.compile_command(self.stack, recipe)
        if command is None:
            return Build(self.stack.spec, tuple(self.family.program(self.stack, recipe.output)), None)
        (self._keep / "command.txt").write_text(shell_line(command) + "\n")
        place = self._place(command, recipe)
        with self.compilers.turn(place):
            if (place / "worker").is_file():
                log = (place / "build.log").read_text(errors="replace")
                (self._keep / "build.log").write_text(log)
                seconds = time.monotonic() - started
                return Build(self.stack.spec, self._program(place), command, log, seconds=seconds, cached=True)
            outcome = self._compile(command)
            result = Build(self.stack.spec, (), command, outcome.log, outcome.reason, time.monotonic() - started)
            if outcome.reason:
                return result
            kept = _publish(self._keep, place, ("worker", "build.log", "command.txt"))
        unwritable = "" if kept == place else str(place.parent)
        return evolve(result, program=self._program(kept), unwritable_cache=unwritable)

    def _compile(self, command: Command) -> _Compiled:
        """The worker in ``keep``: in one step, or from its core where the command compiles that."""
        core, chosen = worker_sources()
        if str(core) not in command.argv:
            return self._run(command, "build.log")
        recipe = self._recipe((core,), "core.o")
        compiling = self.family.compile_command(self.stack, recipe)
        assert compiling is not None
        compiling = evolve(compiling, argv=(*compiling.argv, "-c"))
        place = self._place(compiling, recipe)
        with self.compilers.turn(place):
            if not (place / "core.o").is_file():
                outcome = self._run(compiling, "core.log")
                if outcome.reason:
                    return outcome
                place = _publish(self._keep, place, ("core.o", "core.log"))
        linking = self.family.compile_command(self.stack, self._recipe((place / "core.o", chosen), "worker"))
        assert linking is not None
        outcome = self._run(linking, "build.log")
        log = (place / "core.log").read_text(errors="replace") + outcome.log
        (self._keep / "build.log").write_text(log)
        return evolve(outcome, log=log)

    def _run(self, command: Command, log: str) -> _Compiled:
        return _compile(command, self._environment(command), self._keep / log, self.limit_s, self.compilers)

    def _recipe(self, sources: tuple[Path, ...], output: str) -> Recipe:
        defines = (f"MSGAUGE_TRANSPORT={self.family.transport}",) if self.family.native else ()
        return Recipe(sources, (native_folder(), self.include), self._keep / output, defines)

    def _place(self, command: Command, recipe: Recipe) -> Path:
        """Where in the cache the output of a command belongs."""
        description = self.compilers.describe(command.argv[0], self._environment(command))
        return cache_folder() / "workers" / _key(self.stack, command, recipe, description)

    def _environment(self, command: Command) -> dict[str, str]:
        return clean_environment(command, os.environ, collect_variables())

    def _program(self, place: Path) -> tuple[str, ...]:
        return tuple(self.family.program(self.stack, (place / "worker").absolute()))

    @property
    def _keep(self) -> Path:
        return self.include.parent


def list_kernels(folder: Path, kernels: Collection[str] | None = None) -> Path:
    """Write ``kernels.inc``, the list that ``kernels.cpp`` includes: shipped headers by name, others by their path."""
    folder.mkdir(parents=True, exist_ok=True)
    headers = {path.stem: path for path in _headers(kernels)}
    shipped = native_folder() / "kernels"
    includes = [
        f'#include "kernels/{path.name}"' if path.parent == shipped else f'#include "{path.absolute()}"'
        for path in headers.values()
    ]
    names = " ".join(f"KERNEL({name})" for name in headers)
    (folder / "kernels.inc").write_text("\n".join([*includes, f"#define MSGAUGE_KERNELS(KERNEL) {names}", ""]))
    return folder


def _headers(kernels: Collection[str] | None) -> list[Path]:
    """The headers of the named kernels; of all there are for None."""
    headers = [path for place in kernel_folders() for path in sorted(place.glob("*.hpp"))]
    if kernels is None:
        return headers
    return [path for path in headers if parse_facts(path.read_text(errors="replace"), where=str(path)).name in kernels]


def _key(stack: Stack, command: Command, recipe: Recipe, compiler: bytes) -> str:
    """A name for what a command makes. Places of files do not count, what stands in them does."""
    places = ((recipe.include[-1], "GENERATED"), (recipe.output, "OUTPUT"), (recipe.output.parent, "HERE"))
    digest = hashlib.sha256()
    for word in command.argv:
        for place, name in (*places, (native_folder(), "NATIVE")):
            word = word.replace(str(place), name)  # noqa: PLW2901
        digest.update(word.encode() + b"\0")
    digest.update(repr((stack.family, stack.version, command.environment)).encode())
    for source in (*_sources(recipe), *_find_named_sources(command, recipe)):
        digest.update(source.name.encode() + b"\0" + source.read_bytes())
    digest.update(compiler)
    return f"{stack.family}-{digest.hexdigest()[:24]}"


def _find_named_sources(command: Command, recipe: Recipe) -> Sequence[Path]:
    """What only the command names: sources in other languages, archives, the transport of a plug-in from elsewhere."""
    known = {f"-I{folder}" for folder in recipe.include}
    folders = [Path(word[2:]) for word in command.argv if word.startswith("-I") and word not in known]
    sources = [Path(word) for word in command.argv if word.endswith((".F90", ".a"))]
    headers = [path for folder in folders for path in sorted((folder / "transports").glob("*.hpp"))]
    return [path for path in (*sources, *headers) if path.is_file()]


def _sources(recipe: Recipe) -> Sequence[Path]:
    """What is compiled: all that is shipped for workers; of kernels those that are listed, where any are."""
    kernels = {path for place in kernel_folders() for path in place.glob("*.hpp")}
    shared = {path for path in native_folder().rglob("*.hpp") if path not in kernels}
    found = {*recipe.sources, *shared}
    if worker_sources()[1] in recipe.sources:
        generated = recipe.include[-1] / "kernels.inc"
        listed = generated.read_text()
        found |= {generated, *(path for path in kernels if f'/{path.name}"' in listed)}
    return sorted(found, key=lambda path: (path.name, path.parent.name))


@frozen
class _Compiled:
    log: str
    reason: str


def _compile(
    command: Command, environment: dict[str, str], log_file: Path, limit_s: float, compilers: Compilers
) -> _Compiled:
    """Run the compiler under a keeper, so that it ends with msgauge; its output goes to ``log_file``."""
    name = command.argv[0]
    log_file.unlink(missing_ok=True)
    with compilers.keeper() as keeper, TemporaryDirectory(prefix="mg-build-", ignore_cleanup_errors=True) as place:
        keeper.own([Path(place)])  # a compiler that is killed leaves files there
        outcome = keeper.run(Run(command, log_file, log_file, limit_s, {**environment, "TMPDIR": place}))
    if outcome.error:
        reason = f"the compiler {name} cannot be started ({outcome.error}); {_install_hint(name)}"
        log_file.write_text(reason + "\n")
        return _Compiled(reason, reason)
    log = log_file.read_text(errors="replace")
    if outcome.ended == "flood":
        return _Compiled(log, f"{name} filled its log ({MOST_BYTES >> 20} MiB) and was ended; see {log_file}")
    if outcome.ended:
        return _Compiled(log, f"compiling took longer than {limit_s:g} s; see {log_file}")
    if outcome.exit_code != 0:
        how = f"ended with {outcome.exit_code}" if outcome.signal is None else f"was killed by signal {outcome.signal}"
        return _Compiled(log, f"{name} {how}: {_first_error(log)}")
    return _Compiled(log, "")


def _install_hint(compiler: str) -> str:
    return (
        "install a C++ compiler and the stack's development files"
        if "/" not in compiler
        else f"see whether {compiler} is still there, or find the stacks again with 'msgauge stacks'"
    )


def _first_error(log: str) -> str:
    """The line of a compiler's log that says most."""
    lines = [line.strip() for line in log.splitlines() if line.strip()]
    telling = [line for line in lines if any(word in line.lower() for word in _TELLING) and _LAST_WORD not in line]
    return (telling or lines[-1:] or ["it said nothing"])[0][:300]


_TELLING = ("error", "not found", "no space left", "undefined reference", "failed:")
_LAST_WORD = "ld returned"
"""How the compiler says that the linker, which said why, has failed."""


def _publish(keep: Path, place: Path, names: Sequence[str]) -> Path:
    """Move what was made into the cache, whole or not at all; where the cache cannot be written it stays in ``keep``.

    Another process may publish the same at the same time: the first stands, both are alike. The first name is what was
    made, the others are kept in both places.
    """
    beside = place.with_name(f".{place.name}.{secrets.token_hex(4)}")
    try:
        beside.mkdir(parents=True)
        for name in names:
            shutil.copy2(keep / name, beside / name)
        beside.rename(place)
    except OSError:
        shutil.rmtree(beside, ignore_errors=True)
        if not (place / names[0]).is_file():
            with (keep / "build.log").open("a") as log:
                log.write(f"msgauge: the cache {place.parent} cannot be written; this run keeps its own worker\n")
            return keep
    (keep / names[0]).unlink(missing_ok=True)
    return place
