"""The programs that are timed: taskfarm's own, and those that do the same by other means. One run of one at a time."""

from __future__ import annotations

import argparse
import os
import random
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from attrs import frozen

HERE = Path(__file__).parent
LIBRARY = HERE.parents[1] / "taskfarm"
PROGRAMS, PACKAGE = LIBRARY / "build" / "tests", LIBRARY / "build" / "package"
PATIENCE_S = 150
ENDING_S = 5
ADDRESSES = {
    "tcp": "tcp://127.0.0.1:0?shm=off",
    "tls": "tcp://127.0.0.1:0?shm=off",
    "unix": "unix://{folder}/s?shm=off",
    "shm": "unix://{folder}/s",
}
YIELDS = ("--mca", "mpi_yield_when_idle", "1")
COMPARATORS = (
    "floor",
    "zeromq",
    "floor-tls",
    "floor-shm",
    "openmpi",
    "openmpi-busy",
    "openmpi-tcp",
    "openmpi-tcp-busy",
)
MEMORY = Path("/dev/shm")
SEGMENT_FOLDERS = ("OMPI_MCA_btl_vader_backing_directory", "OMPI_MCA_btl_sm_backing_directory")
SESSION_FOLDERS = ("OMPI_MCA_orte_tmpdir_base", "PRTE_MCA_prte_tmpdir_base")
RING_BYTES = 65536
"""Of the library: a worker's ring has gone round once before the timed tasks begin."""


@frozen
class Cell:
    """So many workers, bytes of a task, tasks in flight for each worker, and tasks in all."""

    workers: int
    size: int
    window: int
    tasks: int


Cost = tuple[float, ...]
"""Microseconds a task: passed, and (where the program tells it) of the coordinator's processor."""


def ours(over: str, cell: Cell, folder: Path, outstanding: int) -> Cost | None:
    """Through taskfarm, with so many tasks submitted and not taken at any time; None when it failed.

    Coordinator and workers are in one session, as those of the other programs: Linux divides a core by sessions first.
    """
    url = ADDRESSES[over].format(folder=folder)
    key = str(key_in(folder)) if over == "tls" else "-"
    numbers = [cell.workers, cell.size, cell.window, cell.tasks]
    command = [str(PROGRAMS / "drive"), url, *map(str, numbers), key, str(outstanding)]
    with started(command, own_session=False) as drive:
        assert drive.stdout is not None
        address = drive.stdout.readline().strip() + ("?shm=off" if "shm=off" in url else "")
        echo = [str(PROGRAMS / "echo_worker"), address, str(cell.workers), *([key] if over == "tls" else [])]
        with started(echo, own_session=False):
            text = drive.stdout.readline()
            drive.wait()
    return costs(text) if drive.returncode == 0 else None


def other(command: list[str], cell: Cell) -> Cost | None:
    """By another program; None when it failed or was not done in time."""
    places = {"ranks": cell.workers + 1, "workers": cell.workers, "bytes": cell.size, "window": cell.window}
    text, _ = output_of([part.format(**places, tasks=cell.tasks) for part in command])
    return costs(text) if text.split() else None


def output_of(command: Sequence[str], environment: Mapping[str, str] | None = None) -> tuple[str, str]:
    """What a program prints, nothing when it failed or was not done in time; and its last word on errors."""
    with tempfile.TemporaryFile("w+") as errors, started(command, environment, errors) as process:
        text = ""
        with suppress(subprocess.TimeoutExpired):
            text, _ = process.communicate(timeout=PATIENCE_S)
        errors.seek(0)
        words = errors.read().strip().splitlines() or ["no word why"]
        return (str(text) if process.returncode == 0 else ""), words[-1]


@contextmanager
def started(
    command: Sequence[str],
    environment: Mapping[str, str] | None = None,
    errors: IO[str] | int = subprocess.DEVNULL,
    own_session: bool = True,
) -> Iterator[subprocess.Popen[str]]:
    """A program in a session of its own, or a process group; afterwards it has ended with all that it had started.

    Without ``own_session`` whoever leaves its process group stays: for programs whose children do not.
    """
    process = subprocess.Popen(
        list(command),
        stdout=subprocess.PIPE,
        stderr=errors,
        text=True,
        env=environment,
        start_new_session=own_session,
        process_group=None if own_session else 0,
    )
    try:
        yield process
        with suppress(subprocess.TimeoutExpired):
            process.wait(ENDING_S)
    finally:
        _end(process)
        assert process.stdout is not None
        process.stdout.close()


