"""Peers that break the rules: refused, counted, and the work goes on."""

from __future__ import annotations

import os
import resource
import socket
import struct
import subprocess
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from farms import BUILD
from results import DONE, take, until
from second_implementation import (
    ATTACH,
    HEADER,
    HELLO,
    READY,
    RESULT,
    SKIPPED,
    TASK,
    SecondSharedWorker,
    SecondWorker,
    frame,
    hello,
)

Start = Callable[..., subprocess.Popen[bytes]]
TCP = "tcp://127.0.0.1:0"


def port_of(farm: Any) -> int:
    return int(farm.url.rsplit(":", 1)[1])


def still_works(farm: Any, start_worker: Start) -> None:
    start_worker(farm.url)
    farm.submit(b"echo fine")
    assert take(farm, 1)[0][1:3] == (DONE, b"fine")


def background(work: Callable[[], None]) -> threading.Thread:
    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    return thread


def test_garbage_instead_of_a_hello_is_refused(listen: Any, start_worker: Start) -> None:
    farm = listen(TCP)
    garbage = [
        os.urandom(100),
        b"GET / HTTP/1.1\r\n\r\n",
        b"\0" * 2000,
        frame(RESULT, b"x", task=1),
        frame(HELLO, b"TASKFARM"),
        frame(HELLO, b"x" * 1024),
        HEADER.pack(0xFFFFFFFF, HELLO, 0, 0, 0, 0),
        HEADER.pack(1025, HELLO, 0, 0, 0, 0) + b"x" * 1025,
        frame(READY),
        b"\x16\x03\x01" + os.urandom(50),
    ]
    for data in garbage:
        peer = socket.create_connection(("127.0.0.1", port_of(farm)))
        peer.sendall(data)
        peer.shutdown(socket.SHUT_WR)
    stats = until(farm, lambda s: s["refused_hello"] == len(garbage))
    assert stats["half_open"] == stats["workers"] == 0
    still_works(farm, start_worker)


def test_a_slow_hello_is_cut_off(listen: Any, start_worker: Start) -> None:
    farm = listen(TCP, hello_timeout_ms=300)
    peer = socket.create_connection(("127.0.0.1", port_of(farm)))
    begin = hello(os.urandom(16))
    start = time.monotonic()
    stop = threading.Event()

    def drip() -> None:  # byte by byte: each one is in time, the whole is not
        for byte in begin:
            try:
                peer.sendall(bytes([byte]))
            except OSError:
                return
            if stop.wait(0.05):
                return

    thread = background(drip)
    until(farm, lambda s: s["refused_slow"] == 1)
    stop.set()
    thread.join()
    assert time.monotonic() - start < 10
    still_works(farm, start_worker)


def test_ten_thousand_connections_without_a_hello_leave_the_farm_working(listen: Any, start_worker: Start) -> None:
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    assert soft >= 4096
    farm = listen(TCP, max_half_open=200)
    start_worker(farm.url)
    until(farm, lambda s: s["workers_idle"] == 1)
    peers: list[socket.socket] = []
    for i in range(10_000):
        peers.append(socket.create_connection(("127.0.0.1", port_of(farm)), timeout=10))
        if i % 100 == 0:
            farm.next(1, 1)
            farm.submit(b"echo x")
        if len(peers) > 1000:
            peers.pop(0).close()
    take(farm, 100 - farm.stats()["delivered"])
    stats = farm.stats()
    assert stats["done"] == 100
    assert stats["half_open"] <= 200
    assert stats["refused_half_open"] > 5000
    for peer in peers:
        peer.close()
    until(farm, lambda s: s["half_open"] == 0)


def test_running_out_of_descriptors_is_survived(listen: Any, start_worker: Start) -> None:
    farm = listen(TCP, max_half_open=10_000, raise_descriptors=0)
    start_worker(farm.url)
    until(farm, lambda s: s["workers_idle"] == 1)
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    peers = [socket.create_connection(("127.0.0.1", port_of(farm))) for _ in range(60)]
    resource.setrlimit(resource.RLIMIT_NOFILE, (len(list(Path("/proc/self/fd").iterdir())) + 20, hard))
    try:
        until(farm, lambda s: s["refused_half_open"] > 0)
        farm.submit(b"echo fine")
        assert take(farm, 1)[0][2] == b"fine"
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        for peer in peers:
            peer.close()


