"""What the coordinator survives: no memory, floods, addresses without a host, ends and restarts that meet."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from farms import BUILD, Transport
from results import DEAD, DONE, join, run, take, until
from second_implementation import (
    HEADER,
    HEARTBEAT,
    LEAVE,
    PADDING,
    SKIPPED,
    SecondSharedWorker,
    SecondWorker,
    frame,
)

import taskfarm
from taskfarm import errors

Start = Callable[..., subprocess.Popen[bytes]]

# Answers with as many bytes as the task says.
BIG = """
import sys
sys.path.insert(0, sys.argv[1])
import taskfarm
taskfarm.Worker(sys.argv[2], {"reconnect_timeout_ms": 20000}).run(lambda data: bytes(int(data)), repr)
"""

# Takes a large answer with little memory, then with enough.
SCARCE = """
import resource, subprocess, sys, time
sys.path.insert(0, sys.argv[1])
import taskfarm
farm = taskfarm.Coordinator(sys.argv[2], {"max_attempts": 200})
worker = subprocess.Popen([sys.executable, "-c", sys.argv[3], sys.argv[1], farm.url + sys.argv[4]])
while farm.stats()["workers_idle"] < 1:
    farm.next(1, 20)
used = int(open("/proc/self/statm").read().split()[0]) * 4096
resource.setrlimit(resource.RLIMIT_AS, (used + (60 << 20), resource.RLIM_INFINITY))
farm.submit(b"100000000")
sizes, end = [], time.monotonic() + 20
while farm.stats()["workers_lost"] < 2 and time.monotonic() < end:
    try:
        sizes += [len(data) for _, _, data, *_ in farm.next(1, 50)]
    except (MemoryError, taskfarm.Error):
        pass
