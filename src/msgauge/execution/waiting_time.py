"""Time in which a run waits for something to come, which is no time of measuring."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager


class WaitingTime:
    """Seconds of CLOCK_MONOTONIC that one run waited, for workers and for hosts."""

    def __init__(self) -> None:
        self.total_s = 0.0
        self._noted_s = 0.0

    @contextmanager
    def measure(self) -> Iterator[None]:
        """Add what is done inside."""
        before_s = time.monotonic()
        yield
        self.total_s += time.monotonic() - before_s

    def take_new_s(self) -> float:
        """What was added since it was asked for the last time."""
        new_s, self._noted_s = self.total_s - self._noted_s, self.total_s
        return new_s
