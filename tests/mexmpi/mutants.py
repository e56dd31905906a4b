"""Functions of mexmpi that do nothing: each in place of the real one, while the example of its help text runs on it."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

from mexmpi_jobs import TOOLBOX, Mpi, interpreter

NOTHING = {"logical": "false", "text": "''", "text0": "''", "string": "''", "cell": "{}", "index": "[]"}
"""What a function that does nothing returns; of a number 0, of a value its own argument where it has one."""
HANDLES = ("request", "comm", "group", "info", "type", "op", "errhandler", "win", "file", "message")


REAL = """function varargout = MPI_{0}(varargin)
    [varargout{{1:nargout}}] = mexmpi_call('MPI_{0}', varargin{{:}});
end
"""


def write_mutant(folder: Path, name: str) -> None:
    """MPI_NAME that takes any arguments, does nothing, and returns what looks most like a result."""
    row = re.search(rf"^{name} \|([^|]*)\|([^|]*)\|", (TOOLBOX / "table" / "functions.txt").read_text(), re.MULTILINE)
    assert row, f"the table has no {name}"
    inputs = [re.split("[:=]", word)[1] for word in row[1].split()]
    lines = [f"function varargout = MPI_{name}(varargin)", "    varargout = cell(1, max(1, nargout));"]
    for place, word in enumerate(row[2].split(), 1):
        kind = re.split("[:=]", word)[1]
        lines.append(f"    varargout{{{place}}} = {nothing_of(kind, inputs)};")
    (folder / f"MPI_{name}.m").write_text(
        "\n".join([*lines, "    varargout = varargout(1:max(1, nargout));", "end", ""])
    )


def nothing_of(kind: str, inputs: list[str]) -> str:
    if kind == "value" and inputs and inputs[0] in ("value", "array"):
        return "varargin{1}"
    if kind == "value":
        return "[]"
    if kind == "status":
        return "struct('source', 0, 'tag', 0, 'error', 0, 'count', 0, 'bytes', 0, 'cancelled', false)"
    return NOTHING.get(kind, "uint64(0)" if kind in HANDLES else "0")


def survives(mpi: Mpi, name: str, folder: Path, *, real: bool = False) -> bool:
    """Whether the example of a function still passes when the function does nothing (real: when it is as it is)."""
    folder.mkdir(parents=True)
    if real:
        (folder / f"MPI_{name}.m").write_text(REAL.format(name))
    else:
        write_mutant(folder, name)
    try:
        result = mpi.run(
            f"mexmpi_use(); addpath('{folder}'); run_examples",
            2,
            limit_s=30,
            EXAMPLES=str(TOOLBOX / "table" / "examples.m"),
            ONLY=name,
            SCRATCH=str(folder / "scratch"),
            TOOLBOX=str(TOOLBOX),
            OCTAVE_PROGRAM=interpreter(),
            MAY_SPAWN="1",
            MAY_PUBLISH="1",
            MAY_CONNECT="1" if mpi.family == "openmpi" else "",
        )
    except subprocess.TimeoutExpired:  # what should have been done is waited for
        return False
    return f"ok {name}" in result.output
