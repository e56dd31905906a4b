"""Our algorithms over send and receive against a library's own collectives, on the same library and transport.

    python benchmarks/emulated.py [--launches 10] [--ranks 2] [--all] mpich 'mpich[tcp]'

One launch measures every cell both ways in an order drawn anew; the ratio pairs medians of launches. Ends with 1 when
the algorithm that `algorithm=auto` chooses takes more than twice the native time in a cell. ``--all`` shows every
algorithm, which is how the choice by size was tuned.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
from pathlib import Path

import numpy as np

from interleaved import run
from msgauge.build import build
from msgauge.config import load_config
from msgauge.discovery.registry import discover, families, select
from msgauge.hosts import this_host
from msgauge.kernels import load_kernels
from msgauge.model import Stack
from msgauge.results.wire import read_frames
from msgauge.stacks.base.family import LaunchOptions
from msgauge.stats.ratio import compare
from msgauge.units import format_size

LIMIT = 2.0
SIZES = (8, 256, 1024, 4096, 16384, 65536, 262144, 1048576)
KERNELS = ("barrier", "bcast", "reduce", "allreduce")
BUDGET_NS = 15_000_000
Way = tuple[str, int, str]
"""Kernel, size in bytes, algorithm."""


def main() -> int:
    """Measure every stack named; 0 when no chosen algorithm takes more than LIMIT times the native operation."""
    parser = argparse.ArgumentParser(description="algorithms over send and receive against native collectives")
    parser.add_argument("--launches", type=int, default=10)
    parser.add_argument("--ranks", type=int, default=2)
    parser.add_argument("--all", action="store_true", help="every algorithm, not only the one chosen by size")
    parser.add_argument("stacks", nargs="*", default=["mpich"])
    options = parser.parse_args()
    if options.ranks > this_host().cores:
        parser.error(f"{options.ranks} ranks on {this_host().cores} cores would measure the scheduler; use fewer")
    worst = 0.0
    for stack in select(discover(this_host(), load_config()), options.stacks):
        with tempfile.TemporaryDirectory() as folder:
            worst = max(worst, ratios(stack, Path(folder), options))
    print(f"largest ratio of the chosen algorithm: {worst:.2f}, limit {LIMIT}")
    return 0 if worst <= LIMIT else 1


def ratios(stack: Stack, folder: Path, options: argparse.Namespace) -> float:
    """The largest ratio of what `auto` chooses to the native operation; every ratio is printed with its interval."""
    built = build(stack, keep=folder, kernels=KERNELS)
    if built.reason:
        raise SystemExit(f"{stack.spec}: {built.reason}")
    launch = LaunchOptions(ranks=options.ranks, cores=this_host().cores, folder=folder)
    command = families()[stack.family].launch_command(stack, built.program, launch)
    times: dict[Way, list[float]] = {way: [] for way in ways(every=options.all)}
    for number in range(options.launches):
        for way, median_ns in one_launch(command.argv, dict(command.environment), list(times), number).items():
            times[way].append(median_ns)
    worst = 0.0
    for (kernel, size, algorithm), other in times.items():
        if algorithm == "native":
            continue
        base = times[kernel, size, "native"]
        ratio = compare(np.array(base), np.array(other))
        interval = f"{ratio.low:.2f} to {ratio.high:.2f}"
        print(
            f"{stack.spec}, {options.ranks} ranks, {kernel} {format_size(size)}, {algorithm}: "
            f"{ratio.ratio:.2f} ({interval}), {np.median(other):.0f} ns against {np.median(base):.0f} ns",
            flush=True,
        )
        worst = max(worst, ratio.ratio) if algorithm == "auto" else worst
    return worst


def ways(*, every: bool) -> list[Way]:
    """Every kernel and size, natively, by the chosen algorithm, and by each of them for ``every``."""
    found = []
    for name in KERNELS:
        kernel = load_kernels()[name]
        known = next(option.choices for option in kernel.options if option.name == "algorithm")
        for size in SIZES if kernel.sized else (0,):
            found += [(name, size, algorithm) for algorithm in (known if every else ("native", "auto"))]
    return found


def one_launch(argv: tuple[str, ...], environment: dict[str, str], cells: list[Way], number: int) -> dict[Way, float]:
    """Median completion, ns, of every cell in one launch."""
    ranks = int(argv[argv.index("-n") + 1])
    lines = [
        f"cell id={place} kernel={cells[place][0]} bytes={cells[place][1]} mode=batch cache=hot ranks={ranks} "
        f"opt.algorithm={cells[place][2]}"
        for place in random.Random(number).sample(range(len(cells)), len(cells))
    ]
    head = (
        f"msgauge-plan 1\nlaunch number=1 round={number} seed={number} ranks={ranks} cores={max(ranks, 2)}\n"
        "clock name=monotonic\n"
        f"limits cell_budget_ns={BUDGET_NS} cell_precision=0 launch_limit_ns=60000000000 check=yes\n"
    )
    with tempfile.TemporaryDirectory() as folder:
        plan, samples = Path(folder) / "plan.txt", Path(folder) / "samples.bin"
        plan.write_text(head + "\n".join(lines) + "\nend\n")
        run([*argv, "--plan", str(plan), "--samples", str(samples)], environment)
        frames, _ = read_frames(samples)
    return {cells[f.cell]: float(np.median(f.per_event)) for f in frames if f.cell >= 0 and f.series == "completion"}


if __name__ == "__main__":
    sys.exit(main())
