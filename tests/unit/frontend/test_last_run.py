"""Claims about the run that a command takes when its line names none."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from msgauge.errors import UsageError
from msgauge.frontend.last_run import choose_run


def a_run(place: Path, name: str, began_s: int) -> Path:
    folder = place / name
    folder.mkdir(parents=True)
    (folder / "plan.json").write_text("{}")
    os.utime(folder / "plan.json", (began_s, began_s))
    return folder


def test_the_run_that_began_last_is_taken_whatever_its_name(tmp_path: Path) -> None:
    latest = a_run(tmp_path, "a", 300)
    a_run(tmp_path, "b", 200)
    (tmp_path / "c").mkdir()
    assert choose_run(None, tmp_path) == latest


def test_a_folder_that_is_named_is_taken_as_it_is(tmp_path: Path) -> None:
    a_run(tmp_path, "a", 300)
    other = tmp_path / "anything"
    other.mkdir()
    assert choose_run(other, tmp_path) == other
    assert choose_run(tmp_path / "zzz", tmp_path) == tmp_path / "zzz", "who opens it tells that it is not there"


def test_a_name_that_is_nearly_right_is_answered_with_the_right_one(tmp_path: Path) -> None:
    a_run(tmp_path, "2026-11-20T2314-host-a1b2", 300)
    with pytest.raises(UsageError) as caught:
        choose_run(tmp_path / "2026-11-20T2314-host-a1b3", tmp_path)
    assert "2026-11-20T2314-host-a1b2" in caught.value.remedy


def test_without_any_run_the_remedy_is_to_measure_one(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no run below") as caught:
        choose_run(None, tmp_path / "runs")
    assert "msgauge compare" in caught.value.remedy
