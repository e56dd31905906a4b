"""Claims about run folders: what was published is whole, one writes, damage is told, nothing escapes the folder."""

import json
import math
import os
import re
import resource
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from msgauge.errors import StoreError
from msgauge.model import (
    Analysis,
    Build,
    Cell,
    Command,
    Comparison,
    Estimate,
    Finding,
    Launch,
    LaunchRecord,
    Notice,
    Origin,
    Plan,
    RankPlacement,
    Samples,
    Stack,
    Usage,
    serialization,
)
from msgauge.results import run_folders, wire
from msgauge.results.document import write_document
from msgauge.results.publishing import publish
from msgauge.results.run_folder import RunFolder
from msgauge.results.safe_names import safe_name

PLAN = Plan("quick", 7, ("a@1",), (Cell(0, "pingpong", 8, 2), Cell(1, "pingpong", 64, 2, (("send", "x"),))), (2,))
STACK = Stack("a", "1", Origin("system", "/usr"), environment=(("X", "y"),), axes=(("library", "a"),))

END = Samples(0, -1, "end", np.empty(0, dtype=np.int64))
"""The last frame of a launch that went well."""


def new(parent: Path) -> RunFolder:
    return RunFolder.create(parent, "title = 'x'\n", PLAN, {"host": "h", "load": [0.5]}, [STACK])


def launched(
    folder: RunFolder, number: int, status: str = "ok", values: tuple[int, ...] = (10, 20), rubbish: bytes = b""
) -> None:
    launch = Launch(number, number, "a@1", 2, (0, 1), 5)
    frames = [Samples(0, cell, "time", np.array(values), 2, attributes=(("status", "ok"),)) for cell in (0, 1)]
    facts = Samples(0, -1, "hello", np.empty(0, dtype=np.int64))
    content = b"".join(wire.write_frame(frame) for frame in [facts, *frames, END])
    (folder.launch_folder(number) / "samples.bin").write_bytes(content + rubbish)
    folder.record(LaunchRecord(launch, status, usage=Usage(user_s=1.5), placement=(RankPlacement(0, "h", 1, "0-1"),)))


def test_two_runs_of_one_minute_never_share_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ends = iter(["a1b2", "a1b2", "a1b2", "c3d4"])
    monkeypatch.setattr(run_folders.time, "strftime", lambda _: "2026-11-20T2314")
    monkeypatch.setattr(run_folders.secrets, "token_hex", lambda _: next(ends))
    with new(tmp_path) as one, new(tmp_path) as other:
        assert [folder.path.name[-5:] for folder in (one, other)] == ["-a1b2", "-c3d4"]


def test_what_was_written_before_measuring_is_read_back_as_it_was(tmp_path: Path) -> None:
    with new(tmp_path / "runs") as folder:
        folder.write_builds([Build("a@1", ("/w",), Command(("cc", "x"), (("A", "b"),)))])
    again = RunFolder.open(folder.path)
    assert (again.plan, again.stacks, again.machine) == (PLAN, (STACK,), {"host": "h", "load": [0.5]})
    assert again.builds == (Build("a@1", ("/w",), Command(("cc", "x"), (("A", "b"),))),)
    assert (again.path / "study.toml").read_text() == "title = 'x'\n"


def test_samples_carry_their_launch_and_facts_about_launches_are_left_out(tmp_path: Path) -> None:
    with new(tmp_path) as folder:
        launched(folder, 3)
        launched(folder, 1)
        found = [(frame.launch, frame.cell, frame.values.tolist()) for frame in folder.dataset.frames]
    assert found == [(1, 0, [10, 20]), (1, 1, [10, 20]), (3, 0, [10, 20]), (3, 1, [10, 20])]


def test_a_launch_without_a_record_is_put_aside_and_kept_when_the_run_goes_on(tmp_path: Path) -> None:
    with new(tmp_path) as folder:
        launched(folder, 0)
        for _ in range(2):
            (folder.launch_folder(1) / "samples.bin").write_bytes(b"precious")
            folder.close()
            with RunFolder.open(folder.path, write=True) as again:
                assert [record.launch.number for record in again.records()] == [0]
    kept = sorted(path.name for path in (folder.path / "launches").iterdir())
    assert kept == ["0000", "0001.partial", "0001.partial1"]
    assert (folder.path / "launches/0001.partial/samples.bin").read_bytes() == b"precious"


