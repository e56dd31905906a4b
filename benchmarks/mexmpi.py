"""The speed of mexmpi against C and mpi4py over the same Open MPI, every figure of one interleaved run on two ranks.

    python benchmarks/mexmpi.py [--rounds N] [--batches N]

In each round each program is launched once, in random order. In a launch every case is timed in batches; the launch's
figure is its best batch, for on a busy machine the others measure what else runs. Printed: median over rounds, and the
median over rounds of the ratio to C with its 95 % interval. Cases: round trip of 8 B, 1 MB and 8 MB (10^6 bytes), by
value and into a variable (C and mpi4py have buffers only), and an Allreduce of a million doubles, its result as a new
array and into a variable.
Needs ``msgauge stacks install openmpi mpi4py mexmpi@openmpi``.
"""

from __future__ import annotations

import argparse
import random
import re
import statistics
import subprocess
import tempfile
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from msgauge.config import load_config
from msgauge.discovery import registry
from msgauge.hosts import this_host
from msgauge.model import Stack
from msgauge.stacks.base.family import LaunchOptions
from msgauge.stats.location import median_interval

IN_C = r"""
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char** argv) {
    int rank, batches = atoi(argv[1]);
    long sizes[] = {8, 1000000, 8000000}, turns[] = {200, 5, 2};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    double *x = calloc(1000000, 8), *y = calloc(1000000, 8);
    for (int c = 0; c < 4; ++c) {
        double best = 1e9;
        for (int b = 0; b < batches; ++b) {
            int n = c == 3 ? 2 : (int)turns[c];
            MPI_Barrier(MPI_COMM_WORLD);
            double start = MPI_Wtime();
            for (int k = 0; k < n; ++k) {
                if (c == 3) MPI_Allreduce(x, y, 1000000, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
                else {
                    if (rank == 0) MPI_Send(x, sizes[c] / 8, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD);
                    MPI_Recv(x, sizes[c] / 8, MPI_DOUBLE, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
                    if (rank == 1) MPI_Send(x, sizes[c] / 8, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD);
                }
            }
            double one = (MPI_Wtime() - start) / n;
            if (one < best) best = one;
        }
        const char* names[] = {"8 B", "1 MB", "8 MB", "allreduce"};
        if (rank == 0) printf("case=%s us=%.3f\n", names[c], best * 1e6);
    }
    MPI_Finalize();
}
"""
IN_PYTHON = """
import sys
from array import array
from mpi4py import MPI
w = MPI.COMM_WORLD
rank, batches = w.rank, int(sys.argv[1])
x, y = (memoryview(array('d', bytes(8000000))) for _ in range(2))
for name, size, turns in (("8 B", 1, 200), ("1 MB", 125000, 5), ("8 MB", 1000000, 2), ("allreduce", 0, 2)):
    best, part = 1e9, x[:size]
    for _ in range(batches):
        w.Barrier()
        start = MPI.Wtime()
        for _ in range(turns):
            if size == 0:
                w.Allreduce(x, y)
            elif rank == 0:
                w.Send(part, 1)
                w.Recv(part, 1)
            else:
                w.Recv(part, 0)
                w.Send(part, 0)
        best = min(best, (MPI.Wtime() - start) / turns)
    if rank == 0:
        print(f"case={name} us={best * 1e6:.3f}", flush=True)
"""
IN_OCTAVE = """
warning('off', 'all'); addpath(getenv('MEXMPI_BUILD')); MPI_Init(); w = MPI_COMM_WORLD(); rank = MPI_Comm_rank(w);
other = 1 - rank; batches = str2double(getenv('BATCHES'));
function best = batch(best, start, turns), best = min(best, (MPI_Wtime() - start) / turns); end
names = {'8 B', '1 MB', '8 MB', '8 B into', '1 MB into', '8 MB into', 'allreduce', 'allreduce into'};
sizes = [1, 125000, 1000000, 1, 125000, 1000000, 0, 0]; turns = [200, 5, 2, 200, 5, 2, 2, 2];
for c = 1:8
    x = zeros(1, max(1, sizes(c))); row = rand(1, 1000000); y = 0 * row; best = 1e9; n = turns(c);
    for b = 1:batches
        MPI_Barrier(w); start = MPI_Wtime();
        if c == 7
            for k = 1:n, y = MPI_Allreduce(row); end
        elseif c == 8
            for k = 1:n, MPI_Allreduce_into('y', row); end
        elseif c > 3 && rank == 0
            for k = 1:n, MPI_Send(x, 1, 0, w); MPI_Recv_into('x', 1, 0, w); end
        elseif c > 3
            for k = 1:n, MPI_Recv_into('x', 0, 0, w); MPI_Send(x, 0, 0, w); end
        elseif rank == 0
            for k = 1:n, MPI_Send(x, 1, 0, w); y = MPI_Recv(1, 0, w); end
        else
            for k = 1:n, y = MPI_Recv(0, 0, w); MPI_Send(y, 0, 0, w); end
        end
        best = batch(best, start, n);
    end
    if rank == 0, printf('case=%s us=%.3f\\n', names{c}, best * 1e6); end
end
MPI_Finalize();
"""
AGAINST = {"8 B into": "8 B", "1 MB into": "1 MB", "8 MB into": "8 MB", "allreduce into": "allreduce"}
"""The case of C that receiving into a variable is set against."""


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="mexmpi against C and mpi4py over one Open MPI")
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--batches", type=int, default=60)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        programs = prepared(Path(folder), given.batches)
        figures: dict[tuple[str, str], list[float]] = defaultdict(list)
        for _ in range(given.rounds):
            for name in random.sample(sorted(programs), len(programs)):
                for case, best in launched(*programs[name], Path(folder), given.batches).items():
                    figures[name, case].append(best)
    show(figures)


