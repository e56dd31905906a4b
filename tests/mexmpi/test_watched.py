"""Copy-on-write: no call changes a variable that was not named in it. Every function that takes an array is watched."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from mexmpi_jobs import ALL, SANITIZED, TOOLBOX, Mpi, interpreter
from watched import array_places, write_watches

TABLE = TOOLBOX / "table"
PLACES = array_places()
TAKE_ARRAYS = {name for name, places in PLACES.items() if places}
IN_EVERY_RUN = [
    *("Send", "Isend", "Send_init", "Start", "Sendrecv_replace", "Recv_into", "Bcast", "Bcast_into", "Ibcast"),
    *(
        "Allreduce",
        "Allreduce_into",
        "Reduce_local",
        "Allgather",
        "Alltoall",
        "Win_create",
        "Put",
        "Win_attach",
        "Pack",
    ),
]


def test_the_table_names_the_functions_that_take_arrays() -> None:
    assert len(TAKE_ARRAYS) > 100
    assert PLACES["Send"] == [1] and PLACES["Compare_and_swap"][:2] == [1, 2] and PLACES["Barrier"] == []


@pytest.mark.parametrize("family", ["openmpi", "mpich"] if ALL else ["mpich"])
def test_no_call_changes_a_variable_that_was_not_named_in_it(family: str, builds: list[Mpi], tmp_path: Path) -> None:
    """Each call in the examples of the help texts compares all variables of its caller, each example at its end all
    arrays that went in or came out."""
    mpi = next(build for build in builds if build.family == family)
    watches = tmp_path / "watches"
    watches.mkdir()
    write_watches(watches, PLACES)
    wanted = sorted(TAKE_ARRAYS) if ALL else IN_EVERY_RUN
    result = mpi.run(
        f"mexmpi_use(); addpath('{watches}'); run_examples",
        2,
        limit_s=800 if ALL or SANITIZED else 100,
        EXAMPLES=str(TABLE / "examples.m"),
        ONLY=" ".join(wanted),
        SCRATCH=str(tmp_path / "scratch"),
        TOOLBOX=str(TOOLBOX),
        OCTAVE_PROGRAM=interpreter(),
    )
    assert result.status == 0, result.output[-3000:]
    assert {name for name in wanted if f"ok {name}\n" not in result.output} == set(), result.output[-3000:]
    seen = set(re.findall(r"watched (\w+)", result.output))
    given = {name for name in wanted if name in TAKE_ARRAYS}
    assert given - seen == set(), "these have been called with no array that holds anything"


def test_a_call_that_changes_another_variable_is_noticed(builds: list[Mpi], tmp_path: Path) -> None:
    """The watch itself: a call that is done behind a function's back, into a variable that it does not name."""
    watches = tmp_path / "watches"
    watches.mkdir()
    write_watches(watches, {"Barrier": [], "Allreduce": [1]})
    path = watches / "MPI_Allreduce.m"
    path.write_text(
        path.read_text().replace("unwind_protect\n", "unwind_protect\n        assignin('caller', 'kept', 2);\n")
    )
    program = (
        f"mexmpi_use(); addpath('{watches}'); MPI_Init(); kept = 1; x = 5;"
        "try, y = MPI_Allreduce(x); catch problem, disp(problem.message); end; MPI_Finalize();"
    )
    assert "Allreduce has changed the variable kept" in builds[0].run(program, 1).output


def test_a_variable_written_in_place_keeps_its_class_and_what_shares_its_memory_its_elements(mpi: Mpi) -> None:
    program = (
        "mexmpi_use(); MPI_Init(); rank = MPI_Comm_rank();"
        "values = {1 + 2i * (1:3), complex(1:3, 0), int8(1:3), [true, false], 'abc', single(1:3), 7, 1:5};"
        "for k = 1:numel(values), x = values{k}; kept = x; MPI_Bcast_into('x', 0); same = told_value(values{k});"
        "assert(strcmp(told_value(x), same) && strcmp(told_value(kept), same));"
        "y = x; y(:) = x(1); other = y; before = told_value(y);"
        "if rank == 0, MPI_Send(x, 1, k); elseif strcmp(before, told_value(other)) && iscomplex(y) == iscomplex(x),"
        " MPI_Recv_into('y', 0, k); assert(strcmp(told_value(y), same) && strcmp(told_value(other), before));"
        "else, MPI_Recv(0, k); end; end; printf('all classes\\n'); MPI_Finalize();"
    )
    result = mpi.run(program, 2)
    assert result.output.count("all classes") == 2, result.output
