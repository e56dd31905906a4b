"""What stacks share whose ranks are in Octave: its version, and what it writes that says nothing of a run."""

from __future__ import annotations

import re

from msgauge.stacks.base.log_noise import LogNoise
from msgauge.stacks.base.tool_query import ask

OCTAVE_NOISE = LogNoise(lines=("error: ignoring const execution_exception& while preparing to exit",))
"""Lines on standard error of an interpreter that ends while an error is still on its way."""


def octave_version(octave: str) -> str:
    """The version of an interpreter; 0 where it says none."""
    found = re.search(r"version (\d+(?:\.\d+)*)", ask((octave, "--version")).text)
    return found[1] if found else "0"
