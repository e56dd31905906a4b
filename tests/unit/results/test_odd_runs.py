"""Claims about runs in odd states: written by another, killed after they went on, damaged between two frames."""

from __future__ import annotations

import json
import os
import threading
from pathlib import Path

import numpy as np
import pytest

from msgauge.errors import StoreError
from msgauge.model import Analysis, Cell, Launch, LaunchRecord, Origin, Plan, Samples, Stack
from msgauge.results import wire, writer_lock
from msgauge.results.incomplete_runs import warn_incomplete
from msgauge.results.run_folder import RunFolder
from msgauge.results.run_folders import find_readable_runs, find_run_folders
from msgauge.results.stop_reason import read_stop_reason
from msgauge.results.writer_lock import WriterLock, find_writer

PLAN = Plan("quick", 7, ("a@1",), (Cell(0, "pingpong", 8, 2),), (2,))
STACK = Stack("a", "1", Origin("system", "/usr"))


def new(parent: Path) -> RunFolder:
    return RunFolder.create(parent, "title = 'x'\n", PLAN, {"host": "h"}, [STACK])


def launched(folder: RunFolder, number: int, values: tuple[int, ...] = (10, 20)) -> None:
    frames = [Samples(0, 0, "time", np.array(values), 2), Samples(0, -1, "end", np.empty(0, dtype=np.int64))]
    (folder.launch_folder(number) / "samples.bin").write_bytes(b"".join(map(wire.write_frame, frames)))
    folder.record(LaunchRecord(Launch(number, number, "a@1", 2, (0,), 5), "ok"))


def test_a_writer_in_another_container_of_this_host_counts_as_alive(tmp_path: Path) -> None:
    """Its number means another process here, or none: two would have written one run."""
    with new(tmp_path) as folder:
        lock = folder.path / "writer.json"
        holder = json.loads(lock.read_text())
    gone = {**holder, "pid": 2**22 + 1}
    lock.write_text(json.dumps({**gone, "processes": "pid:[1]"}))
    with pytest.raises(StoreError, match=r"another msgauge \(process \d+ on"):
        RunFolder.open(folder.path, write=True)
    lock.write_text(json.dumps(gone))
    assert not find_writer(folder.path)
    del gone["processes"]  # by an older msgauge
    lock.write_text(json.dumps(gone))
    RunFolder.open(folder.path, write=True).close()


