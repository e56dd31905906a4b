"""kill -9 of msgauge in the middle of a launch leaves no process, no shared memory and no file, whatever the stack."""

from __future__ import annotations

import os
import pickle
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from test_every_stack import behaving_program, each_stack

from msgauge.model import Stack

SHARED = Path("/dev/shm")
LIMIT_S = 40.0


@pytest.fixture
def place() -> Iterator[Path]:
    """A temporary folder of its own with a short name, open to other users as the system's is."""
    folder = Path(tempfile.mkdtemp(prefix="k-"))
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


@each_stack
def test_nothing_is_left_when_msgauge_is_killed(stack: Stack, place: Path, tmp_path: Path) -> None:
    (tmp_path / "stack").write_bytes(pickle.dumps(stack))
    program = behaving_program(stack)
    script = Path(__file__).with_name("hanging_session.py")
    argv = [sys.executable, str(script), str(tmp_path / "stack"), str(program), str(tmp_path)]
    shared, system_v = shared_memory(), segments()
    msgauge = subprocess.Popen(argv, env={**os.environ, "TMPDIR": str(place)}, stdin=subprocess.DEVNULL)
    try:
        until(lambda: any("hang" in words for words in running(place, tmp_path).values()), "no rank has started")
        assert msgauge.poll() is None
        keepers = children_of(msgauge.pid)
        assert keepers
    finally:
        msgauge.kill()
        msgauge.wait()
    until(lambda: not running(place, tmp_path), f"still running: {running(place, tmp_path)}")
    until(lambda: not any(Path(f"/proc/{pid}").exists() for pid in keepers), "the keeper is still there")
    until(lambda: not list(place.iterdir()), f"still there: {list(place.rglob('*'))}")
    until(lambda: not (shared_memory() - shared - in_use()), "segments are left in /dev/shm")
    until(lambda: not (segments() - system_v), "segments of System V are left")


def until(holds: Callable[[], bool], otherwise: str) -> None:
    """Wait until something holds; fail after a while."""
    deadline = time.monotonic() + LIMIT_S
    while not holds():
        assert time.monotonic() < deadline, otherwise
        time.sleep(0.05)


def running(*places: Path) -> dict[int, list[str]]:
    """Words of the living processes that were told to use one of these folders: ranks, launchers, daemons."""
    found = {}
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            environment = (process / "environ").read_bytes()
            if int(process.name) != os.getpid() and any(str(place).encode() in environment for place in places):
                found[int(process.name)] = (process / "cmdline").read_bytes().decode(errors="replace").split("\0")
    return {pid: words for pid, words in found.items() if words != [""]}


def children_of(pid: int) -> list[int]:
    return [int(word) for word in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def shared_memory() -> set[str]:
    return {path.name for path in SHARED.iterdir()} if SHARED.is_dir() else set()


def in_use() -> set[str]:
    """Names in /dev/shm that a living process maps, of whatever program."""
    names = set()
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            lines = (process / "maps").read_text(errors="replace").splitlines()
            names |= {line.rsplit(f" {SHARED}/", 1)[1].split(" ")[0] for line in lines if f" {SHARED}/" in line}
    return names


def segments() -> set[str]:
    """Numbers of the System V segments that nobody is attached to."""
    with suppress(OSError):
        rows = [line.split() for line in Path("/proc/sysvipc/shm").read_text().splitlines()[1:]]
        return {row[1] for row in rows if row[6] == "0"}
    return set()
