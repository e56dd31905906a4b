"""Fixtures of these tests; what they give is made in farms.py."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from farms import ENVIRONMENT, TRANSPORTS, Transport

# A shell starts what runs in its background with Ctrl-C ignored, which all processes of a test would inherit.
signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_configure(config: pytest.Config) -> None:
    """Farms that a test kills leave their sockets, which the next farm would remove: here in a folder that goes too."""
    folder = TemporaryDirectory(prefix="taskfarm-tests-")
    config.add_cleanup(folder.cleanup)
    os.environ["XDG_RUNTIME_DIR"] = ENVIRONMENT["XDG_RUNTIME_DIR"] = folder.name


@pytest.fixture(params=list(TRANSPORTS))
def transport(request: pytest.FixtureRequest, tmp_path: Path) -> Transport:
    """Each transport in turn."""
    return Transport(request.param, tmp_path)


@pytest.fixture
def listen() -> Iterator[Callable[..., Any]]:
    """Coordinators that are closed at the end."""
    import taskfarm

    made: list[Any] = []

    def start(url: str, **options: Any) -> Any:
        made.append(taskfarm.Coordinator(url, options))
        return made[-1]

    yield start
    for coordinator in made:
        coordinator.close(0)


@pytest.fixture
def start_worker() -> Iterator[Callable[..., subprocess.Popen[bytes]]]:
    """Worker processes (tests/taskfarm/acting_worker.py) that are killed at the end."""
    made: list[subprocess.Popen[bytes]] = []

    def start(url: str, *arguments: str) -> subprocess.Popen[bytes]:
        script = Path(__file__).with_name("acting_worker.py")
        made.append(subprocess.Popen([sys.executable, str(script), url, *arguments], stdin=subprocess.DEVNULL))
        return made[-1]

    yield start
    for process in made:
        process.kill()
        process.wait()
