"""The answers that the tutorials print are answers of the program: their run is planted, and asked again."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from planted_runs import study_run

from msgauge.cli import main

TUTORIAL = Path(__file__).parents[2] / "docs" / "tutorials" / "which-mpi.md"


def test_advise_says_what_the_tutorial_prints(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shown = re.search(
        r"^\$ msgauge advise RUN\n```\n\n```text\n(.*?)^```", TUTORIAL.read_text("utf-8"), re.DOTALL | re.MULTILINE
    )
    assert shown is not None
    run = study_run(tmp_path, "quick", ["openmpi", "mpich"], rounds=8)
    assert main(["advise", str(run.path)]) == 0
    assert capsys.readouterr().out.startswith(shown[1])
