"""What is printed into a pipe is for programs and editors: whole lines, no padding."""

from __future__ import annotations

import pytest
from rich.padding import Padding
from rich.text import Text

from msgauge.frontend.command_group import WIDEST_HELP, make_help_console
from msgauge.report.terminal.console import make_console


def test_a_pipe_gets_whole_lines_without_padding(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)
    sentence = "word " * 60 + "end"
    make_console().print(Padding(Text(sentence), (0, 0, 1, 2)))
    assert capsys.readouterr().out == f"  {sentence}\n\n"


def test_a_width_that_is_set_holds(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    make_console().print(Text("word " * 20))
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) > 2
    assert all(len(line) <= 40 and not line.endswith(" ") for line in lines)


def test_no_width_is_too_much(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """COLUMNS=99999999999 ended in a MemoryError."""
    monkeypatch.setenv("COLUMNS", "99999999999")
    make_console().print(Text("word"))
    assert capsys.readouterr().out == "word\n"
    assert make_help_console().width == WIDEST_HELP
