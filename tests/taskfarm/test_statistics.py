"""What the counters count, as the reference and taskfarm.h have it."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

from results import take, until

Start = Callable[..., subprocess.Popen[bytes]]
ENDS = ("done", "failed", "dead", "cancelled", "expired")


def balanced(stats: dict[str, int]) -> bool:
    return stats["submitted"] == sum(stats[name] for name in ("delivered", "ready", "queued", "in_flight"))


def test_every_task_is_counted_once_wherever_it_is(listen: Any, start_worker: Start, tmp_path: Path) -> None:
    farm = listen(f"unix://{tmp_path}/s", window=1)
    first, _ = farm.submit_many([b"echo one", b"fail two", b"echo three", b"echo four"])
    assert farm.cancel(first + 3) == 0
    start_worker(farm.url)
    taken = 0
    while taken < 4:  # one by one, so that some are ready and some have been given
        taken += len(farm.next(1, 20))
        stats = farm.stats()
        assert stats["submitted"] == sum(stats[name] for name in ("delivered", "ready", "queued", "in_flight"))
        assert sum(stats[name] for name in ENDS) == stats["delivered"] + stats["ready"]
        assert stats["delivered"] == taken
    assert [stats[name] for name in ENDS] == [2, 1, 0, 1, 0]


def test_in_order_tasks_are_given_out_so_far_beyond_the_oldest_without_a_result(
    listen: Any, start_worker: Start, tmp_path: Path
) -> None:
    farm = listen(f"unix://{tmp_path}/s", ordered=1, reorder_limit=3, window=1)
    gate = tmp_path / "gate"
    for _ in range(2):
        start_worker(farm.url)
    until(farm, lambda s: s["workers"] == 2)
    farm.submit_many([f"await {gate}".encode(), *[b"echo next"] * 9])
    stats = until(farm, lambda s: s["done"] == 2)
    assert (stats["in_flight"], stats["queued"]) == (1, 7)  # the other worker is idle
    gate.touch()
    while farm.stats()["queued"] > 0:  # that results wait to be taken does not matter
        assert len(farm.next(1, 50)) <= 1


def test_a_worker_that_died_runs_nothing_once_its_task_is_done_elsewhere(
    listen: Any, start_worker: Start, tmp_path: Path
) -> None:
    farm = listen(f"unix://{tmp_path}/s?shm=off", heartbeat_ms=100, grace_ms=60_000, window=2)
    gate = tmp_path / "gate"
    first = start_worker(farm.url)
    farm.submit_many([f"await {gate}".encode(), b"echo next"])
    until(farm, lambda _: any(row["running"] for row in farm.workers()))
    first.kill()
    gate.touch()
    start_worker(farm.url)
    assert len(take(farm, 2)) == 2
    (gone,) = (row for row in farm.workers() if not row["connected"])
    assert (gone["in_flight"], gone["running"]) == (0, 0)
