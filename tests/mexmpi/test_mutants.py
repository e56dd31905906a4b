"""The examples are tests: in place of a function that does nothing, the example of that function fails."""

from __future__ import annotations

from pathlib import Path

import pytest
from mexmpi_jobs import ALL, Mpi
from mutants import survives

IN_EVERY_RUN = ["Allreduce", "File_write_at"]
SAMPLE = [
    *IN_EVERY_RUN,
    *("Send", "Recv", "Isend", "Wait", "Bcast", "Gather", "Scatter", "Scan", "Comm_split", "Comm_dup", "Cart_create"),
    *("Cart_coords", "Type_vector", "Win_fence", "Put", "Get", "Accumulate", "File_read_at", "File_seek", "Info_set"),
    *("Group_incl", "Allreduce_init", "Op_create", "Pack"),
]


@pytest.mark.parametrize("name", SAMPLE if ALL else IN_EVERY_RUN)
def test_the_example_of_a_function_fails_when_it_does_nothing(name: str, builds: list[Mpi], tmp_path: Path) -> None:
    mpi = next(build for build in builds if build.family == "mpich")
    assert not survives(mpi, name, tmp_path / "mutant")
    assert survives(mpi, name, tmp_path / "real", real=True)
