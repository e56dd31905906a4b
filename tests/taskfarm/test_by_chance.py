"""The farm beside a model of its promises, step by step, and on a system whose calls and memory fail by chance."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest
from farms import BUILD, Transport

PLANTED = {**os.environ, "TASKFARM_PLANTED": "1"}
SELDOM_BEATS = {**os.environ, "TASKFARM_HEARTBEAT_MS": "90000"}
RATES = ("40", "200", "60")  # one in so many: harmless, costly, of memory
INTERRUPTED = ("2", "100", "40")


def stateful(kind: str, *numbers: str, environment: dict[str, str] | None = None) -> tuple[int, str]:
    """Status and last line of a run."""
    command = [BUILD / "tests" / "stateful", kind, *numbers]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=100)
    return done.returncode, done.stdout.splitlines()[-1]


def faulty_system(
    transport: Transport,
    seed: str,
    journal: str = "",
    environment: dict[str, str] | None = None,
    rates: tuple[str, str, str] = RATES,
) -> Any:
    """What it reports."""
    options = [journal, *transport.options.values()]
    command = [BUILD / "tests" / "faulty_system", transport.url, "3000", seed, *rates, *options]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=60)
    report = json.loads(done.stdout)
    assert done.returncode == (0 if report["good"] else 1), done.stderr
    return report


@pytest.mark.parametrize("kind", ["unix", "tcp", "shm", "tcp-shm"])
def test_after_each_step_the_farm_is_as_the_model_says(kind: str) -> None:
    """Six seeds: ordered and not, with a journal and without."""
    status, line = stateful(kind, "250", "1", "6")
    assert status == 0, line
    report = json.loads(line)
    assert report["steps"] == 1500
    assert report["tasks"] > 500


def test_the_model_sees_a_task_that_came_to_another_end() -> None:
    status, line = stateful("unix", "100", "1", environment=PLANTED)
    assert status == 1
    assert "an end that it has not come to" in line


@pytest.mark.parametrize("seed", ["2", "9"])  # unordered, and ordered with a journal that is synchronized
@pytest.mark.parametrize("kept", [False, True], ids=["forgotten", "journal"])
def test_failing_calls_and_allocations_cost_no_task(
    transport: Transport, tmp_path: Path, kept: bool, seed: str
) -> None:
    report = faulty_system(transport, seed, str(tmp_path / "journal") if kept else "")
    assert report["good"], report
    assert report["faults"] - report["faults_of_memory"] >= 10, report
    assert report["faults_of_memory"] >= 5, report


def test_on_a_faulty_system_a_wrong_end_is_seen(tmp_path: Path) -> None:
    report = faulty_system(Transport("unix", tmp_path), "2", environment=PLANTED)
    assert (report["good"], report["wrong"]) == (False, 1)


def test_a_worker_whose_wake_up_is_interrupted_ends_without_waiting_for_the_next_heartbeat(tmp_path: Path) -> None:
    """Four workers, lost at the end, and every second call is in vain: one would wait for a minute and a half."""
    assert faulty_system(Transport("unix", tmp_path), "3", environment=SELDOM_BEATS, rates=INTERRUPTED)["good"]
