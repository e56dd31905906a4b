"""A worker that comes back is the same worker: what its connections were lost with took no worker down."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import pytest
from results import CANCELLED, DEAD, DONE, join, take, until
from second_implementation import FAILURE, READY, RESULT, SecondSharedWorker, SecondWorker, frame

import taskfarm


def lose_and_return(farm: Any, worker: SecondWorker, *, beside: bool = False) -> SecondWorker:
    """The worker's next connection; the first one ends before it begins, or stands `beside`."""
    again = type(worker)(str(worker.socket.getpeername()))
    again.identity = worker.identity
    if not beside:
        worker.socket.close()
        until(farm, lambda s: s["workers"] == 0)
    join(farm, again)
    return again


@pytest.mark.parametrize("kind", [SecondWorker, SecondSharedWorker])
@pytest.mark.parametrize("beside", [False, True])
def test_however_often_a_worker_comes_back_its_task_counts_no_attempt(
    listen: Any, tmp_path: Path, kind: type[SecondWorker], beside: bool
) -> None:
    farm = listen(f"unix://{tmp_path}/s", max_attempts=1 if beside else 2, window=1)
    task = farm.submit(b"question")
    worker = kind(f"{tmp_path}/s")
    join(farm, worker)
    for attempt in range(1, 8):
        assert worker.read_task()[:2] == (task, attempt)
        if isinstance(worker, SecondSharedWorker):
            worker.set(worker.RUNNING, task)
        worker = lose_and_return(farm, worker, beside=beside)
        assert farm.stats()["attempts_lost"] == 0
    assert worker.read_task()[:2] == (task, 8)
    worker.reply(task, 8, b"answer")
    assert take(farm, 1)[0][:4] == (task, DONE, b"answer", 8)
    assert (farm.stats()["workers_joined"], farm.stats()["reconnects"]) == (1, 7)


def test_a_task_whose_worker_is_away_may_be_cancelled_and_its_late_answer_is_ignored(
    listen: Any, tmp_path: Path
) -> None:
    farm = listen(f"unix://{tmp_path}/s?shm=off", window=1)
    task = farm.submit(b"question")
    worker = SecondWorker(f"{tmp_path}/s")
    join(farm, worker)
    worker.read_task()
    assert farm.cancel(task, only_queued=True) == taskfarm.errors.BUSY
    worker.socket.close()
    until(farm, lambda s: s["workers"] == 0)
    assert farm.cancel(task, only_queued=True) == 0
    assert take(farm, 1)[0][:2] == (task, CANCELLED)
    again = SecondWorker(f"{tmp_path}/s")
    again.identity = worker.identity
    join(farm, again)
    again.reply(task, 1, b"late")
    assert until(farm, lambda s: s["late_results"] + s["foreign_results"] == 1)["protocol_errors"] == 0
    assert farm.submit(b"next") and again.read_task()[2] == b"next"


def test_who_stays_away_has_died_of_its_task(listen: Any, tmp_path: Path) -> None:
    farm = listen(f"unix://{tmp_path}/s?shm=off", max_attempts=2, window=1)
    task = farm.submit(b"poison")
    worker = SecondWorker(f"{tmp_path}/s")
    join(farm, worker)
    worker.read_task()
    worker = lose_and_return(farm, worker)
    assert worker.read_task()[:2] == (task, 2)
    worker.socket.close()
    assert until(farm, lambda s: s["attempts_lost"] == 1)["dead"] == 0
    join(farm, other := SecondWorker(f"{tmp_path}/s"))
    assert other.read_task()[:2] == (task, 3)
    other.socket.close()
    _, status, reasons, *_ = take(farm, 1)[0]
    assert status == DEAD
    assert [line.split(":")[0] for line in reasons.decode().splitlines()] == ["attempt 2", "attempt 3"]
    join(farm, SecondWorker(f"{tmp_path}/s", other.identity))  # too late for its task
    assert farm.stats()["attempts_lost"] == 1


