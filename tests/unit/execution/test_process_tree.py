"""Claims about ending a tree of processes: one that forks and ends while it is looked at loses no child."""

import os
import signal
import subprocess
import sys
import time
import traceback
from collections.abc import Callable
from pathlib import Path

import pytest

from msgauge.execution import process_tree
from msgauge.execution.process_tree import Reaper

FORK_WHEN_ASKED = """
import os, sys, time
def generation(left):
    sys.stdin.buffer.raw.read(1)
    if left and os.fork() == 0:
        return generation(left - 1)
    if not left:
        time.sleep(300)
    os._exit(0)
print(flush=True)
generation(int(sys.argv[1]))
"""
"""Each generation waits for one byte, forks the next and ends; what is last sleeps."""

LEAVE_ONE_DEAD = """
import os, time
child = os.fork()
if child == 0:
    os._exit(0)
os.waitid(os.P_PID, child, os.WEXITED | os.WNOWAIT)
print("dead", flush=True)
time.sleep(300)
"""
"""Says when its child is dead, which it never collects."""


LEAVE_ONE_DEAD_WHEN_ASKED = LEAVE_ONE_DEAD.replace("child = os", "print(flush=True)\nos.read(0, 1)\nchild = os")


def in_a_process_of_its_own(body: Callable[[], None]) -> str:
    """What went wrong in it, '' when nothing did: it ends all that is below it, which must not be the test runner's."""
    sys.stdout.flush()
    told, tell = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            process_tree.become_subreaper()
            body()
        except BaseException:
            os.write(tell, traceback.format_exc().encode()[-4096:])
        finally:
            for pid, _ in process_tree.scan().living:
                os.kill(pid, signal.SIGKILL)
            os._exit(0)
    os.close(tell)
    with os.fdopen(told) as stream:
        said = stream.read()
    os.waitpid(child, 0)
    return said


def state(pid: int) -> str:
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]


def pids_of_the_living() -> list[int]:
    return [pid for pid, _ in process_tree.scan().living]


@pytest.mark.parametrize("generations", [1, 2, 5])
def test_a_child_forked_behind_the_back_of_a_scan_is_ended_too(generations: int) -> None:
    """As a daemon detaches itself: after the list was read, before its own line of it is."""
    read = process_tree._stat

    def body() -> None:
        argv = [sys.executable, "-c", FORK_WHEN_ASKED, str(generations)]
        first = subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        assert first.stdin is not None
        assert first.stdout is not None
        first.stdout.readline()
        stdin, waiting, asked = first.stdin, [first.pid], [0]

        def fork_then_read(pid: int) -> tuple[int, int, bool] | None:
            if pid == waiting[0] and asked[0] < generations:
                asked[0] += 1
                stdin.write(b"x")
                stdin.flush()
                while state(pid) != "Z":
                    time.sleep(0.001)
                process_tree._stat = read
                waiting[:] = pids_of_the_living()
                process_tree._stat = fork_then_read
            return read(pid)

        process_tree._stat = fork_then_read
        Reaper().kill_tree()
        process_tree._stat = read
        assert asked == [generations]
        assert pids_of_the_living() == []

    assert in_a_process_of_its_own(body) == ""


def test_spared_processes_and_their_dead_children_do_not_keep_it_busy() -> None:
    """A daemon of a session is spared, and need not collect its dead."""

    def body() -> None:
        daemon = subprocess.Popen([sys.executable, "-c", LEAVE_ONE_DEAD], stdout=subprocess.PIPE)
        assert daemon.stdout is not None
        assert daemon.stdout.readline() == b"dead\n"
        reaper = Reaper()
        spared = reaper.list_living()
        assert {pid for pid, _ in spared} == {daemon.pid}
        began = time.monotonic()
        assert reaper.kill_tree(spared) == 0
        assert time.monotonic() - began < 5
        assert state(daemon.pid) in ("S", "R"), "it lives"
        assert reaper.kill_tree() == 1

    assert in_a_process_of_its_own(body) == ""


def test_one_that_no_scan_saw_alive_is_told_of_too() -> None:
    """As a rank that its daemon starts behind a scan, and that dies with it: what it left is found by its number."""
    read = process_tree._stat

    def body() -> None:
        argv = [sys.executable, "-c", LEAVE_ONE_DEAD_WHEN_ASKED]
        daemon = subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
        assert daemon.stdin is not None
        assert daemon.stdout is not None
        stdin, stdout, asked = daemon.stdin, daemon.stdout, list[bytes]()
        stdout.readline()

        def fork_then_read(pid: int) -> tuple[int, int, bool] | None:
            if pid == daemon.pid and not asked:
                stdin.write(b"x")
                asked.append(stdout.readline())
            return read(pid)

        process_tree._stat = fork_then_read
        reaper, noted = Reaper(), set[int]()
        reaper.kill_tree(note=lambda processes: noted.update(pid for pid, _ in processes))
        assert asked == [b"dead\n"]
        assert noted == {daemon.pid}
        assert len(reaper.ended - noted) == 1

    assert in_a_process_of_its_own(body) == ""