resource.setrlimit(resource.RLIMIT_AS, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
farm.submit(b"10")
end = time.monotonic() + 20
while len(sizes) < 2 and time.monotonic() < end:
    sizes += [len(data) for _, _, data, *_ in farm.next(2, 100)]
print(sorted(sizes), farm.stats()["in_flight"])
farm.close(1000)
worker.kill()
"""


@pytest.mark.parametrize("url", ["tcp://[]:0", "tcp://:0", "tcp://[]:0?shm=off"])
def test_an_address_without_a_host_is_none(url: str) -> None:
    for kind in (taskfarm.Coordinator, taskfarm.Worker):
        with pytest.raises(taskfarm.Error, match="host or port is missing") as caught:
            kind(url, {})
        assert caught.value.code == errors.INVALID


@pytest.mark.parametrize("option", ["?shm=off", ""])
def test_an_answer_beyond_the_memory_comes_when_there_is_enough(tmp_path: Path, option: str) -> None:
    url = f"unix://{tmp_path}/s"
    command = [sys.executable, "-c", SCARCE, str(BUILD / "package"), url, BIG, option]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert done.stdout.strip() == "[10, 100000000] 0", done.stderr


def test_a_worker_that_leaves_with_a_started_task_counts_as_a_lost_attempt(listen: Any, transport: Transport) -> None:
    farm = listen(transport.url, max_attempts=2, window=4, **transport.options)
    farm.submit_many([b"poison", b"fine"])
    arguments = (transport.of(farm), transport.options, b"poison")
    first = threading.Thread(target=leave_in_task, args=arguments)
    first.start()
    stats = until(farm, lambda s: s["workers_left"] == 1)
    first.join()
    assert (stats["attempts_lost"], stats["workers_lost"], stats["queued"]) == (1, 0, 2)
    second = threading.Thread(target=leave_in_task, args=arguments)
    second.start()
    task, status, reasons, *_ = take(farm, 1)[0]
    second.join()
    assert (task, status) == (1, DEAD)
    stats = farm.stats()
    assert (stats["attempts_lost"], stats["workers_lost"], stats["workers_left"]) == (2, 0, 2)
    assert stats["workers_away"] == 0, "who left is not waited for"
    assert [line.split(":")[0] for line in reasons.decode().splitlines()] == ["attempt 1", "attempt 2"]
    assert b"left" in reasons
    assert farm.stats()["queued"] == 1


def leave_in_task(url: str, options: dict[str, Any], wanted: bytes) -> None:
    """Takes tasks until the wanted one, and leaves with it."""
    worker = taskfarm.Worker(url, options)
    task = worker.recv(5000)
    assert task is not None
    assert task[2] == wanted
    worker.leave()


def test_a_leave_accuses_no_task_that_the_worker_does_not_hold(listen: Any, tmp_path: Path) -> None:
    farm = listen(f"unix://{tmp_path}/s?shm=off", window=2)
    farm.submit_many([b"a", b"b", b"c"])
    for named in (0, 3, 2**40):
        peer = SecondWorker(f"{tmp_path}/s")
        thread = threading.Thread(target=peer.join)
        thread.start()
        until(farm, lambda s: s["in_flight"] == 2)
        thread.join()
        left = farm.stats()["workers_left"]
        peer.socket.sendall(frame(LEAVE, task=named))
        stats = until(farm, lambda s, left=left: s["workers_left"] == left + 1)  # type: ignore[misc]
        assert (stats["attempts_lost"], stats["queued"]) == (0, 3)
        assert peer.closed()


@pytest.mark.parametrize("again", range(3))
def test_a_successor_that_binds_while_the_first_one_ends_keeps_its_socket(tmp_path: Path, again: int) -> None:
    url = f"unix://{tmp_path}/s"
    first = taskfarm.Coordinator(url, {})
    busy = taskfarm_busy(first, url)
    closing = threading.Thread(target=first.close, args=(0,))
    closing.start()
    second = None
    while second is None:
        try:
            second = taskfarm.Coordinator(url, {})
        except taskfarm.Error:  # it is still there
            time.sleep(0.002)
    closing.join()
    assert Path(f"{tmp_path}/s").exists()
    second.close(0)
    assert not Path(f"{tmp_path}/s").exists()
    busy.kill()
    busy.wait()


def taskfarm_busy(farm: Any, url: str) -> subprocess.Popen[bytes]:
    """A worker that has a task and does not answer, so that the end takes its time."""
    script = Path(__file__).with_name("acting_worker.py")
    process = subprocess.Popen([sys.executable, str(script), url], stdin=subprocess.DEVNULL)
    farm.submit(b"sleep 30")
    until(farm, lambda s: s["in_flight"] == 1)
    return process


def test_a_worker_that_writes_without_pause_delays_nobody(listen: Any, start_worker: Start, tmp_path: Path) -> None:
    farm = listen(f"unix://{tmp_path}/s")
    flood = SecondSharedWorker(f"{tmp_path}/s")
    thread = threading.Thread(target=flood.join)
    thread.start()
    until(farm, lambda s: s["workers_idle"] == 1)
    thread.join()
    place = flood.CONTROL + flood.ring
    flood.segment[place : place + flood.ring] = (HEADER.pack(8, PADDING, 0, 0, 0, 0) + bytes(8)) * (flood.ring // 32)
    process = os.fork()
    if process == 0:  # its ring is always full of frames that mean nothing
        while True:
            flood.set(flood.RESULT_TAIL, flood.get(flood.RESULT_HEAD) + flood.ring)
            flood.board[64 + flood.slot // 8] |= 1 << flood.slot % 8
    try:
        watch = threading.Timer(20, lambda: os.kill(process, 9))  # else a failure would be a hang
        watch.start()
        start = time.monotonic()
        for _ in range(20):
            farm.next(1, 0)
        assert time.monotonic() - start < 5
        start_worker(farm.url)
        until(farm, lambda s: s["workers"] == 2)
        ids = farm.submit_many([b"echo fine"] * 40)[0]
        done = []
        while len(done) < 20 and time.monotonic() - start < 15:
            done += farm.next(64, 10)
        assert len(done) >= 20, (ids, farm.stats())
        assert {result[1] for result in done} == {DONE}
        assert watch.is_alive()
        watch.cancel()
    finally:
        os.kill(process, 9)
        os.waitpid(process, 0)


def test_a_worker_may_come_back_while_its_old_connection_counts_for_max_workers(listen: Any, tmp_path: Path) -> None:
    farm = listen(f"unix://{tmp_path}/s?shm=off", max_workers=1)
    first = SecondWorker(f"{tmp_path}/s")
    join(farm, first)
    again = SecondWorker(f"{tmp_path}/s", first.identity)
    join(farm, again)
    stats = farm.stats()
    assert (stats["workers"], stats["reconnects"], stats["refused"]) == (1, 1, 0)
    with pytest.raises(AssertionError, match="max_workers"):
        join(farm, SecondWorker(f"{tmp_path}/s"))


def test_hundreds_of_copies_of_a_task_are_counted_right(listen: Any, tmp_path: Path) -> None:
    copies = 257
    farm = listen(f"unix://{tmp_path}/s?shm=off", window=1)
    workers = [SecondWorker(f"{tmp_path}/s") for _ in range(copies)]
    thread = threading.Thread(target=lambda: [worker.join() for worker in workers])
    thread.start()
    until(farm, lambda s: s["workers_idle"] == copies)
    thread.join()
    task = farm.submit(b"x")
    for _ in range(copies - 1):
        assert farm.rerun(task) == 0
    for worker in workers[:-1]:
        worker.socket.close()
    stats = until(farm, lambda s: s["workers_lost"] == copies - 1)
    assert stats["requeued"] == 0
    number, attempt, _ = workers[-1].read_task()
    workers[-1].reply(number, attempt, b"y")
    assert take(farm, 1)[0][1:3] == (DONE, b"y")


def test_the_tasks_of_connections_that_were_lost_are_forgotten_when_they_end(listen: Any, tmp_path: Path) -> None:
    """A worker that connects again and again, each time with a window of tasks that others do meanwhile."""
    farm = listen(f"unix://{tmp_path}/s?shm=off", window=64, max_attempts=200)
    identity = os.urandom(16)
    kept = SecondWorker(f"{tmp_path}/s", identity)
    join(farm, kept)
    first = farm.submit_many([b"x"] * 32)[0]
    until(farm, lambda s: s["in_flight"] == 32)
    held = [kept.read_task()[:2] for _ in range(32)]
    kept.socket.close()
    until(farm, lambda s: s["workers"] == 0)
    again = SecondWorker(f"{tmp_path}/s", identity)
    join(farm, again)
    for number, attempt in held:  # it may still answer what it had
        again.reply(number, attempt, b"late")
    results = take(farm, 32)
    assert sorted(result[0] for result in results) == list(range(first, first + 32))
    assert {result[2] for result in results} == {b"late"}


def test_workers_whose_frames_come_in_parts_cost_no_memory(listen: Any) -> None:
    def resident_kib() -> int:
        return int(Path("/proc/self/statm").read_text().split()[1]) * 4

    farm = listen("tcp://127.0.0.1:0?shm=off")
    workers = [SecondWorker(("127.0.0.1", int(farm.url.rsplit(":", 1)[1]))) for _ in range(100)]
    thread = threading.Thread(target=lambda: [worker.join() for worker in workers])
    thread.start()
    until(farm, lambda s: s["workers_idle"] == 100)
    thread.join()
    before = resident_kib()
    stream = frame(HEARTBEAT) * 8000
    for start in range(0, len(stream), len(stream) // 4 + 5):  # each part ends within a frame
        for worker in workers:
            worker.socket.sendall(stream[start : start + len(stream) // 4 + 5])
            farm.next(1, 0)
    farm.next(1, 50)
    assert resident_kib() - before < 2000  # 48 KiB of each worker before: as much as came at a time
    for worker in workers:
        worker.socket.close()


def test_a_stolen_task_whose_new_worker_dies_does_not_wait_behind_the_long_one(listen: Any, tmp_path: Path) -> None:
    farm = listen(f"unix://{tmp_path}/s?shm=off", window=2, max_attempts=3)
    busy = SecondWorker(f"{tmp_path}/s")
    join(farm, busy)
    long, stolen = 1, 2
    farm.submit_many([b"long", b"poison"])
    held = [busy.read_task() for _ in range(2)]
    for attempt in (2, 3, 4):
        helper = SecondWorker(f"{tmp_path}/s")
        helper.socket.settimeout(5)  # the second came when the long task was done
        join(farm, helper)
        run(farm, 100)
        assert helper.read_task() == (stolen, attempt, b"poison")
        helper.socket.close()  # farm.next hears of it, at the third with a dead letter
    ((task, status, reasons, *_),) = take(farm, 1)
    assert (task, status, reasons.count(b"\n")) == (stolen, DEAD, 3)
    assert farm.stats()["stolen"] == 1
    busy.reply(long, held[0][1], b"done")
    assert take(farm, 1)[0][1:3] == (DONE, b"done")
    busy.socket.sendall(frame(SKIPPED, attempt=held[1][1], task=stolen))
    run(farm, 50)
    stats = farm.stats()
    assert (stats["protocol_errors"], stats["foreign_results"], stats["workers_idle"]) == (0, 0, 1)


def test_a_task_that_was_stolen_and_begun_all_the_same_ends_once(listen: Any, tmp_path: Path) -> None:
    farm = listen(f"unix://{tmp_path}/s?shm=off", window=2)
    busy, helper, last = (SecondWorker(f"{tmp_path}/s") for _ in range(3))
    join(farm, busy)
    farm.submit_many([b"long", b"stolen"])
    held = [busy.read_task() for _ in range(2)]
    join(farm, helper)
    run(farm, 100)
    assert helper.read_task()[:2] == (2, 2)
    helper.socket.close()
    until(farm, lambda s: s["queued"] == 1)
    join(farm, last)
    assert last.read_task()[:2] == (2, 3)
    for task, attempt, payload in held:  # the cancel came too late for it
        busy.reply(task, attempt, payload)
    assert {result[2] for result in take(farm, 2)} == {b"long", b"stolen"}
    last.reply(2, 3, b"late")
    stats = until(farm, lambda s: s["late_results"] == 1)
    assert (stats["delivered"], stats["in_flight"], stats["workers_idle"]) == (2, 0, 2)


def test_a_straggler_whose_copy_is_lost_runs_once_more(listen: Any, tmp_path: Path) -> None:
    farm = listen(f"unix://{tmp_path}/s?shm=off", window=1, straggler_factor=2, max_attempts=3)
    slow = SecondWorker(f"{tmp_path}/s")
    join(farm, slow)
    for _ in range(8):  # what is usual: next to nothing
        task = farm.submit(b"short")
        slow.reply(*slow_task(farm, slow)[:2], b"")
        assert take(farm, 1)[0][0] == task
    task = farm.submit(b"slow")
    assert slow.read_task()[2] == b"slow"
    for copies in (1, 2, 3):
        helper = SecondWorker(f"{tmp_path}/s")
        helper.socket.settimeout(5)
        join(farm, helper)
        run(farm, 100)
        assert helper.read_task()[0] == task
        helper.socket.close()
        stats = until(farm, lambda s, lost=copies: s["attempts_lost"] == lost)  # type: ignore[misc]
        assert stats["reruns"] == copies
    join(farm, SecondWorker(f"{tmp_path}/s"))
    run(farm, 100)
    assert farm.stats()["reruns"] == 3  # it has taken down as many workers as it may
    slow.reply(task, 1, b"late, and good")
    assert take(farm, 1)[0][1:3] == (DONE, b"late, and good")


def slow_task(farm: Any, worker: SecondWorker) -> tuple[int, int, bytes]:
    """The next task of the worker, which the farm has given out by now."""
    until(farm, lambda s: s["in_flight"] == 1)
    return worker.read_task()
