"""The Python package: futures, streams, errors, commands."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import CancelledError, wait
from pathlib import Path

import pytest
from farms import ENVIRONMENT, LIBRARY

import taskfarm


def square(x: int) -> int:
    return x * x


def fail_at_three(x: int) -> int:
    if x == 3:
        raise ValueError("three")
    return x


def nap(seconds: float) -> float:
    time.sleep(seconds)
    return seconds


def die_once(mark: str) -> str:
    if not Path(mark).exists():
        Path(mark).touch()
        os.abort()
    return "alive"


class Unpicklable(Exception):
    def __init__(self, one: int, two: int) -> None:
        super().__init__("odd")


def raise_unpicklable() -> None:
    raise Unpicklable(1, 2)


@pytest.fixture(scope="module")
def farm() -> Iterator[taskfarm.Farm]:
    with taskfarm.Farm(workers=2, pickle=True) as made:
        yield made


def test_results_come_in_order_or_as_they_come(farm: taskfarm.Farm) -> None:
    assert list(farm.map(square, range(1000))) == [x * x for x in range(1000)]
    assert sorted(farm.imap_unordered(square, range(3000))) == [x * x for x in range(3000)]
    assert list(farm.imap(pow, [2, 3], [5, 2])) == [32, 9]


def test_futures(farm: taskfarm.Farm) -> None:
    futures = [farm.submit(pow, 2, i) for i in range(200)]
    _, pending = wait(futures, timeout=60)
    assert not pending
    assert [f.result() for f in futures] == [2**i for i in range(200)]


def test_an_exception_is_that_of_the_worker_with_its_traceback(farm: taskfarm.Farm) -> None:
    with pytest.raises(ValueError, match="three") as caught:
        list(farm.map(fail_at_three, range(5)))
    assert "fail_at_three" in str(caught.value.__cause__)
    stream = farm.imap(fail_at_three, range(5))
    values = []
    for _ in range(5):
        try:
            values.append(next(stream))
        except ValueError:
            values.append(-1)
    assert values == [0, 1, 2, -1, 4]


def test_what_cannot_be_pickled_is_an_error_and_not_a_hang(farm: taskfarm.Farm) -> None:
    with pytest.raises(taskfarm.TaskFailed, match="Unpicklable: odd"):
        farm.submit(raise_unpicklable).result(60)
    with pytest.raises((AttributeError, taskfarm.Error, Exception), match="pickle"):
        farm.submit(threading.Lock).result(60)
    with pytest.raises(TypeError, match="make what it holds where it runs"):
        farm.submit(lambda: farm).result(60)
    assert farm.submit(square, 3).result(60) == 9


def test_waiting_has_an_end(farm: taskfarm.Farm) -> None:
    with pytest.raises(TimeoutError):
        list(farm.map(nap, [1.0], timeout=0.2))
    with pytest.raises(taskfarm.DeadlineExceeded):
        list(farm.imap(nap, [1.0], deadline_ms=200))


def test_queued_futures_can_be_cancelled(farm: taskfarm.Farm) -> None:
    blockers = [farm.submit(nap, 0.4) for _ in range(8)]
    queued = [farm.submit(nap, 0.4) for _ in range(40)]
    cancelled = [f for f in queued if f.cancel()]
    assert cancelled
    for future in cancelled:
        with pytest.raises(CancelledError):
            future.result(1)
    assert not blockers[0].cancelled()
    for future in queued:
        future.cancel()
    wait([*blockers, *queued], timeout=60)


def test_a_call_that_kills_its_worker_runs_again(tmp_path: Path) -> None:
    with taskfarm.Farm(workers=2, pickle=True) as own:
        assert own.submit(die_once, str(tmp_path / "mark")).result(60) == "alive"
        assert own.stats()["workers_lost"] == 1


def test_the_ten_lines() -> None:
    command = [sys.executable, str(LIBRARY / "examples" / "estimate_pi.py")]
    done = subprocess.run(command, env=ENVIRONMENT, capture_output=True, text=True, check=False, timeout=120)
    assert done.stdout.startswith("pi is about 3.1"), done.stderr


def test_top_shows_a_farm(tmp_path: Path) -> None:
    with taskfarm.Farm(f"unix://{tmp_path}/s", workers=1, pickle=True) as own:
        own.submit(square, 2).result(60)
        command = [sys.executable, "-m", "taskfarm", "top", own.url, "--once"]
        text = subprocess.run(command, env=ENVIRONMENT, capture_output=True, text=True, check=True, timeout=60).stdout
        assert "done 1" in text and "shm" in text
        done = subprocess.run(
            [*command, "--json"], env=ENVIRONMENT, capture_output=True, text=True, check=True, timeout=60
        )
        assert json.loads(done.stdout)["workers"] == 1


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (
            ["--launch", "slurm", "-n", "64"],
            "srun --ntasks=64 --kill-on-bad-exit=0 py -m taskfarm.worker tcp://h:1 --pickle",
        ),
        (
            ["--launch", "ssh", "--hosts", "a,b", "-n", "9", "--ca-file", "c"],
            "ssh -o BatchMode=yes a "
            "'py -m taskfarm.worker tcp://h:1 --pickle --ca-file c --processes=9 --while-input-open'",
        ),
        (["-n", "1"], "py -m taskfarm.worker tcp://h:1 --pickle"),
    ],
)
def test_workers_are_launched_by_commands_that_can_be_seen(arguments: list[str], expected: str) -> None:
    command = [sys.executable, "-m", "taskfarm", "workers", "tcp://h:1", "--python", "py", "--pickle", "--show"]
    done = subprocess.run(
        [*command, *arguments], env=ENVIRONMENT, capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout.splitlines()[0] == expected


def test_workers_start_through_slurms_command(tmp_path: Path) -> None:
    """With a stand-in for srun that starts the tasks here."""
    script = tmp_path / "srun"
    script.write_text('#!/bin/sh\nn=${1#--ntasks=}; shift 2\nwhile [ $n -gt 0 ]; do "$@" & n=$((n-1)); done; wait\n')
    script.chmod(0o755)
    environment = {**ENVIRONMENT, "PATH": f"{tmp_path}:{os.environ['PATH']}"}
    with taskfarm.Farm(f"unix://{tmp_path}/s", pickle=True) as own:
        command = [sys.executable, "-m", "taskfarm", "workers", own.url, "--launch", "slurm", "-n", "2", "--pickle"]
        with subprocess.Popen(command, env=environment):
            own.wait_for_workers(2, 60)
            assert sum(own.map(square, range(10))) == 285
            own.shutdown()


def test_a_shut_down_farm_takes_nothing(tmp_path: Path) -> None:
    own = taskfarm.Farm(f"unix://{tmp_path}/s", pickle=True)
    own.shutdown()
    with pytest.raises((RuntimeError, taskfarm.Error)):
        own.submit(square, 1)
