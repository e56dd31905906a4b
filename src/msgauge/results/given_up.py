"""Stacks that failed so often in a row that they are not started any more."""

from __future__ import annotations

from collections.abc import Iterable

from msgauge.model import RECONNECTED, LaunchRecord

FAILURES_IN_A_ROW = 2
"""After so many failed launches one after the other a stack is no longer started on that number of ranks."""


class FailuresInARow:
    """Counts them launch by launch, in order of their numbers.

    Launches that failed as their hosts were lost count until a host comes back. They say nothing about a stack.
    """

    def __init__(self) -> None:
        self._own: dict[tuple[str, int], int] = {}
        self._of_hosts: dict[tuple[str, int], int] = {}

    @property
    def given_up(self) -> frozenset[tuple[str, int]]:
        """(stack, ranks) that is not started any more."""
        return frozenset(key for key in self._own.keys() | self._of_hosts.keys() if self._is_given_up(key))

    def waits_for_hosts(self, stack: str, ranks: int) -> bool:
        """Whether one that was given up was so as hosts are lost: it is started again when one is back."""
        return self._own.get((stack, ranks), 0) < FAILURES_IN_A_ROW

    def take(self, record: LaunchRecord) -> None:
        """Take note of a launch."""
        key = record.launch.stack, record.launch.ranks
        if RECONNECTED in dict(record.condition):
            self._of_hosts.clear()
        if record.status.broke_off:
            counts = self._of_hosts if record.lost else self._own
            counts[key] = counts.get(key, 0) + 1
        elif not self._is_given_up(key):
            self._own[key] = self._of_hosts[key] = 0

    def _is_given_up(self, key: tuple[str, int]) -> bool:
        return self._own.get(key, 0) + self._of_hosts.get(key, 0) >= FAILURES_IN_A_ROW


def take_failures(records: Iterable[LaunchRecord]) -> FailuresInARow:
    """What these launches say, whatever their order here."""
    failures = FailuresInARow()
    for record in sorted(records, key=lambda record: record.launch.number):
        failures.take(record)
    return failures
