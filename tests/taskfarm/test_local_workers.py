"""Workers of the farm's own computer: replaced when they die, and a reason when they cannot live."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from concurrent.futures import BrokenExecutor
from pathlib import Path

import pytest
import task_functions
from farms import ENVIRONMENT

import taskfarm
from taskfarm import local


def alive(farm: taskfarm.Farm) -> list[int]:
    return [row["pid"] for row in farm.workers() if row["connected"]]


@pytest.mark.parametrize("workers", [1, 2])
def test_a_poison_call_is_a_dead_letter_however_few_workers_there_are(workers: int) -> None:
    with taskfarm.Farm(workers=workers, pickle=True) as farm:
        with pytest.raises(taskfarm.DeadLetter) as caught:
            farm.submit(os.abort).result(120)
        assert str(caught.value).count("attempt") == 3
        assert farm.submit(task_functions.square, 3).result(60) == 9
        farm.wait_for_workers(workers, 60)


def test_streams_too_outlive_poison_among_their_calls() -> None:
    with taskfarm.Farm(workers=1, pickle=True, max_attempts=2) as farm:
        stream = farm.imap(task_functions.leave_by, ["os._exit"] * 2)
        for _ in range(2):
            with pytest.raises(taskfarm.DeadLetter):
                next(stream)
        assert list(farm.map(task_functions.square, range(3))) == [0, 1, 4]


def test_a_killed_idle_worker_is_replaced() -> None:
    with taskfarm.Farm(workers=2, pickle=True) as farm:
        farm.wait_for_workers(2, 60)
        before = alive(farm)
        for pid in before:
            os.kill(pid, signal.SIGKILL)
        end = time.monotonic() + 60
        while len(set(alive(farm)) - set(before)) < 2 and time.monotonic() < end:
            farm.submit(task_functions.square, 2).result(60)
            time.sleep(0.01)
        assert len(set(alive(farm)) - set(before)) == 2


class SlowToAsk:
    """A process that is there; each look at it is held up by another thread."""

    looks = 0

    def poll(self) -> None:
        self.looks += 1
        time.sleep(0.1)


def test_a_look_at_workers_that_was_held_up_puts_the_next_one_off_no_longer() -> None:
    """Fifty times as long it would be, so that a look takes little of a processor."""
    workers = local.LocalWorkers([], 1)
    workers.places[0].process = process = SlowToAsk()  # type: ignore[assignment]
    begun = time.monotonic()
    while process.looks < 3 and time.monotonic() < begun + 2:
        workers.tend()
    assert process.looks == 3
    workers.places[0].process = None
    workers.end()


def test_who_dies_again_and_again_is_replaced_once_a_second_at_most(tmp_path: Path) -> None:
    starts = tmp_path / "starts"
    farm = taskfarm.Farm(workers=1, pickle=True, max_attempts=200)
    try:
        future = farm.submit(task_functions.identity, task_functions.Evil("unpickle", "os._exit"))
        begun = time.monotonic()
        while (lost := farm.stats()["workers_lost"]) < 8 and time.monotonic() < begun + 60:
            farm.pump.collect(50)
        took = time.monotonic() - begun
        assert lost == 8, starts
        assert took > 0.05 + 0.1 + 0.2 + 0.4 + 0.8 + 1, "the pauses grow"
        assert not future.done()
    finally:
        farm.pump.close()


@pytest.mark.parametrize("way", ["sys.exit", "KeyboardInterrupt", "GeneratorExit"])
def test_a_call_that_ends_python_is_a_failure_and_not_the_end_of_the_worker(way: str) -> None:
    expected = {"sys.exit": SystemExit, "KeyboardInterrupt": KeyboardInterrupt, "GeneratorExit": GeneratorExit}[way]
    with taskfarm.Farm(workers=1, pickle=True) as farm:
        error = farm.submit(task_functions.leave_by, way).exception(60)
        assert isinstance(error, expected)
        assert "leave_by" in str(error.__cause__)
        assert farm.submit(task_functions.square, 3).result(60) == 9
        counted = farm.stats()
        assert (counted["workers_joined"], counted["workers_left"], counted["workers_lost"]) == (1, 0, 0)


def test_functions_of_bytes_that_exit_fail_too() -> None:
    with taskfarm.Farm(workers=1, function="task_functions:leave_by") as farm:
        assert isinstance(farm.submit(None, b"sys.exit").exception(60), taskfarm.DeadLetter)
    with taskfarm.Farm(workers=1, function="sys:exit") as farm:
        assert "SystemExit" in str(farm.submit(None, b"3").exception(60))
        assert farm.stats()["workers_left"] == 0


def test_ctrl_c_ends_the_task_of_a_local_worker_and_leaves_an_idle_one_alone() -> None:
    with taskfarm.Farm(workers=1, pickle=True) as farm:
        farm.wait_for_workers(1, 60)
        assert isinstance(farm.submit(task_functions.interrupt_myself).exception(60), KeyboardInterrupt)
        (pid,) = alive(farm)
        os.kill(pid, signal.SIGINT)
        time.sleep(0.1)
        assert farm.submit(os.getpid).result(60) == pid


def test_ctrl_c_ends_a_worker_that_was_started_by_hand_and_its_task_runs_elsewhere(tmp_path: Path) -> None:
    started, go_on = tmp_path / "started", tmp_path / "go on"
    command = [sys.executable, "-m", "taskfarm.worker"]
    with taskfarm.Farm(f"unix://{tmp_path}/s", pickle=True) as farm:
        with subprocess.Popen([*command, farm.url, "--pickle"], env=ENVIRONMENT) as worker:
            farm.wait_for_workers(1, 60)
            future = farm.submit(task_functions.say_and_wait, str(started), str(go_on))
            task_functions.wait_for(str(started))
            worker.send_signal(signal.SIGINT)
            assert worker.wait(60) == 130
        assert not future.done()
        go_on.touch()
        with subprocess.Popen([*command, farm.url, "--pickle"], env=ENVIRONMENT):
            assert future.result(60) == str(go_on)
            farm.shutdown()


def test_ctrl_c_ends_a_worker_that_waits_for_its_coordinator(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "taskfarm.worker", f"unix://{tmp_path}/s", "--function", "task_functions:big"]
    with subprocess.Popen(command, env=ENVIRONMENT) as worker:  # there is none yet
        time.sleep(1)
        worker.send_signal(signal.SIGINT)
        assert worker.wait(10) == 130
    coordinator = taskfarm.Coordinator(f"unix://{tmp_path}/s")
    with subprocess.Popen(command, env=ENVIRONMENT) as worker:
        while coordinator.stats()["workers_idle"] < 1:
            coordinator.next(1, 20)
        coordinator.submit(b"3000000")
        time.sleep(0.5)  # now the ring is full, and nobody calls next
        worker.send_signal(signal.SIGINT)
        assert worker.wait(10) == 130
    coordinator.close(0)


def test_workers_that_cannot_live_fail_the_futures_with_the_reason() -> None:
    farm = taskfarm.Farm(workers=2, function="no_such_module:answer")
    futures = [farm.submit(None, b"x") for _ in range(3)]
    for future in futures:
        with pytest.raises(taskfarm.BrokenFarm, match="no_such_module") as caught:
            future.result(120)
        assert isinstance(caught.value, BrokenExecutor)
    with pytest.raises(BrokenExecutor, match="no_such_module"):
        farm.submit(None, b"x")
    late = taskfarm.Worker(farm.url)  # as one that is about to fail, too
    with pytest.raises(taskfarm.BrokenFarm):
        farm.wait_for_workers(1, 60)
    late.leave()
    farm.shutdown()


def test_a_stream_whose_workers_cannot_live_ends_with_the_reason() -> None:
    farm = taskfarm.Farm(workers=1, function="math:no_such_function")
    stream = farm.imap_unordered(None, [b"x"] * 10_000)
    errors = 0
    while True:
        try:
            next(stream)
        except StopIteration:
            break
        except taskfarm.BrokenFarm:
            errors += 1
    assert 1 < errors <= 4097
    farm.shutdown()


def test_local_workers_without_something_to_run_are_refused_with_a_remedy() -> None:
    with pytest.raises(taskfarm.Error, match=r"pickle=True.*function="):
        taskfarm.Farm(workers=1)
    with pytest.raises(taskfarm.Error, match="either"):
        taskfarm.Farm(workers=1, pickle=True, function="math:sqrt")
    with pytest.raises(taskfarm.Error, match="local workers"):
        taskfarm.Farm(function="math:sqrt")


def test_local_workers_run_a_function_of_bytes() -> None:
    with taskfarm.Farm(workers=2, function="builtins:bytes") as farm:
        assert sorted(farm.imap_unordered(None, [b"one", b"two"])) == [b"one", b"two"]
        assert farm.submit(None, bytearray(b"three")).result(60) == b"three"


def test_local_workers_have_the_credentials_of_their_farm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And not those that the environment names for workers that are started by hand."""
    monkeypatch.chdir(tmp_path)
    taskfarm.make_key("key")
    taskfarm.make_key("another")
    monkeypatch.setenv("TASKFARM_KEY_FILE", str(tmp_path / "another"))
    for credentials in ({}, {"key_file": "key"}, {"key_file": b"key"}):
        with taskfarm.Farm("tcp://127.0.0.1:0", workers=1, function="builtins:bytes", **credentials) as farm:
            assert farm.submit(None, b"ab").result(20) == b"ab"
            monkeypatch.chdir("/")
            os.kill(farm.workers()[0]["pid"], signal.SIGKILL)  # whose successor begins in another folder
            assert farm.submit(None, b"cd").result(20) == b"cd"
        monkeypatch.chdir(tmp_path)


def test_workers_that_have_not_begun_end_soon_with_a_program_that_is_killed() -> None:
    program = "import os, taskfarm; farm = taskfarm.Farm(workers=2, pickle=True); os.kill(os.getpid(), 9)"
    begun = time.monotonic()
    done = subprocess.run(
        [sys.executable, "-c", program], env=ENVIRONMENT, capture_output=True, check=False, timeout=60
    )
    assert done.returncode == -signal.SIGKILL
    assert time.monotonic() - begun < 15  # until then the workers have its output open


def test_a_farm_ends_soon_when_its_workers_have_not_begun() -> None:
    begun = time.monotonic()
    with taskfarm.Farm(workers=3, pickle=True):
        pass
    assert time.monotonic() - begun < 3
