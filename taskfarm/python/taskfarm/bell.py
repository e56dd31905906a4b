"""Bell: where threads wait until another one says that something has changed."""

from __future__ import annotations

import threading
from contextlib import suppress


class Bell:
    """As threading.Condition, but of locks alone, which no signal's handler can leave half taken.

    Condition's methods are Python: Ctrl-C inside of one leaves its lock taken for ever, or raises that it is not taken.
    """

    def __init__(self) -> None:
        self._next = _silent()

    def listen(self) -> threading.Lock:
        """What rings next; to be asked for before looking whether there is anything to wait for."""
        return self._next

    def wait(self, heard: threading.Lock, timeout_s: float) -> None:
        """Until it has rung since `heard` was asked for, or the time is over."""
        if heard.acquire(timeout=max(0.0, timeout_s)):
            _let_go(heard)  # for who waits as well

    def ring(self) -> None:
        """Wakes everybody who waits."""
        rung, self._next = self._next, _silent()
        _let_go(rung)


def _silent() -> threading.Lock:
    lock = threading.Lock()
    lock.acquire()
    return lock


def _let_go(lock: threading.Lock) -> None:
    with suppress(RuntimeError):  # two rang at once
        lock.release()
