"""One lab for the tests of a module."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from lab_bench import start

from msgauge.lab.emulation import Lab
from msgauge.lab.link import PRESETS


@pytest.fixture(scope="module")
def lab() -> Iterator[Lab]:
    """Three hosts, joined without limits."""
    with start(3, PRESETS["bare"]) as standing:
        yield standing
