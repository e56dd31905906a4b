"""The programs of ``benchmarks/`` keep up with the package they measure: each can be loaded, and a page tells of it."""

from __future__ import annotations

import importlib
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
BENCHMARKS = ROOT / "benchmarks"
PARTS = {"interleaved"}
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
    named = set(re.findall(r"^## `python benchmarks/(\w+)\.py", page, re.MULTILINE))
    assert named == programs
