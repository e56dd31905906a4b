"""Faults injected below the toolbox: no wrong data is ever delivered, and no wait outlasts its deadline.

The folder ``faults`` stands on the path of every rank and replaces the interpreter's own file functions (fread, fwrite,
load, stat, unlink) and the toolbox's clock, so that no path through the toolbox, however short, gets round it.
"""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from conftest import Bench

FAULTS = Path(__file__).parent / "faults"
EXCHANGE = """
MPI_Init;
comm = MPI_COMM_WORLD;
me = MPI_Comm_rank(comm);
other = 1 - me;
sizes = [1, 40, 9000, 1, 3, 20000];
try
    for k = 1:36
        n = sizes(mod(k, numel(sizes)) + 1);
        MPI_Send(other, 1, comm, k * ones(1, n), sprintf('message %d of %d', k, me));
        MPI_Send(other, 2, comm, k + me / 2);
        [values, text] = MPI_Recv(other, 1, comm);
        scalar = MPI_Recv(other, 2, comm);
        right = isequal(values, k * ones(1, n)) && scalar == k + other / 2;
        if ~right || ~strcmp(text, sprintf('message %d of %d', k, other))
            disp('WRONG DATA');
        end
    end
    disp('all delivered');
catch problem
    printf('refused: %s\\n', problem.identifier);
    rethrow(problem);
end
MPI_Finalize;
"""


def under(bench: Bench, fault: str, every: int, transport: str) -> tuple[str, float]:
    bench.program("exchange", EXCHANGE)
    begun = time.monotonic()
    result = bench.octave(
        "warning('off', 'all'); addpath(getenv('FAULTS')); warning('on', 'all'); eval(MPI_Run('exchange', 2, {}))",
        limit_s=60,
        FAULTS=str(FAULTS),
        FAULT=fault,
        FAULT_EVERY=str(every),
        FILEMPI_TRANSPORT=transport,
        FILEMPI_DEADLINE="3",
    )
    assert "WRONG" not in result.output
    return result.output + result.errors, time.monotonic() - begun


PASSING = [
    ("none", 1, "stream"),
    ("none", 1, "file"),
    ("delayed", 1, "file"),
    ("estale", 3, "stream"),
    ("estale", 3, "file"),
    ("eio", 3, "file"),
    ("truncated", 4, "stream"),
    ("truncated", 4, "file"),
    ("stale", 3, "stream"),
    ("stale", 3, "file"),
    ("short", 3, "stream"),
    ("twice", 3, "stream"),
    ("undead", 2, "stream"),
    ("undead", 2, "file"),
    ("clock", 2, "stream"),
    ("clock", 2, "file"),
]


@pytest.mark.parametrize(("fault", "every", "transport"), PASSING)
def test_a_passing_fault_changes_nothing(bench: Bench, fault: str, every: int, transport: str) -> None:
    said, _ = under(bench, fault, every, transport)
    assert said.count("all delivered") == 2, said


LASTING = [
    ("estale", 1, "stream"),
    ("estale", 1, "file"),
    ("truncated", 1, "file"),
    ("stale", 1, "file"),
    ("lost", 5, "stream"),
    ("cut", 5, "stream"),
    ("zeros", 7, "stream"),
]


@pytest.mark.parametrize(("fault", "every", "transport"), LASTING)
def test_a_lasting_fault_is_an_error_within_the_deadline(bench: Bench, fault: str, every: int, transport: str) -> None:
    said, seconds = under(bench, fault, every, transport)
    assert "all delivered" not in said
    assert "refused: MPI:" in said
    assert seconds < 25
