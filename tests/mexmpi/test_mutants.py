"""The examples are tests: in place of a function that does nothing, the example of that function fails."""

from __future__ import annotations

from pathlib import Path

import pytest
from mexmpi_jobs import ALL, SANITIZED, Mpi
from mutants import survives
from test_functions import NAMES

IN_EVERY_RUN = ["Allreduce", "File_write_at"]
SHOWN_ELSEWHERE = {"Finalized", "Query_thread"}
"""By test_safety.py: within a job that began with MPI_Init they have nothing to say."""
TRIED = [name for name in NAMES if name not in SHOWN_ELSEWHERE] if ALL and not SANITIZED else IN_EVERY_RUN


@pytest.mark.parametrize("name", TRIED)
def test_the_example_of_a_function_fails_when_it_does_nothing(name: str, builds: list[Mpi], tmp_path: Path) -> None:
    mpi = next(build for build in builds if build.family == "mpich")
    assert not survives(mpi, name, tmp_path / "mutant")


@pytest.mark.parametrize("name", IN_EVERY_RUN)
def test_the_real_function_passes_in_the_place_of_the_one_that_does_nothing(
    name: str, builds: list[Mpi], tmp_path: Path
) -> None:
    mpi = next(build for build in builds if build.family == "mpich")
    assert survives(mpi, name, tmp_path / "real", real=True)
