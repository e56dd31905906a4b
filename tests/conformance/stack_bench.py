"""What the tests of real stacks share: what is here, programs compiled ahead in the background, one launch."""

from __future__ import annotations

import atexit
import ctypes
import os
import re
import shutil
import tempfile
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing
from functools import lru_cache
from itertools import zip_longest
from pathlib import Path

from one_builder import one_builder

from msgauge.build import build
from msgauge.config import load_config
from msgauge.discovery import registry
from msgauge.errors import StackError
from msgauge.execution.session import Session
from msgauge.execution.supervisor import Run, Supervisor, clean_environment
from msgauge.hosts import this_host
from msgauge.model import Build, Cell, Launch, LaunchRecord, Plan, Stack, Stopping
from msgauge.paths import native_folder
from msgauge.stacks.base.families import collect_traces, collect_variables
from msgauge.stacks.base.family import LaunchOptions, Recipe

SIZES = (0, 1, 7, 8, 4096, 65_535, 65_537, 1 << 20, 64 << 20)
PROGRAMS = {
    "pi": (("n", "100000"),),
    "matvec": (("n", "120"),),
    "matmul": (("n", "60"),),
    "mandelbrot": (("side", "240"),),
    "montecarlo": (("tasks", "100"), ("points", "2000")),
}
"""The programs, each with the smallest work it offers."""
CLONE_NEWIPC = 0x08000000
ALONE = ctypes.CDLL(None).unshare(CLONE_NEWIPC) == 0
"""This process and all below it have segments and semaphores of System V to themselves (where root lets us)."""
FOUND = registry.discover(this_host(), load_config())
NATIVE = [stack for stack in FOUND if stack.usable and registry.families()[stack.family].native]
COMPILE_LIMIT_S = 240.0
_SHARED: list[Path] = []


def varied(stack: Stack) -> list[Stack]:
    """The stack under as few variants as name every word of every axis once, words of several axes together.

    Fortran is left out (test_languages.py has it), and so are words that only stand for a value.
    """
    family = registry.families()[stack.family]
    axes: dict[str, list[str]] = {}
    for variant in family.variants():
        if variant.axis != "language" and not variant.word.endswith("=") and not variant.word[-1].isupper():
            axes.setdefault(variant.axis, []).append(variant.word)
    found = []
    for words in (tuple(filter(None, row)) for row in zip_longest(*axes.values())):
        alone = [(word,) for word in words if offers(stack, (word,))]
        found += [family.with_variant(stack, some) for some in ([words] if offers(stack, words) else alone)]
    return found


def offers(stack: Stack, words: tuple[str, ...]) -> bool:
    """Has this build of a stack the variant? A wheel without a Fortran wrapper has no ``fortran``."""
    try:
        registry.families()[stack.family].with_variant(stack, words)
    except StackError:
        return False
    return True


def share(folder: Path) -> None:
    """What is compiled from now on is compiled once for all processes of a test run, which share this folder."""
    _SHARED.append(folder)


def worker(stack: Stack) -> Build:
    """The worker with the ping-pong and the programs alone; variants have that of the stack."""
    _begin_next(_worker, stack)
    return _worker(stack.spec).result()


def behaving(stack: Stack, *words: str) -> Build:
    """``behaviour.cpp`` over the stack's transport, told how to behave."""
    _begin_next(_behaviour, stack)
    return Build(stack.spec, (str(_behaviour(stack.spec).result()), *words), None)


def _begin_next(compiled: Callable[[str], object], stack: Stack) -> None:
    """A stack's own program first, then that of the next stack, for which its tests will ask."""
    at = next(number for number, one in enumerate(NATIVE) if one.spec == stack.spec)
    for one in NATIVE[at : at + 2]:
        compiled(one.spec)


@lru_cache(maxsize=64)
def _worker(spec: str) -> Future[Build]:
    folder = _own_folder(spec) / "worker"
    folder.mkdir()
    return _compilers().submit(build, _find(spec), keep=folder, kernels={"pingpong", *PROGRAMS})


@lru_cache(maxsize=64)
def _behaviour(spec: str) -> Future[Path]:
    return _compilers().submit(_make_behaviour, _find(spec), _own_folder(spec))


def _make_behaviour(stack: Stack, folder: Path) -> Path:
    """Of all processes of pytest the first one compiles it; each has a copy, by which it knows its own ranks."""
    own = folder / "behaviour"
    if not _SHARED:
        return _compile_behaviour(stack, own)
    shared = _SHARED[-1] / folder.name / "behaviour"
    with one_builder(shared.parent / "lock"):
        if shared.exists():
            shutil.copy2(shared, own)
        else:
            shutil.copy2(_compile_behaviour(stack, own), shared)
    return own


