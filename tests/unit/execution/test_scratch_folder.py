"""Launches work in folders that every launcher can be told of."""

from __future__ import annotations

from pathlib import Path

import pytest

from msgauge.execution.scratch_folder import Scratch


@pytest.mark.parametrize("name", ["sp ace", "größe", "a'b", "$HOME", "new\nline"])
def test_a_folder_with_odd_letters_is_reached_by_a_plain_link(tmp_path: Path, name: str) -> None:
    scratch = Scratch.make()
    try:
        for number in ("0000", "0001", "0000"):
            folder = tmp_path / name / number
            folder.mkdir(parents=True, exist_ok=True)
            plain = scratch.name_plainly(folder)
            assert name not in str(plain) and plain.name == number
            (plain / "samples.bin").write_text(number)
            assert (folder / "samples.bin").read_text() == number
    finally:
        scratch.remove()
    assert (tmp_path / name / "0001" / "samples.bin").read_text() == "0001", "the link alone was removed"


def test_a_plain_folder_is_taken_as_it_is(tmp_path: Path) -> None:
    scratch = Scratch.make()
    try:
        assert scratch.name_plainly(tmp_path / "runs" / "2026-11-30T1857-vm-c951") == (
            tmp_path / "runs" / "2026-11-30T1857-vm-c951"
        )
    finally:
        scratch.remove()
