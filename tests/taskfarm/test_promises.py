"""The promises of taskfarm/docs/promises.md, each by the test that the page names."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from farms import BUILD, Transport
from results import CANCELLED, DEAD, DONE, EXPIRED, FAILED, run, take, until
from second_implementation import READY, SecondWorker, frame, hello

Start = Callable[..., subprocess.Popen[bytes]]
BOTH_KINDS = pytest.mark.parametrize("transport", ["tcp", "shm"], indirect=True)  # a socket, and shared memory
FAST = {"heartbeat_ms": 100, "heartbeat_timeout_ms": 600}


def lines(path: Path) -> list[str]:
    return path.read_text().splitlines() if path.exists() else []


def joined(farm: Any, count: int) -> None:
    until(farm, lambda s: s["workers_idle"] == count)


def test_every_task_comes_back_once_with_its_own_answer(transport: Transport, listen: Any, start_worker: Start) -> None:
    farm = listen(transport.url, **transport.options)
    for _ in range(2):
        start_worker(transport.of(farm), *transport.options.values())
    joined(farm, 2)
    texts = {farm.submit(f"echo {i} {'x' * (i % 500)}".encode()): f"{i} {'x' * (i % 500)}".strip() for i in range(2000)}
    results = take(farm, 2000)
    assert {r[0]: r[2].decode() for r in results} == texts
    assert {r[1] for r in results} == {DONE}
    assert farm.stats()["delivered"] == 2000
    assert {w["transport"] for w in farm.workers()} == {transport.name.removeprefix("tcp-")}


def test_large_payloads_pass_every_transport(transport: Transport, listen: Any, start_worker: Start) -> None:
    farm = listen(transport.url, **transport.options)
    start_worker(transport.of(farm), *transport.options.values())
    text = os.urandom(1_500_000).hex()
    farm.submit_many([f"echo {text}{i}".encode() for i in range(3)])
    assert sorted(r[2].decode() for r in take(farm, 3)) == [f"{text}{i}" for i in range(3)]


def test_a_killed_workers_task_runs_elsewhere_within_milliseconds(transport: Transport) -> None:
    """From the kill to the start of the second attempt. Other load delays some; a wait of ours would delay all."""
    command = [BUILD / "tests" / "kill_latency", transport.url, "12", *transport.options.values()]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=100)
    report = json.loads(done.stdout)
    assert report["kills"] == 12
    assert report["floor"]["p25_ms"] > 0
    assert 0 < report["taskfarm"]["p25_ms"] <= max(10.0, 3 * report["floor"]["p25_ms"]), report


@BOTH_KINDS
def test_a_poison_task_ends_as_a_dead_letter_with_its_reasons(
    transport: Transport, listen: Any, start_worker: Start, tmp_path: Path
) -> None:
    farm = listen(transport.url, **transport.options, window=1)
    log = tmp_path / "log"
    task = farm.submit(f"log {log} start;die".encode())
    for _ in range(5):
        start_worker(transport.of(farm), *transport.options.values())
    result = take(farm, 1)[0]
    assert (result[0], result[1], result[3]) == (task, DEAD, 3)
    assert len(lines(log)) == 3
    reasons = result[2].decode().splitlines()
    assert len(reasons) == 3
    assert all(f"attempt {i}: worker" in reason for i, reason in enumerate(reasons, 1))
    farm.submit(b"echo still here")
    assert take(farm, 1)[0][2] == b"still here"


@BOTH_KINDS
def test_only_the_started_task_counts_against_its_attempts(
    transport: Transport, listen: Any, start_worker: Start, tmp_path: Path
) -> None:
    farm = listen(transport.url, **transport.options, window=8, max_attempts=1)
    worker = start_worker(transport.of(farm), *transport.options.values())
    joined(farm, 1)
    log = tmp_path / "log"
    first = farm.submit(f"log {log} start;sleep 30".encode())
    others = [farm.submit(b"echo ok") for _ in range(7)]
    while not lines(log):
        run(farm, 10)
    assert farm.stats()["in_flight"] == 8
    worker.kill()
    dead = take(farm, 1)[0]
    assert (dead[0], dead[1]) == (first, DEAD)
    start_worker(transport.of(farm), *transport.options.values())
    assert sorted((r[0], r[1]) for r in take(farm, 7)) == [(task, DONE) for task in others]
    assert farm.stats()["attempts_lost"] == 1


def test_an_idle_stopped_worker_makes_no_task_guilty(transport: Transport, listen: Any, start_worker: Start) -> None:
    farm = listen(transport.url, **transport.options, **FAST, max_attempts=1)
    worker = start_worker(transport.of(farm), *transport.options.values())
    joined(farm, 1)
    worker.send_signal(signal.SIGSTOP)
    farm.submit(b"echo ok")
    until(farm, lambda s: s["silent"] == 1)
    start_worker(transport.of(farm), *transport.options.values())
    assert take(farm, 1)[0][1:3] == (DONE, b"ok")
    assert farm.stats()["attempts_lost"] == 0


def test_submit_says_again_at_the_mark_and_drops_nothing(listen: Any, start_worker: Start, tmp_path: Path) -> None:
    farm = listen(f"unix://{tmp_path}/s", high_water_tasks=10)
    assert [bool(farm.submit(b"echo x", timeout_ms=0)) for _ in range(12)] == [True] * 10 + [False] * 2
    start = time.monotonic()
    assert farm.submit(b"echo x", timeout_ms=200) == 0
    assert time.monotonic() - start >= 0.19
    start_worker(farm.url)
    assert len(take(farm, 10)) == 10
    assert farm.stats()["submitted"] == 10
    assert farm.next(1, 0) == []  # the last batch is forgotten
    assert farm.submit_many([b"echo y"] * 15, 0, 0)[1] == 10


def test_a_submit_that_only_next_can_make_room_for_says_so_and_does_not_wait_for_ever(
    listen: Any, tmp_path: Path
) -> None:
    farm = listen(f"unix://{tmp_path}/s", high_water_tasks=1)
    assert farm.submit(b"first", 20) == 1
    assert farm.submit(b"second") == 0  # once the first has passed its deadline, its result waits
    assert "0 when it was not accepted" in type(farm).submit.__doc__
    assert take(farm, 1)[0][:2] == (1, EXPIRED)
    assert farm.next(1, 0) == []  # what it gave before is forgotten
    assert farm.submit(b"second") == 2


def test_bytes_are_bounded_too(listen: Any, tmp_path: Path) -> None:
    farm = listen(f"unix://{tmp_path}/s", high_water_bytes=100_000)
    accepted = [farm.submit(b"x" * 30_000, timeout_ms=0) for _ in range(5)]
    assert [bool(a) for a in accepted] == [True, True, True, False, False]
    assert farm.stats()["bytes_held"] == 90_000


def test_ordered_results_come_in_the_order_of_submission(listen: Any, start_worker: Start, tmp_path: Path) -> None:
    farm = listen(f"unix://{tmp_path}/s", ordered=1, reorder_limit=20)
    for _ in range(3):
        start_worker(farm.url)
    joined(farm, 3)
    mark = tmp_path / "mark"
    ids = [farm.submit(f"await {mark}".encode() if i == 0 else b"echo x") for i in range(200)]
    stats = until(farm, lambda s: s["ready"] >= 19)  # finished, and waiting for the first
    run(farm, 50)
    assert stats["ready"] <= 20 and farm.stats()["ready"] <= 20
    mark.touch()
    assert [r[0] for r in take(farm, 200)] == ids


def test_ordered_results_that_wait_for_the_first_are_bounded_in_bytes(
    listen: Any, start_worker: Start, tmp_path: Path
) -> None:
    """Where it is put back meanwhile, the first one alone goes out."""
    farm = listen(f"unix://{tmp_path}/s", ordered=1, high_water_bytes=1 << 20, window=1)
    farm.broadcast("long", bytes(300_000))
    for _ in range(2):
        start_worker(farm.url)
    joined(farm, 2)
    mark = tmp_path / "mark"
    ids = [farm.submit(f"once {tmp_path}/tried await {mark};once {tmp_path}/died die;echo first".encode())]
    ids += [farm.submit(b"context long") for _ in range(50)]
    until(farm, lambda s: s["ready"] >= 4)
    run(farm, 100)
    assert farm.stats()["bytes_held"] < 1.5 * (1 << 20)
    mark.touch()
    assert [r[0] for r in take(farm, len(ids))] == ids


def test_idle_workers_steal_also_where_order_holds_the_queue(listen: Any, start_worker: Start, tmp_path: Path) -> None:
    farm = listen(f"unix://{tmp_path}/s", ordered=1, reorder_limit=8, window=4)
    for _ in range(2):
        start_worker(farm.url)
    joined(farm, 2)
    mark = tmp_path / "mark"
    ids = farm.submit_many([f"once {tmp_path}/tried await {mark};echo first".encode(), *[b"echo x"] * 40])[1]
    until(farm, lambda s: s["stolen"] > 0 and s["ready"] == 7)
    mark.touch()
    assert len(take(farm, ids)) == ids == 41


def test_stragglers_are_run_again_also_where_order_holds_the_queue(
    listen: Any, start_worker: Start, tmp_path: Path
) -> None:
    """The first try never ends: all results come because an idle worker has the task too."""
    farm = listen(f"unix://{tmp_path}/s", ordered=1, reorder_limit=8, window=4, straggler_factor=5.0)
    for _ in range(2):
        start_worker(farm.url)
    joined(farm, 2)
    farm.submit_many([b"echo known"] * 8)
    take(farm, 8)
    ids = farm.submit_many([f"once {tmp_path}/tried await {tmp_path}/never;echo first".encode(), *[b"echo x"] * 40])[1]
    assert len(take(farm, ids)) == ids == 41
    assert farm.stats()["reruns"] > 0


def test_a_busy_worker_is_never_dead(transport: Transport, listen: Any, start_worker: Start) -> None:
    farm = listen(transport.url, **transport.options, heartbeat_ms=100, heartbeat_timeout_ms=700)
    start_worker(transport.of(farm), *transport.options.values())
    farm.submit(b"sleep 1.2;echo done")
    assert take(farm, 1)[0][2:4] == (b"done", 1)
    assert farm.stats()["silent"] == farm.stats()["workers_lost"] == 0


def test_a_stopped_worker_is_dead_after_the_heartbeat_timeout_and_the_same_when_it_returns(
    transport: Transport, listen: Any, start_worker: Start, tmp_path: Path
) -> None:
    farm = listen(transport.url, **transport.options, **FAST)
    stopped = start_worker(transport.of(farm), *transport.options.values())
    joined(farm, 1)
    log = tmp_path / "log"
    farm.submit(f"log {log} start;sleep 0.3;echo ok".encode())
    while not lines(log):
        run(farm, 5)
    stopped.send_signal(signal.SIGSTOP)
    start = time.monotonic()
    start_worker(transport.of(farm), *transport.options.values())
    assert take(farm, 1)[0][1:4] == (DONE, b"ok", 2)
    assert 0.4 < time.monotonic() - start < 10
    stopped.send_signal(signal.SIGCONT)
    until(farm, lambda s: s["reconnects"] == 1 and s["workers_idle"] == 2)
    assert farm.stats()["workers_joined"] == 2
    assert farm.next(1, 100) == []  # if its own answer came at all, it came late, and was not delivered again
    assert farm.stats()["delivered"] == 1


@BOTH_KINDS
def test_a_coordinator_that_was_away_accuses_nobody(transport: Transport, listen: Any) -> None:
    """More workers than one turn reads: what the others have sent meanwhile is looked at before they are given up."""
    farm = listen(transport.url, **transport.options, heartbeat_ms=100, heartbeat_timeout_ms=2000)
    with subprocess.Popen([str(BUILD / "tests" / "echo_worker"), transport.of(farm), "150"]) as workers:
        joined(farm, 150)
        time.sleep(2.4)  # the farm runs within calls
        farm.submit_many([b"x"] * 300)
        assert len(take(farm, 300)) == 300
        stats = farm.stats()
        farm.close(0)
        workers.wait(20)
    assert (stats["silent"], stats["workers_lost"], stats["requeued"]) == (0, 0, 0)


def test_a_deadline_ends_a_task_once_queued_or_running(listen: Any, start_worker: Start, tmp_path: Path) -> None:
    farm = listen(f"unix://{tmp_path}/s", window=1)
    queued = farm.submit(b"echo x", 100)
    assert take(farm, 1)[0][:2] == (queued, EXPIRED)
    start_worker(farm.url)
    joined(farm, 1)
    running = farm.submit(b"sleep 0.5", 200)
    behind = farm.submit(b"echo ok")
    assert [r[:2] for r in take(farm, 2)] == [(running, EXPIRED), (behind, DONE)]
    assert farm.stats()["late_results"] == 1


def test_a_straggler_runs_again_on_request_and_the_first_result_counts(
    listen: Any, start_worker: Start, tmp_path: Path
) -> None:
    farm = listen(f"unix://{tmp_path}/s")
    for _ in range(2):
        start_worker(farm.url)
    joined(farm, 2)
    task = farm.submit(f"once {tmp_path}/mark sleep 20;echo ok".encode())
    while not (tmp_path / "mark").exists():
        run(farm, 5)
    assert farm.rerun(task) == 0
    assert take(farm, 1)[0][:3] == (task, DONE, b"ok")


def test_stragglers_run_again_by_themselves_when_asked_for(listen: Any, start_worker: Start, tmp_path: Path) -> None:
    farm = listen(f"unix://{tmp_path}/s", straggler_factor=5.0)
    for _ in range(2):
        start_worker(farm.url)
    joined(farm, 2)
    farm.submit_many([b"sleep 0.01"] * 20)
    take(farm, 20)
    farm.submit(f"once {tmp_path}/mark sleep 20;echo ok".encode())
    assert take(farm, 1)[0][2] == b"ok"
    assert farm.stats()["reruns"] == 1


def test_tasks_behind_a_long_one_move_to_idle_workers(listen: Any, start_worker: Start, tmp_path: Path) -> None:
    farm = listen(f"unix://{tmp_path}/s", window=4)
    start_worker(farm.url)
    joined(farm, 1)
    mark = tmp_path / "mark"
    farm.submit_many([f"await {mark}".encode(), b"echo a", b"echo b", b"echo c"])
    run(farm, 50)
    start_worker(farm.url)
    assert sorted(r[2] for r in take(farm, 3)) == [b"a", b"b", b"c"]
    assert farm.stats()["stolen"] == 3
    mark.touch()


def test_cancel_ends_queued_and_given_tasks_once(listen: Any, start_worker: Start, tmp_path: Path) -> None:
    farm = listen(f"unix://{tmp_path}/s", window=4)
    queued = farm.submit(b"echo x")
    assert farm.cancel(queued, only_queued=True) == 0
    assert take(farm, 1)[0][:2] == (queued, CANCELLED)
    start_worker(farm.url)
    joined(farm, 1)
    log = tmp_path / "log"
    mark = tmp_path / "mark"
    running, behind = farm.submit(f"await {mark}".encode()), farm.submit(f"log {log} ran".encode())
    run(farm, 100)
    assert farm.cancel(behind, only_queued=True) == 5  # busy
    assert farm.cancel(behind) == 0
    assert take(farm, 1)[0][:2] == (behind, CANCELLED)
    mark.touch()
    assert take(farm, 1)[0][:2] == (running, DONE)
    farm.submit(b"echo y")
    take(farm, 1)
    assert not lines(log)
    assert farm.cancel(behind) == 4  # not found


def test_tasks_cancelled_while_one_before_them_ran_are_not_started(
    transport: Transport, listen: Any, start_worker: Start, tmp_path: Path
) -> None:
    farm = listen(transport.url, window=8, **transport.options)
    start_worker(transport.of(farm), *transport.options.values())
    joined(farm, 1)
    log, mark = tmp_path / "log", tmp_path / "mark"
    farm.submit(f"await {mark}".encode())
    behind = [farm.submit(f"log {log} {number}".encode()) for number in range(6)]
    run(farm, 200)
    assert [farm.cancel(one) for one in behind[1::2]] == [0, 0, 0]
    assert [result[1] for result in take(farm, 3)] == [CANCELLED] * 3
    mark.touch()
    assert [result[1] for result in take(farm, 4)] == [DONE] * 4
    assert sorted(line.split()[-1] for line in lines(log)) == ["0", "2", "4"]


def test_a_recalled_task_gets_no_further_copy(listen: Any, start_worker: Start, tmp_path: Path) -> None:
    farm, log, mark = listen(f"unix://{tmp_path}/s", window=2), tmp_path / "log", tmp_path / "mark"
    start_worker(farm.url)
    joined(farm, 1)
    running, behind = farm.submit(f"await {mark}".encode()), farm.submit(f"log {log} ran".encode())
    run(farm, 100)
    assert farm.recall(behind) == 5  # busy
    start_worker(farm.url)
    until(farm, lambda stats: stats["workers"] == 2)
    assert farm.rerun(behind) == 1  # not now
    mark.touch()
    assert sorted(result[:2] for result in take(farm, 2)) == [(running, DONE), (behind, CANCELLED)]
    assert not lines(log) and farm.stats()["reruns"] == 0


@pytest.mark.parametrize("attempts", [1, 3])
def test_a_recalled_task_ends_as_cancelled_when_its_worker_is_lost(
    transport: Transport, listen: Any, start_worker: Start, tmp_path: Path, attempts: int
) -> None:
    farm = listen(transport.url, window=2, max_attempts=attempts, grace_ms=100, **transport.options)
    worker = start_worker(transport.of(farm), *transport.options.values())
    joined(farm, 1)
    given = [farm.submit(f"await {tmp_path}/never".encode()) for _ in range(2)]
    run(farm, 200)
    assert [farm.recall(one) for one in given] == [5, 5]
    worker.kill()
    assert sorted(result[:2] for result in take(farm, 2)) == [(one, CANCELLED) for one in given]


def test_broadcasts_come_before_later_tasks_and_to_late_workers(
    transport: Transport, listen: Any, start_worker: Start
) -> None:
    farm = listen(transport.url, **transport.options)
    start_worker(transport.of(farm), *transport.options.values())
    joined(farm, 1)
    for i in range(20):
        farm.broadcast("p", str(i).encode() * 30_000)
        farm.submit(b"context p")
        assert take(farm, 1)[0][2] == str(i).encode() * 30_000
    farm.broadcast("q", b"two")
    late = [start_worker(transport.of(farm), *transport.options.values()) for _ in range(2)]
    assert late
    joined(farm, 3)
    farm.submit_many([b"context q;sleep 0.05;context q"] * 6)
    assert {r[2] for r in take(farm, 6)} == {b"two"}


@BOTH_KINDS
def test_a_failing_function_is_a_result(transport: Transport, listen: Any, start_worker: Start) -> None:
    farm = listen(transport.url, **transport.options)
    start_worker(transport.of(farm), *transport.options.values())
    farm.submit(b"fail this way")
    result = take(farm, 1)[0]
    assert result[1] == FAILED
    assert b"ValueError: this way" in result[2]


def test_workers_end_soon_when_the_coordinator_is_killed(transport: Transport, start_worker: Start) -> None:
    program = (
        "import sys; sys.path.insert(0, sys.argv[1]); import taskfarm\n"
        "farm = taskfarm.Coordinator(sys.argv[2], dict(a.split('=') for a in sys.argv[3:]))\n"
        "print(farm.url, flush=True); farm.submit(b'sleep 0.5')\n"
        "while farm.stats()['workers_idle'] < 1 or farm.stats()['workers'] < 2: farm.next(1, 5)\n"
        "print('joined', flush=True)\n"
        "while True: farm.next(1, 1000)\n"
    )
    options = [f"{key}={value}" for key, value in transport.options.items()]
    command = [sys.executable, "-c", program, str(BUILD / "package"), transport.url, *options]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        url = process.stdout.readline().strip() + ("?shm=off" if "shm=off" in transport.url else "")
        workers = [start_worker(url, *transport.options.values()) for _ in range(2)]
        assert process.stdout.readline() == "joined\n"
        process.kill()
        start = time.monotonic()
        for worker in workers:
            worker.wait(10)
        assert time.monotonic() - start < 8  # they try to come back for 1 s


def test_a_worker_begins_nothing_that_a_coordinator_gave_it_which_is_gone(
    transport: Transport, start_worker: Start, tmp_path: Path
) -> None:
    """Its tasks are cancelled or given to others since."""
    log, mark = tmp_path / "log", tmp_path / "mark"
    program = (
        "import sys; sys.path.insert(0, sys.argv[1]); import taskfarm\n"
        "farm = taskfarm.Coordinator(sys.argv[2], dict([a.split('=') for a in sys.argv[5:]], window=4))\n"
        "print(farm.url, flush=True)\n"
        "for _ in range(4): farm.submit(f'log {sys.argv[3]} began; await {sys.argv[4]}'.encode())\n"
        "while True: farm.next(1, 1000)\n"
    )
    options = [f"{key}={value}" for key, value in transport.options.items()]
    command = [sys.executable, "-c", program, str(BUILD / "package"), transport.url, str(log), str(mark), *options]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        url = process.stdout.readline().strip() + ("?shm=off" if "shm=off" in transport.url else "")
        worker = start_worker(url, *transport.options.values())
        end = time.monotonic() + 20
        while not lines(log) and time.monotonic() < end:
            time.sleep(0.01)
        process.kill()
        process.wait()
        time.sleep(0.2)  # until the end is there
        mark.touch()
        worker.wait(10)
    assert len(lines(log)) == 1


def test_workers_go_home_when_the_farm_is_closed(transport: Transport, listen: Any, start_worker: Start) -> None:
    farm = listen(transport.url, **transport.options)
    workers = [start_worker(transport.of(farm), *transport.options.values()) for _ in range(2)]
    joined(farm, 2)
    farm.submit(b"sleep 0.4")
    run(farm, 50)
    start = time.monotonic()
    farm.close(5000)
    assert [worker.wait(5) for worker in workers] == [0, 0]
    assert time.monotonic() - start < 5


def test_a_worker_that_comes_back_in_time_is_the_same_and_its_answer_counts(listen: Any) -> None:
    farm = listen("tcp://127.0.0.1:0?shm=off")
    port = int(farm.url.rsplit(":", 1)[1])
    import threading

    identity = os.urandom(16)
    seen: list[Any] = []

    def work() -> None:
        first = SecondWorker(("127.0.0.1", port), identity)
        seen.append(first.join())
        task, attempt, _ = first.read_task()
        first.socket.close()
        time.sleep(0.2)
        second = SecondWorker(("127.0.0.1", port), identity)
        seen.append(second.join())
        second.reply(task, attempt, b"late but first")

    farm.submit(b"x")
    thread = threading.Thread(target=work)
    thread.start()
    assert take(farm, 1)[0][2] == b"late but first"
    thread.join()
    assert seen[0][10] == seen[1][10]  # the worker's number
    assert farm.stats()["workers_joined"] == 1


@BOTH_KINDS
def test_fd_is_readable_when_there_is_something_to_do(transport: Transport, listen: Any, start_worker: Start) -> None:
    import select

    farm = listen(transport.url, **transport.options)
    start_worker(transport.of(farm), *transport.options.values())
    poll = select.poll()
    poll.register(farm.fileno(), select.POLLIN)
    farm.submit(b"echo x")
    results: list[Any] = []
    end = time.monotonic() + 10
    while not results and time.monotonic() < end:
        if poll.poll(1000):
            results = farm.next(10, 0)
    assert [r[2] for r in results] == [b"x"]


@BOTH_KINDS
def test_fd_is_readable_after_a_submit_that_waited_for_room_in_vain(
    transport: Transport, listen: Any, start_worker: Start, tmp_path: Path
) -> None:
    """At once, and not only when the 50 ms are over after which the farm looks anyway."""
    import select

    farm = listen(transport.url, **transport.options, high_water_tasks=1)
    start_worker(transport.of(farm), *transport.options.values())
    joined(farm, 1)
    poll = select.poll()
    poll.register(farm.fileno(), select.POLLIN)
    waited: list[float] = []
    for number in range(12):
        mark = tmp_path / str(number)
        while not farm.submit(f"await {mark};echo x".encode(), timeout_ms=0):
            farm.next(1, 0)
        assert farm.submit(b"at the mark", timeout_ms=10) == 0
        mark.touch()
        results: list[Any] = []
        begun = time.monotonic()
        while not results:
            poll.poll(1000)
            results = farm.next(1, 0)
        waited.append(time.monotonic() - begun)
    assert sorted(waited)[3] < 0.012, "a quarter of them, as the machine may be busy; by chance within 50 ms few are"


@pytest.mark.parametrize("attempts", [60, 200])
def test_a_task_may_take_down_as_many_workers_as_it_was_allowed(listen: Any, tmp_path: Path, attempts: int) -> None:
    farm = listen(f"unix://{tmp_path}/s", max_attempts=attempts, grace_ms=0)
    farm.submit(b"x")
    results: list[Any] = []
    for _ in range(attempts):
        worker = SecondWorker(str(tmp_path / "s"))
        worker.socket.sendall(hello(worker.identity) + frame(READY))
        while not farm.stats()["in_flight"]:
            assert not farm.next(1, 5)
        worker.socket.close()
        while farm.stats()["in_flight"]:
            results += farm.next(1, 5)
    (dead,) = results
    assert (dead[1], dead[2].count(b"attempt ")) == (DEAD, attempts)


def test_who_takes_results_slowly_does_not_keep_the_workers_waiting(
    listen: Any, start_worker: Start, tmp_path: Path
) -> None:
    farm = listen(f"unix://{tmp_path}/s", window=8)
    start_worker(farm.url)
    joined(farm, 1)
    farm.submit_many([b"echo x"] * 24)
    taken = 0
    while farm.stats()["done"] < 24:  # a call that finds a result at once gives the loop a turn all the same
        time.sleep(0.2)
        taken += len(farm.next(1, 0))
    assert taken <= 8


def test_a_farm_with_nothing_outstanding_does_not_wait_forever(listen: Any, tmp_path: Path) -> None:
    farm = listen(f"unix://{tmp_path}/s")
    assert farm.next(1, -1) == []


@pytest.mark.parametrize("count", [500])
def test_a_slow_consumer_keeps_memory_bounded(listen: Any, start_worker: Start, tmp_path: Path, count: int) -> None:
    farm = listen(f"unix://{tmp_path}/s", high_water_bytes=2_000_000, window=1)
    start_worker(farm.url)
    submitted = taken = most = 0
    payload = b"echo " + b"x" * 50_000
    while taken < count:
        while submitted < count and farm.submit(payload, timeout_ms=0):
            submitted += 1
        taken += len(farm.next(1, 1000))
        most = max(most, farm.stats()["bytes_held"])
    assert most < 2_500_000
