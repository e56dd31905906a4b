"""Claims about standard output and error: whatever becomes of them, a command ends with its own exit code."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

TALKATIVE = """
import sys
from msgauge import cli
from msgauge.report.terminal.console import make_console

def command(words):
    for line in range(5000):
        make_console().print(f"line {line}")
        sys.stderr.write(f"progress {line}\\n")
    return 3

cli._command = command
sys.exit(cli.main(["show"]))
"""
ONE_LINE = """
import sys
from msgauge import cli
cli._command = lambda words: print({text})
sys.exit(cli.main(["show"]))
"""
COMMAND = [sys.executable, "-c", "import sys; from msgauge.cli import main; sys.exit(main())"]


def ended_pipe() -> int:
    """The end to write to of a pipe that nobody reads."""
    reading, writing = os.pipe()
    os.close(reading)
    return writing


@pytest.mark.parametrize("streams", [("stdout",), ("stderr",), ("stdout", "stderr")])
def test_a_command_whose_reader_has_gone_ends_with_its_own_code(streams: tuple[str, ...]) -> None:
    """``| head`` gave 1, by rich: a regression, as a gate would say it."""
    place = ended_pipe()
    kept = {name: place if name in streams else subprocess.PIPE for name in ("stdout", "stderr")}
    done = subprocess.run([sys.executable, "-c", TALKATIVE], check=False, **kept)  # type: ignore[call-overload]
    os.close(place)
    assert done.returncode == 3
    assert b"Traceback" not in (done.stderr or b"")


@pytest.mark.parametrize("closed", [">&-", "2>&-", ">&- 2>&-", "<&- >&- 2>&-"])
@pytest.mark.parametrize(("words", "code"), [("--version", 0), ("show /nonexistent", 2)])
def test_closed_streams_change_no_exit_code(closed: str, words: str, code: int) -> None:
    done = subprocess.run(["sh", "-c", f'exec "$@" {words} {closed}', "sh", *COMMAND], check=False)
    assert done.returncode == code


def test_no_file_becomes_the_standard_output_that_was_closed(tmp_path: Path) -> None:
    place = tmp_path / "file"
    opened = f"file = open({str(place)!r}, 'w'); print('lost', flush=True)"
    code = f"from msgauge import cli; cli.main(['--version']); {opened}"
    subprocess.run(["sh", "-c", 'exec "$@" <&- >&- 2>&-', "sh", sys.executable, "-c", code], check=True)
    assert place.read_text() == ""


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
def test_output_without_room_is_an_error_with_a_remedy() -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run([*COMMAND, "--help"], check=False, stdout=full, stderr=subprocess.PIPE, text=True)
    assert done.returncode == 2
    assert done.stderr.startswith("msgauge: error: cannot write the output: No space left on device")
    assert "remedy: make room" in done.stderr
    assert "Exception ignored" not in done.stderr


@pytest.mark.parametrize(
    ("text", "encoding", "said"),
    [
        ("2.4 µs ±3% • 1.2 ×", "ascii", b"2.4 us +-3% * 1.2 x\n"),
        ("2.4 µs ±3% • ö", "latin-1", "2.4 µs ±3% * ö\n".encode("latin-1")),
        ("/tmp/\udcff/ö", "utf-8", "/tmp/\\udcff/ö\n".encode()),
    ],
)
def test_letters_that_a_stream_lacks_are_said_by_others(text: str, encoding: str, said: bytes) -> None:
    words = [sys.executable, "-c", ONE_LINE.format(text=ascii(text))]
    settings = {**os.environ, "PYTHONIOENCODING": f"{encoding}:strict"}
    done = subprocess.run(words, check=False, capture_output=True, env=settings)
    assert (done.returncode, done.stdout) == (0, said)
