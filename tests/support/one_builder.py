"""What several processes of pytest need is built by the first that asks, while the others wait."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest


@contextmanager
def one_builder(lock: Path) -> Iterator[None]:
    """No other process is in the block with this lock, a file that is made where it is missing."""
    lock.parent.mkdir(parents=True, exist_ok=True)
    with lock.open("w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        yield


def shared_folder(factory: pytest.TempPathFactory) -> Path:
    """A temporary folder of the whole test run: the same in each process of pytest."""
    own = factory.getbasetemp()
    return own.parent if "PYTEST_XDIST_WORKER" in os.environ else own
