"""What reference stacks changed by between two versions: as a whole, and in single tests. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import exp, log1p

import numpy as np
from attrs import frozen

from msgauge.analysis.between_runs.run_levels import SeriesKey
from msgauge.stats.between_runs import Changes, ChangesBesideReferences, find_beside
from msgauge.stats.pairwise import MARGIN
from msgauge.units import format_change

Tests = tuple[SeriesKey, ...]
"""What a column is of: one test, or those whose mean it is; as keys of no stack."""


@frozen(eq=False)
class ReferenceChanges:
    """Log ratios new over old, shape (stacks, tests), nan where a stack lacks a test, and the column of each test."""

    table: np.ndarray
    column: Mapping[SeriesKey, int]

    @classmethod
    def of(cls, shift: np.ndarray, keys: Sequence[SeriesKey]) -> ReferenceChanges:
        """From the log ratio of each reference in each of its tests; ``shift``: shape (keys,)."""
        stacks = list(dict.fromkeys(key.stack for key in keys))
        column = {test: number for number, test in enumerate(dict.fromkeys(key.of("") for key in keys))}
        table = np.full((len(stacks), len(column)), np.nan)
        for one, key in zip(shift, keys, strict=True):
            table[stacks.index(key.stack), column[key.of("")]] = one
        return cls(table, column)

    def find_beside(self, columns: Sequence[Tests]) -> np.ndarray:
        """By how much more they changed in the tests of each column than elsewhere; shape (columns,)."""
        of_test = np.append(find_beside(self.table), 0.0) if self.column else np.zeros(1)
        return np.array([np.mean([of_test[self.column.get(test, -1)] for test in tests]) for tests in columns])


def describe_beside(changes: Changes, index: int) -> str:
    """The reason where the references changed in a test too, by the margin or more and towards where the stack did."""
    if not isinstance(changes, ChangesBesideReferences):
        return ""
    beside = float(np.broadcast_to(changes.beside, changes.shift.shape)[index])
    if beside * changes.shift[index] <= 0 or abs(beside) < log1p(MARGIN):
        return ""
    return f"here the references changed by {format_change(exp(beside))} beyond what is usual between their tests"
