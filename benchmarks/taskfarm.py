"""What a task costs through taskfarm, beside a raw epoll program, ZeroMQ and Open MPI: interleaved, as ratios.

    python benchmarks/taskfarm.py [--pairs 5] [--workers 10,50,200] [--bytes 8,256,2048] [--window 1,16]
        [--against floor,zeromq,openmpi,openmpi-tcp] [--ours tcp,unix,shm,tls] [--tasks 20000]

Each pair runs every program once, in random order; a ratio is the median over pairs of (other / ours). Needs
`make -C taskfarm build`. The programs print microseconds a task; a program that is not there is left out by name.
"""

from __future__ import annotations

import argparse
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

HERE = Path(__file__).parent
PROGRAMS = HERE.parent / "taskfarm" / "build" / "tests"
PATIENCE_S = 120


def main() -> int:
    """Compiles the others, measures, prints a line for each cell."""
    options = _parser().parse_args()
    if not (PROGRAMS / "drive").exists():
        raise SystemExit(f"{PROGRAMS}/drive is missing; run: make -C taskfarm build")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        others = {label: made for label in options.against if (made := _compile(label, folder)) is not None}
        print("others: " + (", ".join(others) or "none"))
        for window in options.window:
            for workers in options.workers:
                for size in options.bytes:
                    _cell((workers, size, window), options, others, folder)
    return 0


def _cell(cell: tuple[int, int, int], options: argparse.Namespace, others: dict[str, list[str]], folder: Path) -> None:
    workers, size, window = cell
    tasks = max(options.tasks, workers * window * 4)
    runs: dict[str, Callable[[], float | None]] = {}
    for label in options.ours:
        runs[label] = lambda label=label: ours(label, cell, tasks, folder)
    for label, command in others.items():
        runs[label] = lambda command=command: other(command, cell, tasks)
    samples: dict[str, list[float]] = {label: [] for label in runs}
    for _ in range(options.pairs):
        for label in random.sample(list(runs), len(runs)):
            value = runs[label]()
            if value is not None:
                samples[label].append(value)
    texts = []
    base = samples[options.ours[0]]
    for label, values in samples.items():
        if not values:
            texts.append(f"{label} failed")
        elif label == options.ours[0] or len(values) != len(base):
            texts.append(f"{label} {statistics.median(values):.2f} µs (best {min(values):.2f})")
        else:
            ratio = statistics.median(value / own for value, own in zip(values, base, strict=True))
            texts.append(f"{label} {statistics.median(values):.2f} µs = {ratio:.2f} x {options.ours[0]}")
    print(f"{workers:4d} workers {size:5d} B {window:3d} in flight: " + "; ".join(texts), flush=True)


def ours(label: str, cell: tuple[int, int, int], tasks: int, folder: Path) -> float | None:
    """Microseconds a task through taskfarm; None when it failed."""
    workers, size, window = cell
    url = {"unix": f"unix://{folder}/s?shm=off", "shm": f"unix://{folder}/s"}.get(label, "tcp://127.0.0.1:0?shm=off")
    key = [str(_key(folder))] if label == "tls" else []
    command = [str(PROGRAMS / "drive"), url, str(workers), str(size), str(window), str(tasks), *key]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as drive:
        assert drive.stdout is not None
        address = drive.stdout.readline().strip() + ("?shm=off" if "shm=off" in url else "")
        echo = subprocess.Popen([str(PROGRAMS / "echo_worker"), address, str(workers), *key])
        text = drive.stdout.readline()
    echo.wait(PATIENCE_S)
    return float(text.split()[0]) if drive.returncode == 0 else None


def other(command: list[str], cell: tuple[int, int, int], tasks: int) -> float | None:
    """Microseconds a task of another program."""
    workers, size, window = cell
    filled = [
        part.format(ranks=workers + 1, workers=workers, bytes=size, window=window, tasks=tasks) for part in command
    ]
    try:
        done = subprocess.run(filled, capture_output=True, text=True, timeout=PATIENCE_S, check=False)
    except subprocess.TimeoutExpired:
        return None
    return float(done.stdout.split()[0]) if done.returncode == 0 and done.stdout.split() else None


def _key(folder: Path) -> Path:
    path = folder / "key"
    if not path.exists():
        path.touch(0o600)
        path.write_text(random.randbytes(32).hex())
    return path


def _compile(label: str, folder: Path) -> list[str] | None:
    """The command of a comparator, with places for its numbers; None, with a word why, when it cannot be had."""
    source = {"floor": "taskfarm_floor.cpp", "zeromq": "taskfarm_zeromq.cpp"}.get(label, "taskfarm_mpi.c")
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


def _parser() -> argparse.ArgumentParser:
    def numbers(text: str) -> list[int]:
        return [int(part) for part in text.split(",")]

    def words(text: str) -> list[str]:
        return text.split(",")

    parser = argparse.ArgumentParser(description="taskfarm against a raw epoll program, ZeroMQ and Open MPI")
    parser.add_argument("--pairs", type=int, default=5)
    parser.add_argument("--workers", type=numbers, default=[10, 50, 200])
    parser.add_argument("--bytes", type=numbers, default=[8, 256, 2048])
    parser.add_argument("--window", type=numbers, default=[1, 16])
    parser.add_argument("--tasks", type=int, default=20000)
    parser.add_argument("--against", type=words, default=["floor", "zeromq", "openmpi", "openmpi-tcp"])
    parser.add_argument("--ours", type=words, default=["tcp", "shm"])
    return parser


if __name__ == "__main__":
    started = time.monotonic()
    code = main()
    print(f"took {time.monotonic() - started:.0f} s")
    sys.exit(code)
