"""The speed of the file toolbox, every figure of one interleaved run: rounds of all variants, medians over rounds.

    python benchmarks/filempi.py [--rounds N] [--points N] [--blocked S]
    python benchmarks/filempi.py --against FOLDER [--rounds N] [--urgent]

Prints round trips (a MB is 10^6 bytes) by stream, file and the classic protocol (sleeping, spinning), their ratios,
bandwidth, broadcast to 8 ranks against one send, start-up to the first message, CPU of a rank blocked for S seconds,
and the efficiency of Mandelbrot on N x N points. N = 0 and S = 0 leave these two out.

``--against``: the toolbox of another commit (its folder matlab/filempi) beside this one: in each round both run at the
same time and take turns of a few milliseconds, so that a load that comes and goes meets both. Prints the ratio of their
round trips, this one over the other: the median of the rounds' medians over turns, with a 95 % interval over rounds.
``--urgent``, for a loaded machine: these processes go before all others (Linux, root; a round takes about 8 s).
"""

from __future__ import annotations

import argparse
import os
import re
import statistics
import subprocess
import tempfile
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np

from msgauge.stats.location import median_interval

TOOLBOX = Path(__file__).parents[1] / "matlab" / "filempi"
PING = """
MPI_Init; comm = MPI_COMM_WORLD; me = MPI_Comm_rank(comm);
sizes = str2num(getenv('SIZES'));
for bytes = sizes
    v = sin(1:bytes / 8); n = 400;
    if bytes > 1e5, n = 100; end
    if strncmp(getenv('FILEMPI_TRANSPORT'), 'classic', 7), n = 12; if bytes > 1e5, n = 2; end; end
    t = zeros(1, n);
    for k = 1:n
        if me == 0
            s = tic(); MPI_Send(1, 1, comm, v); MPI_Recv(1, 1, comm); t(k) = toc(s);
        else
            MPI_Send(0, 1, comm, MPI_Recv(0, 1, comm));
        end
    end
    if me == 0, printf('bytes=%d us=%.3f\\n', bytes, median(t) * 1e6); end
end
"""
TURNS = """
MPI_Init; comm = MPI_COMM_WORLD; me = MPI_Comm_rank(comm);
mine = getenv('TURN_MINE'); other = getenv('TURN_OTHER'); sizes = [8, 1000000]; groups = [20, 8]; together = [4, 1];
if ~isempty(getenv('URGENT')), f = fopen('/proc/self/autogroup', 'w'); fputs(f, '-18'); fclose(f); end
for turn = 1:40
    if me == 0
        while isempty(stat(mine)), pause(0.0005); end
    end
    for k = 1:numel(sizes)
        v = sin(1:sizes(k) / 8); t = zeros(1, groups(k)); n = together(k);
        for j = 1:groups(k)
            s = tic();
            for i = 1:n
                if me == 0, MPI_Send(1, 1, comm, v); MPI_Recv(1, 1, comm);
                else, MPI_Send(0, 1, comm, MPI_Recv(0, 1, comm)); end
            end
            t(j) = toc(s) / n;
        end
        if me == 0, printf('bytes=%d us=%.3f\\n', sizes(k), median(t) * 1e6); end
    end
    if me == 0, rename(mine, other); end
end
"""
BROADCAST = """
MPI_Init; comm = MPI_COMM_WORLD; me = MPI_Comm_rank(comm); v = sin(1:125000); one = []; all = []; root = [];
for k = 1:12
    MPI_Barrier(comm); s = tic(); MPI_Bcast(0, 1, comm, v); e = tic();
    t = MPI_Gather(0, 2, comm, double([s, e]));
    if me == 0, t = vertcat(t{:}); all(end + 1) = max(t(:, 2)) - t(1, 1); root(end + 1) = t(1, 2) - t(1, 1); end
    MPI_Barrier(comm); s = tic();
    if me == 0, MPI_Send(1, 3, comm, v); elseif me == 1, MPI_Recv(0, 3, comm); end
    e = tic();
    t = MPI_Gather(0, 4, comm, double([s, e]));
    if me == 0, t = vertcat(t{1:2}); one(end + 1) = max(t(:, 2)) - t(1, 1); end
end
if me == 0, printf('one_us=%.1f all_us=%.1f root_us=%.1f\\n', median(one), median(all), median(root)); end
"""
FIRST = """
MPI_Init; comm = MPI_COMM_WORLD;
if MPI_Comm_rank(comm) == 0
    for k = 1:3, MPI_Recv('*', 1, comm); end
    printf('first_s=%.3f\\n', toc(started));
else
    MPI_Send(0, 1, comm, 1);
end
"""
BLOCKED = """
MPI_Init; comm = MPI_COMM_WORLD;
seconds = str2double(getenv('BLOCKED_S'));
if MPI_Comm_rank(comm) == 0, pause(seconds); MPI_Send(1, 1, comm, 1);
else, c = cputime(); MPI_Recv(0, 1, comm); printf('cpu_percent=%.2f\\n', (cputime() - c) / seconds * 100); end
"""


