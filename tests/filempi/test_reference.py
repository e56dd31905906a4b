"""Every form of the original's calls means on filempi what it means on a reference made from its protocol.

The programs (reference/forms.txt) are rows of the table in docs/reference/filempi-calls.md. The reference is code of
our own; each program runs on it, one Octave process for each rank, and on filempi over each transport.
"""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

from filempi_bench import OCTAVE, ROOT, Bench

REFERENCE = Path(__file__).parent / "reference"
TABLE = ROOT / "docs" / "reference" / "filempi-calls.md"
BEFORE = """
k = {number}; comm = MatMPI_Comm_dir(MPI_COMM_WORLD, sprintf('%s/form%d', pwd(), k)); me = comm.rank; n = comm.size;
flat = @(value) regexprep(strtrim(disp(value)), '\\s+', ' ');
say = @(varargin) printf('<%d %d> %s\\n', k, me, strjoin(cellfun(flat, varargin, 'UniformOutput', false), ' | '));
"""
FORMS = dict(
    re.findall(r"^%% (.*)\n((?:(?!%%).*\n)+)", (REFERENCE / "forms.txt").read_text(encoding="utf-8"), re.MULTILINE)
)
NAMES = list(FORMS)
RANKS = 4


def write_program(bench: Bench) -> None:
    """All forms one after the other, each in a communication folder of its own."""
    parts = []
    for number, text in enumerate(FORMS.values()):
        (bench.work / f"form{number}").mkdir(exist_ok=True)
        parts.append(BEFORE.format(number=number) + text + "\nMPI_Barrier(MPI_COMM_WORLD);\n")
    bench.program("program", "MPI_Init;\n" + "".join(parts) + "MPI_Finalize;\n")


def said(output: str) -> dict[str, list[str]]:
    """What each rank said in each form, by the form's name."""
    found: dict[str, list[str]] = {name: [""] * RANKS for name in FORMS}
    for number, rank, text in re.findall(r"<(\d+) (\d+)> (.*)", output):
        found[NAMES[int(number)]][int(rank)] += f"{text.strip()}\n"
    return found


def on_the_reference(bench: Bench) -> dict[str, list[str]]:
    """What the reference says, one Octave process for each rank."""
    write_program(bench)
    started = [
        subprocess.Popen(
            [OCTAVE or "", "-qfW", "--no-gui", "--eval", f"addpath('{REFERENCE}'); program"],
            cwd=bench.work,
            env={**os.environ, "REFERENCE_RANK": str(rank), "REFERENCE_SIZE": str(RANKS), "REFERENCE_FOLDER": "."},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for rank in range(RANKS)
    ]
    ended = [(*process.communicate(timeout=90), process.returncode) for process in started]
    assert [status for *_, status in ended] == [0] * RANKS, [errors for _, errors, _ in ended]
    return said("".join(output for output, *_ in ended))


def test_every_form_means_what_it_means_on_the_reference(bench: Bench) -> None:
    wanted = on_the_reference(bench)
    assert all(any(answer) for answer in wanted.values()), "a form of which nobody says anything shows nothing"
    for transport in ("stream", "file", "classic-binary"):
        result = bench.octave(f"eval(MPI_Run('program', {RANKS}, {{}}))", 120, FILEMPI_TRANSPORT=transport)
        assert result.status == 0, (transport, result.errors)
        found = said(result.output)
        assert found == wanted, transport


def test_the_source_of_a_classic_broadcast_waits_until_all_have_received(bench: Bench) -> None:
    """As the original does: else the message after it, of the same tag, takes the place of one not yet received."""
    bench.program(
        "slow",
        "MPI_Init; comm = MPI_COMM_WORLD; if comm.rank == 0, MPI_Bcast(0, 4, comm, 'all');"
        "MPI_Send(1, 4, comm, 'one'); else, pause(1); disp(MPI_Recv(0, 4, comm)); disp(MPI_Recv(0, 4, comm)); end;"
        "MPI_Finalize;",
    )
    result = bench.octave("eval(MPI_Run('slow', 2, {}))", 60, FILEMPI_TRANSPORT="classic-binary")
    assert (result.status, re.findall("all|one", result.output)) == (0, ["all", "one"]), result


def test_the_table_of_calls_has_a_row_for_each_form() -> None:
    rows = re.findall(r"^\| ([^|]+?) \|", TABLE.read_text(encoding="utf-8"), re.MULTILINE)
    assert [name for name in FORMS if name not in rows] == []
