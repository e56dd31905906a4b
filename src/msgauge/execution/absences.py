"""When a lost host is tried again: at once and for a minute, then less and less often.

A launch that needs the host waits during that minute. Later launches do not wait: they try it where it is due, once.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Container, Mapping, Sequence

WAITED_FOR_S = 60.0
"""A host that is away shorter than this costs no launch but the one that was hit."""
STEADY_S = 60.0
"""A connection that stood for so long and breaks is a new absence; one that breaks sooner was no success."""
_FIRST_PAUSE_S = 2.0
_LATER_PAUSE_S = 30.0
_LONGEST_PAUSE_S = 300.0


class Absence:
    """What is known of the times at which one host was away; seconds of a monotonic clock."""

    def __init__(self) -> None:
        self._began_s: float | None = None
        self._returned_s: float | None = None
        self._due_s = 0.0
        self._later_tries = 0

    def take_loss(self, now_s: float) -> None:
        """The host is seen to be away; to be told before each attempt, again and again while it stays away."""
        if self._began_s is None or (self._returned_s is not None and now_s - self._returned_s >= STEADY_S):
            self._began_s, self._due_s, self._later_tries = now_s, now_s, 0
        elif self._returned_s is not None:
            self._put_off(now_s)
        self._returned_s = None

    def take_failure(self, now_s: float) -> None:
        """An attempt failed."""
        self._put_off(now_s)

    def take_return(self, now_s: float) -> None:
        """An attempt went well."""
        self._returned_s = now_s

    def is_due(self, now_s: float) -> bool:
        """Whether it is to be tried now."""
        return now_s >= self._due_s

    def pause_s(self, now_s: float) -> float | None:
        """How long a launch is to wait for the next attempt; None where it is not to wait."""
        pause_s = max(0.0, self._due_s - now_s)
        waited_for = self._began_s is not None and now_s + pause_s < self._began_s + WAITED_FOR_S
        return pause_s if waited_for else None

    def _put_off(self, now_s: float) -> None:
        assert self._began_s is not None
        if now_s < self._began_s + WAITED_FOR_S:
            self._due_s = now_s + _FIRST_PAUSE_S
            return
        self._due_s = now_s + min(_LATER_PAUSE_S * 2**self._later_tries, _LONGEST_PAUSE_S)
        self._later_tries = min(self._later_tries + 1, 10)


def await_hosts(
    names: Sequence[str],
    absences: Mapping[str, Absence],
    find_lost: Callable[[], Container[str]],
    reopen: Callable[[Sequence[str]], Sequence[str]],
) -> list[str]:
    """Wait for lost hosts as their absences have it; which of them came back.

    ``find_lost``: those that are away. ``reopen``: tries some of them once, and gives those that are there again.
    """
    returned: list[str] = []
    while lost := [name for name in names if name in find_lost()]:
        for name in lost:
            absences[name].take_loss(time.monotonic())
        due = [name for name in lost if absences[name].is_due(time.monotonic())]
        back = reopen(due) if due else ()
        now_s = time.monotonic()
        for name in due:
            (absences[name].take_return if name in back else absences[name].take_failure)(now_s)
        returned += back
        pauses = [absences[name].pause_s(now_s) for name in lost if name not in returned]
        if not pauses or None in pauses:
            break
        time.sleep(min(pause_s for pause_s in pauses if pause_s is not None))
    return returned
