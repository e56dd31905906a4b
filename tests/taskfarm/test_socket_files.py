"""The file of a unix socket: a coordinator removes its own at its end, and what a killed one left behind; no other."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from farms import BUILD
from results import DONE, take
from taskfarm.socket_names import YOUNG_S
from test_journal_faults import files_end_at

import taskfarm

Start = Callable[..., subprocess.Popen[bytes]]

# No descriptor is left to find out whether somebody listens.
WITHOUT_DESCRIPTORS = """
import os, resource, sys
import taskfarm

hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
free = os.dup(0)
os.close(free)
for left in range(8):
    resource.setrlimit(resource.RLIMIT_NOFILE, (free + left, hard))
    try:
        taskfarm.Coordinator(sys.argv[1], {"raise_descriptors": 0})
    except taskfarm.Error as error:
        print(error)
"""


def test_a_socket_of_another_kind_is_no_leftover(tmp_path: Path) -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as other:
        other.bind(f"{tmp_path}/s")
        with pytest.raises(taskfarm.Error, match="a socket is there"):
            taskfarm.Coordinator(f"unix://{tmp_path}/s")
        assert Path(f"{tmp_path}/s").exists()


def test_who_cannot_find_out_whether_somebody_listens_removes_nothing(listen: Any, tmp_path: Path) -> None:
    farm = listen(f"unix://{tmp_path}/s")
    environment = {**os.environ, "PYTHONPATH": str(BUILD / "package")}
    command = [sys.executable, "-c", WITHOUT_DESCRIPTORS, farm.url]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=60)
    assert "Too many open files" in done.stdout and "another coordinator listens" in done.stdout, done
    assert len(done.stdout.splitlines()) == 8
    assert Path(f"{tmp_path}/s").exists()


def test_a_coordinator_whose_file_was_taken_away_leaves_that_of_its_successor(
    listen: Any, start_worker: Start, tmp_path: Path
) -> None:
    first = taskfarm.Coordinator(f"unix://{tmp_path}/s")
    Path(f"{tmp_path}/s").unlink()  # as those do who clean up /tmp
    second = listen(f"unix://{tmp_path}/s")
    first.close(0)
    start_worker(second.url)
    second.submit(b"echo fine")
    assert take(second, 1)[0][1:3] == (DONE, b"fine")
    second.close(0)
    assert not Path(f"{tmp_path}/s").exists()


def test_a_farm_without_a_folder_for_its_socket_has_a_name_without_a_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("XDG_RUNTIME_DIR", raising=False)
    monkeypatch.setattr(tempfile, "tempdir", None)  # it is looked for again
    with files_end_at(0), taskfarm.Farm() as farm:
        assert farm.url.startswith("unix://@taskfarm-")


def test_a_folder_that_no_url_can_name_is_left_for_a_name_without_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "a?shm=on"
    folder.mkdir()
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(folder))
    with taskfarm.Farm(workers=1, function="builtins:bytes") as farm:
        assert farm.url.startswith("unix://@taskfarm-")
        assert farm.submit(None, b"fine").result(60) == b"fine"


def age(path: Path) -> Path:
    os.utime(path, (path.stat().st_atime, path.stat().st_mtime - 2 * YOUNG_S))
    return path


def test_a_farm_removes_what_killed_ones_left_in_its_folder_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Killed, a program removes no file: its socket stood in the folder until somebody else looked."""
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    names = [tmp_path / f"taskfarm-{number}-0123456{number}.sock" for number in range(4)]
    left, young, heard, plain = names
    strange = tmp_path / "other-1-01234567.sock"
    plain.touch()
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(heard))
        listening.listen()
        for path in (left, young, strange):
            with socket.socket(socket.AF_UNIX) as ended:
                ended.bind(str(path))
        for path in (left, heard, plain, strange):
            age(path)
        with taskfarm.Farm():
            own = [path for path in tmp_path.glob("*.sock") if path not in (*names, strange)]
            assert len(own) == 1, "and the new one stands there"
            listening.setblocking(False)
            with pytest.raises(BlockingIOError):
                listening.accept()  # whom the list of sockets knows is not disturbed
    assert not left.exists()
    assert all(path.exists() for path in (young, heard, plain, strange))
