"""The programs that are timed: taskfarm's own, and those that do the same by other means. One run of one at a time."""

from __future__ import annotations

import argparse
import random
import shutil
import subprocess
from pathlib import Path

from attrs import frozen

HERE = Path(__file__).parent
LIBRARY = HERE.parents[1] / "taskfarm"
PROGRAMS = LIBRARY / "build" / "tests"
PATIENCE_S = 150
ADDRESSES = {
    "tcp": "tcp://127.0.0.1:0?shm=off",
    "tls": "tcp://127.0.0.1:0?shm=off",
    "unix": "unix://{folder}/s?shm=off",
    "shm": "unix://{folder}/s",
}
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
    """Through taskfarm, with so many tasks submitted and not taken at any time; None when it failed."""
    url = ADDRESSES[over].format(folder=folder)
    key = str(key_in(folder)) if over == "tls" else "-"
    numbers = [cell.workers, cell.size, cell.window, cell.tasks]
    command = [str(PROGRAMS / "drive"), url, *map(str, numbers), key, str(outstanding)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as drive:
        assert drive.stdout is not None
        address = drive.stdout.readline().strip() + ("?shm=off" if "shm=off" in url else "")
        echo = [str(PROGRAMS / "echo_worker"), address, str(cell.workers), *([key] if over == "tls" else [])]
        with subprocess.Popen(echo, stderr=subprocess.DEVNULL):
            text = drive.stdout.readline()
    return costs(text) if drive.returncode == 0 else None


def other(command: list[str], cell: Cell) -> Cost | None:
    """By another program; None when it failed or was not done in time."""
    places = {"ranks": cell.workers + 1, "workers": cell.workers, "bytes": cell.size, "window": cell.window}
    filled = [part.format(**places, tasks=cell.tasks) for part in command]
    try:
        done = subprocess.run(filled, capture_output=True, text=True, timeout=PATIENCE_S, check=False)
    except subprocess.TimeoutExpired:
        return None
    return costs(done.stdout) if done.returncode == 0 and done.stdout.split() else None


def costs(text: str) -> Cost:
    """The numbers that a program printed."""
    return tuple(map(float, text.split()))


def need_programs() -> None:
    """Ends with a remedy where the library's programs are not built."""
    if not (PROGRAMS / "drive").exists():
        raise SystemExit(f"{PROGRAMS}/drive is missing; run: make -C taskfarm build")


def key_in(folder: Path) -> Path:
    """A key file for TLS, made once."""
    path = folder / "key"
    if not path.exists():
        path.touch(0o600)
        path.write_text(random.randbytes(32).hex())
    return path


def compiled(label: str, folder: Path) -> list[str] | None:
    """The command of a comparator, with places for its numbers; None, with a word why, when it cannot be had."""
    source = {"floor": "floor.cpp", "zeromq": "zeromq.cpp"}.get(label, "mpi.c")
    program = folder / source.split(".")[0]
    mpi = label.startswith("openmpi")
    compiler = shutil.which("mpicc.openmpi" if mpi else "g++")
    command = [compiler or "", "-O2", *([] if mpi else ["-std=c++20"]), str(HERE / source), "-o", str(program)]
    command += ["-lzmq"] if label == "zeromq" else []
    if compiler is None or subprocess.run(command, capture_output=True, check=False).returncode != 0:
        print(f"{label}: cannot be compiled here, left out")
        return None
    numbers = ["{bytes}", "{window}", "{tasks}"]
    if not mpi:
        return [str(program), "{workers}", *numbers]
    start = ["mpiexec.openmpi", "--allow-run-as-root", "--oversubscribe", "-n", "{ranks}"]
    transport = ["--mca", "btl", "self,tcp"] if label == "openmpi-tcp" else []
    return [*start, *transport, "--mca", "mpi_yield_when_idle", "1", str(program), *numbers]


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
