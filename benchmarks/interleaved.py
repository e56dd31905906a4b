"""Two programs that time the same thing, run in turn, and the ratio of their medians with its interval.

Within one pair the order is drawn anew, so that whoever comes second has no advantage; the launch is the unit.
"""

from __future__ import annotations

import os
import random
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from msgauge.stats.ratio import Ratio, compare

Measure = Callable[[], float]
LIMIT_S = 60


def interleave(base: Measure, other: Measure, pairs: int, seed: int = 1) -> tuple[Ratio, float, float]:
    """Ratio other / base over so many pairs of launches, and the median of either, in ns."""
    order = random.Random(seed)
    times: dict[str, list[float]] = {"base": [], "other": []}
    for _ in range(pairs):
        turns = [("base", base), ("other", other)]
        order.shuffle(turns)
        for name, measure in turns:
            times[name].append(measure())
    first, second = np.array(times["base"]), np.array(times["other"])
    return compare(first, second), float(np.median(first)), float(np.median(second))


def minimal(argv: Sequence[str], environment: dict[str, str]) -> float:
    """Median of the batches that a minimal program prints, ns."""
    lines = run(argv, environment).split()
    return float(np.median([float(line) for line in lines]))


def worker(argv: Sequence[str], environment: dict[str, str], size_bytes: int, options: str = "") -> float:
    """Median half round trip that a worker finds for one ping-pong cell, ns; ``options``: as in a plan file."""
    from msgauge.results.wire import read_frames

    with tempfile.TemporaryDirectory() as folder:
        plan, samples = Path(folder) / "plan.txt", Path(folder) / "samples.bin"
        plan.write_text(
            "msgauge-plan 1\nlaunch number=1 round=1 seed=1 ranks=2 cores=2\nclock name=monotonic\n"
            "limits cell_budget_ns=100000000 cell_precision=0 launch_limit_ns=30000000000 check=yes\n"
            f"cell id=0 kernel=pingpong bytes={size_bytes} mode=batch cache=hot ranks=2 {options}\nend\n"
        )
        run([*argv, "--plan", str(plan), "--samples", str(samples)], environment)
        frames, _ = read_frames(samples)
    return float(np.median(next(frame for frame in frames if frame.cell == 0).per_event))


def run(argv: Sequence[str], environment: dict[str, str]) -> str:
    """Standard output of a command that must succeed within LIMIT_S."""
    done = subprocess.run(
        argv,
        env={**os.environ, **environment},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=LIMIT_S,
        check=False,
    )
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(argv)} ended with {done.returncode}:\n{done.stderr[-2000:]}")
    return done.stdout


def sentence(what: str, ratio: Ratio, base_ns: float, other_ns: float, pairs: int) -> str:
    """One line for people."""
    interval = f"{ratio.low:.3f} to {ratio.high:.3f}"
    return (
        f"{what}: {ratio.ratio:.3f} ({interval}), {other_ns:.1f} ns against {base_ns:.1f} ns, {pairs} pairs of launches"
    )
