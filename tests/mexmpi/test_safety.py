"""What a program can do wrong: no crash, an error that says what, and no job that waits for ever."""

# ruff: noqa: E501 (lines of Octave)

from __future__ import annotations

import re
import time
from pathlib import Path

import pytest
from mexmpi_jobs import ROOT, TOOLBOX, Mpi

START = "mexmpi_use(); MPI_Init(); w = MPI_COMM_WORLD; rank = MPI_Comm_rank(w);"


def test_use_before_init_is_an_error(mpi: Mpi) -> None:
    result = mpi.run("mexmpi_use(); printf('%s\\n', failure(@() MPI_Send(1, 0)));", 1)
    assert "mpi:notInitialized" in result.output


NOTED = "mexmpi_use(); MPI_Init(); w = MPI_COMM_WORLD; rank = MPI_Comm_rank(w); note_traces('{folder}'); MPI_Barrier();"
DEATHS = {
    "error": ("mexmpi_run('{script}')", "rank 1 of 2: error: on purpose"),
    "plain error": ("{text}", "error: on purpose"),
    "exit": ("{start} if rank == 1, {stamp}exit(0); else MPI_Recv(1, 5); end", "without MPI_Finalize"),
    "exit with a status": ("{start} if rank == 1, {stamp}exit(3); else MPI_Recv(1, 5); end", "status 3"),
    "kill": ("{start} if rank == 1, {stamp}system(sprintf('kill -9 %d', getpid())); else MPI_Recv(1, 5); end", ""),
    "segmentation fault": (
        "{start} if rank == 1, {stamp}system(sprintf('kill -11 %d', getpid())); else MPI_Recv(1, 5); end",
        "",
    ),
}


@pytest.mark.parametrize("death", DEATHS)
def test_the_end_of_one_rank_ends_the_job_within_five_seconds_and_leaves_nothing(
    mpi: Mpi, death: str, tmp_path: Path
) -> None:
    stamp = f"fclose(fopen('{tmp_path / 'died'}', 'w')); "
    traces = tmp_path / "traces"
    traces.mkdir()
    start = NOTED.format(folder=traces)
    text = f"{start} if rank == 1, {stamp}error('on purpose'); else MPI_Recv(1, 5); end"
    script = tmp_path / "script.m"
    script.write_text(text.replace("; ", ";\n"))
    statement, wanted = DEATHS[death]
    result = mpi.run(statement.format(script=script, text=text, start=start, stamp=stamp), 2)
    assert time.time() - (tmp_path / "died").stat().st_mtime < 5
    assert result.status != 0
    assert wanted in result.output, result.output
    assert result.output.strip()
    left, until = what_is_left(traces), time.monotonic() + 5
    while left and time.monotonic() < until:
        time.sleep(0.1)
        left = what_is_left(traces)
    assert left == []


def what_is_left(traces: Path) -> list[str]:
    """Of each rank its process, and the files by which it shared memory with others, as far as they are still there."""
    files = sorted(traces.iterdir())
    assert len(files) == 2, "both ranks have noted their traces"
    named = {Path("/proc", path.name) for path in files} | {
        Path(line) for path in files for line in path.read_text().split("\n") if line
    }
    return sorted(str(path) for path in named if path.exists())


def test_the_level_of_threads_and_the_end_of_mpi_are_told(mpi: Mpi) -> None:
    """What no example can show that runs between MPI_Init and MPI_Finalize of one job."""
    program = (
        "mexmpi_use(); given = MPI_Init_thread(MPI_THREAD_FUNNELED); before = MPI_Finalized();"
        "told = MPI_Query_thread() == given && given >= MPI_THREAD_FUNNELED && MPI_THREAD_FUNNELED > 0;"
        "MPI_Finalize(); disp(sprintf('told %d, finalized %d then %d', told, before, MPI_Finalized()));"
    )
    result = mpi.run(program, 2)
    assert result.output.count("told 1, finalized 0 then 1") == 2 and result.status == 0, result.output


def test_clear_all_does_not_lose_mpi(mpi: Mpi) -> None:
    result = mpi.run(f"{START} clear all; disp(sprintf('size %d', MPI_Comm_size())); MPI_Finalize();", 2)
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


