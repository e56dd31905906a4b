"""The answers that the tutorials print were measured; their form is that of today's program on a planted run."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from planted_runs import study_run

from msgauge.cli import main

TUTORIAL = Path(__file__).parents[2] / "docs" / "tutorials" / "which-mpi.md"


ITEM = re.compile(r"(\d+)\. (.+)\n   msgauge (.+)\n   gain: (.+)\n   because: (.+)\n")
STACKS = re.compile(r"[a-z]+@[\d.]+")
TESTS = re.compile(r"where (\S+) matters$|in (\S+) at .*$")
"""What advice is for: all tests of a kernel, or some sizes; which ones depends on the run."""


def test_the_advice_of_the_tutorial_has_the_form_that_the_program_prints(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each piece of advice is one that the program gives, with a command, a gain and its evidence."""
    shown = re.search(
        r"^\$ msgauge advise RUN\n```\n\n```text\n(.*?)^```", TUTORIAL.read_text("utf-8"), re.DOTALL | re.MULTILINE
    )
    assert shown is not None
    run = study_run(tmp_path, "quick", ["openmpi", "mpich"], rounds=10)
    assert main(["advise", str(run.path)]) == 0
    told = ITEM.findall(shown[1])
    assert "".join("{}. {}\n   msgauge {}\n   gain: {}\n   because: {}\n".format(*one) for one in told) == shown[1]
    assert [number for number, *_ in told] == ["1", "2"]
    printed = ITEM.findall(capsys.readouterr().out)
    shown_forms, known = (
        {TESTS.sub(r"in \1\2", STACKS.sub("S", title)): command.split()[0] for _, title, command, *_ in some}
        for some in (told, printed)
    )
    assert shown_forms.items() <= known.items()


def test_the_first_table_of_the_tutorial_has_the_form_that_the_program_prints(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its numbers were measured; its headings, its marks and its sentences are those of today's program."""
    monkeypatch.setenv("COLUMNS", "140")
    shown = re.search(
        r"^\$ msgauge compare quick --stacks openmpi,mpich\n```\n\n```text\n(.*?)^```",
        TUTORIAL.read_text("utf-8"),
        re.DOTALL | re.MULTILINE,
    )
    assert shown is not None
    run = study_run(tmp_path, "quick", ["openmpi", "mpich"], rounds=8)
    assert main(["show", str(run.path)]) == 0
    printed = capsys.readouterr().out
    table, printed_table = (text.partition("─")[0] for text in (shown[1], printed))
    assert set(table.split()) - set(printed_table.split()) <= {"openmpi@5.0.11"}
    assert "What to use when" in shown[1]
    assert "What to use when" in printed
    lines = [line for line in shown[1].splitlines() if line.startswith(" • ")]
    assert 0 < len(lines) <= 5
    assert all(re.match(r" • [a-z, -]+ \(\d+ processes(, every operation timed)?\): ", line) for line in lines)
