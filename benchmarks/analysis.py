"""How long the analysis of a large run takes, and how much memory: prints seconds and peak memory.

    python benchmarks/analysis.py [SAMPLES]        default 10,000,000

Samples are made up by a seeded generator: four stacks, 24 sizes in batch mode and one in single mode, ten rounds.
"""

from __future__ import annotations

import argparse
import resource
import time
from collections.abc import Iterator

import numpy as np

from msgauge.analysis.run import analyse
from msgauge.kernels import load_kernels
from msgauge.model import Cell, Launch, LaunchRecord, Origin, Plan, Samples, Stack
from msgauge.results.dataset import Dataset

STACKS, SIZES, ROUNDS = 4, 25, 10


def main() -> None:
    """Make the run, analyse it, print what it took."""
    parser = argparse.ArgumentParser(description="seconds and memory that the analysis of a large run takes")
    parser.add_argument("samples", type=int, nargs="?", default=10_000_000)
    total = parser.parse_args().samples
    plan, stacks, records = a_run()
    dataset = Dataset.of(plan, stacks, records, frames(plan, records, total // (STACKS * SIZES * ROUNDS)))
    before_mib = peak_mib()
    start = time.perf_counter()
    analysis = analyse(dataset, run="benchmark", stopped="rounds", kernels=tuple(load_kernels().values()))
    seconds = time.perf_counter() - start
    counted = sum(one.samples for one in analysis.estimates)
    print(f"{counted} samples, {len(analysis.comparisons)} comparisons, {len(analysis.findings)} findings")
    print(f"analysis: {seconds:.2f} s, peak memory {peak_mib():.0f} MiB ({before_mib:.0f} MiB before it)")


def a_run() -> tuple[Plan, list[Stack], list[LaunchRecord]]:
    """The plan, its stacks and the records of its launches."""
    stacks = [Stack(f"stack{number}", "1", Origin("builtin")) for number in range(STACKS)]
    cells = tuple(
        Cell(number, "pingpong", 2**number, 2, mode="single" if number == 0 else "batch") for number in range(SIZES)
    )
    plan = Plan("benchmark", 1, tuple(stack.spec for stack in stacks), cells, (2,))
    ids = tuple(range(SIZES))
    launches = (
        Launch(round_ * STACKS + place, round_, stack.spec, 2, ids, seed=1)
        for round_ in range(ROUNDS)
        for place, stack in enumerate(stacks)
    )
    return plan, stacks, [LaunchRecord(launch, "ok", timer_resolution_ns=1.0) for launch in launches]


def frames(plan: Plan, records: list[LaunchRecord], count: int) -> Iterator[Samples]:
    """One frame of ``count`` samples for each launch and cell."""
    random = np.random.default_rng(1)
    for record in records:
        for cell in plan.cells:
            level = 200 * (300 + cell.size_bytes / 10) * np.exp(random.normal(0, 0.01))
            values = (level * (1 + random.exponential(0.05, count))).astype(np.int64)
            attributes = (("kernel", cell.kernel), ("mode", cell.mode), ("status", "ok"), ("stationary", "yes"))
            yield Samples(record.launch.number, cell.id, "time", values, 200, attributes=attributes)


def peak_mib() -> float:
    """Largest resident memory of this process so far."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


if __name__ == "__main__":
    main()
