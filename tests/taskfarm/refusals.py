"""A worker that may not join: refused, counted for itself, and the farm works on."""

from __future__ import annotations

import subprocess
import threading
from collections.abc import Callable
from typing import Any

from results import DONE, take, until

import taskfarm


def refused(farm: Any, url: str, options: dict[str, Any], counter: str = "refused_credentials") -> taskfarm.Error:
    """The error of a worker that tries to join, while the farm runs; the farm counts this one."""
    before = farm.stats()
    raised: list[taskfarm.Error] = []

    def connect() -> None:
        try:
            taskfarm.Worker(url, {"connect_timeout_ms": 700, **options})
        except taskfarm.Error as error:
            raised.append(error)

    thread = threading.Thread(target=connect)
    thread.start()
    until(farm, lambda _: not thread.is_alive())
    after = until(farm, lambda s: s[counter] > before[counter] and s["half_open"] == 0)
    assert after["refused"] - before["refused"] == after[counter] - before[counter], "refused for another reason too"
    assert after["workers_joined"] == before["workers_joined"]
    return raised[0]


def still_works(farm: Any, start_worker: Callable[..., subprocess.Popen[bytes]], *arguments: str) -> None:
    """One who has the right to joins, and does a task."""
    before = farm.stats()["workers_joined"]
    start_worker(farm.url + "?shm=off", *arguments)
    task = farm.submit(b"echo fine")
    assert take(farm, 1)[0][:3] == (task, DONE, b"fine")
    assert farm.stats()["workers_joined"] == before + 1
