"""The exchange cases of filempi, unchanged, over MPI; and the examples of mp, which say the same on every transport."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
from mexmpi_jobs import ALL, OCTAVE, ROOT, Mpi, environment

EXCHANGE = ROOT / "tests" / "filempi" / "exchange"
PACKAGE = ROOT / "matlab" / "mp"
EXAMPLES = PACKAGE / "examples"
CASES = sorted(path.stem for path in EXCHANGE.glob("case_*.m"))
PATHS = f"addpath('{EXCHANGE}', '{PACKAGE}', '{EXAMPLES}');"


MEETS_A_RECEIVE = "case_broadcast_meets_a_receive"
"""A broadcast of the file toolbox is a message of its source; MPI's is not."""


def exchange(mpi: Mpi, ranks: int, binding: str, cases: list[str]) -> None:
    """Every case passes on every rank."""
    result = mpi.run(
        f"{PATHS} run_exchange; mp.finalize();",
        ranks,
        limit_s=100,
        EXCHANGE_BINDING=binding,
        EXCHANGE_CASES=" ".join(cases),
    )
    failed = re.findall(r"case \w+ failed.*", result.output)
    assert not failed and result.status == 0, "\n".join(failed) or result.output[-2000:]
    assert {case: result.output.count(f"case {case} ok") for case in cases} == dict.fromkeys(cases, ranks)


@pytest.mark.parametrize("ranks", [2, 3, 4] if ALL else [2, 3])
def test_the_exchange_cases_of_filempi_hold(mpi: Mpi, ranks: int) -> None:
    exchange(mpi, ranks, "exchange_mexmpi", CASES)


def test_the_cases_of_broadcasts_hold_with_the_broadcast_of_mpi(mpi: Mpi) -> None:
    exchange(mpi, 3, "exchange_mp", [case for case in CASES if "broadcast" in case and case != MEETS_A_RECEIVE])


def test_a_blocking_collective_lets_posted_receives_go_on(mpi: Mpi) -> None:
    """A large message goes out only when it is received, and its receiver waits in a collective by then."""
    program = (
        "mexmpi_use(); MPI_Init(); w = MPI_COMM_WORLD; rank = MPI_Comm_rank(w); x = rand(1000);"
        "calls = {@() MPI_Barrier(w), @() MPI_Allreduce(rank), @() MPI_Bcast(ones(1, 2000), 0),"
        " @() MPI_Allgather({rank}), @() MPI_Gather(rank, 0), @() MPI_Scatter({1, 2}, 0),"
        " @() MPI_Bcast(1, 1), @() MPI_Alltoall([1, 2])};"
        "for k = 1:numel(calls), if rank == 0, MPI_Send(x, 1, k); calls{k}(); else, r = MPI_Irecv(0, k); calls{k}();"
        " assert(numel(MPI_Wait(r)) == 1e6); end; end; printf('all of them\\n'); MPI_Finalize();"
    )
    assert mpi.run(program, 2).output.count("all of them") == 2


def told(text: str) -> list[str]:
    """What an example prints, without its times."""
    lines = [re.sub(r"on \d+ ranks?: [\d.]+ s, ", "", line) for line in text.splitlines()]
    words = ("filtered", "mandelbrot", "pi is", "magic")
    return [re.sub(r"\d+ ranks agree", "all agree", line) for line in lines if line.startswith(words)]


@pytest.mark.parametrize("example", ["image_filter", "mandelbrot", "monte_carlo", "broadcast"])
def test_an_example_gives_the_same_on_mpi_on_files_and_serially(mpi: Mpi, example: str, tmp_path: Path) -> None:
    over_mpi = mpi.run(f"{PATHS} {example}", 3)
    serially = octave(f"{PATHS} {example}", tmp_path)
    files = f"addpath('{ROOT / 'matlab' / 'filempi'}'); {PATHS} eval(MPI_Run('{EXAMPLES / example}', 3, {{}}))"
    over_files = octave(files, tmp_path, MP_TRANSPORT="filempi")
    assert told(over_mpi.output), over_mpi.output
    assert told(over_mpi.output) == told(serially) == told(over_files), over_mpi.output + serially + over_files


def test_ping_pong_runs_on_mpi_and_serially(mpi: Mpi, tmp_path: Path) -> None:
    assert mpi.run(f"{PATHS} ping_pong", 2).output.count("GB/s") == 9
    assert octave(f"{PATHS} ping_pong", tmp_path).count("GB/s") == 9


def octave(statement: str, folder: Path, **settings: str) -> str:
    """What one session prints."""
    words = [OCTAVE or "octave-cli", "-qfW", "--no-gui", "--eval", statement]
    done = subprocess.run(
        words, cwd=folder, env=environment(**settings), capture_output=True, text=True, timeout=100, check=False
    )
    return done.stdout + done.stderr
