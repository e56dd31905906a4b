"""A coordinator killed in the middle goes on with its journal: every result handed out exactly once."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from farms import BUILD
from results import DEAD, DONE, take

import taskfarm

Start = Callable[..., subprocess.Popen[bytes]]
TASKS = int(os.environ.get("TASKFARM_JOURNAL_TASKS", "6000"))  # `make -C taskfarm journal` runs the long form
KILLS = int(os.environ.get("TASKFARM_JOURNAL_KILLS", "3"))

# Appends the id of each result to a file; one that may have been handed out before is looked up there first.
PROGRAM = """
import sys
sys.path.insert(0, sys.argv[1])
import taskfarm
url, journal, log, tasks = *sys.argv[2:5], int(sys.argv[5])
farm = taskfarm.Coordinator(url, {"journal": journal})
stored = {int(line) for line in open(log).read().split()} if __import__("os").path.exists(log) else set()
with open(log, "a", buffering=1) as out:
    submitted = farm.stats()["submitted"]
    delivered = farm.stats()["delivered"]
    while delivered < tasks:
        while submitted < tasks and farm.stats()["queued"] < 500:
            count = min(200, tasks - submitted)
            first, accepted = farm.submit_many([str(submitted + 1 + i).encode() for i in range(count)])
            assert first == submitted + 1
            submitted += accepted
        for task, status, data, attempts, worker, again in farm.next(50, 1000):
            assert data == str(task).encode(), (task, data)
            delivered += 1
            if not (again and task in stored):
                out.write(f"{task}\\n")
farm.next(1, 0)
farm.close(1000)
"""


def test_every_result_is_handed_out_exactly_once_over_kills_of_the_coordinator(tmp_path: Path) -> None:
    url, log = f"unix://{tmp_path}/s", tmp_path / "log"
    command = [
        sys.executable,
        "-c",
        PROGRAM,
        str(BUILD / "package"),
        url,
        str(tmp_path / "journal"),
        str(log),
        str(TASKS),
    ]
    worker: subprocess.Popen[bytes] | None = None
    farm: subprocess.Popen[bytes] | None = None
    try:
        for kill in range(1, KILLS + 2):
            farm = subprocess.Popen(command)
            if worker is None or worker.poll() is not None:
                worker = subprocess.Popen([BUILD / "tests" / "echo_worker", url, "2"], stderr=subprocess.DEVNULL)
            if kill <= KILLS:
                wait_for_lines(log, TASKS * kill // (KILLS + 1), farm)
                farm.kill()
                farm.wait()
        assert farm is not None
        assert farm.wait(100) == 0
    finally:
        for process in (farm, worker):
            if process is not None:
                process.kill()
                process.wait()
    counts = Counter(map(int, log.read_text().split()))
    assert set(counts) == set(range(1, TASKS + 1))
    assert set(counts.values()) == {1}


def wait_for_lines(log: Path, count: int, farm: subprocess.Popen[bytes]) -> None:
    """Until so many results have been handed out; the coordinator must not have ended before."""
    end = time.monotonic() + 100
    while not log.exists() or log.read_bytes().count(b"\n") < count:
        assert time.monotonic() < end
        assert farm.poll() is None
        time.sleep(0.01)


def test_a_restarted_coordinator_has_its_tasks_results_and_broadcasts(tmp_path: Path, start_worker: Start) -> None:
    url, options = f"unix://{tmp_path}/s", {"journal": str(tmp_path / "journal")}
    first = taskfarm.Coordinator(url, options)
    first.broadcast("p", b"kept")
    first.submit_many([b"echo one", b"context p"])
    del first  # no close: nothing more is written
    second = taskfarm.Coordinator(url, options)
    stats = second.stats()
    assert (stats["submitted"], stats["recovered"], stats["queued"]) == (2, 2, 2)
    start_worker(second.url)
    assert sorted(r[:3] for r in take(second, 2)) == [(1, DONE, b"one"), (2, DONE, b"kept")]
    second.next(1, 0)  # confirms
    assert second.submit(b"echo three") == 3
    second.close(0)
    third = taskfarm.Coordinator(url, options)
    assert third.stats()["recovered"] == 1
    third.close(0)


def test_what_was_handed_out_and_not_confirmed_comes_again_and_says_so(tmp_path: Path, start_worker: Start) -> None:
    url, journal = f"unix://{tmp_path}/s", str(tmp_path / "journal")
    program = (
        "import os, sys; sys.path.insert(0, sys.argv[1]); import taskfarm\n"
        "farm = taskfarm.Coordinator(sys.argv[2], {'journal': sys.argv[3]})\n"
        "farm.submit(b'echo x')\n"
        "while not (results := farm.next(1, 1000)): pass\n"
        "os._exit(0 if results[0][2] == b'x' and not results[0][5] else 1)\n"
    )
    worker = start_worker(url)
    subprocess.run([sys.executable, "-c", program, str(BUILD / "package"), url, journal], check=True)
    worker.kill()
    again = taskfarm.Coordinator(url, {"journal": journal})
    assert take(again, 1)[0] == (1, DONE, b"x", 1, 0, True)
    again.close(0)


def test_attempts_are_counted_over_restarts(tmp_path: Path, start_worker: Start) -> None:
    url, options = f"unix://{tmp_path}/s", {"journal": str(tmp_path / "journal"), "max_attempts": 2, "window": 1}
    farm = taskfarm.Coordinator(url, options)
    farm.submit(b"die")
    start_worker(url)
    end = time.monotonic() + 20
    while farm.stats()["attempts_lost"] < 1 and time.monotonic() < end:
        farm.next(1, 10)
    del farm
    again = taskfarm.Coordinator(url, options)
    start_worker(url)
    result = take(again, 1)[0]
    assert result[1] == DEAD
    assert len(result[2].splitlines()) == 2
    again.close(0)


def test_two_coordinators_cannot_use_one_journal(tmp_path: Path, listen: Any) -> None:
    listen(f"unix://{tmp_path}/a", journal=str(tmp_path / "journal"))
    with pytest.raises(taskfarm.Error, match="another coordinator uses it; end that one, or give each one a journal"):
        taskfarm.Coordinator(f"unix://{tmp_path}/b", {"journal": str(tmp_path / "journal")})


@pytest.mark.parametrize(("place", "reason"), [("none/journal", "No such file"), ("", "Is a directory")])
def test_a_journal_that_cannot_be_there_is_told_with_a_remedy(tmp_path: Path, place: str, reason: str) -> None:
    with pytest.raises(taskfarm.Error, match=f"{reason}.*; give a file in a folder that is there"):
        taskfarm.Farm(journal=str(tmp_path / place))
