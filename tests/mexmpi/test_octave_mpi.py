"""Programs as they were written for Octave's package mpi: its outputs, and sends to several ranks, oneself among them."""

# ruff: noqa: E501 (programs of Octave)

from __future__ import annotations

from mexmpi_jobs import TOOLBOX, Mpi

START = f"mexmpi_use(); addpath('{TOOLBOX / 'compat' / 'octave_mpi'}'); if not(MPI_Initialized) MPI_Init; end;"
BEGUN = "comm = MPI_Comm_Load('ANY'); rank = MPI_Comm_rank(comm); n = MPI_Comm_size(comm);"
END = "printf('rank is done\\n'); if not(MPI_Finalized) info = MPI_Finalize(); end; assert(info == 0);"


def assert_run(mpi: Mpi, program: str) -> None:
    """Run a program on two ranks; both must come to their end, and nothing is left open."""
    result = mpi.run_to_end(f"{START} {BEGUN} {program} {END}")
    assert "never completed" not in result.output, result.output


def test_codes_stand_behind_the_values(mpi: Mpi) -> None:
    program = (
        "if rank == 1, info = MPI_Send({1, 'a'}, 0, 4, comm); assert(info == 0); else, [x, info] = MPI_Recv(1, 4, comm);"
        "assert(info == 0 && isequal(x, {1, 'a'})); end; info = MPI_Barrier(comm); assert(info == 0);"
        "info = MPI_Send(1, 99, 4, comm); assert(info ~= 0); [name, len] = MPI_Get_processor_name(); assert(len == numel(name));"
    )
    assert_run(mpi, program)


def test_a_send_to_all_has_oneself_among_them(mpi: Mpi) -> None:
    program = (
        "for k = 1:3, x = rand(1, 10 ^ k) > 2; if rank == 0, info = MPI_Send(x, 0:n - 1, k, comm); assert(isequal(info, [0; 0])); end;"
        "[y, info] = MPI_Recv(0, k, comm); assert(info == 0 && isequal(x, y)); end;"
    )
    assert_run(mpi, program)


def test_a_probe_tells_who_has_sent(mpi: Mpi) -> None:
    program = (
        "if rank == 1, MPI_Send(1:3, 0, 8, comm); else, while not(MPI_Iprobe(1, 8, comm)), end; [stat, info] = MPI_Probe(1, 8, comm);"
        "assert(info == 0 && stat.MPI_SOURCE == 1 && stat.MPI_TAG == 8); assert(isequal(MPI_Recv(1, 8, comm), 1:3)); end;"
    )
    assert_run(mpi, program)