def test_more_workers_than_descriptors_join_when_the_limit_may_be_raised(listen: Any, tmp_path: Path) -> None:
    farm = listen(f"unix://{tmp_path}/s")
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (len(list(Path("/proc/self/fd").iterdir())) + 20, hard))
    echo_worker = [str(BUILD / "tests" / "echo_worker"), farm.url, "60"]
    try:
        with subprocess.Popen(echo_worker) as workers:
            until(farm, lambda s: s["workers_idle"] == 60)
            assert farm.stats()["workers_shared_memory"] == 60
            assert resource.getrlimit(resource.RLIMIT_NOFILE)[0] == hard
            farm.close(0)
            assert workers.wait(20) == 0
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


@pytest.mark.parametrize(
    "data",
    [
        HEADER.pack(0x7FFFFFFF, RESULT, 0, 1, 1, 0),
        HEADER.pack(10, 0, 0, 0, 0, 0),
        HEADER.pack(10, 200, 0, 0, 0, 0),
        frame(TASK, b"reflected", task=1, attempt=1),
        frame(HELLO, b"again"),
        frame(ATTACH, b"0" * 16),
        frame(SKIPPED, task=1, attempt=1),
        os.urandom(500),
    ],
    ids=["oversize", "type-0", "type-200", "reflection", "second-hello", "attach", "skipped", "random"],
)
def test_a_worker_that_breaks_the_protocol_is_dropped_and_its_task_runs_elsewhere(
    listen: Any, start_worker: Start, data: bytes
) -> None:
    farm = listen(TCP)
    worker = SecondWorker(("127.0.0.1", port_of(farm)))

    def misbehave() -> None:
        worker.join()
        worker.read_task()
        worker.socket.sendall(data)

    task = farm.submit(b"echo fine")
    assert task == 1
    thread = background(misbehave)
    until(farm, lambda s: s["protocol_errors"] == 1)
    thread.join()
    start_worker(farm.url)
    assert take(farm, 1)[0][1:3] == (DONE, b"fine")


def test_foreign_and_replayed_results_are_refused_and_counted(listen: Any) -> None:
    farm = listen(TCP)
    worker, other = (SecondWorker(("127.0.0.1", port_of(farm))) for _ in range(2))

    def misbehave() -> None:
        other.join()
        worker.join()
        task, attempt, _ = worker.read_task()
        other.read_task()
        other.reply(task, attempt, b"foreign")
        worker.reply(task, attempt + 1, b"wrong attempt")
        worker.reply(task + 7, 1, b"no such task")
        time.sleep(0.1)
        worker.reply(task, attempt, b"right")
        worker.reply(task, attempt, b"replayed")

    thread = background(misbehave)
    until(farm, lambda s: s["workers"] == 2)
    until(farm, lambda s: s["workers_idle"] == 2)
    farm.submit_many([b"x", b"x"])  # one for each
    assert take(farm, 1)[0][2] == b"right"
    thread.join()
    assert until(farm, lambda s: s["foreign_results"] == 4)["in_flight"] == 1


def test_those_who_look_on_are_limited_and_so_are_those_who_left(listen: Any, tmp_path: Path) -> None:
    farm = listen(f"unix://{tmp_path}/s", max_workers=4)
    watching = [SecondWorker(str(tmp_path / "s")) for _ in range(66)]
    for monitor in watching:
        monitor.socket.sendall(hello(monitor.identity, role=1))
        farm.next(1, 1)
    stats = until(farm, lambda s: s["refused"] == 2)
    assert stats["monitors"] == 64
    assert b"monitors look on already" in watching[-1].read()[1]
    for _ in range(1500):
        worker = SecondWorker(str(tmp_path / "s"))
        worker.socket.sendall(hello(worker.identity) + frame(READY))
        while not farm.stats()["workers"]:
            farm.next(1, 1)
        worker.socket.close()
        while farm.stats()["workers"]:
            farm.next(1, 1)
    assert farm.stats()["workers_joined"] == 1500
    assert farm.stats()["workers_away"] <= 1025


def test_a_version_that_is_not_spoken_is_told_so(listen: Any) -> None:
    farm = listen(TCP)
    for number, versions in enumerate(((2, 9), (0, 0)), 1):
        peer = socket.create_connection(("127.0.0.1", port_of(farm)))
        peer.sendall(hello(os.urandom(16), versions=versions))
        until(farm, lambda s, number=number: s["refused_version"] == number)
        assert b"version 1" in peer.recv(1000)
    newer = SecondWorker(("127.0.0.1", port_of(farm)))
    newer.socket.sendall(hello(newer.identity, versions=(1, 7), features=0xFFFFFFF0))
    thread_stats = until(farm, lambda s: s["workers"] == 1)
    assert thread_stats["refused_version"] == 2
    _, body = newer.read()
    assert struct.unpack_from("<HHI", body) == (1, 0, 0)


