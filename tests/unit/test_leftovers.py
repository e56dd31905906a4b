"""What a killed process manager leaves in /tmp is removed, and nothing that may be another's."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from msgauge.processes.leftovers import HydraFiles

NAME = "hydra_hwloc_xmlfile_{}"


@pytest.fixture
def hydra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> HydraFiles:
    """One file is there before; a new one, and a new file of another name, come after."""
    monkeypatch.setattr(HydraFiles, "FOLDER", tmp_path)
    monkeypatch.setattr(HydraFiles, "MAKER", "no-such-maker")
    (tmp_path / NAME.format("before")).touch()
    files = HydraFiles()
    (tmp_path / NAME.format("after")).touch()
    (tmp_path / "another").touch()
    return files


def names(folder: Path) -> set[str]:
    return {path.name.replace(NAME.format(""), "") for path in folder.iterdir()}


def test_what_is_new_and_ours_is_removed(hydra: HydraFiles, tmp_path: Path) -> None:
    hydra.remove_leftovers({os.getuid()})
    assert names(tmp_path) == {"before", "another"}


def test_what_is_another_users_stays(hydra: HydraFiles, tmp_path: Path) -> None:
    hydra.remove_leftovers({os.getuid() + 1})
    assert names(tmp_path) == {"before", "after", "another"}


def test_nothing_is_removed_while_one_lives_that_may_need_it(
    hydra: HydraFiles, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(HydraFiles, "MAKER", Path("/proc/self/comm").read_text().strip())
    hydra.remove_leftovers({os.getuid()})
    assert names(tmp_path) == {"before", "after", "another"}