def prepared(folder: Path, batches: int) -> dict[str, tuple[Stack, tuple[str, ...]]]:
    """What each program is launched by, and its argv."""
    found = registry.discover(this_host(), load_config())
    (octave,) = registry.select(found, ["mexmpi@openmpi"])
    below = octave.version.partition("+openmpi-")[2]
    (plain, python) = registry.select(found, [f"openmpi@{below}", f"mpi4py@openmpi-{below}"])
    for name, text in (("c.c", IN_C), ("p.py", IN_PYTHON), ("o.m", IN_OCTAVE)):
        (folder / name).write_text(text)
    compiler = str(Path(plain.compiler).with_name(Path(plain.compiler).name.replace("mpicxx", "mpicc")))
    subprocess.run([compiler, "-O2", "c.c", "-o", "c"], cwd=folder, check=True)
    return {
        "C": (plain, (str(folder / "c"), str(batches))),
        "mpi4py": (python, (python.compiler, str(folder / "p.py"), str(batches))),
        "mexmpi": (octave, (octave.compiler, "-qfW", "--no-gui", str(folder / "o.m"))),
    }


def launched(stack: Stack, program: tuple[str, ...], folder: Path, batches: int) -> dict[str, float]:
    """Best batch of each case of one launch, in µs."""
    family = registry.families()[stack.family]
    command = family.launch_command(stack, program, LaunchOptions(2, this_host().cores, folder))
    words = ["env", *(f"{name}={value}" for name, value in command.environment), f"BATCHES={batches}", *command.argv]
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, timeout=300, check=True)
    return {case: float(us) for case, us in re.findall(r"case=(.*) us=([\d.]+)", done.stdout)}


def show(figures: Mapping[tuple[str, str], list[float]]) -> None:
    """Medians, and ratios to C within rounds."""
    for (name, case), values in sorted(figures.items()):
        line = f"{name:8} {case:14} {statistics.median(values):10.2f} µs"
        if name != "C":
            ratios = np.array(values) / np.array(figures["C", AGAINST.get(case, case)])
            low, high = median_interval(ratios)[:2] if len(ratios) > 5 else (ratios.min(), ratios.max())
            line += f"   ratio to C {np.median(ratios):.2f} ({low:.2f} to {high:.2f})"
        print(line)


if __name__ == "__main__":
    main()
