"""Warnings about a whole run folder."""

from __future__ import annotations

from pathlib import Path
from typing import cast

import pytest

from msgauge import evaluation
from msgauge.errors import ToolError
from msgauge.model import (
    Build,
    Command,
)
from msgauge.results.run_folder import RunFolder


def test_where_nothing_can_be_drawn_a_run_is_shown_without_its_page(monkeypatch: pytest.MonkeyPatch) -> None:
    def draw(folder: RunFolder) -> None:
        raise ToolError("no figure can be drawn", remedy="lift the limit")

    monkeypatch.setattr(evaluation, "write_page", draw)
    missing = evaluation.keep_page(cast(RunFolder, None))
    assert missing == "no figure can be drawn\n  remedy: lift the limit"


def test_workers_that_the_cache_could_not_take_are_warned_of(tmp_path: Path) -> None:
    compiled = Command(("mpicxx",))
    builds = [
        Build("a", (str(tmp_path / "builds/a/worker"),), compiled, unwritable_cache="/cache/workers"),
        Build("b", ("/cache/workers/b/worker",), compiled),
        Build("octave", ("octave", str(tmp_path / "builds/octave/worker")), None),
    ]
    (warning,) = evaluation._warn_uncached(builds)
    assert warning.code == "cache-not-writable"
    assert warning.evidence == (("stacks", "a"),)
    assert "/cache/workers" in warning.message
    assert "MSGAUGE_CACHE" in warning.remedy
