"""TaskFuture: the future of one task of a farm."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from typing import Any

from taskfarm import errors
from taskfarm._core import Coordinator

Outcome = tuple[int, int, Any, int, int, bool]  # id, status, bytes (or an error), attempts, worker, redelivered


class TaskFuture(Future[Any]):
    """A future that can be cancelled while its task is queued.

    Args:
        decode: makes the value of an outcome, or raises its error. It is there before the task is known to the farm,
            since the result may come while `submit` still runs.
    """

    def __init__(self, core: Coordinator, decode: Callable[[Outcome], Any]) -> None:
        super().__init__()
        self._core: Coordinator | None = core
        self._decode: Callable[[Outcome], Any] | None = decode
        self.task_id = 0

    def cancel(self) -> bool:
        """True when the task will not run; False when a worker has it already."""
        core = self._core
        if core is None or self.done():
            return self.cancelled()
        with suppress(errors.Error):
            if core.cancel(self.task_id, only_queued=True) == 0:
                return super().cancel()
        return self.cancelled()

    def running(self) -> bool:
        """Whether a worker is known to run it; without shared memory that is known within `heartbeat_ms`."""
        core = self._core
        if core is None or self.done() or self.task_id == 0:
            return False
        with suppress(errors.Error):
            return any(row["connected"] and row["running"] == self.task_id for row in core.workers())
        return False

    def take(self, outcome: Outcome) -> None:
        """Finishes the future."""
        decode, self._decode, self._core = self._decode, None, None  # a result that is kept does not keep the farm
        if decode is None:
            return
        if outcome[1] == errors.CANCELLED:
            super().cancel()
        if not self.set_running_or_notify_cancel():
            return
        try:
            value = decode(outcome)
        except BaseException as error:
            self.set_exception(error)
        else:
            self.set_result(value)
