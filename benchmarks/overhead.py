"""What msgauge adds to an 8-byte ping-pong: its worker against a minimal loop in C on the same library, interleaved.

    python benchmarks/overhead.py [--pairs 15] [--bytes 8] openmpi mpich intelmpi

Prints one ratio a stack with its interval; ends with 1 when one lies above the limit (1.03).
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from interleaved import interleave, minimal, run, sentence, worker
from msgauge.build import build
from msgauge.config import load_config
from msgauge.discovery.registry import discover, families, select
from msgauge.hosts import this_host
from msgauge.model import Stack
from msgauge.stacks.base.family import LaunchOptions, Recipe

LIMIT = 1.03


def main() -> int:
    """Measure every stack named; 0 when all ratios are within the limit."""
    parser = argparse.ArgumentParser(description="msgauge's worker against a minimal C loop on the same library")
    parser.add_argument("--pairs", type=int, default=15)
    parser.add_argument("--bytes", type=int, default=8)
    parser.add_argument("stacks", nargs="*", default=["openmpi", "mpich", "intelmpi"])
    options = parser.parse_args()
    host = this_host()
    if host.cores < 2:
        parser.error("two ranks need two cores")
    worst = 0.0
    for stack in select(discover(host, load_config()), options.stacks):
        with tempfile.TemporaryDirectory() as folder:
            worst = max(worst, overhead(stack, Path(folder), options.pairs, options.bytes))
    return 0 if worst <= LIMIT else 1


def overhead(stack: Stack, folder: Path, pairs: int, size_bytes: int) -> float:
    """Ratio of msgauge's half round trip to the minimal one on a stack; printed with its interval."""
    family = families()[stack.family]
    built = build(stack, keep=folder, kernels=("pingpong",))
    if built.reason:
        raise SystemExit(f"{stack.spec}: {built.reason}")
    source = Path(__file__).with_name("minimal_pingpong.c")
    compile_command = family.compile_command(stack, Recipe((source,), (), folder / "minimal"))
    if compile_command is None:
        raise SystemExit(f"{stack.spec} compiles nothing, so there is no minimal program to compare with")
    run(compile_command.argv, dict(compile_command.environment))
    launch = LaunchOptions(ranks=2, cores=this_host().cores, folder=folder)
    arguments = (str(size_bytes), "200", "500")
    ours = family.launch_command(stack, built.program, launch)
    theirs = family.launch_command(stack, (str(folder / "minimal"), *arguments), launch)
    ratio, base_ns, other_ns = interleave(
        lambda: minimal(theirs.argv, dict(theirs.environment)),
        lambda: worker(ours.argv, dict(ours.environment), size_bytes),
        pairs,
    )
    print(sentence(f"{stack.spec}, {size_bytes} B", ratio, base_ns, other_ns, pairs), flush=True)
    return ratio.ratio


if __name__ == "__main__":
    sys.exit(main())
