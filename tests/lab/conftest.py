"""One lab for the tests of a module, and one with sshd for all."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from lab_bench import start, start_with_slurm

from msgauge.lab.emulation import Lab
from msgauge.lab.link import PRESETS


@pytest.fixture(scope="module")
def lab() -> Iterator[Lab]:
    """Three hosts, joined without limits."""
    with start(3, PRESETS["bare"]) as standing:
        yield standing


@pytest.fixture(scope="session")
def ssh_lab() -> Iterator[Lab]:
    """Three hosts with an sshd each, joined without limits."""
    with start(3, PRESETS["bare"], ssh=True) as standing:
        yield standing


@pytest.fixture(scope="session")
def slurm_lab() -> Iterator[Lab]:
    """Four hosts with Slurm, for all tests that ask for it."""
    with start_with_slurm(4) as standing:
        yield standing