@pytest.mark.parametrize("split", [1, 7, 0], ids=["byte-at-a-time", "seven", "random"])
def test_frames_may_be_split_anywhere(listen: Any, split: int) -> None:
    farm = listen(TCP)
    worker = SecondWorker(("127.0.0.1", port_of(farm)))

    def drip(data: bytes) -> None:
        while data:
            count = split or 1 + os.urandom(1)[0] % 40
            worker.socket.sendall(data[:count])
            data = data[count:]

    def work() -> None:
        worker.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        drip(hello(worker.identity))
        worker.read()
        drip(frame(READY))
        for _ in range(20):
            task, attempt, payload = worker.read_task()
            drip(frame(RESULT, payload[::-1], task=task, attempt=attempt))

    thread = background(work)
    payloads = [os.urandom(60) for _ in range(20)]
    farm.submit_many(payloads)
    assert sorted(r[2] for r in take(farm, 20)) == sorted(p[::-1] for p in payloads)
    thread.join()


def test_the_second_implementation_works_by_socket_and_by_shared_memory(listen: Any, tmp_path: Path) -> None:
    farm = listen(f"unix://{tmp_path}/s")
    workers = [SecondWorker(f"{tmp_path}/s"), SecondSharedWorker(f"{tmp_path}/s")]

    def work(worker: SecondWorker) -> None:
        worker.join()
        for _ in range(5):
            task, attempt, payload = worker.read_task()
            worker.reply(task, attempt, payload[::-1])

    threads = [background(lambda worker=worker: work(worker)) for worker in workers]
    until(farm, lambda s: s["workers_idle"] == 2)
    for i in range(5):
        farm.submit_many([f"{i} first".encode(), f"{i} second".encode()])
        assert sorted(r[2] for r in take(farm, 2)) == sorted(
            [f"{i} first".encode()[::-1], f"{i} second".encode()[::-1]]
        )
    for thread in threads:
        thread.join()


@pytest.mark.parametrize("pads", [False, True])
def test_rings_go_back_where_both_sides_know_padding(listen: Any, tmp_path: Path, pads: bool) -> None:
    farm = listen(f"unix://{tmp_path}/s", ring_bytes=8 << 20)  # as much as hundreds of workers have
    worker = SecondSharedWorker(f"{tmp_path}/s", pads=pads)

    def work() -> None:
        worker.join()
        for _ in range(20):
            task, attempt, payload = worker.read_task()
            worker.reply(task, attempt, payload[::-1])

    thread = background(work)
    until(farm, lambda s: s["workers_idle"] == 1)
    for size in (3000, 1, 7000, 2000) * 5:
        payload = os.urandom(size)
        farm.submit_many([payload])
        assert take(farm, 1)[0][2] == payload[::-1]
    thread.join()
    assert (worker.padded > 0) == pads


def test_rings_larger_than_any_frame_do_not_go_back(listen: Any, start_worker: Start) -> None:
    farm = listen(TCP, ring_bytes=8 << 20, max_frame_bytes=4096)  # padding would be a frame that is too large
    start_worker(farm.url)
    for i in range(40):
        payload = os.urandom(250 + 40 * i).hex().encode()
        farm.submit_many([b"echo " + payload])
        assert take(farm, 1)[0][2] == payload
    stats = farm.stats()
    assert stats["workers_shared_memory"] == 1
    assert stats["protocol_errors"] == stats["reconnects"] == 0


def test_many_tasks_that_take_no_time_are_given_together_and_a_few_are_spread(listen: Any, tmp_path: Path) -> None:
    farm = listen(f"unix://{tmp_path}/s?shm=off", window=4)
    workers = [SecondWorker(f"{tmp_path}/s") for _ in range(2)]
    joining = [background(worker.join) for worker in workers]
    until(farm, lambda s: s["workers_idle"] == 2)
    for thread in joining:
        thread.join()
    given: list[list[int]] = [[], []]

    def answer(count: int) -> None:
        for worker, tasks in zip(workers, given, strict=True):
            got = [worker.read_task() for _ in range(count)]
            tasks[:] = [task for task, _, _ in got]
            for task, attempt, payload in got:
                worker.reply(task, attempt, payload)
        take(farm, 2 * count)

    farm.submit_many([b"x", b"y"])
    answer(1)
    assert sorted(given) == [[1], [2]]
    farm.submit_many([b"x"] * 60)
    answer(4)
    assert sorted(given) == [[3, 4, 5, 6], [7, 8, 9, 10]]


