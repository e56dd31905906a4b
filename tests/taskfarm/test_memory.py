"""Little memory in Python and in workers; that of the coordinator: test_core_faults.py, taskfarm/tests/faults.cpp."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from farms import BUILD
from results import take, until
from task_functions import resident_of_worker

import taskfarm

ENVIRONMENT = {**os.environ, "PYTHONPATH": str(BUILD / "package")}

# The coordinator has the answer, and Python no room for it; then it has.
NO_ROOM_FOR_RESULTS = """
import resource, subprocess, sys
import taskfarm

BIG = "import sys, taskfarm; taskfarm.Worker(sys.argv[1]).run(lambda data: bytes(int(data)), repr)"
farm = taskfarm.Coordinator(sys.argv[1], {"high_water_tasks": 1})
worker = subprocess.Popen([sys.executable, "-c", BIG, farm.url])
while farm.stats()["workers_idle"] < 1:
    farm.next(1, 20)
farm.submit(b"100000000")
assert farm.submit(b"at the mark", timeout_ms=20_000) == 0
used = int(open("/proc/self/statm").read().split()[0]) * 4096
resource.setrlimit(resource.RLIMIT_AS, (used + (20 << 20), resource.RLIM_INFINITY))
try:
    farm.next(1, 1000)
except MemoryError:
    print("no memory")