def test_who_breaks_the_protocol_over_a_task_is_forgiven_nothing(listen: Any, tmp_path: Path) -> None:
    """Else a worker and a task that do not suit each other would go round for ever."""
    farm = listen(f"unix://{tmp_path}/s?shm=off", max_attempts=2, max_frame_bytes=1024)
    farm.submit(b"question")
    worker = SecondWorker(f"{tmp_path}/s")
    join(farm, worker)
    send_too_much(worker)
    until(farm, lambda s: s["workers"] == 0)
    join(farm, again := SecondWorker(f"{tmp_path}/s", worker.identity))
    send_too_much(again)
    assert take(farm, 1)[0][1] == DEAD
    assert farm.stats()["attempts_lost"] == 2


def send_too_much(worker: SecondWorker) -> None:
    """For an answer, beyond max_frame_bytes."""
    task, attempt, _ = worker.read_task()
    worker.socket.sendall(frame(FAILURE, b"x" * 2000, task=task, attempt=attempt))


@pytest.mark.parametrize("rewritten", [False, True])
def test_what_a_worker_was_forgiven_stays_forgiven_over_restarts(tmp_path: Path, rewritten: bool) -> None:
    options = {"journal": str(tmp_path / "journal"), "max_attempts": 2, "window": 1}
    farm = taskfarm.Coordinator(f"unix://{tmp_path}/s?shm=off", options)
    task = farm.submit(b"question")
    worker = SecondWorker(f"{tmp_path}/s")
    join(farm, worker)
    worker.read_task()
    worker = lose_and_return(farm, worker)
    worker.read_task()
    worker = lose_and_return(farm, worker)
    farm.submit(b"later")  # writes what the journal has to say
    for _ in range(2 if rewritten else 1):
        farm.close(0)
        farm = taskfarm.Coordinator(f"unix://{tmp_path}/s?shm=off", options)
    try:
        assert farm.stats()["recovered"] == 2
        join(farm, first := SecondWorker(f"{tmp_path}/s"))
        assert first.read_task()[:2] == (task, 1)
        first.socket.close()
        until(farm, lambda s: s["workers"] == 0)
        join(farm, second := SecondWorker(f"{tmp_path}/s"))
        assert second.read_task()[:2] == (task, 2)
        second.socket.close()
        _, status, reasons, *_ = take(farm, 1)[0]
        assert (status, len(reasons.decode().splitlines())) == (DEAD, 2)
    finally:
        farm.close(0)


@pytest.mark.parametrize("known", [True, False])
def test_an_answer_from_before_a_restart_is_ignored_and_its_task_runs_again(tmp_path: Path, known: bool) -> None:
    """The journal does not say who held what, and whoever may join could claim to have held anything."""
    options = {"journal": str(tmp_path / "journal")}
    farm = taskfarm.Coordinator(f"unix://{tmp_path}/s?shm=off", options)
    task = farm.submit(b"question")
    worker = SecondWorker(f"{tmp_path}/s")
    join(farm, worker)
    assert worker.read_task()[:2] == (task, 1)
    farm.close(0)
    farm = taskfarm.Coordinator(f"unix://{tmp_path}/s?shm=off", options)
    again = SecondWorker(f"{tmp_path}/s", worker.identity if known else None)
    greeting = threading.Thread(target=again.greet)
    greeting.start()
    until(farm, lambda s: s["workers"] == 1)
    greeting.join()
    kept = frame(RESULT, b"from before", attempt=1, task=task, value=1000)
    again.socket.sendall(frame(READY) + kept)
    assert until(farm, lambda s: s["foreign_results"] == 1)["delivered"] == 0
    assert again.read_task() == (task, 1, b"question")
    again.reply(task, 1, b"answer")
    assert take(farm, 1)[0][:3] == (task, DONE, b"answer")
    farm.close(0)
