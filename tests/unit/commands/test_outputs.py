"""Claims about files that a command is told to write, and about what all commands say of one run."""

from __future__ import annotations

import errno
import json
import os
import re
import shutil
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from attrs import evolve
from planted_runs import study_run
from simulated_runs import only_builtin_stacks, study_file

from msgauge import evaluation
from msgauge.cli import main
from msgauge.results import publishing
from msgauge.results.document import write_document
from msgauge.results.run_folder import RunFolder


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return study_run(tmp_path_factory.mktemp("runs"), "quick", ("intelmpi", "openmpi")).path


@pytest.mark.parametrize("place", [".", "/", "{there}", "{missing}/page.html", "{file}/page.html"])
@pytest.mark.parametrize("words", [["report", "{run}", "--output"], ["export", "{run}", "--output"]])
def test_a_place_that_cannot_be_written_is_an_error_with_a_remedy_for_it(
    words: list[str], place: str, run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A page without a name was a bug of exit code 70, and a folder in its place a disk out of order."""
    places = {"run": run, "there": tmp_path, "missing": tmp_path / "no", "file": tmp_path / "file"}
    places["file"].write_text("")
    assert main([word.format(**places) for word in (*words, place)]) == 2
    said = capsys.readouterr().err
    assert re.search("cannot write: (Is a directory|No such file or directory|Not a directory)", said)
    assert re.search("remedy: (name a file in it|make the folder|name a place)", said)


def test_a_pipe_is_written_to_and_a_link_stays_one(run: Path, tmp_path: Path) -> None:
    """They were replaced by a file: of root that took /dev/null from the whole machine."""
    pipe, target, link = (tmp_path / name for name in ("pipe", "page.html", "link"))
    os.mkfifo(pipe)
    read: list[bytes] = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_bytes()))
    reader.start()
    assert main(["report", str(run), "--output", str(pipe)]) == 0
    reader.join(60)
    target.write_text("an older page")
    link.symlink_to(target)
    assert main(["report", str(run), "--output", str(link)]) == 0
    assert pipe.is_fifo()
    assert link.is_symlink()
    assert read == [target.read_bytes()]
    assert b"<html" in read[0]


@pytest.mark.parametrize("words", [["site", "{run}", "--output"], ["model", "{model}", "--export-to"]])
def test_a_folder_that_cannot_be_made_is_an_error_with_a_remedy(
    words: list[str], run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "file"
    file.write_text("")
    model = study_run(tmp_path, "model", ("openmpi",), rounds=3).path if "{model}" in words else run
    assert main([word.format(run=run, model=model) for word in (*words, str(file / "inside"))]) == 2
    assert "remedy: name a place that you may write to" in capsys.readouterr().err


def test_a_run_that_cannot_begin_leaves_no_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """There was one without a plan, and the remedy was to resume it, which nothing could."""
    only_builtin_stacks(tmp_path, monkeypatch)
    study = study_file(tmp_path)

    def fill(path: Path, content: bytes) -> None:
        with Path("/dev/full").open("wb") as full:
            full.write(content)

    monkeypatch.setattr("msgauge.results.publishing._replace", fill)
    assert main(["compare", study, "--stacks", "fake", "--runs", str(tmp_path / "runs")]) == 2
    said = capsys.readouterr().err
    assert "cannot write: No space left on device" in said
    assert "--resume" not in said
    assert "nothing was measured yet" in said
    assert list((tmp_path / "runs").iterdir()) == []


def test_the_export_says_of_the_hosts_what_the_run_says(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    RunFolder.open(run).write_hosts((("link", "a wire of 940 Mbit/s"),))
    assert main(["show", str(run), "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert main(["export", str(run), "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out) == shown
    assert shown["hosts"]["facts"] == {"link": "a wire of 940 Mbit/s"}


NO_TEXT = "a\udcffb"
"""A name with a byte that is no UTF-8, as Python has it."""


def test_a_run_is_measured_in_no_folder_whose_name_is_no_text(tmp_path: Path) -> None:
    runs = tmp_path / NO_TEXT
    code, said = ended(["run", study_file(tmp_path), "--stacks", "fake", "--rounds", "2", "--runs", str(runs)])
    assert code == 2
    assert "remedy: name another with --runs" in said
    assert not runs.exists()


def test_a_run_that_was_brought_to_such_a_folder_is_reported_like_any_other(run: Path, tmp_path: Path) -> None:
    place = str(shutil.copytree(run, tmp_path / NO_TEXT / run.name))
    assert ended(["show", place])[0] == 0
    code, said = ended(["show", place, "--json"])
    assert (code, json.loads(said)["run"]) == (0, place)
    assert ended(["report", place])[0] == 0
    assert ended(["site", str(tmp_path / NO_TEXT), "--output", str(tmp_path / f"site-{NO_TEXT}")])[0] == 0


def ended(words: list[str]) -> tuple[int, str]:
    """How a command ended in a process of its own, and what it said."""
    program = [sys.executable, "-c", "import sys; from msgauge.cli import main; sys.exit(main())", *words]
    done = subprocess.run(program, capture_output=True, check=False)
    return done.returncode, (done.stdout + done.stderr).decode()


def test_names_in_a_run_folder_cannot_steer_the_terminal(
    run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """``advise`` printed the control characters in a name of a stack as they were."""
    odd = tmp_path / "odd"
    shutil.copytree(run, odd)
    name = RunFolder.open(run).stacks[0].version
    for file in odd.rglob("*.json"):
        file.write_text(
            file.read_text().replace(f"@{name}", f"@{name}\\u001b[31m").replace(f'"{name}"', f'"{name}\\u001b[31m"')
        )
    assert main(["advise", str(odd), "--all"]) == 0
    said = capsys.readouterr().out
    assert "\x1b" not in said
    assert f"{name}\ufffd[31m" in said


def test_a_run_whose_launches_are_gone_is_not_called_complete(
    run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bare = tmp_path / "bare"
    shutil.copytree(run, bare)
    shutil.rmtree(bare / "launches")
    assert main(["show", str(bare)]) == 0
    said = capsys.readouterr().out
    assert "0 rounds; stopped: it was interrupted" in " ".join(said.split())


@pytest.fixture
def full(run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A run without findings on a disk that takes nothing more; other places do."""
    copy, place = tmp_path / "full", publishing._replace
    shutil.copytree(run, copy)
    (copy / "findings.json").unlink()

    def fill(path: Path, content: bytes) -> None:
        if copy in path.parents:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        place(path, content)

    monkeypatch.setattr("msgauge.results.publishing._replace", fill)
    return copy


def test_a_run_on_a_full_disk_is_shown_and_written_elsewhere(full: Path, tmp_path: Path) -> None:
    """All ended with 'run msgauge report, which analyses it', that command too."""
    asked = (["show"], ["show", "--for", "latency"], ["advise"], ["report", "--output"], ["figures", "--output"])
    for number, words in enumerate(asked):
        place = [str(tmp_path / f"out{number}")] if "--output" in words else []
        assert main([words[0], str(full), *words[1:], *place]) == 0
    assert not (full / "findings.json").exists()


def test_a_page_that_has_no_room_is_offered_another_place(full: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It was told to go on with --resume, and of a folder to read only to name one with --runs."""
    assert main(["report", str(full)]) == 2
    said = capsys.readouterr().err
    assert f"msgauge report {full} --output FILE" in said
    assert "--resume" not in said


def test_the_page_of_a_folder_to_read_only_shows_what_the_terminal_shows(
    full: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It was drawn from the findings that lay there, of fewer launches, while ``show`` analysed anew."""
    old = evaluation.analyse_folder(RunFolder.open(full), "deadline")
    (full / "findings.json").write_bytes(write_document(evolve(old, rounds=777_777)))
    assert main(["report", str(full), "--output", str(tmp_path / "page.html")]) == 0
    assert main(["show", str(full)]) == 0
    assert "777777" not in (tmp_path / "page.html").read_text() + capsys.readouterr().out


def test_samples_of_a_folder_to_read_only_are_written_elsewhere(
    run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """They went through the folder of the run; clearing up there was an internal error."""
    unlink = Path.unlink

    def refuse(path: Path, missing_ok: bool = False) -> None:
        if path.parent == run:
            raise OSError(errno.EROFS, os.strerror(errno.EROFS))
        unlink(path, missing_ok=missing_ok)

    monkeypatch.setattr(Path, "unlink", refuse)
    assert main(["export", str(run), "--format", "parquet", "--output", str(tmp_path / "s.parquet")]) == 0
    assert (tmp_path / "s.parquet").read_bytes()[:4] == b"PAR1"
    assert main(["export", str(run), "--format", "parquet"]) == 2
    assert "remedy:" in capsys.readouterr().err