def test_of_two_that_find_a_stale_lock_one_takes_it_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The second removed the fresh lock of the first, and both wrote the run."""
    with new(tmp_path) as folder:
        holder = json.loads((folder.path / "writer.json").read_text())
    (folder.path / "writer.json").write_text(json.dumps({**holder, "pid": 2**22 + 1}))
    said: list[str] = []

    def take() -> None:
        try:
            WriterLock.take(folder.path)
        except StoreError as error:
            said.append(error.what)
        else:
            said.append("taken")

    second, is_alive = threading.Thread(target=take), writer_lock._alive

    def look(holder: dict[str, object]) -> bool:
        if second.ident is None:  # the other one comes between looking and removing
            second.start()
            second.join(timeout=0.5)
        return is_alive(holder)

    monkeypatch.setattr(writer_lock, "_alive", look)
    take()
    second.join()
    assert sorted(said)[1] == "taken"
    assert "writes this run" in sorted(said)[0]


def test_what_a_reader_derives_of_a_run_that_is_being_written_stays_with_the_reader(tmp_path: Path) -> None:
    """It was of fewer rounds, and came after what the writer had said at the end of the run."""
    with new(tmp_path) as folder:
        launched(folder, 0)
        held = (folder.path / "writer.json").read_text()
        alive = {**json.loads(held), "pid": os.getppid(), "started": writer_lock._start_ticks(os.getppid())}
        (folder.path / "writer.json").write_text(json.dumps(alive))
        reader = RunFolder.open(folder.path)
        assert f"process {os.getppid()} on" in reader.writer
        assert [one.code for one in warn_incomplete(reader, has_times=False)] == ["still-measured"]
        (folder.path / "launches/0000").rename(tmp_path / "0000")
        codes = [one.code for one in warn_incomplete(reader, has_times=True)]
        assert codes == ["still-measured", "missing-launches"]
        (tmp_path / "0000").rename(folder.path / "launches/0000")
        (folder.path / "writer.json").write_text(held)
        folder.write_analysis(Analysis("r", "quick", "precision", 2))
    reader.keep_derived("findings", Analysis("r", "quick", "interrupted", 1))
    assert reader.analysis().rounds == 1
    assert RunFolder.open(folder.path).analysis().stopped == "precision"


def test_an_end_that_was_noted_of_fewer_rounds_is_not_the_end_of_the_run(tmp_path: Path) -> None:
    """A run that went on to more rounds and was killed said that all of them were done."""
    with new(tmp_path) as folder:
        launched(folder, 0)
        folder.write_analysis(Analysis("r", "quick", "rounds", 1))
        assert read_stop_reason(folder) == "rounds"
        launched(folder, 1)
        assert read_stop_reason(folder) == "interrupted"


def test_a_number_that_was_changed_on_the_disk_is_told(tmp_path: Path) -> None:
    """A page of zeros within the times of a good launch was shown as if it had been measured."""
    with new(tmp_path) as folder:
        launched(folder, 0, values=(1 << 40, 1 << 41))
    samples = folder.path / "launches/0000/samples.bin"
    content = samples.read_bytes()
    samples.write_bytes(content.replace((1 << 40).to_bytes(8, "little"), bytes(8), 1))
    with pytest.raises(StoreError, match="they are not those that the launch left") as caught:
        _ = RunFolder.open(folder.path).dataset
    assert caught.value.where == str(samples)
    assert "move the folder of this launch out" in caught.value.remedy


def test_samples_of_a_run_of_an_older_msgauge_have_no_digest_and_are_read(tmp_path: Path) -> None:
    with new(tmp_path) as folder:
        launched(folder, 0)
    record = folder.path / "launches/0000/record.json"
    document = json.loads(record.read_text())
    assert len(document["value"].pop("samples_digest")) == 64
    record.write_text(json.dumps(document))
    assert RunFolder.open(folder.path).dataset.rounds == 1


def test_what_a_rank_on_a_lost_host_still_writes_is_no_damage(tmp_path: Path) -> None:
    with new(tmp_path) as folder:
        launched(folder, 0)
        (folder.launch_folder(1) / "samples.bin").write_bytes(b"early")
        folder.record(LaunchRecord(Launch(1, 1, "a@1", 2, (0,), 5), "failed", lost=True))
    (folder.path / "launches/0001/samples.bin").write_bytes(b"late")
    assert RunFolder.open(folder.path).dataset.rounds == 2


def test_a_run_that_lost_its_plan_is_not_passed_over_where_all_are_asked_for(tmp_path: Path) -> None:
    """One of thirty runs without its plan.json was missing from the history without a word."""
    for _ in range(2):
        with new(tmp_path) as folder:
            launched(folder, 0)
    whole = sorted(tmp_path.iterdir())
    (tmp_path / "lost+found").mkdir(mode=0)
    (tmp_path / "notes.txt").touch()
    (tmp_path / "figures").mkdir()
    assert find_run_folders(tmp_path) == whole
    (whole[0] / "plan.json").unlink()
    with pytest.raises(StoreError, match=r"plan.json is gone") as caught:
        find_run_folders(tmp_path)
    assert caught.value.where == str(whole[0])
    assert f"move this folder out of {tmp_path}" in caught.value.remedy
    assert find_readable_runs(tmp_path) == whole[1:]


@pytest.mark.parametrize(
    ("said", "told"),
    [({"bytes": "64"}, "pingpong of 64 bytes"), ({"kernel": "bcast"}, "bcast of 8 bytes")],
)
def test_samples_of_another_test_than_the_plan_says_are_refused(
    tmp_path: Path, said: dict[str, str], told: str
) -> None:
    """Somebody changed a number of the plan: 64 KiB stood under 128 KiB, at twice the bandwidth."""
    with new(tmp_path) as folder:
        attributes = tuple(({"kernel": "pingpong", "bytes": "8"} | said).items())
        frame = Samples(0, 0, "time", np.array([10, 20]), 2, attributes=attributes)
        end = Samples(0, -1, "end", np.empty(0, dtype=np.int64))
        (folder.launch_folder(0) / "samples.bin").write_bytes(b"".join(map(wire.write_frame, [frame, end])))
        folder.record(LaunchRecord(Launch(0, 0, "a@1", 2, (0,), 5), "ok"))
    with pytest.raises(StoreError, match=f"the plan says pingpong of 8 bytes, and they are of {told}"):
        _ = RunFolder.open(folder.path).dataset


def test_a_launch_that_failed_may_have_said_anything(tmp_path: Path) -> None:
    """One garbled word of it made the whole run unreadable, with the blame on its plan."""
    with new(tmp_path) as folder:
        launched(folder, 0)
        frame = Samples(1, 0, "time", np.array([10, 20]), 2, attributes=(("kernel", "pingpomg"), ("bytes", "8")))
        (folder.launch_folder(1) / "samples.bin").write_bytes(wire.write_frame(frame))
        folder.record(LaunchRecord(Launch(1, 1, "a@1", 2, (0,), 5), "failed", reason="crashed"))
    assert RunFolder.open(folder.path).dataset.rounds == 2
