"""The programs of ``benchmarks/`` keep up with the package they measure: each can be loaded, and a page tells of it."""

from __future__ import annotations

import importlib
import re
import subprocess
from pathlib import Path

import pytest
from benchmarks import filempi_originals
from benchmarks.taskfarm.__main__ import PARTS as PARTS_OF_TASKFARM

ROOT = Path(__file__).parents[2]
BENCHMARKS = ROOT / "benchmarks"
PARTS = {"host_processes", "interleaved"}
"""Used by the others."""


@pytest.mark.parametrize("name", sorted(path.stem for path in BENCHMARKS.glob("*.py")))
def test_every_benchmark_can_be_loaded(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    module = importlib.import_module(name)
    assert module.__doc__
    assert name in PARTS or callable(module.main)


def test_every_benchmark_stands_in_the_page_of_benchmarks_with_its_command() -> None:
    page = (ROOT / "docs" / "explanation" / "benchmarks.md").read_text(encoding="utf-8")
    programs = {path.stem for path in BENCHMARKS.glob("*.py")} - PARTS
    named = re.findall(r"^## `python benchmarks/(\w+)\.py", page, re.MULTILINE)
    assert sorted(named) == sorted(programs), "each once"


@pytest.mark.parametrize("part", PARTS_OF_TASKFARM)
def test_every_part_of_the_benchmarks_of_taskfarm_stands_in_the_page_and_tells_its_options(
    part: str, capsys: pytest.CaptureFixture[str]
) -> None:
    page = (ROOT / "docs" / "explanation" / "benchmarks.md").read_text(encoding="utf-8")
    assert f"`python -m benchmarks.taskfarm {part}`" in page
    with pytest.raises(SystemExit, match="0"):
        PARTS_OF_TASKFARM[part](["--help"])
    assert ("folder" if part == "executor" else "--pairs") in capsys.readouterr().out


def test_originals_are_fetched_at_their_commit_and_only_once(tmp_path: Path) -> None:
    first, second = repository_with_two_commits(tmp_path / "origin")
    origin = filempi_originals.Origin(str(tmp_path / "origin"), first, "inner")
    copy = filempi_originals.fetch(origin, tmp_path / "copy")
    assert (copy / "program.m").read_text() == "first"
    (tmp_path / "origin").rename(tmp_path / "gone")
    assert filempi_originals.fetch(origin, tmp_path / "copy") == copy
    with pytest.raises(SystemExit, match="could not be fetched"):
        filempi_originals.fetch(filempi_originals.Origin(origin.address, second, "inner"), tmp_path / "copy")


def test_fetching_without_a_network_says_so_and_what_to_do_instead(tmp_path: Path) -> None:
    origin = filempi_originals.Origin("https://nowhere.invalid/original.git", "0" * 40, ".")
    with pytest.raises(SystemExit, match=r"(?s)nowhere\.invalid.*could not be fetched: .*needs a network.*--pmatlab"):
        filempi_originals.fetch(origin, tmp_path / "copy")


def repository_with_two_commits(place: Path) -> list[str]:
    """The hashes of two commits, each with ``inner/program.m``, whose text is ``first`` and ``second``."""
    (place / "inner").mkdir(parents=True)
    filempi_originals.git(place, "init", "-q")
    for text in ("first", "second"):
        (place / "inner" / "program.m").write_text(text)
        filempi_originals.git(place, "add", ".")
        subprocess.run(
            ["git", "-C", place, "-c", "user.name=n", "-c", "user.email=e@e", "commit", "-q", "-m", text], check=True
        )
    return [filempi_originals.git(place, "rev-parse", f"HEAD{past}") for past in ("~1", "")]
