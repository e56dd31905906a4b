"""Compiled workers, one a transport, made once for all tests that ask, whichever process of pytest they run in."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import zlib
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

import pytest
from attrs import frozen
from leftovers import leftovers_removed
from one_builder import one_builder, shared_folder
from running import COLLECTIVES, COMMANDS, REMOTE, USUAL, Runner

from msgauge.build import worker_sources

NATIVE = Path(__file__).parents[2] / "src" / "msgauge" / "native"
LAUNCHER = NATIVE.parent / "execution" / "local_launcher.py"
COMPILE_LIMIT_S = 240
MODELS = ("fake", "loopback")
"""Transports whose ranks are threads of one process. Of their times only simulated ones are looked at, so less
optimising does; it halves the wait."""
MANY = 20
"""So many tests in a session will want every worker: they are begun before anybody asks."""


@frozen
class Wanted:
    """A program to be compiled, with ``kernels.inc`` of these headers, by their stems."""

    source: Path
    kernels: tuple[str, ...]
    flags: tuple[str, ...] = ("-O1",)
    compiler: str = "g++"


class Compilers:
    """Compile in the background, each wanted program once."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._pool = ThreadPoolExecutor(
            max(1, (os.cpu_count() or 1) // int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1")))
        )
        self._made: dict[Wanted, Future[Path]] = {}

    def begin(self, wanted: Wanted) -> Future[Path]:
        if wanted not in self._made:
            folder = self._folder / f"{zlib.crc32(repr(wanted).encode()):08x}"
            self._made[wanted] = self._pool.submit(compiled_once, wanted, folder)
        return self._made[wanted]

    def finished(self, wanted: Wanted) -> Path:
        if shutil.which(wanted.compiler) is None:
            pytest.skip(f"{wanted.compiler} is not installed")
        return self.begin(wanted).result()

    def end(self) -> None:
        self._pool.shutdown(cancel_futures=True)


def compiled_once(wanted: Wanted, folder: Path) -> Path:
    """The program, compiled by the first process that asks; the others wait for it."""
    program = folder / wanted.source.stem
    with one_builder(folder.with_suffix(".lock")):
        return program if program.exists() else compiled(wanted, folder)


def compiled(wanted: Wanted, folder: Path) -> Path:
    """The program, compiled with all warnings as errors; niced, for tests measure meanwhile."""
    folder.mkdir(exist_ok=True)
    program = folder / wanted.source.stem
    lines = [f'#include "kernels/{name}.hpp"' for name in wanted.kernels]
    lines.append("#define MSGAUGE_KERNELS(KERNEL) " + " ".join(f"KERNEL({name})" for name in wanted.kernels))
    (folder / "kernels.inc").write_text("\n".join(lines) + "\n")
    argv = ["nice", "-n", "5", wanted.compiler, "-std=c++20", "-Wall", "-Wextra", "-Werror", "-pthread", *wanted.flags]
    argv += [f"-I{folder}", f"-I{NATIVE}", str(wanted.source), "-o", str(program)]
    done = subprocess.run(argv, capture_output=True, text=True, timeout=COMPILE_LIMIT_S, check=False)
    assert done.returncode == 0, f"{' '.join(argv)}\n{done.stderr[:4000]}"
    return program


def wanted_part(name: str) -> Wanted:
    """A source of this folder, which may use any shipped kernel."""
    every = tuple(sorted(header.stem for header in (NATIVE / "kernels").glob("*.hpp")))
    return Wanted(Path(__file__).with_name(name), every)


def wanted_worker(transport: str, compiler: str, kernels: tuple[str, ...]) -> Wanted:
    optimising = "-O1" if transport in MODELS else "-O2"
    core, chosen = worker_sources()  # as one translation unit, which compiles faster than two
    flags = (optimising, f"-DMSGAUGE_TRANSPORT={transport}", "-include", str(core))
    return Wanted(chosen, kernels, flags, compiler)


def usual_worker(transport: str, compiler: str) -> Wanted:
    """The one worker of a transport that most tests use."""
    return wanted_worker(transport, compiler, USUAL + (REMOTE if transport in MODELS else ()))


@pytest.fixture(scope="session", autouse=True)
def _leftovers_removed() -> Iterator[None]:
    with leftovers_removed():
        yield


@pytest.fixture(scope="session")
def compilers(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Iterator[Compilers]:
    name = os.environ.get("PYTEST_XDIST_WORKER", "")
    folder = shared_folder(tmp_path_factory) / "native"
    folder.mkdir(exist_ok=True)
    made = Compilers(folder)
    if sum(item.path.parent == Path(__file__).parent for item in request.session.items) >= MANY:
        every = [wanted_worker("fake", "g++", COLLECTIVES), wanted_part("unit.cpp"), wanted_part("self_timed.cpp")]
        every.append(wanted_part("clocks.cpp"))
        every += [usual_worker(of, compiler) for of, compiler, _ in COMMANDS.values() if shutil.which(compiler)]
        for wanted in every if name in ("", "gw0") else reversed(every):
            made.begin(wanted)
    yield made
    made.end()


@pytest.fixture(scope="session")
def native_part(compilers: Compilers) -> Callable[[str], Path]:
    """Compiles a source of this folder."""
    return lambda name: compilers.finished(wanted_part(name))


@pytest.fixture(scope="session")
def worker(compilers: Compilers) -> Callable[..., Path]:
    """The worker of a transport: ``worker("mpi", "mpicxx.openmpi")``, with the usual kernels or those named."""

    def worker_(transport: str, compiler: str = "g++", kernels: tuple[str, ...] = ()) -> Path:
        wanted = wanted_worker(transport, compiler, kernels) if kernels else usual_worker(transport, compiler)
        return compilers.finished(wanted)

    return worker_


@pytest.fixture(scope="session")
def ranks_argv() -> Callable[[int], list[str]]:
    """The beginning of a command that starts so many local ranks."""
    return lambda count: [sys.executable, "-I", str(LAUNCHER), "-n", str(count), "--"]


@pytest.fixture
def runner(worker: Callable[..., Path], ranks_argv: Callable[[int], list[str]], tmp_path: Path) -> Runner:
    return Runner(worker, ranks_argv, tmp_path)
