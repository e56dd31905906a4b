"""Slaves of MPI-TB's programs: Octave processes that one rank starts, and that run the commands which it sends."""

# ruff: noqa: E501 (programs of Octave)

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from mexmpi_jobs import SANITIZED, TOOLBOX, Mpi

START = f"mexmpi_use(); addpath('{TOOLBOX / 'compat' / 'mpitb'}');"
ECONOMETRICS = f"{START} addpath('{TOOLBOX / 'compat' / 'econometrics'}');"
END = "printf('rank is done\\n');"
SLAVE = "'[info, r] = MPI_Comm_rank(NEWORLD); a = a + r; MPI_Send(a, 0, TAG, NEWORLD);'"
COLLECT = "b = 0; for k = 1:2, MPI_Recv(b, k, TAG, NEWORLD); assert(b == {} + {} * k); end;"

pytestmark = pytest.mark.skipif(
    SANITIZED, reason="the slaves' interpreter would have to be started with the sanitizers"
)


def assert_master(mpi: Mpi, program: str) -> str:
    """Run a program on one rank, which must come to its end and end well; what it and its slaves have written."""
    return mpi.run_to_end(program, ranks=1).output


def test_slaves_run_so_many_commands_and_keep_their_variables(mpi: Mpi) -> None:
    program = (
        "LAM_Init(2); Octave_Spawn; global NEWORLD NSLAVES NOCTAVES TAG; assert(NSLAVES == 2 && NOCTAVES == 2);"
        f"NumCmds_Init(2, true, 777, true); NumCmds_Send({{'a', 'cmd'}}, {{10, {SLAVE}; 20, {SLAVE}}});"
        "b = 0; for k = 1:2, MPI_Recv(b, k, TAG, NEWORLD); assert(b == 10 * k + k); end;"
        f"NumCmds_Send({{'a'}}, {{5}}); {COLLECT.format(5, 1)} LAM_Clean;"
    )
    output = assert_master(mpi, f"{START} {program} {END}")
    assert output.count("MPILoopIdx= 2, cmd='[info, r]") == 2, output


def test_slaves_that_wait_for_ever_end_with_the_master(mpi: Mpi) -> None:
    program = (
        "MPITB_Init(2, {'one', 'two', 'master'}); global HOSTS NEWORLD TAG; assert(numel(HOSTS) == 3); Octave_Spawn;"
        f"NumCmds_Init(0, false, 5, false); NumCmds_Send({{'a', 'cmd'}}, {{1, {SLAVE}}}); {COLLECT.format(1, 1)} MPITB_Clean;"
    )
    assert_master(mpi, f"{START} {program} {END}")


def test_a_word_ends_the_slaves(mpi: Mpi) -> None:
    program = "OMPI_Init(2); Octave_Spawn; NumCmds_Init(0, 1, 777, false); NumCmds_Send({'cmd'}, {'quit'}); LAM_Clean;"
    assert_master(mpi, f"{START} {program} {END}")


def test_slaves_run_what_the_text_behind_eval_says(mpi: Mpi) -> None:
    once = (
        "LAM_Init(1); global NEWORLD; Octave_Spawn(1, {'--eval', 'startup_bcastSlv'});"
        "MPI_Bcast('MPI_Send(RANK, 0, 1, NEWORLD)', 0, NEWORLD); b = 0; MPI_Recv(b, 1, 1, NEWORLD); assert(b == 1);"
    )
    merged = "Octave_Spawn(1, {'-q', '--eval', 'MPI_Send(RANK + 1, 0, 1, NEWORLD)'}); MPI_Recv(b, 1, 1, NEWORLD); assert(b == 2);"
    assert_master(mpi, f"{START} {once} {merged} MPITB_Clean; {END}")


def test_the_folders_octaverc_names_what_slaves_do(mpi: Mpi, tmp_path: Path) -> None:
    (tmp_path / ".octaverc").write_text("% startup_ncmdsSlv\n\n  startup_bcastSlv\t% one command\n")
    program = (
        f"cd('{tmp_path}'); LAM_Init(1); Octave_Spawn; global NEWORLD; MPI_Bcast('MPI_Send(pwd(), 0, 1, NEWORLD)', 0, NEWORLD);"
        f"[info, stat, b] = MPI_Recv('', 1, 1, NEWORLD); assert(strcmp(b, '{tmp_path}')); LAM_Clean;"
    )
    assert_master(mpi, f"{START} {program} {END}")


def test_an_error_in_a_slave_ends_the_job(mpi: Mpi) -> None:
    """MPICH's launcher misses some in a thousand (docs/how-to/mexmpi.md), and then the job waits; never two in a row."""
    program = (
        "LAM_Init(1); Octave_Spawn; global NEWORLD; NumCmds_Init(0); NumCmds_Send({'cmd'}, {'error(''on purpose'')'});"
        "b = 0; MPI_Recv(b, 1, 1, NEWORLD);"
    )
    try:
        result = mpi.run(f"{START} {program}", 1)
    except subprocess.TimeoutExpired:
        if mpi.family != "mpich":
            raise
        result = mpi.run(f"{START} {program}", 1)
    assert result.status != 0 and "on purpose" in result.output, result.output


def test_calls_before_their_time_say_what_to_call(mpi: Mpi) -> None:
    program = (
        "function said(f, word), try, f(); assert(false); catch e, assert(~isempty(strfind(e.message, word)), e.message); end; end;"
        "said(@() NumCmds_Send({'cmd'}, {'x'}), 'Call LAM_Init'); said(@() NumCmds_Init(), 'Call LAM_Init');"
        "said(@() Octave_Spawn(), 'Call LAM_Init'); said(@() LAM_Init(1.5), 'whole number'); MPI_Finalize;"
        "said(@() LAM_Init(1), 'Start another session');"
        f"assert(strcmp(MPITB_Detect_mpi(), '{'Open MPI' if mpi.family == 'openmpi' else ''}'));"
    )
    assert_master(mpi, f"{START} {program} {END}")


def test_the_econometrics_programs_start_slaves_again_and_again(mpi: Mpi) -> None:
    program = (
        "for k = 1:2, LAM_Init(2); global NEWORLD TAG PARALLEL; [info, n] = MPI_Comm_size(NEWORLD); assert(n == 3 && PARALLEL == 1);"
        f"NumCmds_Send({{'a'}}, {{7}}); NumCmds_Send({{'cmd'}}, {{{SLAVE}}}); {COLLECT.format(7, 1)} LAM_Finalize; end;"
    )
    output = assert_master(mpi, f"{ECONOMETRICS} {program} {END}")
    assert "before MPI_Finalize" not in output, output


def test_the_econometrics_programs_finalize_by_another_name(mpi: Mpi) -> None:
    assert_master(mpi, f"{ECONOMETRICS} MPI_Init; MPI_Finalize; MPITB_Finalize; LAM_Finalize; {END}")
