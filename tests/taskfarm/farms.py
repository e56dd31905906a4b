"""Builds taskfarm once, and gives the tests its package, its programs and farms that end with the test."""

from __future__ import annotations

import fcntl
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
LIBRARY = ROOT / "taskfarm"
SANITIZED = os.environ.get("TASKFARM_SANITIZED", "")
"""asan, ubsan or tsan: the tests run over that build, which `make asan-python` has made and preloads a library for."""
BUILD = LIBRARY / "build" / SANITIZED
sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(BUILD / "package"))
ENVIRONMENT = {**os.environ, "PYTHONPATH": f"{BUILD / 'package'}:{Path(__file__).parent}"}
"""Of programs that use the package, and what stands beside the tests."""


def build() -> None:
    """`make build`, by one test process at a time."""
    with (LIBRARY / ".building").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        done = subprocess.run(
            ["make", "-C", str(LIBRARY), "build", f"PYTHON={sys.executable}"],
            capture_output=True,
            text=True,
            check=False,
        )
    if done.returncode != 0:
        raise pytest.UsageError(f"taskfarm cannot be built:\n{done.stdout[-3000:]}{done.stderr[-3000:]}")


def run_python(*arguments: str, given: str = "", folder: Path) -> str:
    """What Python printed, and complained of, with these arguments in this folder; ``given``: its standard input."""
    done = subprocess.run(
        [sys.executable, *arguments],
        input=given,
        env=ENVIRONMENT,
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        timeout=240,
    )
    return done.stdout + done.stderr


# Workers that unpickle a function of a test import this file too: they must not build.
if os.environ.get("TASKFARM_BUILT") != str(BUILD):
    if not SANITIZED:
        build()
    os.environ["TASKFARM_BUILT"] = str(BUILD)

TRANSPORTS = {
    "tcp": ("tcp://127.0.0.1:0?shm=off", False),
    "unix": ("unix://{folder}/farm.sock?shm=off", False),
    "shm": ("unix://{folder}/farm.sock", False),
    "tcp-shm": ("tcp://127.0.0.1:0", False),
    "tls": ("tcp://127.0.0.1:0?shm=off", True),
}


class Transport:
    """An address to listen on, its credentials, and how workers are told of it."""

    def __init__(self, name: str, folder: Path) -> None:
        self.name = name
        template, self.secured = TRANSPORTS[name]
        self.url = template.format(folder=folder)
        self.options: dict[str, Any] = {}
        if self.secured:
            import taskfarm

            key = folder / "key"
            if not key.exists():
                taskfarm.make_key(str(key))
            self.options = {"key_file": str(key)}

    def of(self, coordinator: Any) -> str:
        """The address for workers."""
        return str(coordinator.url) + ("?shm=off" if "shm=off" in self.url else "")
