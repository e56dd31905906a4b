"""The programs of ``benchmarks/`` keep up with the package they measure: each can be loaded, and has a ``main``."""

from __future__ import annotations

import importlib
from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
PARTS = {"interleaved"}
"""Used by the others."""


@pytest.mark.parametrize("name", sorted(path.stem for path in BENCHMARKS.glob("*.py")))
def test_every_benchmark_can_be_loaded(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    module = importlib.import_module(name)
    assert module.__doc__
    assert name in PARTS or callable(module.main)
