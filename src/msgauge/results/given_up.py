"""Stacks that failed so often in a row that they are not started any more."""

from __future__ import annotations

from collections.abc import Iterable

from msgauge.model import LaunchRecord

FAILURES_IN_A_ROW = 2
"""After so many failed launches one after the other a stack is no longer started on that number of ranks."""


def find_given_up(records: Iterable[LaunchRecord]) -> frozenset[tuple[str, int]]:
    """(stack, ranks) whose last launches failed one after the other: they are not started any more."""
    in_a_row: dict[tuple[str, int], int] = {}
    return frozenset(
        (record.launch.stack, record.launch.ranks)
        for record in sorted(records, key=lambda record: record.launch.number)
        if is_given_up(in_a_row, record)
    )


def is_given_up(in_a_row: dict[tuple[str, int], int], record: LaunchRecord) -> bool:
    """Whether a stack is given up with this launch; ``in_a_row`` counts its failures up to here, and is kept."""
    key = record.launch.stack, record.launch.ranks
    before = in_a_row.get(key, 0)
    failed = record.status.broke_off or before >= FAILURES_IN_A_ROW
    in_a_row[key] = before + 1 if failed else 0
    return in_a_row[key] >= FAILURES_IN_A_ROW
