"""The protocol's page is precise enough: an implementation written from it, in Python, talks with a rank of Octave."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from filempi_bench import TOOLBOX, Bench

PROGRAM = """
MPI_Init; comm = MPI_COMM_WORLD;
for v = {7, magic(3)}
    MPI_Send(1, 50, comm, v);
    got = MPI_Recv(1, 150, comm);
    if ~isequal(got, v) || ~iscell(got), error('a cell came back wrong'); end
end
sent = {3.5, magic(4), -1, {'some text', int16([1, -2, 3])}, magic(90) / 7, 4.5, (1:7).', magic(90)};
for k = 1:numel(sent)
    if iscell(sent{k}), MPI_Send(1, k, comm, sent{k}{:}); else, MPI_Send(1, k, comm, sent{k}); end
end
for k = 1:numel(sent)
    if iscell(sent{k})
        [a, b] = MPI_Recv(1, 100 + k, comm);
        got = {a, b};
    else
        got = MPI_Recv(1, 100 + k, comm);
    end
    if ~isequal(got, sent{k}) || ~strcmp(class(got), class(sent{k})), error('value %d came back wrong', k); end
end
disp('understood');
"""


@pytest.mark.parametrize("transport", ["stream", "file"])
def test_a_second_implementation_talks_with_this_one(bench: Bench, transport: str) -> None:
    """In the file transport cells and the message of several values would need a cell array: they are plain there."""
    program = PROGRAM
    if transport == "file":
        program = PROGRAM.replace("{'some text', int16([1, -2, 3])}", "5.5").replace("comm, v)", "comm, v{1})")
        program = program.replace("isequal(got, v) || ~iscell(got)", "isequal(got, v{1})")
    settings = (TOOLBOX / "MatMPI_Comm_settings.m").read_text()
    peer = Path(__file__).with_name("second_implementation.py")
    octave = "{'octave-cli', '-qfW', '--no-gui', '--eval'}"
    assert octave in settings
    bench.program("MatMPI_Comm_settings", settings.replace(octave, f"{{'{sys.executable}', '{peer}'}}"))
    result = bench.run(program, MESSAGES="10", FILEMPI_TRANSPORT=transport)
    assert "understood" in result.output, result.errors + result.output
    assert "[rank 1] python 3 has echoed 10" in result.output
