"""What a killed process manager leaves in /tmp is removed, and nothing that may be another's."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from msgauge.execution.leftover_files import TemporaryFileCleanup

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
