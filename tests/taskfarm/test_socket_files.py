"""The file of a unix socket: a coordinator removes its own at its end, and what a killed one left behind; no other."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from farms import BUILD
from results import DONE, take

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