def test_reading_changes_nothing_in_an_unfinished_run(tmp_path: Path) -> None:
    with new(tmp_path) as folder:
        folder.launch_folder(4)
        assert RunFolder.open(folder.path).records() == []
        assert (folder.path / "launches/0004").is_dir()


def test_a_second_writer_is_refused_while_the_first_lives(tmp_path: Path) -> None:
    with new(tmp_path) as folder, pytest.raises(StoreError, match=f"process {os.getpid()}"):
        RunFolder.open(folder.path, write=True)
    RunFolder.open(folder.path, write=True).close()


def test_the_lock_of_a_killed_writer_is_taken_over(tmp_path: Path) -> None:
    with new(tmp_path) as folder:
        path = folder.path
    code = (
        "import os,signal,sys; from pathlib import Path; from msgauge.results.run_folder import RunFolder; "
        "RunFolder.open(Path(sys.argv[1]), write=True); os.kill(os.getpid(), signal.SIGKILL)"
    )
    assert subprocess.run([sys.executable, "-c", code, str(path)], check=False).returncode == -signal.SIGKILL
    assert (path / "writer.json").exists()
    RunFolder.open(path, write=True).close()
    assert not (path / "writer.json").exists()


def test_a_folder_where_the_lock_goes_is_told(tmp_path: Path) -> None:
    """It was an internal error."""
    with new(tmp_path) as folder:
        path = folder.path
    (path / "writer.json").mkdir()
    with pytest.raises(StoreError, match="a folder stands where") as caught:
        RunFolder.open(path, write=True)
    assert "move" in caught.value.remedy


def test_a_lock_of_another_process_with_the_same_number_is_stale(tmp_path: Path) -> None:
    with new(tmp_path) as folder:
        lock = folder.path / "writer.json"
        holder = json.loads(lock.read_text())
        lock.write_text(json.dumps({**holder, "started": holder["started"] - 1}))
        RunFolder.open(folder.path, write=True).close()


def test_a_lock_from_before_the_computer_was_started_anew_is_stale(tmp_path: Path) -> None:
    with new(tmp_path) as folder:
        lock = folder.path / "writer.json"
        lock.write_text(json.dumps({**json.loads(lock.read_text()), "boot": "another"}))
        RunFolder.open(folder.path, write=True).close()


def test_a_folder_that_is_no_run_is_refused_with_a_remedy(tmp_path: Path) -> None:
    for path, why in ((tmp_path, "it has no plan.json"), (tmp_path / "missing", "there is nothing of this name")):
        with pytest.raises(StoreError, match=f"{path.name} is not a run folder: {why}") as caught:
            RunFolder.open(path)
        assert caught.value.remedy


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "not JSON"),
        (b"\xff\xfe", "not JSON"),
        (b"[" * 100_000, "not JSON"),
        (b"[]", "format"),
        (b'{"format": 99, "value": {}}', "newer msgauge"),
        (b'{"format": 1, "value": {"study": 3}}', "not a readable Plan"),
        (b'{"format": 1, "value": null}', "not a readable Plan"),
    ],
)
def test_a_damaged_or_newer_plan_is_told_with_its_place(tmp_path: Path, content: bytes, says: str) -> None:
    with new(tmp_path) as folder:
        pass
    (folder.path / "plan.json").write_bytes(content)
    with pytest.raises(StoreError, match=says) as caught:
        RunFolder.open(folder.path)
    assert "plan.json" in caught.value.where
    assert caught.value.remedy


@given(
    st.recursive(
        st.none() | st.booleans() | st.floats() | st.text(), lambda x: st.lists(x) | st.dictionaries(st.text(), x)
    )
)
def test_no_json_whatever_is_taken_for_a_plan_by_accident_or_fails_otherwise(value: object) -> None:
    with pytest.raises(StoreError):
        serialization.from_plain(value, Plan, where="x")


@pytest.mark.parametrize("value", [[1, "a", None], "x", None, {}])
def test_a_damaged_record_is_told_to_who_goes_on_with_the_run(tmp_path: Path, value: object) -> None:
    with new(tmp_path) as folder:
        launched(folder, 0)
    (folder.path / "launches/0000/record.json").write_bytes(write_document(value))
    with pytest.raises(StoreError) as caught:
        RunFolder.open(folder.path, write=True)
    assert "record.json" in caught.value.where
    assert caught.value.remedy


