"""What a killed tree leaves in /tmp and in shared memory is removed, and nothing that may be another's."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from msgauge.execution.leftover_files import SharedMemory, TemporaryFileCleanup

NAME = "hydra_hwloc_xmlfile_{}"


@pytest.fixture
def hydra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> TemporaryFileCleanup:
    """One file is there before; a new one, and a new file of another name, come after."""
    monkeypatch.setattr(TemporaryFileCleanup, "FOLDER", tmp_path)
    (tmp_path / NAME.format("before")).touch()
    files = TemporaryFileCleanup(NAME.format("*"), "no-such-maker")
    (tmp_path / NAME.format("after")).touch()
    (tmp_path / "another").touch()
    return files


def names(folder: Path) -> set[str]:
    return {path.name.replace(NAME.format(""), "") for path in folder.iterdir()}


def test_what_is_new_and_ours_is_removed(hydra: TemporaryFileCleanup, tmp_path: Path) -> None:
    hydra.remove_leftovers({os.getuid()})
    assert names(tmp_path) == {"before", "another"}


def test_what_is_another_users_stays(hydra: TemporaryFileCleanup, tmp_path: Path) -> None:
    hydra.remove_leftovers({os.getuid() + 1})
    assert names(tmp_path) == {"before", "after", "another"}


def test_nothing_is_removed_while_one_lives_that_may_need_it(hydra: TemporaryFileCleanup, tmp_path: Path) -> None:
    hydra.maker = Path("/proc/self/comm").read_text().strip()
    hydra.remove_leftovers({os.getuid()})
    assert names(tmp_path) == {"before", "after", "another"}


@pytest.fixture
def segments() -> Iterator[list[int]]:
    """Numbers of System V segments that tests make; none is left."""
    made: list[int] = []
    yield made
    for number in made:
        ctypes.CDLL(None).shmctl(number, 0, None)


def test_system_v_memory_of_one_that_died_by_itself_goes_and_that_of_the_living_stays(segments: list[int]) -> None:
    make = lambda: ctypes.CDLL(None).shmget(0, 4096, 0o1600)  # noqa: E731
    told, tell = os.pipe()
    child = os.fork()
    if child == 0:
        os.write(tell, str(make()).encode())
        os._exit(0)
    os.waitpid(child, 0)
    segments += [make(), int(os.read(told, 20))]
    os.close(told), os.close(tell)
    memory = SharedMemory([], [])
    memory.note_ended([child])
    memory.remove_leftovers()
    stand = {int(line.split()[1]) for line in Path("/proc/sysvipc/shm").read_text().splitlines()[1:]}
    assert stand.intersection(segments) == {segments[0]}
