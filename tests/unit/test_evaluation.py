"""Warnings about a whole run folder."""

from __future__ import annotations

from pathlib import Path

from msgauge import evaluation
from msgauge.model import (
    Build,
    Command,
)


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
