"""Connections without room, since the other side computes: nobody is given up for it, and nobody waits for it."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from farms import Transport
from results import DONE, take, until

Start = Callable[..., subprocess.Popen[bytes]]
OVER_TCP = pytest.mark.parametrize("transport", ["tcp", "tls"], indirect=True)
PATIENCE = {"heartbeat_ms": 100, "heartbeat_timeout_ms": 1500, "window": 2}
LONGER_S = 4.5
"""Three times what a worker, or a coordinator, may be silent."""
BEYOND_ALL_BUFFERS = 48 << 20


def listen_with_patience(transport: Transport, listen: Any, start_worker: Start) -> Any:
    """A farm with one worker, which is idle."""
    farm = listen(transport.url, **transport.options, **PATIENCE)
    start_worker(transport.of(farm), *transport.options.values())
    until(farm, lambda s: s["workers_idle"] == 1)
    return farm


def assert_nobody_lost(farm: Any) -> None:
    stats = farm.stats()
    assert (stats["workers_lost"], stats["attempts_lost"], stats["requeued"]) == (0, 0, 0)


@OVER_TCP
def test_a_busy_worker_is_not_dead_for_a_large_task_that_waits_behind_the_long_one(
    transport: Transport, listen: Any, start_worker: Start
) -> None:
    farm = listen_with_patience(transport, listen, start_worker)
    farm.submit(f"sleep {LONGER_S}".encode())
    farm.submit(b"echo " + b"x" * BEYOND_ALL_BUFFERS)
    assert [(r[1], r[3]) for r in take(farm, 2)] == [(DONE, 1), (DONE, 1)]
    assert_nobody_lost(farm)


@OVER_TCP
def test_a_coordinator_that_was_away_loses_nobody_who_has_a_long_answer_for_it(
    transport: Transport, listen: Any, start_worker: Start
) -> None:
    farm = listen_with_patience(transport, listen, start_worker)
    farm.submit(b"sleep 0.2;echo " + b"x" * BEYOND_ALL_BUFFERS)
    while not farm.workers()[0]["running"]:  # it has all of the task
        assert not farm.next(1, 10)
    time.sleep(LONGER_S)
    assert [(r[1], r[3]) for r in take(farm, 1)] == [(DONE, 1)]
    assert_nobody_lost(farm)


@pytest.mark.parametrize("transport", ["unix"], indirect=True)
def test_the_rest_of_a_long_answer_does_not_wait_for_the_end_of_the_next_task(
    transport: Transport, listen: Any, start_worker: Start, tmp_path: Path
) -> None:
    """In pieces of a socket's buffer, one for each heartbeat, it would take a minute."""
    farm = listen(transport.url, window=2)
    start_worker(transport.of(farm))
    until(farm, lambda s: s["workers_idle"] == 1)
    long = farm.submit(b"echo " + b"x" * (100 << 20))
    farm.submit(f"await {tmp_path}/taken".encode())
    assert take(farm, 1, 25)[0][0] == long
    (tmp_path / "taken").touch()
    take(farm, 1)
