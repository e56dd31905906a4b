"""Who has nothing to do uses no processor."""

from __future__ import annotations

import resource
import subprocess
import time
from collections.abc import Callable
from typing import Any

from farms import Transport
from results import take, until

Start = Callable[..., subprocess.Popen[bytes]]
IDLE_S = 2.0
MOST = 0.01
"""Of one processor."""


def used_here() -> float:
    """Seconds of processor time that this process has used."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def used_by_workers(farm: Any) -> dict[int, float]:
    """The same of each worker, which says so in a task."""
    farm.submit_many([b"sleep 0.1;usage"] * 3)  # each holds one back until all have one
    told = {result[4]: float(result[2]) for result in take(farm, 3)}
    assert len(told) == 3
    return told


def test_idle_coordinators_and_workers_use_less_than_a_hundredth_of_a_processor(
    transport: Transport, listen: Any, start_worker: Start
) -> None:
    farm = listen(transport.url, **transport.options)
    for _ in range(3):
        start_worker(transport.of(farm), *transport.options.values())
    until(farm, lambda s: s["workers_idle"] == 3)
    before = used_by_workers(farm)
    start, used = time.monotonic(), used_here()
    while time.monotonic() < start + IDLE_S:
        assert not farm.next(1, int(1000 * IDLE_S))
    share = (used_here() - used) / (time.monotonic() - start)
    assert share < MOST, f"the coordinator: {share:.2%}"
    for number, after in used_by_workers(farm).items():
        share = (after - before[number]) / (time.monotonic() - start)
        assert share < MOST, f"worker {number}: {share:.2%}"
