"""The launcher of local ranks: it brings them together, and leaves none behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable

import pytest
from process_ends import gone

LIMIT_S = 60


def start(argv: list[str]) -> subprocess.Popen[str]:
    return subprocess.Popen(argv, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, stdin=subprocess.DEVNULL)


def sleepers(ranks_argv: Callable[[int], list[str]], count: int) -> tuple[subprocess.Popen[str], list[int]]:
    """A launcher whose ranks have said their process ids and now sleep for ever."""
    code = "import os, time; os.write(1, b'%d\\n' % os.getpid()); time.sleep(600)"
    launcher = start([*ranks_argv(count), sys.executable, "-c", code])
    assert launcher.stdout is not None
    return launcher, [int(launcher.stdout.readline()) for _ in range(count)]


def test_every_rank_knows_its_place(ranks_argv: Callable[[int], list[str]]) -> None:
    code = "import os; os.write(1, '{MSGAUGE_RANK} {MSGAUGE_SIZE}\\n'.format(**os.environ).encode())"
    done = subprocess.run(
        [*ranks_argv(5), sys.executable, "-c", code], capture_output=True, text=True, timeout=LIMIT_S, check=False
    )
    assert sorted(done.stdout.split("\n")[:-1]) == [f"{rank} 5" for rank in range(5)]
    assert done.returncode == 0


def test_one_failure_ends_all_and_its_code_is_the_launchers(ranks_argv: Callable[[int], list[str]]) -> None:
    code = "import os, sys, time; sys.exit(7) if os.environ['MSGAUGE_RANK'] == '2' else time.sleep(600)"
    began = time.monotonic()
    done = subprocess.run([*ranks_argv(3), sys.executable, "-c", code], timeout=LIMIT_S, check=False)
    assert done.returncode == 7
    assert time.monotonic() - began < 30


def test_a_rank_killed_by_a_signal_is_told_as_128_and_the_signal(ranks_argv: Callable[[int], list[str]]) -> None:
    done = subprocess.run(
        [*ranks_argv(2), sys.executable, "-c", "import os; os.kill(os.getpid(), 9)"], timeout=LIMIT_S, check=False
    )
    assert done.returncode == 137


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_a_signal_to_the_launcher_ends_the_ranks(ranks_argv: Callable[[int], list[str]], number: int) -> None:
    launcher, pids = sleepers(ranks_argv, 3)
    os.kill(launcher.pid, number)
    assert launcher.wait(LIMIT_S) == 128 + number
    assert all(gone(pid) for pid in pids)


def test_ranks_do_not_outlive_a_launcher_that_was_killed(ranks_argv: Callable[[int], list[str]]) -> None:
    launcher, pids = sleepers(ranks_argv, 3)
    launcher.kill()
    launcher.wait(LIMIT_S)
    assert all(gone(pid) for pid in pids)


def test_what_cannot_be_started_is_said(ranks_argv: Callable[[int], list[str]]) -> None:
    for argv, code, words in (
        ([*ranks_argv(2), "/nonexistent/program"], 127, "cannot start /nonexistent/program"),
        ([*ranks_argv(0), "true"], 2, "-n takes a number from 1 to 4096"),
        ([*ranks_argv(2)[:-1], "--hosts", "elsewhere", "--", "true"], 2, "goes with --agent"),
    ):
        done = subprocess.run(argv, capture_output=True, text=True, timeout=LIMIT_S, check=False)
        assert done.returncode == code
        assert words in done.stderr