@pytest.mark.parametrize("launch", [Launch(0, 1, "other@1", 2, (0,), 1), Launch(0, 1, "a@1", 2, (0, 999), 1)])
def test_a_launch_of_another_run_is_told_with_its_place(tmp_path: Path, launch: Launch) -> None:
    """Whatever counted it knew neither its stack nor its test, which was a bug of exit code 70."""
    with new(tmp_path) as folder:
        folder.record(LaunchRecord(launch, "ok"))
    (folder.path / "launches/0000/samples.bin").write_bytes(b"")
    with pytest.raises(StoreError, match="of another run") as caught:
        _ = RunFolder.open(folder.path).dataset
    assert "record.json" in caught.value.where
    assert caught.value.remedy


@pytest.mark.parametrize("left", [0.99, 0.5, 0.0, None])
def test_samples_of_a_good_launch_that_are_cut_off_or_gone_are_told_and_not_left_out(
    tmp_path: Path, left: float | None
) -> None:
    """Their tests were missing from tables of a run of which "all rounds completed" was said."""
    with new(tmp_path) as folder:
        for number in (0, 1):
            launched(folder, number)
    samples = folder.path / "launches/0001/samples.bin"
    content = samples.read_bytes()
    samples.unlink() if left is None else samples.write_bytes(content[: int(len(content) * left)])
    with pytest.raises(StoreError, match="its last samples are gone") as caught:
        _ = RunFolder.open(folder.path).dataset
    assert caught.value.where == str(samples)
    assert "move the folder of this launch out" in caught.value.remedy
    samples.parent.rename(folder.path / "0001.damaged")
    assert RunFolder.open(folder.path).dataset.rounds == 1


def test_rubbish_that_a_failed_launch_left_is_no_error_and_all_other_damage_is(tmp_path: Path) -> None:
    with new(tmp_path) as folder:
        launched(folder, 0, status="failed", rubbish=b"\xff\xff rubbish\n")
        launched(folder, 1, status="failed", rubbish=b"\xff\xff rubbish\n")
        assert len(list(folder.dataset.frames)) == 4
        launched(folder, 2)
        for number in (1, 2):
            samples = folder.launch_folder(number) / "samples.bin"
            content = samples.read_bytes()
            samples.write_bytes(content[: len(content) // 2])
            with pytest.raises(StoreError, match="damaged samples") as caught:
                _ = RunFolder.open(folder.path).dataset
            assert caught.value.where == str(samples)
            samples.write_bytes(content)


def test_samples_that_cannot_be_read_are_not_called_damaged(tmp_path: Path) -> None:
    with new(tmp_path) as folder:
        launched(folder, 0)
        (folder.path / "launches" / "\u00b2").mkdir()  # a digit to some, and no number
    samples = folder.path / "launches/0000/samples.bin"
    samples.unlink()
    samples.mkdir()
    with pytest.raises(StoreError, match="cannot read the samples: Is a directory") as caught:
        _ = RunFolder.open(folder.path).dataset
    assert caught.value.remedy.startswith("let this user read it, or take it from a backup")


def test_an_analysis_comes_back_with_its_gaps(tmp_path: Path) -> None:
    estimate = Estimate("a@1", 0, "pingpong", 8, 2, median_ns=3.5, launch_medians_ns=(1.0, math.nan), failed="")
    comparison = Comparison("a", "b", 0, "pingpong", 8, 2, (), 1.1, 1.0, math.inf, "undecided", "few")
    analysis = Analysis(
        "run", "quick", "budget", 3, (estimate,), (comparison,), (Finding("ü <b>"),), warnings=(Notice("c", "m"),)
    )
    with new(tmp_path) as folder:
        with pytest.raises(StoreError, match="not analysed"):
            folder.analysis()
        path = folder.write_analysis(analysis)
        again = folder.analysis()
    assert "NaN" not in path.read_text() and "Infinity" not in path.read_text()
    assert serialization.dumps(again) == serialization.dumps(analysis)
    assert math.isnan(again.estimates[0].low_ns) and math.isnan(again.estimates[0].launch_medians_ns[1])
    assert again.findings == analysis.findings


def test_parquet_holds_every_sample_with_what_it_belongs_to(tmp_path: Path) -> None:
    import duckdb

    with new(tmp_path / "it's a place") as folder:
        launched(folder, 0, values=(10, 20, 30))
        launched(folder, 1, values=())
        path = folder.write_parquet()
    rows = duckdb.read_parquet(str(path)).order("launch, cell, position").fetchall()
    names = duckdb.read_parquet(str(path)).columns
    assert len(rows) == 6
    first = dict(zip(names, rows[-1], strict=True))
    assert first == {
        "run": folder.name,
        "launch": 0,
        "round": 0,
        "stack": "a@1",
        "ranks": 2,
        "cell": 1,
        "kernel": "pingpong",
        "size_bytes": 64,
        "options": "send=x",
        "series": "time",
        "unit": "ns",
        "position": 2,
        "value": 30,
        "divisor": 2,
        "per_event": 15.0,
        "status": "ok",
        "emulated": False,
    }


def test_a_run_without_samples_has_an_empty_parquet(tmp_path: Path) -> None:
    import duckdb

    with new(tmp_path) as folder:
        assert duckdb.read_parquet(str(folder.write_parquet())).count("*").fetchall() == [(0,)]


def test_a_full_disk_is_told_and_what_stood_there_stays(tmp_path: Path) -> None:
    """A limit on the size of files stands for the full disk: the same write fails half way."""
    path = tmp_path / "record.json"
    publish(path, b"old")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    previous = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, hard))
    try:
        with pytest.raises(StoreError) as caught:
            publish(path, bytes(100_000))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        signal.signal(signal.SIGXFSZ, previous)
    assert "--resume" in caught.value.remedy
    assert [entry.name for entry in tmp_path.iterdir()] == ["record.json"]
    assert path.read_bytes() == b"old"


