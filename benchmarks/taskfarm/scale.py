"""Is the cost of a task flat in the number of workers and in the length of the queue? Interleaved, as ratios.

Two numbers a task: time passed, and processor time of the coordinator's thread, which other programs on the machine
disturb less. Each ratio is the median over pairs of (many / few); beside the workers stands the same ratio of the raw
epoll program, which keeps no books: what it loses, the system loses.
"""

from __future__ import annotations

import argparse
import random
import statistics
import tempfile
from collections.abc import Sequence
from pathlib import Path

from benchmarks.taskfarm.programs import (
    Cell,
    Cost,
    compiled,
    need_programs,
    numbers_of,
    other,
    ours,
    parser_of,
    words_of,
)


def main(arguments: Sequence[str]) -> int:
    """Measures, and prints a line for each comparison."""
    options = _parsed(arguments)
    need_programs()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        floor = compiled("floor", folder)
        for over in options.over:
            compare_workers(over, options, folder, floor if over == "tcp" else None)
            compare_depths(over, options, folder)
    return 0


def compare_workers(over: str, options: argparse.Namespace, folder: Path, floor: list[str] | None) -> None:
    """As many tasks are outstanding everywhere; only the number of workers differs."""
    cases = [(who, count) for who in ("ours", *(["floor"] if floor else [])) for count in options.workers]
    costs: dict[tuple[str, int], list[Cost]] = {case: [] for case in cases}
    for _ in range(options.pairs):
        for who, count in random.sample(cases, len(cases)):
            cell = Cell(count, 8, options.window, options.tasks)
            made = other(floor or [], cell) if who == "floor" else ours(over, cell, folder, options.depths[0])
            costs[who, count].append(_whole(made, f"{who} with {count} workers"))
    few = options.workers[0]
    for who, many in cases:
        if many != few:
            label = "raw epoll" if who == "floor" else f"taskfarm {over}"
            print(told(f"{label}, {few} to {many} workers", costs[who, few], costs[who, many]), flush=True)


def compare_depths(over: str, options: argparse.Namespace, folder: Path) -> None:
    """So many tasks are outstanding all the time; the number of workers is the same."""
    costs: dict[int, list[Cost]] = {depth: [] for depth in options.depths}
    cell = Cell(options.workers[0], 8, options.window, options.tasks)
    for _ in range(options.pairs):
        for depth in random.sample(options.depths, len(options.depths)):
            costs[depth].append(_whole(ours(over, cell, folder, depth), f"a queue of {depth}"))
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


def _whole(cost: Cost | None, what: str) -> Cost:
    if cost is None:
        raise SystemExit(f"{what} failed; see whether `ulimit -n` is at least 8192, and enough memory is free")
    return cost


def _parsed(arguments: Sequence[str]) -> argparse.Namespace:
    parser = parser_of(__doc__, 3, [10, 200, 2000])
    parser.add_argument("--depths", type=numbers_of, default=[4000, 1_000_000])
    parser.add_argument("--window", type=int, default=1)
    parser.add_argument("--tasks", type=int, default=200_000)
    parser.add_argument("--over", type=words_of, default=["tcp", "shm"])
    return parser.parse_args(arguments)