def main() -> None:
    """Run the rounds and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--points", type=int, default=4800, help="width and height of Mandelbrot, once in each round")
    parser.add_argument("--blocked", type=int, default=60, help="how long a rank is blocked, once, in seconds")
    parser.add_argument("--against", type=Path, help="the toolbox of another commit, to compare this one with")
    parser.add_argument("--urgent", action="store_true", help="with --against: go before all other processes")
    options = parser.parse_args()
    if options.against:
        compare_toolboxes(options.against.resolve(), options.rounds, {"URGENT": "1"} if options.urgent else {})
        return
    found: dict[str, list[float]] = defaultdict(list)
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(options.rounds):
            one_round(Path(folder), found, options.points)
        if options.blocked:
            text = octave(Path(folder), BLOCKED, 2, BLOCKED_S=str(options.blocked))
            found["cpu_percent"].append(float(re.search(r"cpu_percent=([\d.]+)", text)[1]))
    tell(found, options.rounds)


def compare_toolboxes(other: Path, rounds: int, settings: dict[str, str]) -> None:
    """Round trips of 8 B and 1 MB over both toolboxes, which take turns; print the ratios."""
    ratios: dict[str, list[float]] = defaultdict(list)
    for number in range(rounds):
        for transport in ("stream", "file"):
            toolboxes = [TOOLBOX, other] if number % 2 else [other, TOOLBOX]
            with tempfile.TemporaryDirectory() as folder:
                texts = in_turns(Path(folder), toolboxes, {**settings, "FILEMPI_TRANSPORT": transport})
            here, there = (round_trips(texts[toolbox]) for toolbox in (TOOLBOX, other))
            for size, times in here.items():
                ratios[f"{transport}, {size} B"].append(float(np.median(times / there[size])))
    print(f"round trip, this toolbox / the other, {rounds} rounds, load {os.getloadavg()[0]:.1f}")
    for name, values in ratios.items():
        low, high = median_interval(np.array(values))
        print(f"{name:20} {statistics.median(values):.3f}   95 % interval {low:.3f} to {high:.3f}")


def in_turns(folder: Path, toolboxes: list[Path], settings: dict[str, str]) -> dict[Path, str]:
    """The output of TURNS on two ranks over each of two toolboxes at the same time; the first one begins."""
    places = [folder / name for name in "ab"]
    for place in places:
        place.mkdir()
    (places[0] / "turn").touch()
    with ThreadPoolExecutor() as pool:
        running = {}
        for toolbox, place, following in zip(toolboxes, places, places[::-1], strict=True):
            turns = {"TURN_MINE": str(place / "turn"), "TURN_OTHER": str(following / "turn")}
            running[toolbox] = pool.submit(octave, place, TURNS, 2, toolbox, **settings, **turns)
        return {toolbox: run.result() for toolbox, run in running.items()}


def round_trips(text: str) -> dict[str, np.ndarray]:
    """Microseconds of a round trip by turn, for each size."""
    found = defaultdict(list)
    for size, value in re.findall(r"bytes=(\d+) us=([\d.]+)", text):
        found[size].append(float(value))
    return {size: np.array(values) for size, values in found.items()}


def one_round(folder: Path, found: dict[str, list[float]], points: int) -> None:
    """Each variant once; appends what it says to ``found`` by name."""
    for transport in ("stream", "classic", "file", "classic-spin"):
        sizes = "8 1000000" if transport.startswith("classic") else "8 1000000 8000000"
        text = octave(folder, PING, 2, FILEMPI_TRANSPORT=transport, SIZES=sizes)
        for size, value in re.findall(r"bytes=(\d+) us=([\d.]+)", text):
            found[f"{transport} {size}"].append(float(value))
    text = octave(folder, BROADCAST, 8) + octave(folder, FIRST, 4)
    for name, value in re.findall(r"(one_us|all_us|root_us|first_s)=([\d.]+)", text):
        found[name].append(float(value))
    for ranks in (1, 2, 4) if points else ():
        text = octave(folder, (TOOLBOX / "examples" / "mandelbrot.m").read_text(), ranks, FILEMPI_SIZE=str(points))
        found[f"mandelbrot {ranks}"].append(float(re.search(r"ranks: ([\d.]+) s", text)[1]))


def octave(folder: Path, program: str, ranks: int, toolbox: Path = TOOLBOX, **settings: str) -> str:
    """The output of a program on some ranks."""
    (folder / "benchmark_program.m").write_text(program)
    statement = (
        f"started = tic(); addpath('{toolbox}'); addpath('{toolbox}/examples'); "
        f"eval(MPI_Run('benchmark_program', {ranks}, {{}}))"
    )
    done = subprocess.run(
        ["octave-cli", "-qfW", "--no-gui", "--eval", statement],
        cwd=folder,
        env={**os.environ, "OMP_NUM_THREADS": "1", **settings},
        capture_output=True,
        text=True,
        timeout=900,
        check=False,
        start_new_session="URGENT" in settings,  # the priority is a session's
    )
    if done.returncode != 0:
        raise SystemExit(f"the benchmark failed:\n{done.stdout}{done.stderr}")
    return done.stdout


def tell(found: dict[str, list[float]], rounds: int) -> None:
    """Print every figure beside its goal: the median over rounds, and between which the rounds were."""

    def over(above: str, below: str = "", factor: float = 1.0) -> list[float]:
        return [x / y * factor for x, y in zip(found[above], found[below] or [1.0] * len(found[above]), strict=True)]

    rows = [
        ("scalar round trip, stream, ms", over("stream 8", factor=1e-3), "<= 0.1"),
        ("scalar round trip, file, ms", over("file 8", factor=1e-3), "<= 0.25"),
        ("1 MB round trip, stream, ms", over("stream 1000000", factor=1e-3), "<= 1.5"),
        ("1 MB round trip, file, ms", over("file 1000000", factor=1e-3), "<= 1.5"),
        ("8 MB one way, stream, GB/s", [8000000 / (us / 2) / 1e3 for us in found["stream 8000000"]], ">= 1"),
        ("8 MB one way, file, GB/s", [8000000 / (us / 2) / 1e3 for us in found["file 8000000"]], ">= 1"),
        ("classic with its sleep / stream, scalar", over("classic 8", "stream 8"), ">= 100"),
        ("classic with its sleep / stream, 1 MB", over("classic 1000000", "stream 1000000"), ">= 100"),
        ("classic spinning / stream, scalar", over("classic-spin 8", "stream 8"), ">= 10"),
        ("classic spinning / stream, 1 MB", over("classic-spin 1000000", "stream 1000000"), ">= 10"),
        ("broadcast of 1 MB to 8 ranks / one send (8 ranks up)", over("all_us", "one_us"), "<= 2"),
        ("  of it the root's own time / one send", over("root_us", "one_us"), "<= 2"),
        ("MPI_Run of four ranks to the first messages, s", over("first_s"), "<= 1"),
        ("CPU of a blocked rank, %", over("cpu_percent"), "< 5"),
        ("Mandelbrot, efficiency on 2 ranks", over("mandelbrot 1", "mandelbrot 2", 1 / 2), ""),
        ("Mandelbrot, efficiency on 4 ranks", over("mandelbrot 1", "mandelbrot 4", 1 / 4), ""),
    ]
    print(f"medians of {rounds} rounds (and their range), {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")
    for name, values, goal in rows:
        if values:
            print(f"{name:55} {statistics.median(values):9.3f} ({min(values):.3f} to {max(values):.3f})   {goal}")


if __name__ == "__main__":
    main()
