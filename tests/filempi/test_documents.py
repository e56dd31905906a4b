"""The Octave lines of the documents run as they stand."""

from __future__ import annotations

import os
import re
from pathlib import Path

from filempi_bench import ROOT, TOOLBOX, Bench

DOCUMENT = ROOT / "docs" / "how-to" / "filempi.md"
BLOCK = re.compile(r"^```octave\n(.*?)^```", re.DOTALL | re.MULTILINE)


def test_the_octave_lines_of_the_how_to_run_as_they_stand(bench: Bench, stand_in_for_ssh: Path) -> None:
    """Blocks that begin with ``% NAME.m`` are programs, the others lines of a session in the root of the repository."""
    lines = []
    for block in BLOCK.findall(DOCUMENT.read_text(encoding="utf-8")):
        title = re.match(r"% (\w+)\.m\n", block)
        if title:
            bench.program(title[1], block)
        lines.append(f"eval(MPI_Run('{title[1]}', 3, {{}}))\n" if title else block)
    bench.program("session", "".join(lines).replace("'matlab/", f"'{TOOLBOX.parent}/"))
    result = bench.octave("session", PATH=f"{stand_in_for_ssh}:{os.environ['PATH']}")
    assert result.status == 0, result.errors + result.output
    assert len(lines) == 4
    assert result.output.count("4 ranks agree") == 3
    assert result.output.count("sent 9 numbers as double") == 2
    assert "1    4    9   16" in result.output