def _end(process: subprocess.Popen[str]) -> None:
    """Ends a whole session, whose ranks may have groups of their own; who was asked may end its own first."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGTERM)
    with suppress(subprocess.TimeoutExpired):
        process.wait(ENDING_S)
    until = time.monotonic() + ENDING_S
    while (left := _members(process.pid)) and time.monotonic() < until:
        for pid in left:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        time.sleep(0.01)
    with suppress(subprocess.TimeoutExpired):
        process.wait(ENDING_S)


def _members(leader: int) -> list[int]:
    """The processes that live of a session, or of a process group."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            state, _, group, session = path.read_text().rpartition(")")[2].split()[:4]
            if str(leader) in (group, session) and state not in "ZX":
                found.append(int(path.parent.name))
    return found


def costs(text: str) -> Cost:
    """The numbers that a program printed."""
    return tuple(map(float, text.split()))


def need_programs() -> None:
    """Ends with a remedy where the library's programs are not built."""
    if not (PROGRAMS / "drive").exists():
        raise SystemExit(f"{PROGRAMS}/drive is missing; run: make -C taskfarm build")


@contextmanager
def own_folders() -> Iterator[None]:
    """While it lasts, Open MPI keeps its segments and sessions in folders of the benchmark, which go with it.

    A job that is ended because it was not done in time removes neither.
    """
    with tempfile.TemporaryDirectory(dir=MEMORY) as memory, tempfile.TemporaryDirectory() as sessions:
        places = dict.fromkeys(SEGMENT_FOLDERS, memory) | dict.fromkeys(SESSION_FOLDERS, sessions)
        os.environ.update(places)
        try:
            yield
        finally:
            for name in places:
                del os.environ[name]


def key_in(folder: Path) -> Path:
    """A key file for TLS, made once."""
    path = folder / "key"
    if not path.exists():
        path.touch(0o600)
        path.write_text(random.randbytes(32).hex())
    return path


def compiled(label: str, folder: Path) -> list[str] | None:
    """The command of a comparator, with places for its numbers; None, with a word why, when it cannot be had."""
    mpi = label.startswith("openmpi")
    sources = {"floor-tls": "floor.cpp", "floor-shm": "floor_shared.cpp"}
    source = "mpi.c" if mpi else sources.get(label, f"{label}.cpp")
    program = folder / ("mpi" if mpi else label)
    compiler = shutil.which("mpicc.openmpi" if mpi else "g++")
    command = [compiler or "", "-O2", *([] if mpi else ["-std=c++20"]), str(HERE / source), "-o", str(program)]
    command += {"zeromq": ["-lzmq"], "floor-tls": ["-DFLOOR_TLS", "-lssl", "-lcrypto"]}.get(label, [])
    if compiler is None or subprocess.run(command, capture_output=True, check=False).returncode != 0:
        print(f"{label}: cannot be compiled here, left out")
        return None
    numbers = ["{bytes}", "{window}", "{tasks}"]
    if not mpi:
        return [str(program), "{workers}", *numbers]
    start = ["mpiexec.openmpi", "--allow-run-as-root", "-n", "{ranks}"]
    transport = ["--mca", "btl", "self,tcp"] if "-tcp" in label else []
    # It gives way by itself when there are fewer slots than ranks, and waits busily when there are as many.
    waiting = ["--host", "localhost:{ranks}"] if label.endswith("-busy") else ["--oversubscribe", *YIELDS]
    return [*start, *transport, *waiting, str(program), *numbers]


def numbers_of(text: str) -> list[int]:
    """For argparse: whole numbers with commas between."""
    return [int(part) for part in text.split(",")]


def words_of(text: str) -> list[str]:
    """For argparse: words with commas between."""
    return text.split(",")


def parser_of(text: str | None, pairs: int, workers: list[int]) -> argparse.ArgumentParser:
    """What every part takes."""
    parser = argparse.ArgumentParser(description=text, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pairs", type=int, default=pairs, help="runs of each, in random order")
    parser.add_argument("--workers", type=numbers_of, default=workers)
    return parser