@pytest.fixture
def tiny_disk(tmp_path: Path):
    """A disk of 64 KiB, where mounting is allowed."""
    place = tmp_path / "disk"
    place.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=64k", "none", str(place)]
    mounted = subprocess.run(mount, capture_output=True, check=False)
    if mounted.returncode:
        pytest.skip("mounting needs root")
    yield place
    subprocess.run(["umount", "-l", str(place)], check=True)


def test_a_really_full_disk_leaves_a_folder_that_can_be_read(tiny_disk: Path) -> None:
    with new(tiny_disk) as folder:
        launched(folder, 0)
        with pytest.raises(StoreError, match="No space left") as caught:
            publish(folder.path / "findings.json", bytes(200_000))
        assert "make room" in caught.value.remedy
        with pytest.raises(StoreError):
            for number in range(1, 200):
                folder.record(LaunchRecord(Launch(number, 1, "a@1", 2, (0,), 1), "failed"))
        assert len(list(RunFolder.open(folder.path).dataset.frames)) == 2
        with pytest.raises(StoreError, match="Parquet"):
            folder.write_parquet()


def test_a_place_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError) as caught:
        new(tmp_path / "file" / "runs")
    assert caught.value.remedy


@given(st.text(max_size=120))
def test_no_name_leaves_its_folder(text: str) -> None:
    name = safe_name(text)
    assert name and not set(name) & set("/\\\0<>&\"'`$;|*? \n")
    assert name not in (".", "..") and not name.startswith((".", "-"))
    assert len(name) < 120


@given(st.text(max_size=30), st.text(max_size=30))
def test_different_specs_get_different_folders(one: str, other: str) -> None:
    assert (safe_name(one) == safe_name(other)) == (one == other)


def test_ordinary_specs_keep_their_names() -> None:
    assert safe_name("openmpi@5.0.11") == "openmpi@5.0.11"
    assert safe_name("openmpi@5.0.11[tcp]").startswith("openmpi@5.0.11_tcp_-")


def test_run_names_begin_with_the_time_and_do_not_clash(tmp_path: Path) -> None:
    names = set()
    for _ in range(20):
        with new(tmp_path) as folder:
            names.add(folder.name)
    assert len(names) == 20
    assert all(re.fullmatch(r"\d{4}-\d\d-\d\dT\d{4}-[A-Za-z0-9-]+-[0-9a-f]{4}", name) for name in names)
