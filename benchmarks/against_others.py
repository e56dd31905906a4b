"""Our ping-pong against that of IMB and of NetPIPE on the same library, in one interleaved run.

    python benchmarks/against_others.py [--pairs 9] [--sizes 8,1024,65536,1048576]

IMB-MPI1 comes with the Intel MPI wheels; NetPIPE is Debian's netpipe-openmpi and netpipe-mpich2. What is not
installed is left out, with a line that says so. Prints one ratio (ours to theirs) for each size with its interval; ends
with 1 when a ratio is clearly more than 5 % off 1. NetPIPE sends the buffer it has received into, so ours does too
(``buffer=received``); what ours takes with two buffers follows, and is not judged: docs/explanation/against-others.md.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

from attrs import frozen

from interleaved import interleave, run, sentence, worker
from msgauge.build import build
from msgauge.config import load_config
from msgauge.discovery.registry import discover, families, select
from msgauge.hosts import this_host
from msgauge.model import Stack
from msgauge.stacks.base.family import LaunchOptions

MARGIN = 0.05
NETPIPE = {"openmpi@4/system": "NPopenmpi", "mpich@4/system": "NPmpich2"}
MEGABIT = 1024.0 * 1024.0


@frozen
class Rival:
    """Another suite's ping-pong on one stack: its command for a size, and how its half round trip is read, in ns."""

    name: str
    stack: Stack
    argv: Callable[[int, Path], Sequence[str]]
    read: Callable[[str, int, Path], float]
    options: str = ""
    """What makes our ping-pong do the same."""


def main() -> int:
    """Measure every rival found; 0 when no ratio is clearly beyond the margin."""
    parser = argparse.ArgumentParser(description="our ping-pong against IMB's and NetPIPE's on the same library")
    parser.add_argument("--pairs", type=int, default=9)
    parser.add_argument("--sizes", default="8,1024,65536,1048576")
    options = parser.parse_args()
    sizes = [int(size) for size in options.sizes.split(",")]
    beyond = 0
    for rival in rivals():
        with tempfile.TemporaryDirectory() as folder:
            beyond += compare_with(rival, sizes, options.pairs, Path(folder))
    return 1 if beyond else 0


def rivals() -> Iterator[Rival]:
    """Every rival that is installed, with the stack it belongs to."""
    stacks = discover(this_host(), load_config())
    for stack in select(stacks, ["intelmpi"]):
        program = Path(stack.launcher).with_name("IMB-MPI1")
        if program.is_file():
            yield Rival("IMB-MPI1 PingPong", stack, lambda size, _, imb=program: imb_argv(imb, size), read_imb)
        else:
            print(f"left out: {program} is not there; 'msgauge stacks install intelmpi' brings it")
    for expression, name in NETPIPE.items():
        found = shutil.which(name)
        if found is None:
            print(f"left out: {name} is not installed; 'apt-get install netpipe-{name[2:]}' brings it")
            continue
        for stack in select(stacks, [expression]):
            argv = partial(netpipe_argv, found)
            yield Rival(name, stack, argv, read_netpipe, options="opt.buffer=received")


def repetitions(size: int) -> int:
    """Round trips of a trial: about 10 ms of them, and at least 30."""
    return max(30, int(1e7 / (1000 + 0.3 * size)))


def imb_argv(program: Path, size: int) -> Sequence[str]:
    """One size, a fixed count, no shortening by time."""
    power = size.bit_length() - 1
    count = str(4 * repetitions(size))
    return [
        *(str(program), "PingPong", "-msglog", f"{power}:{power}"),
        *("-iter", count, "-iter_policy", "off", "-time", "50"),
    ]


def read_imb(output: str, size: int, folder: Path) -> float:  # noqa: ARG001 -- NetPIPE answers in a file
    """The line ``bytes repetitions t[usec] Mbytes/sec``: IMB prints microseconds with two decimals."""
    rows = [line.split() for line in output.splitlines()]
    times = [float(row[2]) for row in rows if len(row) == 4 and row[0] == str(size)]
    if not times:
        raise SystemExit(f"IMB-MPI1 printed no line for {size} bytes:\n{output[-1000:]}")
    return 1e3 * times[0]


def netpipe_argv(program: str, size: int, folder: Path) -> Sequence[str]:
    """One size, no perturbation, a fixed count; of its seven trials it keeps the quickest."""
    limits = ["-l", str(size), "-u", str(size), "-p", "0", "-n", str(repetitions(size))]
    return [program, *limits, "-o", str(folder / "netpipe.out")]


def read_netpipe(output: str, size: int, folder: Path) -> float:  # noqa: ARG001 -- IMB answers on standard output
    """The file's line ``bytes megabits/s seconds``: the bandwidth has more digits than the time."""
    rows = [line.split() for line in (folder / "netpipe.out").read_text().splitlines()]
    rates = [float(row[1]) for row in rows if row and row[0] == str(size)]
    if not rates:
        raise SystemExit(f"NetPIPE wrote no line for {size} bytes")
    return 1e9 * 8 * size / (rates[0] * MEGABIT)


def compare_with(rival: Rival, sizes: Sequence[int], pairs: int, folder: Path) -> int:
    """Print a line for each size; how many ratios lie clearly beyond the margin."""
    family = families()[rival.stack.family]
    built = build(rival.stack, keep=folder, kernels=("pingpong",))
    if built.reason:
        raise SystemExit(f"{rival.stack.spec}: {built.reason}")
    launch = LaunchOptions(ranks=2, cores=this_host().cores, folder=folder)
    ours = family.launch_command(rival.stack, built.program, launch)
    beyond = 0
    for size in sizes:
        theirs = family.launch_command(rival.stack, tuple(rival.argv(size, folder)), launch)
        for options in dict.fromkeys((rival.options, "")):
            ratio, base_ns, other_ns = interleave(
                lambda command=theirs, size=size: rival.read(
                    run(command.argv, dict(command.environment)), size, folder
                ),
                lambda size=size, options=options: worker(ours.argv, dict(ours.environment), size, options),
                pairs,
            )
            same = options == rival.options
            what = f"{rival.stack.spec}, {size} B, {'' if same else 'with two buffers '}against {rival.name}"
            print(sentence(what, ratio, base_ns, other_ns, pairs), flush=True)
            beyond += same and (ratio.high < 1 - MARGIN or ratio.low > 1 + MARGIN)
    return beyond


if __name__ == "__main__":
    sys.exit(main())
