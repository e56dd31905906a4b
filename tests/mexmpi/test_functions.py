"""Every function of the table by the example in its help, on each MPI and on 1 to 4 ranks; and what the table makes."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from mexmpi_jobs import ALL, ROOT, SANITIZED, TOOLBOX, Mpi, interpreter

TABLE = TOOLBOX / "table"
NAMES = re.findall(r"^([A-Z]\w+) \|", (TABLE / "functions.txt").read_text(), re.MULTILINE)


def test_what_the_table_makes_is_what_is_committed() -> None:
    done = subprocess.run(
        [sys.executable, str(TABLE / "generate.py"), "--check"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def test_there_are_more_functions_than_mpi_jl_uses_and_all_of_mpi_tb() -> None:
    assert len(NAMES) >= 243
    page = (ROOT / "docs" / "reference" / "mexmpi.md").read_text()
    assert page.count("●") == 135 + 1  # and once in the sentence that explains it
    assert all(f"MPI_{name}(" in page for name in NAMES)


# What an MPI can do of dynamic processes when its own mpiexec has started the job, with nothing else running.
MAY = {
    "openmpi": {"MAY_SPAWN": "1", "MAY_CONNECT": "1", "MAY_PUBLISH": "1"},
    "mpich": {"MAY_SPAWN": "1", "MAY_PUBLISH": "1"},  # MPI_Open_port of its wheel: "no space for port_name tag"
}


def what_may_be_tried(mpi: Mpi, ranks: int) -> dict[str, str]:
    """Open MPI 5.0.11 ends a process that one rank alone has started, when that begins as slowly as with sanitizers."""
    return {} if SANITIZED and ranks == 1 and mpi.family == "openmpi" else MAY.get(mpi.family, {})


@pytest.mark.parametrize("ranks", [1, 2, 3, 4] if ALL else [1, 3])
def test_the_example_of_every_function_runs(mpi: Mpi, ranks: int, tmp_path: Path) -> None:
    result = mpi.run(
        "mexmpi_use(); run_examples",
        ranks,
        limit_s=280 if SANITIZED else 110,
        EXAMPLES=str(TABLE / "examples.m"),
        SCRATCH=str(tmp_path / "scratch"),
        TOOLBOX=str(TOOLBOX),
        OCTAVE_PROGRAM=interpreter(),
        **what_may_be_tried(mpi, ranks),
    )
    assert result.status == 0, result.output[-3000:]
    failed = re.findall(r"^failed .*(?:\n(?!ok ).*){0,9}", result.output, re.MULTILINE)
    assert not failed, "\n".join(failed)
    for name in NAMES:
        assert len(re.findall(rf"\bok {name}\b", result.output)) == 1, f"{name}: {result.output[-2000:]}"
    assert result.output.count("left 0") == 1


def test_help_shows_arguments_and_example(mpi: Mpi) -> None:
    result = mpi.run("mexmpi_use(); help MPI_Send; help MPI_Allreduce_init", 1)
    assert "MPI_Send(x, dest [, tag [, comm [, type [, count]]]])" in result.output
    assert "Example" in result.output and "MPI_Start(request" in result.output


def test_the_number_of_arguments_is_checked_for_every_function(mpi: Mpi) -> None:
    program = (
        "mexmpi_use(); MPI_Init(); names = mexmpi_names(); many = repmat({0}, 1, 12); bad = {};"
        "for k = 1:numel(names) - 3, id = failure(@() feval(names{k}, many{:}));"
        "if ~strcmp(id, 'mpi:badInput'), bad{end + 1} = names{k}; end; end;"
        "printf('%d names, bad: %s\\n', numel(names), strjoin(bad, ' ')); MPI_Finalize();"
    )
    result = mpi.run(program, 1)
    assert re.search(r"\d+ names, bad: $", result.output, re.MULTILINE), result.output
