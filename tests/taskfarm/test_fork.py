"""A program that forks, as user code does: the child has copies of farms and workers, and may do nothing with them."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import task_functions
from farms import BUILD, Transport
from results import DONE, run, take, until

import taskfarm

Start = Callable[..., subprocess.Popen[bytes]]

# The child of each task ends as its task says; the parent answers when the child has ended.
FORKING_WORKER = """
import os, sys
sys.path.insert(0, sys.argv[1])
import taskfarm

def work(data):
    child = os.fork()
    if child == 0:
        if data == b"exit":
            sys.exit(0)
        if data == b"return":
            return b"from the child"
        raise ValueError("in the child")
    os.waitpid(child, 0)
    with open(sys.argv[3], "a") as log:
        log.write("ran\\n")
    return b"from the parent"

worker = taskfarm.Worker(sys.argv[2], {"key_file": sys.argv[4] if len(sys.argv) > 4 else None})
parent = os.getpid()
try:
    worker.run(work, lambda error: str(error).encode())
except taskfarm.Error as error:
    sys.exit(0 if os.getpid() != parent and "fork" in str(error) else 3)
if os.getpid() != parent:
    sys.exit(4)
"""

# A coordinator whose children end in good order, by every way out of a program, while a worker works.
FORKING_COORDINATOR = """
import os, sys
sys.path.insert(0, sys.argv[1])
import taskfarm
farm = taskfarm.Coordinator(sys.argv[2], {})
url = farm.url
while farm.stats()["workers_idle"] < 1:
    farm.next(1, 20)
for way in ("del", "close", "exit"):
    child = os.fork()
    if child == 0:
        if way == "del":
            del farm
        elif way == "close":
            farm.close(1000)
        sys.exit(0)
    assert os.waitpid(child, 0)[1] == 0
    farm.submit(b"echo " + way.encode())
    while not (results := farm.next(1, 5000)):
        pass
    assert results[0][2] == way.encode(), results
stats = farm.stats()
print(stats["workers"], stats["workers_lost"], stats["workers_joined"])
"""


@pytest.mark.parametrize("way", ["exit", "return", "raise"])
def test_a_task_that_forks_runs_once_however_its_child_ends(
    listen: Any, transport: Transport, tmp_path: Path, way: str
) -> None:
    farm = listen(transport.url, **transport.options)
    log = tmp_path / "log"
    arguments = [str(BUILD / "package"), transport.of(farm), str(log), *transport.options.values()]
    worker = subprocess.Popen([sys.executable, "-c", FORKING_WORKER, *arguments], stderr=subprocess.DEVNULL)
    try:
        farm.submit(way.encode())
        assert take(farm, 1)[0][1:3] == (DONE, b"from the parent")
        run(farm, 50)
        farm.submit(way.encode())
        assert take(farm, 1)[0][1:3] == (DONE, b"from the parent")
        assert log.read_text() == "ran\n" * 2
        stats = farm.stats()
        assert stats["workers_joined"] == stats["workers"] == 1
        assert stats["workers_left"] == stats["foreign_results"] == stats["requeued"] == stats["protocol_errors"] == 0
    finally:
        farm.close(1000)
        assert worker.wait(10) == 0


@pytest.mark.parametrize("kind", ["shm", "unix", "tcp-shm"])
def test_a_coordinators_child_ends_and_its_farm_goes_on(tmp_path: Path, start_worker: Start, kind: str) -> None:
    url = {"shm": f"unix://{tmp_path}/s", "unix": f"unix://{tmp_path}/s?shm=off", "tcp-shm": "tcp://127.0.0.1:0"}[kind]
    program = FORKING_COORDINATOR
    if kind == "tcp-shm":
        program = program.replace("url = farm.url", "print(farm.url, flush=True)")
    command = [sys.executable, "-c", program, str(BUILD / "package"), url]
    farm = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert farm.stdout is not None
    try:
        start_worker(farm.stdout.readline().strip() if kind == "tcp-shm" else url)
        output, _ = farm.communicate(timeout=30)
        assert output.strip() == "1 0 1"
        assert farm.returncode == 0
    finally:
        farm.kill()


def status_of_child(work: Callable[[], None]) -> int:
    """How a child by fork ended that did this and nothing else: 0 when nothing was raised."""
    child = os.fork()
    if child == 0:
        status = 1
        try:
            work()
            status = 0
        finally:
            os._exit(status)
    return os.waitpid(child, 0)[1]


def test_calls_in_a_child_are_errors_and_a_farm_of_its_own_works(listen: Any, tmp_path: Path) -> None:
    farm = listen(f"unix://{tmp_path}/parent")

    def use_both() -> None:
        for call in (
            lambda: farm.submit(b"x"),
            lambda: farm.submit_many([b"x"]),
            lambda: farm.next(1, 0),
            lambda: farm.broadcast("a", b"b"),
            lambda: farm.cancel(1),
            lambda: farm.rerun(1),
            farm.fileno,
            farm.stats,
            farm.workers,
        ):
            with pytest.raises(taskfarm.Error, match="fork"):
                call()
        own = taskfarm.Coordinator(f"unix://{tmp_path}/child", {})
        own.submit(b"x")
        own.close(0)

    assert status_of_child(use_both) == 0
    assert Path(f"{tmp_path}/parent").exists()
    assert not Path(f"{tmp_path}/child").exists()
    until(farm, lambda s: s["submitted"] == 0)


def test_a_child_closes_no_descriptor_that_it_has_opened_itself(listen: Any, tmp_path: Path) -> None:
    """Numbers that were the farm's in the parent are free in the child, and its own files get them."""
    farm = listen(f"unix://{tmp_path}/s")

    def open_and_close() -> None:
        files = [os.open("/dev/null", os.O_RDONLY) for _ in range(16)]
        farm.close(0)
        for file in files:
            os.fstat(file)

    assert status_of_child(open_and_close) == 0


def test_a_pool_that_a_task_makes_by_fork_reads_what_was_broadcast() -> None:
    with taskfarm.Farm(workers=1, pickle=True) as farm:
        farm.broadcast("key", b"data")
        assert farm.submit(task_functions.read_broadcast_in_a_child, "key").result(60) == b"data"
        assert farm.submit(task_functions.square, 3).result(60) == 9
        assert farm.stats()["workers_lost"] == 0
