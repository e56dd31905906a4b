"""Is the cost of a task flat in the number of workers and in the length of the queue? Interleaved, as ratios.

    python benchmarks/taskfarm_scale.py [--pairs 3] [--workers 10,200,2000] [--depths 1000,1000000] [--window 1]
        [--tasks 200000] [--over tcp,shm]

Two numbers a task: time passed, and processor time of the coordinator's thread, which other programs on the machine
disturb less. Each ratio is the median over pairs of (many / few); beside the workers stands the same ratio of the raw
epoll program, which keeps no books: what it loses, the system loses. Needs `make -C taskfarm build`.
"""

from __future__ import annotations

import argparse
import random
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
PROGRAMS = HERE.parent / "taskfarm" / "build" / "tests"
PATIENCE_S = 150
ADDRESSES = {"tcp": "tcp://127.0.0.1:0?shm=off", "unix": "unix://{folder}/s?shm=off", "shm": "unix://{folder}/s"}
Cost = tuple[float, float]
"""Microseconds a task: passed, and of the coordinator's processor."""


def main() -> int:
    """Measures, and prints a line for each comparison."""
    options = _parser().parse_args()
    if not (PROGRAMS / "drive").exists():
        raise SystemExit(f"{PROGRAMS}/drive is missing; run: make -C taskfarm build")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        compile_floor = ["g++", "-O2", "-std=c++20", str(HERE / "taskfarm_floor.cpp"), "-o", str(folder / "floor")]
        subprocess.run(compile_floor, check=True)
        for over in options.over:
            compare_workers(over, options, folder)
            compare_depths(over, options, folder)
    return 0


def compare_workers(over: str, options: argparse.Namespace, folder: Path) -> None:
    """All tasks are in the queue at the beginning; only the number of workers differs."""
    cases = [("ours", count) for count in options.workers]
    cases += [("floor", count) for count in options.workers] if over == "tcp" else []
    costs: dict[tuple[str, int], list[Cost]] = {case: [] for case in cases}
    for _ in range(options.pairs):
        for who, count in random.sample(cases, len(cases)):
            if who == "ours":
                costs[who, count].append(ours(over, count, 0, options, folder))
            else:
                costs[who, count].append(floor(count, options.window, options.tasks, folder))
    few = options.workers[0]
    for who, many in cases:
        if many != few:
            label = "raw epoll" if who == "floor" else f"taskfarm {over}"
            print(told(f"{label}, {few} to {many} workers", costs[who, few], costs[who, many]), flush=True)


def compare_depths(over: str, options: argparse.Namespace, folder: Path) -> None:
    """So many tasks are outstanding all the time; the number of workers is the same."""
    costs: dict[int, list[Cost]] = {depth: [] for depth in options.depths}
    for _ in range(options.pairs):
        for depth in random.sample(options.depths, len(options.depths)):
            costs[depth].append(ours(over, options.workers[0], depth, options, folder))
    short, *longer = options.depths
    for depth in longer:
        print(told(f"taskfarm {over}, queue of {short} to {depth}", costs[short], costs[depth]), flush=True)


def told(what: str, few: list[Cost], many: list[Cost]) -> str:
    """One line: costs and ratios, time passed first."""
    parts = []
    for index, name in enumerate(("passed", "coordinator's processor")):
        ratio = statistics.median(m[index] / f[index] for f, m in zip(few, many, strict=True))
        first, last = (statistics.median(cost[index] for cost in costs) for costs in (few, many))
        parts.append(f"{name} {first:.2f} to {last:.2f} µs, ratio {ratio:.2f}")
    return f"{what}: " + "; ".join(parts)


def ours(over: str, workers: int, depth: int, options: argparse.Namespace, folder: Path) -> Cost:
    """Through taskfarm; ends the program when a run fails."""
    url = ADDRESSES[over].format(folder=folder)
    command = [str(PROGRAMS / "drive"), url, str(workers), "8", str(options.window), str(options.tasks), "-"]
    command += [str(depth)] if depth > 0 else []
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as drive:
        assert drive.stdout is not None
        address = drive.stdout.readline().strip() + ("?shm=off" if "shm=off" in url else "")
        with subprocess.Popen([str(PROGRAMS / "echo_worker"), address, str(workers)], stderr=subprocess.DEVNULL):
            text = drive.stdout.readline()
    if drive.returncode != 0:
        raise SystemExit(f"{' '.join(command)} ended with {drive.returncode}")
    return _costs(text)


def floor(workers: int, window: int, tasks: int, folder: Path) -> Cost:
    """Through the raw epoll program."""
    command = [str(folder / "floor"), str(workers), "8", str(window), str(tasks)]
    return _costs(subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_S, check=True).stdout)


def _costs(text: str) -> Cost:
    passed, processor = map(float, text.split())
    return passed, processor


def _parser() -> argparse.ArgumentParser:
    def numbers(text: str) -> list[int]:
        return [int(part) for part in text.split(",")]

    parser = argparse.ArgumentParser(description="cost of a task against workers and length of the queue")
    parser.add_argument("--pairs", type=int, default=3)
    parser.add_argument("--workers", type=numbers, default=[10, 200, 2000])
    parser.add_argument("--depths", type=numbers, default=[1000, 1_000_000])
    parser.add_argument("--window", type=int, default=1)
    parser.add_argument("--tasks", type=int, default=200_000)
    parser.add_argument("--over", type=lambda text: text.split(","), default=["tcp", "shm"])
    return parser


if __name__ == "__main__":
    sys.exit(main())
