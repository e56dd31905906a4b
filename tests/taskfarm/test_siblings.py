"""Several workers by one command: they join, and end together, in whatever way that comes about."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from farms import BUILD
from process_ends import gone
from results import take, until

import taskfarm

COUNT = 3


@pytest.fixture
def farm(listen: Any, tmp_path: Path) -> Any:
    (tmp_path / "told.py").write_text("import os\n\n\ndef told(data):\n    return str(os.getpid()).encode()\n")
    return listen(f"unix://{tmp_path}/s", heartbeat_ms=100)


@pytest.fixture
def siblings(farm: Any, tmp_path: Path) -> Iterator[subprocess.Popen[bytes]]:
    """The command, when all its workers have joined."""
    environment = {**os.environ, "PYTHONPATH": f"{BUILD / 'package'}:{tmp_path}"}
    command = [sys.executable, "-m", "taskfarm.worker", farm.url, "--function", "told:told", "--reconnect-timeout", "1"]
    command += [f"--processes={COUNT}", "--while-input-open"]
    with subprocess.Popen(command, env=environment, stdin=subprocess.PIPE) as process:
        until(farm, lambda s: s["workers_idle"] == COUNT)
        yield process
        process.kill()


def pids(farm: Any) -> set[int]:
    return {int(worker["pid"]) for worker in farm.workers()}


def test_they_work_and_go_home(farm: Any, siblings: subprocess.Popen[bytes]) -> None:
    workers = pids(farm)
    assert len(workers) == COUNT and siblings.pid not in workers
    farm.submit_many([b""] * COUNT)
    assert {int(result[2]) for result in take(farm, COUNT)} == workers
    farm.close(5000)
    assert siblings.wait(10) == 0


@pytest.mark.parametrize(
    ("end", "status"),
    [
        (lambda process: process.stdin.close(), 0),
        (lambda process: process.send_signal(signal.SIGTERM), 128 + signal.SIGTERM),
        (lambda process: process.send_signal(signal.SIGINT), 128 + signal.SIGINT),
        (lambda process: process.kill(), -signal.SIGKILL),
    ],
    ids=["input-ends", "terminated", "ctrl-c", "killed"],
)
def test_they_end_with_the_command(
    farm: Any, siblings: subprocess.Popen[bytes], end: Callable[[subprocess.Popen[bytes]], None], status: int
) -> None:
    workers = pids(farm)
    end(siblings)
    assert siblings.wait(10) == status
    until(farm, lambda s: s["workers"] == 0)
    assert all(gone(pid, within_s=10) for pid in workers)


def test_one_that_dies_leaves_the_others(farm: Any, siblings: subprocess.Popen[bytes]) -> None:
    victim = min(pids(farm))
    os.kill(victim, signal.SIGKILL)
    until(farm, lambda s: s["workers"] == COUNT - 1)
    farm.submit_many([b""] * 10)
    assert victim not in {int(result[2]) for result in take(farm, 10)}
    farm.close(5000)
    assert siblings.wait(10) == 128 + signal.SIGKILL


def test_workers_that_cannot_join_say_so_by_their_status(tmp_path: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": str(BUILD / "package")}
    command = [sys.executable, "-m", "taskfarm.worker", f"unix://{tmp_path}/none", "--pickle", "--processes=2"]
    command += ["--connect-timeout", "0.2"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 1
    assert done.stderr.count("no coordinator") == 2
    assert taskfarm.__file__.startswith(str(BUILD))


def test_local_workers_end_with_a_launcher_that_is_killed(farm: Any, tmp_path: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": f"{BUILD / 'package'}:{tmp_path}"}
    command = [sys.executable, "-m", "taskfarm", "workers", farm.url, "-n", str(COUNT), "--function", "told:told"]
    with subprocess.Popen(command, env=environment) as launcher:
        until(farm, lambda s: s["workers_idle"] == COUNT)
        workers = pids(farm)
        launcher.kill()
    until(farm, lambda s: s["workers"] == 0)
    assert gone(*workers, within_s=10)