def _compile_behaviour(stack: Stack, output: Path) -> Path:
    """Compiled without optimising, which takes half the time; under a keeper, so that it ends with the tests."""
    family = registry.families()[stack.family]
    folder = output.parent
    source, log = Path(__file__).with_name("behaviour.cpp"), folder / "log"
    recipe = Recipe((source,), (native_folder(),), output, (f"MSGAUGE_TRANSPORT={family.transport}",))
    command = family.compile_command(stack, recipe)
    assert command is not None
    argv = tuple("-O0" if word == "-O2" else word for word in command.argv)
    command = type(command)(argv, command.environment)
    with closing(Supervisor(collect_traces())) as keeper:
        environment = {**clean_environment(command, os.environ, collect_variables()), "TMPDIR": str(folder)}
        outcome = keeper.run(Run(command, log, log, COMPILE_LIMIT_S, environment))
    assert outcome.exit_code == 0, log.read_text()
    return recipe.output


@lru_cache(maxsize=1)
def _compilers() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(max_workers=2)


@lru_cache(maxsize=64)
def _own_folder(spec: str) -> Path:
    """Where the programs of a stack are, for this process alone."""
    folder = _folder() / spec.replace("/", "-")
    folder.mkdir()
    folder.chmod(0o755)
    return folder


def _find(spec: str) -> Stack:
    return next(one for one in NATIVE if one.spec == spec)


@lru_cache(maxsize=1)
def _folder() -> Path:
    """Where the programs are; open to the user that LAM's ranks run as."""
    folder = Path(tempfile.mkdtemp(prefix="behaviours-"))
    folder.chmod(0o755)
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


class Bench:
    """One session of a stack, in which one launch after another is done, each in a folder of its own."""

    def __init__(self, stack: Stack, folder: Path) -> None:
        self.stack = stack
        self.folder = folder
        self._count = 0
        options = LaunchOptions(2, this_host().cores, folder, (this_host(),))
        self._session = Session(stack, Build(stack.spec, (), None), options)

    def __enter__(self) -> Bench:
        self._session.__enter__()
        return self

    def __exit__(self, *_: object) -> None:
        self._session.__exit__(None, None, None)

    def launched(self, build: Build, ranks: int, cells: Sequence[Cell] = (), limit_s: float = 60.0) -> LaunchRecord:
        """A launch of so many ranks; a worker has some hundredths of a second for each cell."""
        assert not build.reason, build.reason + build.log[-2000:]
        self._count += 1
        self.now.mkdir()
        chosen = tuple(cells) or cells_of((0,), ranks)
        stopping = Stopping(cell_budget_s=0.01, launch_limit_s=limit_s)
        plan = Plan("conformance", 1, (self.stack.spec,), chosen, (ranks,), stopping=stopping)
        launch = Launch(self._count, 0, self.stack.spec, ranks, tuple(cell.id for cell in chosen), 1)
        self._session.build = build
        return self._session.run(plan, launch, self.now)

    @property
    def now(self) -> Path:
        """The folder of the last launch."""
        return self.folder / f"launch-{self._count}"

    def contented(self) -> list[int]:
        """What each rank of the last launch that was content gave as the number of its results."""
        return [int(count) for count in re.findall(r"is content, (\d+) results", self.said())]

    def said(self) -> str:
        return (self.now / "stdout").read_text() + (self.now / "stderr").read_text()

    def left_running(self) -> list[str]:
        """Command lines of living processes that run a program or use a file of the last launch."""
        marks = (str(self.now).encode(), str(_folder() / self.stack.spec.replace("/", "-")).encode())
        found = []
        for process in Path("/proc").glob("[0-9]*"):
            try:
                words = (process / "cmdline").read_bytes()
            except OSError:
                continue
            if int(process.name) != os.getpid() and any(mark in words for mark in marks) and b"cc1plus" not in words:
                found.append(words.replace(b"\0", b" ").decode(errors="replace"))
        return found


def system_v() -> list[str]:
    """Segments and semaphores of System V that are there; only ours where we are alone."""
    tables = (Path(f"/proc/sysvipc/{kind}").read_text().splitlines()[1:] for kind in ("shm", "sem"))
    return [" ".join(line.split()[:5]) for table in tables for line in table]


def cells_of(sizes: Sequence[int], ranks: int) -> tuple[Cell, ...]:
    """One ping-pong a size."""
    return tuple(Cell(number, "pingpong", size, ranks) for number, size in enumerate(sizes))


def program_cells(ranks: int) -> tuple[Cell, ...]:
    """One cell a program."""
    return tuple(Cell(number, name, 0, ranks, options) for number, (name, options) in enumerate(PROGRAMS.items()))
