"""Claims about notes of launches: one that is gone is named, and neither a crash nor an older run makes one up."""

import json
from pathlib import Path

import pytest

from msgauge.errors import StoreError
from msgauge.model import Cell, Launch, LaunchRecord, Origin, Plan, Stack
from msgauge.results.launch_notes import NAME, LaunchNote
from msgauge.results.run_folder import RunFolder

PLAN = Plan("quick", 7, ("a@1",), (Cell(0, "pingpong", 8, 2),), (2,))


def recorded(parent: Path, *numbers: int, lost: bool = False) -> Path:
    """A run in which these launches failed: they have records and need no samples."""
    with RunFolder.create(parent, "", PLAN, {}, [Stack("a", "1", Origin("system"))]) as folder:
        for number in numbers:
            folder.record(LaunchRecord(Launch(number, number, "a@1", 2, (0,), 5), "failed", lost=lost))
    return folder.path


def missing(path: Path) -> list[int]:
    return [one.number for one in RunFolder.open(path).find_missing()]


def move_away(path: Path, number: int) -> None:
    (path / f"launches/{number:04d}").rename(path / f"launches/{number:04d}.damaged")


def test_a_launch_that_was_moved_away_is_named_and_measured_again(tmp_path: Path) -> None:
    path = recorded(tmp_path, 0, 1, 2)
    assert missing(path) == []
    move_away(path, 1)
    (path / "launches/0002/record.json").unlink()
    found = RunFolder.open(path).find_missing()
    assert found == (LaunchNote(1, 1, "a@1", 2), LaunchNote(2, 2, "a@1", 2))
    with RunFolder.open(path, write=True) as folder:
        assert folder.put_aside == {1, 2}
        for number in (1, 2):
            folder.record(LaunchRecord(Launch(number, number, "a@1", 2, (0,), 5), "failed"))
    assert missing(path) == []


def test_a_launch_without_a_note_gets_it_when_the_run_goes_on(tmp_path: Path) -> None:
    """Of an older msgauge, or where it was killed between the record and the note."""
    path = recorded(tmp_path, 0, 1)
    (path / NAME).unlink()
    assert missing(path) == []
    RunFolder.open(path, write=True).close()
    move_away(path, 0)
    assert missing(path) == [0]


@pytest.mark.parametrize("left", [1, 20, -1])
def test_a_note_that_a_crash_cut_off_is_made_up_for(tmp_path: Path, left: int) -> None:
    path = recorded(tmp_path, 0, 1)
    *whole, last = (path / NAME).read_bytes().splitlines(keepends=True)
    (path / NAME).write_bytes(b"".join(whole) + last[:left])
    assert missing(path) == []
    with RunFolder.open(path, write=True) as folder:
        folder.record(LaunchRecord(Launch(2, 2, "a@1", 2, (0,), 5), "failed"))
    for number in (0, 1, 2):
        move_away(path, number)
    assert missing(path) == [0, 1, 2]


def test_a_note_that_was_cut_off_spoils_no_later_one_where_its_launch_is_gone_too(tmp_path: Path) -> None:
    path = recorded(tmp_path, 0, 1)
    (path / NAME).write_bytes((path / NAME).read_bytes()[:-5])
    move_away(path, 1)
    with RunFolder.open(path, write=True) as folder:
        folder.record(LaunchRecord(Launch(2, 2, "a@1", 2, (0,), 5), "failed"))
    move_away(path, 2)
    assert missing(path) == [2]


def test_a_launch_whose_hosts_went_away_is_not_missed(tmp_path: Path) -> None:
    """It is put aside to be measured again, and says nothing."""
    path = recorded(tmp_path, 0, lost=True)
    with RunFolder.open(path, write=True) as folder:
        assert folder.put_aside == {0}
    assert missing(path) == []


@pytest.mark.parametrize(
    "content", [b"\n", b"rubbish\n", b"\xff\n", b"[]\n", b'{"number": "x"}\n', b"[" * 100_000 + b"\n"]
)
def test_damaged_notes_are_told_with_a_remedy(tmp_path: Path, content: bytes) -> None:
    path = recorded(tmp_path, 0)
    with (path / NAME).open("ab") as file:
        file.write(content)
    for write in (False, True):
        with pytest.raises(StoreError, match="no note of a launch") as caught:
            RunFolder.open(path, write=write).find_missing()
        assert f"{NAME}, line 2" in caught.value.where
        assert "move it away" in caught.value.remedy


def test_notes_that_cannot_be_read_are_told(tmp_path: Path) -> None:
    path = recorded(tmp_path, 0)
    (path / NAME).unlink()
    (path / NAME).mkdir()
    with pytest.raises(StoreError, match="Is a directory") as caught:
        missing(path)
    assert caught.value.remedy


def test_a_note_is_one_line_of_json(tmp_path: Path) -> None:
    line = (recorded(tmp_path, 3) / NAME).read_text()
    assert json.loads(line) == {"number": 3, "round": 3, "stack": "a@1", "ranks": 2}
