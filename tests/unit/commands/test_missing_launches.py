"""Claims about runs that lack launches: every command that reads one says so by name, and ``--resume`` mends it."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from simulated_runs import measure_once, nameless, only_builtin_stacks, only_run, study_file

from msgauge.cli import main
from msgauge.results.launch_notes import find_unnoted
from msgauge.results.run_folder import RunFolder

STACKS = "fake[launch_noise=0.01],fake[L=2us,launch_noise=0.01]"


@pytest.fixture(autouse=True)
def _builtin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    only_builtin_stacks(tmp_path, monkeypatch)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return measure_once(tmp_path_factory, "compare", STACKS, rounds=5)


@pytest.fixture
def run(whole: Path, tmp_path: Path) -> Path:
    """The same without its fourth launch."""
    copy = Path(shutil.copytree(whole, tmp_path / "runs" / whole.name))
    (copy / "launches/0003").rename(tmp_path / "0003")
    return copy


def copy_changed(run: Path, place: Path, change: Callable[[dict[str, Any]], object]) -> Path:
    """A copy of a run, whose records are changed one by one."""
    copy = Path(shutil.copytree(run, place))
    for path in (copy / "launches").glob("*/record.json"):
        record = json.loads(path.read_text())
        change(record["value"])
        path.write_text(json.dumps(record))
    return copy


def warnings(capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    return {one["code"]: one for one in json.loads(capsys.readouterr().out)["warnings"]}


def test_show_and_report_name_what_is_missing(whole: Path, run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", str(whole), "--json"]) == 0
    assert "missing-launches" not in warnings(capsys)
    assert main(["show", str(run), "--json"]) == 0
    notice = warnings(capsys)["missing-launches"]
    assert "0003 of fake@1[" in notice["message"]
    assert f"msgauge compare --resume {run}" in notice["remedy"]
    assert list(notice["evidence"]) == ["command", "0003"]
    assert main(["show", str(run)]) == 0
    assert "0003 of fake@1[" in " ".join(capsys.readouterr().out.split())
    assert main(["report", str(run)]) == 0
    assert "0003 of fake@1[" in (run / "report.html").read_text()


@pytest.mark.parametrize("format", ["csv", "markdown", "latex", "json", "parquet"])
def test_an_export_warns(format: str, whole: Path, run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["export", str(whole), "--format", format]) == 0
    assert "missing" not in capsys.readouterr().err
    assert main(["export", str(run), "--format", format]) == 0
    said = capsys.readouterr().err
    assert "0003 of fake@1[" in said
    assert "remedy: put what was moved away back" in said


def test_diff_and_history_name_the_run_that_lacks_it(
    whole: Path, run: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for words in (["diff", str(whole), str(run)], ["history", str(whole), str(run)]):
        assert main([*words, "--json"]) == 0
        assert f"launches that {run} had are missing" in warnings(capsys)["missing-launches"]["message"]


@pytest.mark.parametrize(("content", "says"), [("{", "not JSON"), ('{"format": 2, "value": {}}', "newer msgauge")])
def test_a_run_whose_end_cannot_be_read_is_not_silently_called_interrupted(
    content: str, says: str, whole: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its intervals were other ones, and what a newer msgauge had found was overwritten."""
    run = Path(shutil.copytree(whole, tmp_path / "runs" / whole.name))
    (run / "findings.json").write_text(content)
    for _ in range(2):
        assert main(["show", str(run), "--json"]) == 0
        notice = warnings(capsys)["end-not-known"]
        assert says in notice["message"]
        assert f"msgauge compare --resume {run}" in notice["remedy"]
        assert main(["show", str(run)]) == 0
        assert "; stopped: why is not known" in " ".join(capsys.readouterr().out.split())
        assert main(["report", str(run)]) == 0
        assert (run / "findings.json").read_text() == content
        capsys.readouterr()
    assert main(["compare", "--resume", str(run), "--json"]) == 0
    assert "end-not-known" not in warnings(capsys)
    assert RunFolder.open(run).analysis().stopped == RunFolder.open(whole).analysis().stopped