def test_wrong_arguments_raise_identifiers(mpi: Mpi) -> None:
    cases = {
        "MPI_Send(1, 99)": "mpi:ERR_RANK",
        "MPI_Send(1, 0.5)": "mpi:ERR_RANK",
        "MPI_Send(1, 'a')": "mpi:ERR_RANK",
        "MPI_Send(1, {})": "mpi:ERR_RANK",
        "MPI_Send(1, 0, -7)": "mpi:ERR_TAG",
        "MPI_Send(1, 0, 1e15)": "mpi:ERR_TAG",
        "MPI_Send(1, 0, 0, 5)": "mpi:badInput",
        "MPI_Send(1, 0, 0, uint64(5))": "mpi:ERR_COMM",
        "MPI_Send(1, 0, 0, MPI_SUM)": "mpi:ERR_COMM",
        "MPI_Send(1, 0, 0, MPI_COMM_NULL)": "mpi:ERR_COMM",
        "MPI_Send(@sin, 0)": "mpi:cannotCarry",
        "MPI_Send({1, {2, @sin}}, 0)": "mpi:cannotCarry",
        "MPI_Send(magic(4), 0, 0, w, MPI_DOUBLE, 17)": "mpi:ERR_COUNT",
        "MPI_Wait(uint64(77))": "mpi:ERR_REQUEST",
        "MPI_Wait('x')": "mpi:badInput",
        "MPI_Allreduce({1})": "mpi:badInput",
        "MPI_Allreduce(1i, 'max')": "mpi:ERR_OP",
        "MPI_Allreduce(true, 'sum')": "mpi:ERR_OP",
        "MPI_Allreduce(1, 'median')": "mpi:ERR_OP",
        "MPI_Recv_into('no such')": "mpi:badInput",
        "MPI_Comm_free(w)": "mpi:ERR_COMM",
        "MPI_Type_size(w)": "mpi:ERR_TYPE",
        "MPI_Unpack(uint8(1:200))": "mpi:notAValue",
        "MPI_Put(1, 0, 5, MPI_Win_create(1))": "mpi:ERR_RMA_RANGE",
        "MPI_Win_load(0)": "mpi:badInput",
        "MPI_Init()": "mpi:alreadyInitialized",
    }
    calls = " ".join(f"printf('%s\\n', failure(@() {call}));" for call in cases)
    result = mpi.run(f"{START} {calls} MPI_Finalize(); printf('%s\\n', failure(@() MPI_Send(1, 0)));", 2)
    assert result.status == 0, result.output
    wanted = [*cases.values(), "mpi:finalized"]
    raised = [line for line in result.output.splitlines() if line.startswith("mpi:")]  # a library may write more
    for rank in range(2):
        found = raised[rank * len(wanted) : (rank + 1) * len(wanted)]
        calls_made = [*cases, "after the end"]
        assert dict(zip(calls_made, found, strict=True)) == dict(zip(calls_made, wanted, strict=True))


def test_a_program_without_finalize_ends_orderly(mpi: Mpi) -> None:
    result = mpi.run(f"{START} printf('done\\n');", 2)
    assert result.output.count("done") == 2 and result.output.count("without MPI_Finalize") == 2, result.output
    assert result.status == 0, result.output


def test_operations_that_were_never_completed_are_told(mpi: Mpi) -> None:
    result = mpi.run(f"{START} r = MPI_Irecv(1 - rank, 9); MPI_Finalize();", 2)
    assert len(re.findall(r"MPI_Irecv \(rank \d, tag 9\) was never completed", result.output)) == 2, result.output


def test_the_launcher_of_another_mpi_is_refused_by_name(builds: list[Mpi]) -> None:
    assert len(builds) >= 2, "make stacks installs both MPIs"
    for one, other in ((builds[0], builds[1]), (builds[1], builds[0])):
        crossed = Mpi(one.name, other.launcher)
        result = crossed.run("mexmpi_use(); printf('%s\\n', failure(@() MPI_Init()));", 2)
        assert result.output.count("mpi:wrongLauncher") == 2, result.output


def test_programs_of_mpi_tb_run(mpi: Mpi) -> None:
    program = (
        f"mexmpi_use(); addpath('{TOOLBOX / 'compat' / 'mpitb'}'); info = MPI_Init(); assert(info == 0);"
        "[info, rank] = MPI_Comm_rank(MPI_COMM_WORLD); [info, n] = MPI_Comm_size(MPI_COMM_WORLD); buf = zeros(2, 3);"
        "if rank == 0, info = MPI_Send(magic(3)(1:2, :), 1, 7, MPI_COMM_WORLD);"
        "else, [info, stat, buf] = MPI_Recv(buf, 0, 7, MPI_COMM_WORLD); assert(isequal(buf, magic(3)(1:2, :)) && stat.src == 0); end;"
        "[info, sum_] = MPI_Allreduce(rank + 1, 0, MPI_SUM, MPI_COMM_WORLD); assert(sum_ == 3);"
        "info = MPI_Send(1, 99, 0, MPI_COMM_WORLD); assert(info ~= 0); printf('old programs run\\n'); info = MPI_Finalize();"
    )
    result = mpi.run(program, 2)
    assert result.output.count("old programs run") == 2, result.output


def test_large_messages_and_pieces_arrive_as_sent(mpi: Mpi) -> None:
    program = (
        f"{START} x = reshape(mod(1:9e4, 251), 300, 300); y = {{uint8(x), single(x), x > 7, char(x), complex(x, -x), sparse(x), x}};"
        "for k = 1:numel(y), if rank == 0, MPI_Send(y{k}, 1, k); else, assert(isequal(MPI_Recv(0, k), y{k})); end; end;"
        "z = MPI_Bcast(y, 0); assert(isequal(z, y)); printf('as sent\\n'); MPI_Finalize();"
    )
    assert mpi.run(program, 2).output.count("as sent") == 2
    assert mpi.run(program, 2, MEXMPI_PIECE_BYTES="9000").output.count("as sent") == 2
