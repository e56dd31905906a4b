"""Which comparisons differ by more than a gate's amount, told for all of them together.

Where the truth is the amount itself, an interval of 95 % lies wholly beyond it in one comparison of forty, so that of
forty such comparisons one does in every second run. What a gate calls sure is tested as "faster" and "slower" are:
against the amount in place of one, and corrected for all comparisons that it looks at.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from attrs import evolve

from msgauge.analysis.run import choose_levels
from msgauge.analysis.verdicts.pair_table import PairTable
from msgauge.analysis.verdicts.regression_gate import Gate
from msgauge.analysis.verdicts.verdict_family import judge_family
from msgauge.model import Analysis, Comparison, StopReason
from msgauge.results.dataset import Dataset
from msgauge.stats.between_runs import LEVEL, Changes
from msgauge.stats.pairwise import SEED
from msgauge.stats.sign_flips import step_down

_NOTHING = 1e-12


def find_beyond(gate: Gate, dataset: Dataset, analysis: Analysis) -> tuple[bool, ...]:
    """For each comparison of the analysis whether it is beyond the amount, at the level of its verdict.

    Each is held against the amount on either side, one-sided, and all of a kind are one family of sign flips. What the
    clock's steps and the clocks of several hosts may hide is taken off. The times of a simulated clock that do not
    scatter are what they are.
    """
    family = judge_family(dataset, choose_levels(dataset, StopReason(analysis.stopped)))
    beyond: dict[Comparison, bool] = {}
    for kind in family.kinds:
        mine = [one for one in analysis.comparisons if one.base in kind.table.row]
        apart = [kind.table.log_ratios(one.base, one.other)[kind.column[one.cell]] for one in mine]
        places = [(kind.table.place(one.base, one.other), kind.column[one.cell]) for one in mine]
        if mine:
            hidden = np.array([kind.bound_hidden(one) for one in mine])
            sure = _test_beyond(np.array(apart), np.log1p(gate.amount) + hidden, kind.table, places)
            sure |= [kind.exact_clock and _is_still(rounds, gate.amount) for rounds in apart]
            beyond |= dict(zip(mine, sure.tolist(), strict=True))
    return tuple(beyond.get(one, False) for one in analysis.comparisons)


def find_beyond_between_runs(gate: Gate, changes: Changes) -> tuple[bool, ...]:
    """The same of changes between runs: less the amount on either side they are tested and corrected as changes are."""
    amount = np.log1p(gate.amount) + changes.hidden
    found = np.zeros(changes.shift.shape, dtype=bool)
    for side in (1, -1):
        excess = evolve(changes, shift=side * changes.shift - amount)  # what steps of clocks hide is taken off
        found |= (excess.shift > 0) & (excess.p_different() <= LEVEL)
    return tuple(found.tolist())


def _test_beyond(
    apart: np.ndarray, least: np.ndarray, table: PairTable, places: Sequence[tuple[int, int]]
) -> np.ndarray:
    """``apart``: log ratios, shape (comparisons, rounds), nan where missing; ``least``: what they are held against,
    shape (comparisons,); ``places``: of each in the table."""
    pairs, columns = np.array(places).T
    ends = np.concatenate([apart - least[:, None], -apart - least[:, None]])
    tested = step_down(ends, one_sided=True, seed=SEED, factor=np.tile(table.factor[pairs], 2))
    above, below = np.split(tested.p_adjusted, 2)
    return np.asarray(np.fmin(above, below) <= table.level[columns])


def _is_still(rounds: np.ndarray, amount: float) -> bool:
    """Whether two rounds or more are all the same, and beyond the amount."""
    known = rounds[np.isfinite(rounds)]
    return known.size > 1 and float(np.ptp(known)) <= _NOTHING and abs(float(known[0])) > np.log1p(amount)
