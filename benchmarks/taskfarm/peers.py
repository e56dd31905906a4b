"""taskfarm beside a raw epoll program, ZeroMQ and Open MPI, by each of its transports.

Each pair runs every program once, in random order; a ratio is the median over pairs of (this / the first of --ours).
Open MPI is told to give way while it waits (openmpi, openmpi-tcp), or waits as it does where as many slots are declared
as there are ranks (openmpi-busy, openmpi-tcp-busy): busily, which on few cores takes ten times as long and more.
What the bytes alone cost is told by floor, floor-tls, and of one worker with one in flight by floor-shm.
"""

from __future__ import annotations

import argparse
import random
import statistics
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from attrs import evolve
from benchmarks.taskfarm.programs import (
    ADDRESSES,
    COMPARATORS,
    RING_BYTES,
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

LONGER = {"shm": 10, "floor-shm": 10}
LONGER_BY_WINDOW = 10
"""So many times as many tasks, by shared memory and where several are in flight: the beginning of a run costs more.

For some tenths of a second ranks find their cores and connections their pace: 300,000 tasks with 16 in flight over TCP
took 0.61 µs each, a million 0.43.
"""


def main(arguments: Sequence[str]) -> int:
    """Compiles the others, measures, prints a line for each cell."""
    options = _parsed(arguments)
    need_programs()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        others = {label: made for label in options.against if (made := compiled(label, folder)) is not None}
        print("others: " + (", ".join(others) or "none"))
        for window in options.window:
            for workers in options.workers:
                for size in options.bytes:
                    _measure(
                        Cell(workers, size, window, _tasks(options, workers, size, window)), options, others, folder
                    )
    return 0


def _tasks(options: argparse.Namespace, workers: int, size: int, window: int) -> int:
    """A tenth of these warm up; by then each worker's ring has been written once."""
    asked = options.tasks * (LONGER_BY_WINDOW if window > 1 else 1)
    return int(max(asked, workers * window * 10, 10 * workers * RING_BYTES // (size + 24) if size > 1000 else 0))


def _measure(cell: Cell, options: argparse.Namespace, others: dict[str, list[str]], folder: Path) -> None:
    # Enough to keep every window full while the program takes and submits 256 at a time.
    outstanding = max(2 * cell.workers, 8 * cell.workers * cell.window if cell.window > 1 else 0)
    cells = {label: evolve(cell, tasks=cell.tasks * LONGER.get(label, 1)) for label in (*options.ours, *others)}
    runs: dict[str, Callable[[], Cost | None]] = {}
    for label in options.ours:
        runs[label] = lambda label=label: ours(label, cells[label], folder, outstanding)
    for label, command in others.items():
        runs[label] = lambda label=label, command=command: other(command, cells[label])
    samples: dict[str, list[float | None]] = {label: [] for label in runs}
    for _ in range(options.pairs):
        for label in random.sample(list(runs), len(runs)):
            cost = runs[label]()
            samples[label].append(None if cost is None else cost[0])
    print(describe(cell, samples, options.ours[0]), flush=True)


def describe(cell: Cell, samples: Mapping[str, Sequence[float | None]], first: str) -> str:
    """``samples``: of each program microseconds a task in each pair; None where it failed."""
    texts = []
    for label, values in samples.items():
        held = [value for value in values if value is not None]
        text = f"{label} {statistics.median(held):.2f} µs (best {min(held):.2f})" if held else label
        if len(held) < len(values):
            text += f" (failed in {len(values) - len(held)} of {len(values)})"
        ratios = [value / own for value, own in zip(values, samples[first], strict=True) if value and own]
        if label != first and ratios:
            text += f" = {statistics.median(ratios):.2f} x {first}"
        texts.append(text)
    return f"{cell.workers:4d} workers {cell.size:5d} B {cell.window:3d} in flight: " + "; ".join(texts)


def _parsed(arguments: Sequence[str]) -> argparse.Namespace:
    parser = parser_of(__doc__, 5, [10, 50, 200])
    parser.add_argument("--bytes", type=numbers_of, default=[8, 256, 2048])
    parser.add_argument("--window", type=numbers_of, default=[1, 16])
    parser.add_argument("--tasks", type=int, default=100000, help="with one in flight over sockets; else more")
    parser.add_argument("--against", type=words_of, default=["floor", "zeromq", "openmpi", "openmpi-tcp"],
                        help="any of " + ",".join(COMPARATORS))  # fmt: skip
    parser.add_argument("--ours", type=words_of, default=["tcp", "shm"], help="any of " + ",".join(ADDRESSES))
    options = parser.parse_args(arguments)
    for given, known in ((options.against, COMPARATORS), (options.ours, tuple(ADDRESSES))):
        for word in given:
            if word not in known:
                parser.error(f"{word}: not known; choose from {','.join(known)}")
    return options