resource.setrlimit(resource.RLIMIT_AS, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
print(*[len(data) for _, _, data, *_ in farm.next(1, 1000)])
worker.kill()
"""


def test_a_result_that_python_has_no_memory_for_comes_when_there_is_some(tmp_path: Path) -> None:
    command = [sys.executable, "-c", NO_ROOM_FOR_RESULTS, f"unix://{tmp_path}/s"]
    done = subprocess.run(command, env=ENVIRONMENT, capture_output=True, text=True, check=False, timeout=60)
    assert done.stdout.splitlines() == ["no memory", "100000000"], done.stderr


# Has room for its answer of 100 MB, and for no other block as large as two.
NO_ROOM_TWICE = """
import resource, sys
import taskfarm

def answer(data):
    big = bytes(int(data))
    used = int(open("/proc/self/statm").read().split()[0]) * 4096
    resource.setrlimit(resource.RLIMIT_AS, (used + (130 << 20), resource.RLIM_INFINITY))
    return big

taskfarm.Worker(sys.argv[1] + "?shm=off").run(answer, repr)
"""


def test_a_sign_of_life_behind_a_long_answer_needs_no_memory(listen: Any, tmp_path: Path) -> None:
    farm = listen(f"unix://{tmp_path}/s")
    with subprocess.Popen([sys.executable, "-c", NO_ROOM_TWICE, farm.url], env=ENVIRONMENT) as worker:
        until(farm, lambda s: s["workers_idle"] == 1)
        farm.submit(b"100000000")
        until(farm, lambda s: s["in_flight"] == 1)
        time.sleep(2.5)  # this coordinator computes, and the worker's heartbeats are due
        (result,) = take(farm, 1)
        assert len(result[2]) == 100_000_000
        assert (farm.stats()["workers_lost"], worker.poll()) == (0, None)
        worker.kill()


BROADCASTS_TO_THE_BUSY = """
import sys
import taskfarm

def resident():
    return int(open("/proc/self/statm").read().split()[1]) * 4096 >> 20

farm = taskfarm.Coordinator(sys.argv[1])
print(farm.url, flush=True)
while farm.stats()["workers_idle"] < 1:
    farm.next(1, 20)
farm.submit(b"await " + sys.argv[2].encode())
while farm.stats()["in_flight"] < 1:
    farm.next(1, 20)
before = resident()
for version in range(200):
    farm.broadcast("key", bytes(1 << 20) + str(version).encode())
print(resident() - before)
farm.submit(b"context key")
open(sys.argv[2], "w").close()
while not (results := [r for r in farm.next(2, 20) if r[0] == 2]):
    pass
print(results[0][2][1 << 20 :].decode())
farm.close(2000)
"""


@pytest.mark.parametrize("url", ["unix://{folder}/s", "tcp://127.0.0.1:0?shm=off"])
def test_outdated_broadcasts_do_not_pile_up_behind_a_busy_worker(url: str, start_worker: Any, tmp_path: Path) -> None:
    command = [sys.executable, "-c", BROADCASTS_TO_THE_BUSY, url.format(folder=tmp_path), str(tmp_path / "mark")]
    with subprocess.Popen(command, env=ENVIRONMENT, stdout=subprocess.PIPE, text=True) as farm:
        assert farm.stdout is not None
        start_worker(farm.stdout.readline().strip())
        more_mib, last = farm.stdout.read().split()
    assert int(more_mib) < 40
    assert last == "199"


def test_tasks_that_end_while_they_wait_cost_no_memory(listen: Any, tmp_path: Path) -> None:
    """Where no worker comes, none is ever at the front of the queue behind the first."""

    def resident_kib() -> int:
        return int(Path("/proc/self/statm").read_text().split()[1]) * 4

    farm = listen(f"unix://{tmp_path}/s")
    waiting = farm.submit(b"waits for a worker")
    used = []
    for _ in range(2):
        for _ in range(300):
            first, count = farm.submit_many([b"x"] * 1000)
            for task in range(first, first + count):
                farm.cancel(task)
            while farm.next(1000, 0):
                pass
        used.append(resident_kib())
    assert used[1] - used[0] < 1000  # 2,400 before
    assert farm.stats()["queued"] == 1
    assert farm.cancel(waiting) == 0


SLEEPER = """
import sys, time, taskfarm

MIB = 1 << 20
HELD = "/proc/self/statm"

def big(size):
    return bytes(size)

def used():
    return int(open(HELD).read().split()[1]) * 4096

def head(size):
    time.sleep(1.0 if size == 1 else 0)
    return bytes(size)

if __name__ == "__main__":
    way, served = sys.argv[1:]
    with taskfarm.Farm(workers=2, pickle=True, high_water_bytes=16 * MIB) as farm:
        if served == "served":
            farm.submit(int).result()
        before, stats = used(), farm.stats()
        if way == "head":
            stream = farm.imap(head, [1] + [MIB] * 299)
        elif way == "small":
            stream = farm.imap(big, [1] + [MIB] * 299)
        else:
            stream = getattr(farm, way)(big, [MIB] * 300)
        first = len(next(stream))
        time.sleep(1.5)
        held = farm.stats()["done"] - 1 - (served == "served")
        rest = [len(one) for one in stream]
        print(first, held, (used() - before) // MIB, len(rest), sum(rest) // MIB)
"""


@pytest.mark.parametrize("served", ["served", "by-caller"])
@pytest.mark.parametrize("way", ["imap", "imap_unordered", "head", "small"])
def test_results_that_a_stream_holds_are_bounded_in_bytes(tmp_path: Path, way: str, served: str) -> None:
    """With 16 MiB it held all 300, of a thousand of them 700 MiB: what Python had taken was counted nowhere."""
    program = tmp_path / "sleeper.py"
    program.write_text(SLEEPER)
    command = [sys.executable, str(program), way, served]
    done = subprocess.run(command, env=ENVIRONMENT, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 0, done.stderr
    first, held, used, rest, whole = map(int, done.stdout.split())
    assert (first, rest) == (1 if way in {"head", "small"} else 1 << 20, 299)
    assert whole == 299, "nothing is lost by it"
    assert held <= 60, "at first no size is known"
    assert used <= 110


@pytest.mark.parametrize("shared_memory", [0, 1])
def test_large_answers_and_tasks_leave_no_memory_behind(shared_memory: int) -> None:
    """Neither with the coordinator, for each worker that ever gave one, nor with workers."""

    def resident_mib() -> float:
        return int(Path("/proc/self/statm").read_text().split()[1]) / 256

    with taskfarm.Farm(workers=4, pickle=True, shared_memory=shared_memory) as farm:
        at_first = max(farm.map(resident_of_worker, range(100)))
        before = resident_mib()
        for _ in range(3):
            assert all(len(one) == 50 << 20 for one in farm.map(bytes, [50 << 20] * 4))
        assert list(farm.map(len, [b"x"] * 100)) == [1] * 100
        own = resident_mib() - before
        assert list(farm.map(len, [bytes(50 << 20)] * 8)) == [50 << 20] * 8
        assert list(farm.map(len, [b"x"] * 100)) == [1] * 100
        at_last = list(farm.map(resident_of_worker, range(100)))
    assert own < 100, "200 for the answers of four workers"
    assert max(at_last) - at_first < 45, "50 to 100 for the task"
