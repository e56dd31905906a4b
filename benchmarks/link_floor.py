"""How near the stacks come, between emulated hosts, to a minimal TCP program on the same link.

    python benchmarks/link_floor.py [NETWORK...] [--rounds 10] [--stacks tcp,openmpi,mpich,...] [--sizes 8,1KiB,64KiB]

For each network (100baset and gigabit) one lab of two hosts. In every round the bare link is measured, by two sockets
that block or are polled (whichever is faster) and by pings, then every stack's ping-pong. Prints each stack's half
round trip over that of the minimal one, paired in rounds, with 95 % intervals; ends with 1 when the fastest stack at 8
bytes is more than 10 % slower than the minimal program. Needs root and an idle machine.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

from msgauge import units
from msgauge.analysis.findings.wire_share import interpolate, read_points
from msgauge.results.run_folder import RunFolder
from msgauge.stats.ratio import Ratio, compare

LIMIT = 1.10
JUDGED_BYTES = 8
LIMIT_S = 300
MSGAUGE = [sys.executable, "-c", "import sys; from msgauge.cli import main; sys.exit(main())"]
STACKS = "tcp,openmpi[tcp],mpich[tcp],intelmpi[tcp],lam[tcp],pvm[route=direct],zeromq"
Series = dict[tuple[str, int], list[float]]
"""Half round trips by round, ns, of each stack and size."""


def main() -> int:
    """Measure each network; 0 when the fastest stack is within the limit on all."""
    parser = argparse.ArgumentParser(description="stacks between emulated hosts against a minimal TCP program")
    parser.add_argument("networks", nargs="*", default=["100baset", "gigabit"])
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--stacks", default=STACKS)
    parser.add_argument("--sizes", default="8,1KiB,64KiB")
    options = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # the lab is taken down then too
    with tempfile.TemporaryDirectory() as folder:
        right = [judge_network(network, options, Path(folder) / network) for network in options.networks]
    return 0 if all(right) else 1


def judge_network(network: str, options: argparse.Namespace, folder: Path) -> bool:
    """Print the ratios on one network; whether the fastest stack is within the limit."""
    folder.mkdir()
    name = f"floor-{os.getpid()}"
    call(["lab", "up", network, "--hosts", "2", "--name", name], folder)
    try:
        bare, pings, measured = measure(name, options, folder)
    finally:
        call(["lab", "down", name], folder)
    print(f"\n{network}, {options.rounds} rounds")
    for size in sorted({size for _, size in measured}):
        socket, ping = np.median(bare[size]), np.median(pings[size]) if pings[size] else float("nan")
        print(f"{units.format_size(size)}: minimal TCP {units.format_time(socket)}, ping {units.format_time(ping)}")
        for (stack, at), times in sorted(measured.items(), key=lambda one: float(np.median(one[1]))):
            if at == size and len(times) == len(bare[size]):
                print(f"    {describe(stack, compare(np.array(bare[size]), np.array(times)), times)}", flush=True)
    stack, times = min(
        ((stack, times) for (stack, size), times in measured.items() if size == JUDGED_BYTES),
        key=lambda one: float(np.median(one[1])),
    )
    ratio = compare(np.array(bare[JUDGED_BYTES]), np.array(times)).ratio
    print(f"the fastest at {JUDGED_BYTES} B, {stack}: {ratio:.3f} (limit {LIMIT})")
    return ratio <= LIMIT


def describe(stack: str, ratio: Ratio, times: list[float]) -> str:
    """One line for people."""
    return (
        f"{stack:32} {units.format_time(np.median(times)):>8}  {ratio.ratio:.3f} ({ratio.low:.3f} to {ratio.high:.3f})"
    )


def measure(name: str, options: argparse.Namespace, folder: Path) -> tuple[dict[int, list[float]], ...]:
    """Half round trips by round: of the minimal program and of pings by size, and of each stack and size."""
    bare: dict[int, list[float]] = {}
    pings: dict[int, list[float]] = {}
    measured: Series = {}
    words = ["--hosts", f"lab:{name}", "--stacks", options.stacks, "--kernels", "pingpong", "--sizes", options.sizes]
    run = ""
    for number in range(1, options.rounds + 1):
        asked = ["--resume", run] if run else words
        run = json.loads(call(["run", *asked, "--rounds", str(number), "--json"], folder))["run"]
        with RunFolder.open(Path(run)) as kept:
            facts, cells = kept.hosts, {cell.id: cell.size_bytes for cell in kept.plan.cells}
            measured = {
                (key.stack, cells[key.cell]): [float(one) for one in samples.medians_ns]
                for key, samples in kept.dataset.cells.items()
            }
        for size in set(cells.values()):
            bare.setdefault(size, []).append(interpolate(read_points(facts["bare_half_round_trips_ns"]), size))
            ping = interpolate(read_points(facts.get("bare_half_pings_ns", "")), size)
            pings.setdefault(size, []).extend([ping] if ping > 0 else [])
    return bare, pings, measured  # type: ignore[return-value]


def call(words: list[str], folder: Path) -> str:
    """Standard output of a command of msgauge that must succeed; failed cells are its user's to see."""
    done = subprocess.run(
        [*MSGAUGE, *words],
        cwd=folder,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=LIMIT_S,
        check=False,
    )
    if done.returncode not in (0, 4):
        raise SystemExit(f"msgauge {' '.join(words)} ended with {done.returncode}:\n{done.stderr[-2000:]}")
    return done.stdout


if __name__ == "__main__":
    sys.exit(main())
