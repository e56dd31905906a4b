"""Programs as they were written for MPI-TB, which writes into variables of the caller and clears itself afterwards."""

# ruff: noqa: E501 (programs of Octave)

from __future__ import annotations

from pathlib import Path

from mexmpi_jobs import TOOLBOX, Mpi

START = f"mexmpi_use(); addpath('{TOOLBOX / 'compat' / 'mpitb'}'); world = MPI_COMM_WORLD; op = MPI_SUM;"
BEGUN = "MPI_Init; [info, rank] = MPI_Comm_rank(world); [info, n] = MPI_Comm_size(world);"
END = "printf('rank is done\\n'); MPI_Finalize; MPITB_Clean;"


def assert_run(mpi: Mpi, program: str) -> None:
    """Run a program on two ranks; both must come to their end."""
    mpi.run_to_end(f"{START} {BEGUN} {program} {END}")


def test_constants_are_there_before_init(mpi: Mpi) -> None:
    assert_run(
        mpi,
        "assert(world == MPI_COMM_WORLD && op == MPI_SUM); [info, s] = MPI_Allreduce(1, 0, op, world); assert(s == 2);",
    )


def test_a_receive_writes_into_the_callers_variable(mpi: Mpi) -> None:
    program = (
        "part = rank; row = zeros(2, 3);"
        "if rank == 1, MPI_Send(7, 0, 5, world); MPI_Send(1:6, 0, 6, world); MPI_Send([8 9], 0, 6, world);"
        "else, MPI_Recv(part, MPI_ANY_SOURCE, 5, world); assert(part == 7);"
        "[info, stat] = MPI_Recv(row, 1, 6, world); assert(stat.src == 1 && isequal(row, [1 3 5; 2 4 6]));"
        "info = MPI_Recv(row, 1, 6, world); assert(isequal(row, [8 3 5; 9 4 6])); end;"
    )
    assert_run(mpi, program)


def test_an_output_leaves_the_callers_variable(mpi: Mpi) -> None:
    program = (
        "old = 1; if rank == 1, MPI_Send(7, 0, 5, world); else, [info, stat, new] = MPI_Recv(old, 1, 5, world);"
        "assert(old == 1 && new == 7); end; [info, total] = MPI_Allreduce(rank, old, op, world); assert(old == 1 && total == 1);"
    )
    assert_run(mpi, program)


def test_collectives_and_exchanges_write_into_the_callers_variable(mpi: Mpi) -> None:
    program = (
        "x = 0; MPI_Allreduce(rank + 1, x, op, world); assert(x == 3); MPI_Reduce(5, x, op, 0, world);"
        "assert(x == 10 - 7 * rank); text = blanks(4); if rank == 0, text = 'here'; end; MPI_Bcast(text, 0, world);"
        "assert(strcmp(text, 'here')); all_ = zeros(1, 2); MPI_Gather(rank, all_, 0, world); assert(isequal(all_, [0 1] * ~rank));"
        "y = rank; MPI_Sendrecv_replace(y, 1 - rank, 1, 1 - rank, 1, world); assert(y == 1 - rank);"
    )
    assert_run(mpi, program)


def test_the_end_of_an_irecv_writes_into_the_callers_variable(mpi: Mpi) -> None:
    program = (
        "a = 0; b = zeros(1, 2); c = 0; [info, ra] = MPI_Irecv(a, 1 - rank, 1, world); [info, rb] = MPI_Irecv(b, 1 - rank, 2, world);"
        "[info, rc] = MPI_Irecv(c, 1 - rank, 3, world); for t = 1:3, MPI_Send(t * ones(1, 1 + (t == 2)), 1 - rank, t, world); end;"
        "[info, stat] = MPI_Wait(ra); assert(a == 1 && stat.tag == 1); MPI_Waitall(rb, rc); assert(isequal(b, [2 2]) && c == 3);"
        "assert(isempty(who('mpitb_*')));"
    )
    assert_run(mpi, program)


def test_where_a_list_stands_before_the_buffer_no_other_variable_is_written(mpi: Mpi) -> None:
    program = (
        "two = {1, 2}; none = {}; first = {'MPI_Allreduce', 7}; s = struct('a', {1, 2}); x = 10; y = 20; kept = op;"
        "MPI_Allreduce(two{:}, op, world); assert(op == kept); MPI_Allreduce(s.a, op, world); assert(op == kept);"
        "MPI_Allreduce(none{:}, x, y, op, world); assert(x == 10 && y == 20 && op == kept);"
        "one = {9}; rest = {op, world}; MPI_Allreduce(none{:}, one{:}, x, rest{:}); assert(x == 10);"
        "feval(first{:}, x, op, world);"
        "assert(x == 10 && op == kept);"
    )
    assert_run(mpi, program)


def test_an_element_or_a_field_before_the_buffer_is_one_argument(mpi: Mpi) -> None:
    program = (
        "c = {1, 2}; s.a = 3; k = 1; x = 0; MPI_Allreduce(c{2}, x, op, world); assert(x == 4);"
        "MPI_Allreduce(s.a, x, op, world); assert(x == 6); MPI_Allreduce(c{k}, x, op, world); assert(x == 2);"
        "MPI_Allreduce(c{k + 1}, x, op, world); assert(x == 4);"
        "MPI_Allreduce(s.a + c{end}, x, op, world); assert(x == 10); MPI_Allreduce(numel(c), x, op, world); assert(x == 4);"
    )
    assert_run(mpi, program)


def test_the_end_of_an_irecv_in_another_function_leaves_its_variables(mpi: Mpi) -> None:
    program = (
        "function ended(r), a = 7; MPI_Wait(r); assert(a == 7); end;"
        "function r = begun(world), global g; g = 0; rank = 3; [info, me] = MPI_Comm_rank(world);"
        "[info, r(1)] = MPI_Irecv(g, 1 - me, 2, world); [info, r(2)] = MPI_Irecv(rank, 1 - me, 3, world); end;"
        "a = 0; [info, ra] = MPI_Irecv(a, 1 - rank, 1, world); r = begun(world); me = rank;"
        "for t = 1:3, MPI_Send(t, 1 - rank, t, world); end; ended(ra); assert(a == 0); global g; MPI_Waitall(r);"
        "assert(g == 2 && rank == me);"
    )
    result = mpi.run(f"{START} {BEGUN} {program} {END}", 2)
    assert result.status == 0, result.output
    assert result.output.count('MPI_Wait: what has come for "a" is not written') == 2, result.output


def test_an_error_ends_the_job_over_the_functions_of_mpi_tb(mpi: Mpi, tmp_path: Path) -> None:
    (tmp_path / "script.m").write_text("MPI_Init; error('on purpose')\n")
    result = mpi.run(f"{START} mexmpi_run('{tmp_path / 'script.m'}')", 1)
    assert result.status != 0 and "on purpose" in result.output, result.output
    assert "undefined" not in result.output and "before MPI_Finalize" not in result.output, result.output