def test_idle_workers_get_one_task_each_before_any_gets_two(listen: Any, tmp_path: Path) -> None:
    """However short the tasks are: what msgauge's fan-out relies on."""
    farm = listen(f"unix://{tmp_path}/s", window=16)
    with subprocess.Popen([str(BUILD / "tests" / "echo_worker"), farm.url, "60"]):
        try:
            until(farm, lambda s: s["workers_idle"] == 60)
            for _ in range(5):
                farm.submit_many([b"x"] * 60)
                assert len({result[4] for result in take(farm, 60)}) == 60
        finally:
            farm.close(0)


INDICES = [2**64 - 1, 2**63, 65537, 10**9]


@pytest.mark.parametrize("value", INDICES)
@pytest.mark.parametrize("index", ["RESULT_TAIL", "TASK_HEAD"])
def test_impossible_indices_in_shared_memory_end_the_worker_only(
    listen: Any, start_worker: Start, tmp_path: Path, index: str, value: int
) -> None:
    farm = listen(f"unix://{tmp_path}/s")
    worker = SecondSharedWorker(f"{tmp_path}/s")
    started = threading.Event()

    def misbehave() -> None:
        worker.join()
        worker.read_task()
        worker.set(getattr(SecondSharedWorker, index), value)
        worker.ring_bell()
        started.set()

    thread = background(misbehave)
    farm.submit(b"echo fine")
    until(farm, lambda _: started.is_set())
    thread.join()
    farm.broadcast("much", b"x" * 70_000)  # so that the coordinator looks at the head, too
    until(farm, lambda s: s["hostile_indices"] == 1)
    start_worker(farm.url)
    assert take(farm, 1)[0][1:3] == (DONE, b"fine")


def test_garbage_in_shared_memory_ends_the_worker_only(listen: Any, start_worker: Start, tmp_path: Path) -> None:
    farm = listen(f"unix://{tmp_path}/s")
    worker = SecondSharedWorker(f"{tmp_path}/s")

    def misbehave() -> None:
        worker.join()
        worker.read_task()
        worker.segment[:] = os.urandom(len(worker.segment))
        worker.board[:] = b"\xff" * len(worker.board)
        worker.ring_bell()

    thread = background(misbehave)
    farm.submit(b"echo fine")
    until(farm, lambda s: s["protocol_errors"] == 1)
    thread.join()
    start_worker(farm.url)
    assert take(farm, 1)[0][1:3] == (DONE, b"fine")


def test_a_worker_that_clears_the_board_slows_others_but_stops_nobody(
    listen: Any, start_worker: Start, tmp_path: Path
) -> None:
    farm = listen(f"unix://{tmp_path}/s")
    hostile = SecondSharedWorker(f"{tmp_path}/s")
    stop = threading.Event()

    def misbehave() -> None:
        hostile.join()
        while not stop.is_set():
            hostile.board[:] = bytes(len(hostile.board))

    thread = background(misbehave)
    until(farm, lambda s: s["workers_idle"] == 1)
    start_worker(farm.url)
    until(farm, lambda s: s["workers_idle"] == 2)
    farm.submit_many([b"echo x"] * 20)
    assert len(take(farm, 19)) == 19  # the hostile one keeps its own
    stop.set()
    thread.join()


def test_descriptors_and_memory_stay_flat_over_many_connections(listen: Any) -> None:
    farm = listen(TCP)
    counts = []
    for i in range(1500):
        worker = SecondWorker(("127.0.0.1", port_of(farm)), features=1 if i % 3 == 0 else 0)
        worker.socket.sendall(hello(worker.identity, features=worker.features))
        farm.next(1, 1)
        if i % 2 == 0:
            worker.socket.sendall(frame(READY))
        worker.socket.close()
        if i in (200, 1499):
            until(farm, lambda s: s["workers"] == s["half_open"] == 0)
            counts.append(len(list(Path("/proc/self/fd").iterdir())))
    assert counts[1] <= counts[0] + 2
