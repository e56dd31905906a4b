"""Waiting, with an end: results of a coordinator, and states of it."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any

from second_implementation import SecondWorker

DONE, FAILED, DEAD, CANCELLED, EXPIRED = range(5)


def take(coordinator: Any, count: int, timeout: float = 30.0) -> list[tuple[Any, ...]]:
    """So many results; fails when they do not come in time."""
    results: list[tuple[Any, ...]] = []
    end = time.monotonic() + timeout
    while len(results) < count:
        assert time.monotonic() < end, f"{len(results)} of {count} results; {coordinator.stats()}"
        results += coordinator.next(1024, 50) or []
    return results


def until(coordinator: Any, condition: Callable[[dict[str, int]], bool], timeout: float = 20.0) -> dict[str, int]:
    """Runs the coordinator until its statistics meet the condition."""
    end = time.monotonic() + timeout
    while True:
        stats: dict[str, int] = coordinator.stats()
        if condition(stats):
            return stats
        assert time.monotonic() < end, stats
        run(coordinator, 10)


def run(coordinator: Any, milliseconds: int) -> None:
    """Lets the coordinator work; no result may come meanwhile."""
    end = time.monotonic() + milliseconds / 1000
    while time.monotonic() < end:
        results = coordinator.next(1, 5)
        assert not results, results


def join(farm: Any, worker: SecondWorker) -> None:
    """The worker joins while the farm runs."""
    raised: list[BaseException] = []

    def work() -> None:
        try:
            worker.join()
        except BaseException as error:
            raised.append(error)

    thread = threading.Thread(target=work)
    thread.start()
    while thread.is_alive():
        run(farm, 5)
    run(farm, 20)
    if raised:
        raise raised[0]
