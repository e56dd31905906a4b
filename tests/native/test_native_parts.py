"""The native parts that need no launcher, by doctest."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest


@pytest.mark.skipif(not Path("/usr/include/doctest/doctest.h").exists(), reason="doctest-dev is not installed")
@pytest.mark.parametrize("source", ["unit.cpp", "self_timed.cpp", "clocks.cpp"])
def test_native_parts_keep_their_claims(native_part: Callable[[str], Path], source: str) -> None:
    program = native_part(source)
    done = subprocess.run([program], capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stdout[-4000:]
    assert "test cases:  0" not in done.stdout
