"""What compares otherwise since a run went on: rounds before and after are of two things, and never called equivalent.

The median of all rounds may lie within the margin though a stack is slower in every round of the second part.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from attrs import evolve, frozen

from msgauge.analysis.verdicts.pair_table import PairTable
from msgauge.stats.pairwise import EQUIVALENT, UNDECIDED
from msgauge.stats.parted_rounds import find_parted
from msgauge.units import format_ratio

_SINCE = "since the run went on after them"


@frozen
class PartedPair:
    """Two stacks in one test; ratios of the median rounds before and after the break, which so many rounds precede."""

    base: str
    other: str
    cell: int
    rounds: int
    before: float
    after: float


def find_parted_pairs(table: PairTable, breaks: Sequence[int]) -> np.ndarray:
    """After how many rounds each pair changed in each column, int (pairs, columns), 0 where it did not.

    ``breaks``: after how many rounds the run paused (``results.launch_times.list_breaks``).
    """
    judged, logs = table.judged, np.log(table.values)
    if not breaks or not judged.first.size:
        return np.zeros(judged.word.shape, dtype=int)
    apart = logs[judged.second] - logs[judged.first]
    return find_parted(apart.reshape(-1, apart.shape[2]), breaks).reshape(judged.word.shape)


def withdraw_parted(table: PairTable, parted: np.ndarray) -> PairTable:
    """Undecided is what was called equivalent and changed when the run went on; ``parted``: bool (pairs, columns)."""
    word = np.where(parted & (table.judged.word == EQUIVALENT), UNDECIDED, table.judged.word)
    return evolve(table, judged=evolve(table.judged, word=word))


def measure_parts(log_ratios: np.ndarray, rounds: int) -> tuple[float, float]:
    """The ratio of the median round before and after so many rounds; ``log_ratios``: shape (rounds,), with nan."""
    before, after = (float(np.exp(np.nanmedian(part))) for part in (log_ratios[:rounds], log_ratios[rounds:]))
    return before, after


def describe_parts(rounds: int, before: float, after: float) -> str:
    """Why nothing is said of both parts together, in a clause."""
    return f"the ratio is {format_ratio(before)} in the first {rounds} rounds and {format_ratio(after)} {_SINCE}"


def tells_parts(reason: str) -> bool:
    """Whether this is such a reason: more rounds do not change that."""
    return reason.endswith(_SINCE)
