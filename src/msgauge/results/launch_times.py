"""How the time of a run went by, by what its records noted: a run that is resumed reads the same from them."""

from __future__ import annotations

from datetime import datetime
from math import inf

from msgauge.model import LaunchRecord

_LONGEST_GAP_S = 10.0
"""A longer pause between two launches was an interruption and no part of measuring."""


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
