"""Labs for tests. They need root and a kernel with namespaces; where those are refused under CI, the tests fail."""

from __future__ import annotations

import os

import pytest

from msgauge.errors import ToolError
from msgauge.lab.emulation import LabPlan, RunningLab
from msgauge.lab.faults import Faults
from msgauge.lab.link import Link


def start(hosts: int, link: Link, offsets: tuple[int, ...] = (), faults: Faults | None = None) -> RunningLab:
    """A lab, or a failure of the test that says why there is none here."""
    try:
        return RunningLab(LabPlan(hosts, link, clock_offsets_ns=offsets, faults=faults or Faults()), ["nobody"])
    except ToolError as error:
        if os.environ.get("CI") == "true":
            pytest.fail(f"CI must be able to emulate hosts: {error}")
        pytest.skip(f"no emulated hosts here: {error}")
