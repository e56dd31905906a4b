"""How the time of a run went by, by what its records noted: a run that is resumed reads the same from them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from itertools import pairwise
from math import inf

from msgauge.model import LaunchRecord

_LONGEST_GAP_S = 10.0
"""A longer pause between two launches was an interruption and no part of measuring."""


def run_time_s(records: Sequence[LaunchRecord]) -> float:
    """Seconds of measuring up to the end of the last launch: launches and what is done between two of them."""
    return sum(record.seconds for record in records) + sum(
        gap for one, other in pairwise(records) if 0 < (gap := gap_s(one, other)) <= _LONGEST_GAP_S
    )


def gap_s(one: LaunchRecord, other: LaunchRecord) -> float:
    """Seconds from the end of a launch to the start of the next; inf where no time was noted."""
    try:
        apart = datetime.fromisoformat(other.started) - datetime.fromisoformat(one.started)
    except ValueError:
        return inf
    return apart.total_seconds() - one.seconds
