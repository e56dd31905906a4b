"""Python's pools of processes: microseconds of a function that does nothing, one call a task, results as they come.

Each pair runs every pool once, in a fresh process and in random order. `--python` names an interpreter that has mpi4py
and distributed (Dask), for instance one of a virtual environment; pools that it lacks are left out by name.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import statistics
import sys
from collections.abc import Sequence
from pathlib import Path

from benchmarks.taskfarm.programs import PACKAGE, need_programs, output_of, parser_of

CALLS = Path(__file__).with_name("calls.py")
TASKS = {"taskfarm": 100_000, "multiprocessing": 50_000, "mpi4py": 5_000, "dask": 1_000}


def main(arguments: Sequence[str]) -> int:
    """Measures, and prints a line for each number of workers."""
    options = _parsed(arguments)
    need_programs()
    for workers in options.workers:
        samples: dict[str, list[float]] = {name: [] for name in TASKS}
        for _ in range(options.pairs):
            for name in random.sample(list(samples), len(samples)):
                cost = microseconds(name, workers, options.python)
                if cost is None:
                    del samples[name]
                else:
                    samples[name].append(cost)
        if "taskfarm" not in samples:
            raise SystemExit("taskfarm failed; run: make -C taskfarm build")
        print(_told(workers, samples), flush=True)
    return 0


def microseconds(name: str, workers: int, python: str) -> float | None:
    """One call, by one pool in a process of its own; None, with a word why, when the pool cannot be had."""
    command = [python, str(CALLS), name, str(workers), str(TASKS[name])]
    if name == "mpi4py":
        launcher = shutil.which("mpiexec.openmpi") or "mpiexec"
        command = [launcher, "--allow-run-as-root", "--oversubscribe", "-n", str(workers + 1), python, "-m",
                   "mpi4py.futures", *command[1:]]  # fmt: skip
    environment = {**os.environ, "PYTHONPATH": str(PACKAGE)}
    text, why = output_of(command, environment)
    if text.split():
        return float(text.split()[-1])
    print(f"{name}: left out: {why}")
    return None


def _told(workers: int, samples: dict[str, list[float]]) -> str:
    own = samples["taskfarm"]
    texts = [f"taskfarm {statistics.median(own):.1f} µs (best {min(own):.1f})"]
    for name, values in samples.items():
        if name != "taskfarm":
            ratio = statistics.median(value / mine for value, mine in zip(values, own, strict=True))
            texts.append(f"{name} {statistics.median(values):.1f} µs = {ratio:.1f} x")
    return f"{workers} workers: " + "; ".join(texts)


def _parsed(arguments: Sequence[str]) -> argparse.Namespace:
    parser = parser_of(__doc__, 3, [2])
    parser.add_argument("--python", default=sys.executable)
    return parser.parse_args(arguments)
