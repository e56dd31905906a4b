"""What a program can do wrong: no crash, an error that says what, and no job that waits for ever."""

# ruff: noqa: E501 (lines of Octave)

from __future__ import annotations

import time

import pytest
from conftest import ROOT, Mpi

START = "mexmpi_use(); MPI_Init(); w = MPI_COMM_WORLD; rank = MPI_Comm_rank(w);"


def test_use_before_init_is_an_error(mpi: Mpi) -> None:
    result = mpi.run("mexmpi_use(); printf('%s\\n', failure(@() MPI_Send(1, 0)));", 1)
    assert "mpi:notInitialized" in result.output


DEATHS = {
    "error": ("mexmpi_run('{script}')", "rank 1 of 2: error: on purpose"),
    "plain error": ("{text}", "error: on purpose"),
    "exit": ("{start} if rank == 1, exit(0); else MPI_Recv(1, 5); end", "without MPI_Finalize"),
    "exit with a status": ("{start} if rank == 1, exit(3); else MPI_Recv(1, 5); end", "status 3"),
    "kill": ("{start} if rank == 1, system(sprintf('kill -9 %d', getpid())); else MPI_Recv(1, 5); end", ""),
    "segmentation fault": (
        "{start} if rank == 1, system(sprintf('kill -11 %d', getpid())); else MPI_Recv(1, 5); end",
        "",
    ),
}


@pytest.mark.parametrize("death", DEATHS)
def test_the_end_of_one_rank_ends_the_job_within_five_seconds(mpi: Mpi, death: str, tmp_path) -> None:  # type: ignore[no-untyped-def]
    text = f"{START} if rank == 1, error('on purpose'); else MPI_Recv(1, 5); end"
    script = tmp_path / "script.m"
    script.write_text(text.replace("; ", ";\n"))
    statement, wanted = DEATHS[death]
    began = time.monotonic()
    result = mpi.run(statement.format(script=script, text=text, start=START), 2, limit_s=30)
    assert result.status != 0
    assert wanted in result.output, result.output
    assert result.output.strip()
    assert time.monotonic() - began < 5 + 3, "three seconds for the start on a busy machine"


def test_clear_all_does_not_lose_mpi(mpi: Mpi) -> None:
    result = mpi.run(f"{START} clear all; printf('size %d\\n', MPI_Comm_size()); MPI_Finalize();", 2)
    assert result.output.count("size 2") == 2 and result.status == 0, result.output


def test_the_debug_mode_names_ranks_that_call_different_collectives(mpi: Mpi) -> None:
    program = f"{START} try, if rank == 0, MPI_Bcast(1, 0); else, MPI_Allreduce(1); end, catch e, disp(e.message), end; MPI_Finalize();"
    result = mpi.run(program, 2, MEXMPI_DEBUG="1")
    assert result.output.count("rank 0: MPI_Bcast, root 0; rank 1: MPI_Allreduce, 1 elements of double") == 2, (
        result.output
    )
    program = f"{START} try, MPI_Allreduce(ones(1, rank + 1)); catch e, disp(e.identifier), end; MPI_Finalize();"
    assert mpi.run(program, 2, MEXMPI_DEBUG="1").output.count("mpi:collectiveMismatch") == 2


def test_both_toolboxes_on_the_path_are_refused(mpi: Mpi) -> None:
    result = mpi.run(f"addpath('{ROOT / 'matlab' / 'filempi'}'); printf('%s\\n', failure(@() mexmpi_use()));", 1)
    assert "mpi:twoToolboxes" in result.output
