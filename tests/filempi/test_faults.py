"""Faults injected below the toolbox: no wrong data is ever delivered, and no wait outlasts its deadline.

The folder ``faults`` stands on the path of every rank and replaces the interpreter's own file functions (fread, fwrite,
load, stat, unlink) and its clock (toc), so that no path through the toolbox, however short, gets round it.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from filempi_bench import Bench

FAULTS = Path(__file__).parent / "faults"
EXCHANGE = """
MPI_Init;
comm = MPI_COMM_WORLD;
me = MPI_Comm_rank(comm);
other = 1 - me;
sizes = [1, 40, 9000, 1, 3, 20000];
try
    for k = 1:24
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
    printf('all delivered, struck %d\\n', fault_strikes());
catch problem
    printf('refused: %s\\n', problem.identifier);
    rethrow(problem);
end
MPI_Finalize;
"""


SESSION = """
warning('off', 'all'); addpath(getenv('FAULTS')); warning('on', 'all');
faults = strsplit(getenv('FAULT_LIST'), ' ');
for fault = faults
    words = strsplit(fault{1}, ':');
    setenv('FAULT', words{1});
    setenv('FAULT_EVERY', words{2});
    clear fault_strikes load stat toc
    started = time();
    try
        eval(MPI_Run('exchange', 2, {}));
    catch
    end
    printf('ended %s after %.1f s\\n', fault{1}, time() - started);
end
"""


def under(bench: Bench, faults: list[str], transport: str, deadline_s: int) -> dict[str, tuple[str, float]]:
    """What the jobs of one session said and how long each took, under one fault after the other (``KIND:EVERY``)."""
    bench.program("exchange", EXCHANGE)
    bench.program("session", SESSION)
    result = bench.octave(
        "session",
        limit_s=100,
        FAULTS=str(FAULTS),
        FAULT_LIST=" ".join(faults),
        FILEMPI_TRANSPORT=transport,
        FILEMPI_DEADLINE=str(deadline_s),
    )
    found, place = {}, 0
    for ended in re.finditer(r"ended (\S+) after ([\d.]+) s", result.output):
        found[ended[1]] = (result.output[place : ended.start()], float(ended[2]))
        place = ended.end()
    assert list(found) == faults, result.errors
    assert "WRONG" not in result.output
    return found


PASSING = {
    "stream": ["none:1", "estale:3", "truncated:4", "stale:3", "short:3", "twice:3", "undead:2", "clock:2"],
    "file": ["none:1", "delayed:1", "estale:3", "eio:3", "truncated:4", "stale:3", "undead:2", "clock:2"],
}


@pytest.mark.parametrize("transport", PASSING)
def test_a_passing_fault_changes_nothing(bench: Bench, transport: str) -> None:
    for fault, (said, _) in under(bench, PASSING[transport], transport, deadline_s=10).items():
        struck = re.findall(r"all delivered, struck (\d+)", said)
        assert len(struck) == 2, (fault, said)
        assert ("0" not in struck) == (fault != "none:1"), (fault, struck)


LASTING = {
    "stream": ["estale:1", "lost:5", "cut:5", "zeros:7"],
    "file": ["estale:1", "eio:1", "truncated:1", "stale:1", "never-seen:1"],
}


@pytest.mark.parametrize("transport", LASTING)
def test_a_lasting_fault_is_an_error_within_the_deadline(bench: Bench, transport: str) -> None:
    """Within the second of the deadline, that is, and what starting and ending a job takes."""
    for fault, (said, seconds) in under(bench, LASTING[transport], transport, deadline_s=1).items():
        assert "all delivered" not in said, fault
        assert "refused: MPI:" in said, (fault, said)
        assert seconds < 10, fault
