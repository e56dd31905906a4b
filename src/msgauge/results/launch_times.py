"""How the time of a run went by, by what its records noted: a run that is resumed reads the same from them."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from itertools import pairwise
from math import inf

from msgauge.model import LaunchRecord

_LONGEST_GAP_S = 10.0
"""A longer pause between two launches was an interruption and no part of measuring."""
_PAUSE_S = 60.0
_APART_S = 3 * 3600.0
"""A longer one is no wait for hosts: the machine may have been in another state when the run went on."""


class RunTime:
    """Seconds of measuring, launch by launch in the order of their numbers."""

    def __init__(self) -> None:
        self.launches = 0
        self.launched_s = 0.0
        """In launches alone."""
        self.between_s = 0.0
        """Between one launch and the next, without waiting for workers."""
        self._last: LaunchRecord | None = None

    @property
    def used_s(self) -> float:
        """Up to the end of the last launch: launches and what is done between two of them."""
        return self.launched_s + self.between_s

    def take(self, record: LaunchRecord) -> None:
        """Take note of the next launch."""
        if self._last is not None:
            gap = gap_s(self._last, record) - record.waited_s
            self.between_s += gap if 0 < gap <= _LONGEST_GAP_S else 0.0
        self.launches += 1
        self.launched_s += record.seconds
        self._last = record


def gap_s(one: LaunchRecord, other: LaunchRecord) -> float:
    """Seconds from the end of a launch to the start of the next; inf where no time was noted."""
    try:
        apart = datetime.fromisoformat(other.started) - datetime.fromisoformat(one.started)
    except ValueError:
        return inf
    return apart.total_seconds() - one.seconds


def list_breaks(records: Iterable[LaunchRecord]) -> tuple[int, ...]:
    """The rounds that were begun, or gone on with, more than a minute after the launch before: a run that was resumed.

    Waiting for workers and hosts is no pause. Launches without a time tell nothing. Ascending, each once.
    """
    timed = sorted((one for one in records if one.started), key=lambda one: one.started)
    pauses = ((gap_s(one, other) - other.waited_s, other) for one, other in pairwise(timed))
    return tuple(sorted({other.launch.round for pause, other in pauses if pause > _PAUSE_S and other.launch.round > 0}))


def list_sittings(records: Iterable[LaunchRecord]) -> list[tuple[str, int]]:
    """When each part of a run began, and how many launches it has: parts that lie more than three hours apart.

    Launches without a time are in none; in order of time.
    """
    found: list[tuple[str, int]] = []
    last: LaunchRecord | None = None
    for record in sorted((one for one in records if one.started), key=lambda one: one.started):
        if last is None or gap_s(last, record) > _APART_S:
            found.append((record.started, 0))
        found[-1] = (found[-1][0], found[-1][1] + 1)
        last = record
    return found
