"""Farms where the system gives little: few descriptors, no shared memory; and the widest options."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from farms import BUILD
from results import DONE, take, until
from second_implementation import SecondWorker

import taskfarm

Start = Callable[..., subprocess.Popen[bytes]]

WITHOUT_MEMORY = f"""
import resource, sys
sys.path.insert(0, {str(BUILD / "package")!r})
import taskfarm
resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))  # of files in memory too
farm = taskfarm.Coordinator(sys.argv[1], {{}})
print(farm.url, flush=True)
farm.submit(b"echo x")
print(farm.next(1, 20000)[0][2].decode(), farm.workers()[0]["transport"], flush=True)
farm.close(2000)
"""


@pytest.mark.parametrize("url", ["unix://{folder}/s", "tcp://127.0.0.1:0"])
def test_where_no_shared_memory_can_be_made_the_sockets_serve(start_worker: Start, tmp_path: Path, url: str) -> None:
    command = [sys.executable, "-c", WITHOUT_MEMORY, url.format(folder=tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as farm:
        assert farm.stdout is not None
        start_worker(farm.stdout.readline().strip() or pytest.fail("there is no farm"))
        assert farm.stdout.readline().split() == ["x", url[: url.index(":")]]
    assert farm.returncode == 0


@pytest.fixture
def few_descriptors() -> Iterator[int]:
    """Two are left; the hard limit, up to which there may be more."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    highest = max(int(path.name) for path in Path("/proc/self/fd").iterdir())
    resource.setrlimit(resource.RLIMIT_NOFILE, (highest + 3, hard))
    taken: list[int] = []
    with suppress(OSError):
        while True:
            taken.append(os.open(os.devnull, os.O_RDONLY))
    for _ in range(2):
        os.close(taken.pop())
    yield hard
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    for descriptor in taken:
        os.close(descriptor)


def test_a_farm_begins_where_descriptors_run_out_and_the_limit_may_be_raised(
    few_descriptors: int, listen: Any, start_worker: Start, tmp_path: Path
) -> None:
    farm = listen(f"unix://{tmp_path}/s")
    assert resource.getrlimit(resource.RLIMIT_NOFILE)[0] == few_descriptors
    start_worker(farm.url)
    assert until(farm, lambda s: s["workers_idle"] == 1)["workers_shared_memory"] == 1
    farm.submit(b"echo x")
    assert take(farm, 1)[0][1] == DONE


def test_a_farm_does_not_begin_where_the_limit_of_descriptors_may_not_be_raised(
    few_descriptors: int, tmp_path: Path
) -> None:
    with pytest.raises(taskfarm.Error, match="Too many open files"):
        taskfarm.Coordinator(f"unix://{tmp_path}/s", {"raise_descriptors": 0})
    assert resource.getrlimit(resource.RLIMIT_NOFILE)[0] < few_descriptors


def test_any_number_of_workers_lets_one_come_back_whose_old_connection_still_stands(
    listen: Any, tmp_path: Path
) -> None:
    farm = listen(f"unix://{tmp_path}/s", max_workers=2**32 - 1)
    first = SecondWorker(f"{tmp_path}/s")
    with_loop(farm, first)
    again = SecondWorker(f"{tmp_path}/s", identity=first.identity)
    with_loop(farm, again)
    assert (farm.stats()["reconnects"], farm.stats()["refused"]) == (1, 0)


def with_loop(farm: Any, worker: SecondWorker) -> None:
    """The worker joins, while the farm runs."""
    joining = threading.Thread(target=worker.join)
    joining.start()
    while joining.is_alive():
        farm.next(1, 10)
    until(farm, lambda s: s["workers_idle"] == 1)