def test_a_run_that_another_still_measures_is_not_called_interrupted(
    whole: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run = Path(shutil.copytree(whole, tmp_path / "runs" / whole.name))
    writing = "import sys; from pathlib import Path; from msgauge.results.writer_lock import WriterLock as Lock;"
    writing += "held = Lock.take(Path(sys.argv[1])); print('held', flush=True); sys.stdin.read(); held.release()"
    words = [sys.executable, "-c", writing, str(run)]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as writer:
        assert writer.stdout is not None
        assert writer.stdout.readline() == "held\n"
        assert main(["show", str(run)]) == 0
        assert main(["report", str(run), "--output", str(tmp_path / "page.html")]) == 0
        writer.communicate("")
    said = " ".join(capsys.readouterr().out.split())
    assert "; still being measured" in said
    assert "stopped:" not in said
    assert "--resume" not in said  # it would be refused
    assert "; still being measured. Run" in (tmp_path / "page.html").read_text()
    assert main(["show", str(run)]) == 0
    assert "stopped: all rounds completed" in " ".join(capsys.readouterr().out.split())


def test_copies_of_one_run_are_not_taken_for_runs_that_agree(
    whole: Path, run: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Their spread is none, so that whatever differs from them was surely another level."""
    for words in (["diff", str(whole), str(run)], ["history", str(whole), str(run)]):
        assert main([*words, "--json"]) == 0
        notice = warnings(capsys)["copied-runs"]
        assert f"{whole}, {run} are copies of one run" in notice["message"]
        assert notice["remedy"] == "name one of them"


def test_copies_of_a_run_count_once(whole: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Three of one run beside three of another, and still nobody knows how much runs vary."""
    copies = [str(shutil.copytree(whole, tmp_path / str(number))) for number in range(4)]
    assert main(["diff", str(whole), copies[0], "--old", *copies[1:3], "--new", copies[3], "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["basis"] == "nothing"
    assert (answer["old"], answer["new"]) == (str(whole), copies[0])


def test_copies_of_a_run_stand_once_in_a_history(
    whole: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Seven of one run and seven of a slower one were a change of which all was sure."""
    later = copy_changed(
        whole, tmp_path / "later", lambda one: one.update(started=one["started"].replace("20", "21", 1))
    )
    copies = [str(shutil.copytree(one, tmp_path / f"{one.name}{n}")) for one in (whole, later) for n in range(3)]
    assert main(["history", str(whole), str(later), *copies, "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert [run["run"] for run in answer["runs"]] == [str(whole), str(later)]
    assert "copied-runs" in {one["code"] for one in answer["warnings"]}


def test_another_run_that_began_in_the_same_moment_is_no_copy(
    whole: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = copy_changed(whole, tmp_path / "other", lambda one: one.update(samples_digest=""))  # as one that kept none
    assert main(["diff", str(whole), str(other), "--json"]) == 0
    assert "copied-runs" not in warnings(capsys)


def test_a_resumed_run_measures_it_again_and_ends_as_if_nothing_had_happened(
    whole: Path, run: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (run / "launches/0006").rename(run / "0006.damaged")
    assert main(["compare", "--resume", str(run), "--json"]) == 0
    assert "missing-launches" not in warnings(capsys)
    numbers = sorted(path.name for path in (run / "launches").iterdir())
    aside = ["0002.partial", "0007.partial"]  # those that they would have been compared with are of another time
    assert numbers == sorted([*aside, *(path.name for path in (whole / "launches").iterdir())])
    assert nameless(RunFolder.open(run).analysis()) == nameless(RunFolder.open(whole).analysis())


def test_an_older_run_without_notes_is_shown_as_before(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (run / "launches.jsonl").unlink()
    assert main(["show", str(run), "--json"]) == 0
    assert "missing-launches" not in warnings(capsys)


def test_advice_begins_with_measuring_what_is_missing(
    whole: Path, run: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = f"msgauge compare --resume {run}"
    assert main(["advise", str(run), "--json"]) == 0
    first, *others = json.loads(capsys.readouterr().out)["advice"]
    assert first["command"] == command
    assert "0003 of fake@1[" in first["evidence"]
    assert main(["advise", str(whole), "--json"]) == 0
    advised = json.loads(capsys.readouterr().out)["advice"]
    assert [one["command"] for one in others] == [one["command"].replace(str(whole), str(run)) for one in advised]


@pytest.fixture
def empty(whole: Path, tmp_path: Path) -> Path:
    """A run that ended before its first launch."""
    copy = Path(shutil.copytree(whole, tmp_path / "empty" / whole.name))
    shutil.rmtree(copy / "launches")
    (copy / "launches.jsonl").unlink()
    return copy


@pytest.mark.parametrize("format", ["csv", "markdown", "latex", "json", "parquet"])
def test_an_export_warns_that_nothing_was_measured(
    format: str, empty: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["export", str(empty), "--format", format]) == 0
    said = capsys.readouterr().err
    assert f"nothing was measured in {empty}" in said
    assert f"remedy: measure it: msgauge compare --resume {empty}" in said


def test_where_nothing_was_measured_it_is_advised_to_measure_and_nothing_else(
    empty: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It said that there is nothing to try: no stack is slower, and no guideline violated."""
    assert main(["advise", str(empty), "--json"]) == 0
    (advice,) = json.loads(capsys.readouterr().out)["advice"]
    assert advice["command"] == f"msgauge compare --resume {empty}"
    assert main(["show", str(empty), "--json"]) == 0
    assert warnings(capsys)["nothing-measured"]["remedy"].endswith(advice["command"])
    assert main(["advise", str(empty)]) == 0
    assert "Nothing to try" not in capsys.readouterr().out
    assert main([*advice["command"].split()[1:], "--json"]) == 0
    assert "nothing-measured" not in warnings(capsys)


def test_launches_that_delivered_nothing_are_not_to_be_resumed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """They would not be started again."""
    study = study_file(tmp_path, rounds=2)
    assert main(["run", study, "--stacks", "fake[wrong_size=1]", "--runs", str(tmp_path / "runs")]) == 5
    run = only_run(tmp_path / "runs")
    capsys.readouterr()
    assert main(["advise", str(run), "--json"]) == 0
    (advice,) = json.loads(capsys.readouterr().out)["advice"]
    assert advice["command"] == f"msgauge compare {run / 'study.toml'}"
    assert "no launch delivered a time" in advice["evidence"]


@pytest.mark.parametrize("rest", ["", "null", "half"])
def test_lost_lines_of_the_notes_are_told_with_the_launches_that_are_not_there(
    rest: str, run: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A launch whose note went with them would be missed by nobody."""
    notes = run / "launches.jsonl"
    lines = notes.read_bytes().splitlines(keepends=True)
    notes.write_bytes(b"".join(lines[:3]) + lines[3][:9] if rest == "half" else rest.encode())
    assert main(["show", str(run), "--json"]) == 0
    notice = warnings(capsys)["notes-lost"]
    assert f"launches.jsonl lacks the lines of {6 if rest == 'half' else 9} launches" in notice["message"]
    assert notice["message"].endswith("0003 are not there")
    assert main(["export", str(run), "--format", "csv"]) == 0
    assert "launches.jsonl lacks the lines" in capsys.readouterr().err
    assert main(["compare", "--resume", str(run), "--json"]) == 0
    capsys.readouterr()
    assert main(["show", str(run), "--json"]) == 0
    assert not {"notes-lost", "missing-launches"} & warnings(capsys).keys()


def test_a_run_that_was_killed_before_its_last_note_lacks_nothing(whole: Path, tmp_path: Path) -> None:
    copy = Path(shutil.copytree(whole, tmp_path / "killed"))
    lines = (copy / "launches.jsonl").read_bytes().splitlines(keepends=True)
    (copy / "launches.jsonl").write_bytes(b"".join(lines[:-1]))
    assert find_unnoted(copy, RunFolder.open(copy).whole_launches()) == ([], [])
