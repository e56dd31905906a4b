"""What clocks of several hosts leave open: times that compare ranks are known to within an interval.

One rule. A worker says of each such time by how much it may be wrong because of the clocks, whatever way messages took.
A verdict stands only if it stands for every two times within these intervals; a time whose interval is more than
``MARKED`` of it is named in a warning.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from attrs import evolve

from msgauge.analysis.pair_table import PairTable
from msgauge.model import CellKey, Estimate, Samples
from msgauge.results.dataset import CellSamples
from msgauge.stats.pairwise import EQUIVALENT, MARGIN, UNDECIDED

MARKED = 0.1
"""Share of a time that its clocks may be unknown by before it is named."""


def clock_error_ns(frames: Sequence[Samples]) -> float:
    """The largest error of any launch that the hosts' clocks leave, in ns per event; 0 where one clock was read."""
    errors = [(frame.attribute("clock_error_ns", ""), frame.divisor) for frame in frames]
    return max((int(text) / divisor for text, divisor in errors if text.isdecimal()), default=0.0)


def is_marked(one: Estimate) -> bool:
    """Whether the hosts' clocks leave the time of a stack in a test open by a share that matters."""
    return one.clock_error_ns > MARKED * one.median_ns


def log_bounds(cells: Mapping[CellKey, CellSamples], stacks: Sequence[str], columns: Sequence[int]) -> np.ndarray:
    """By how much the logarithm of each time may be wrong; shape (stacks, columns), inf where it may be anything."""
    bounds = np.zeros((len(stacks), len(columns)))
    for row, stack in enumerate(stacks):
        for column, cell in enumerate(columns):
            one = cells.get(CellKey(stack, cell))
            error = clock_error_ns(one.frames) if one is not None else 0.0
            if one is not None and error > 0:
                share = error / max(float(np.median(one.medians_ns)), 1e-9)
                bounds[row, column] = -np.log1p(-share) if share < 1 else np.inf
    return bounds


def pair_limits(table: PairTable, bounds: np.ndarray) -> np.ndarray:
    """By how much the logarithm of each ratio may be wrong, shape (pairs, columns)."""
    return np.asarray(bounds[table.judged.first] + bounds[table.judged.second])


def withdraw_doubtful(table: PairTable, bounds: np.ndarray) -> PairTable:
    """Undecided is what would not be said of every two times that the clocks leave possible."""
    limits = pair_limits(table, bounds)
    apart = np.abs(np.log(table.judged.ratio))
    alike = table.judged.word == EQUIVALENT
    stands = np.where(alike, apart + limits <= np.log1p(MARGIN), apart > limits) | (limits == 0)
    return evolve(table, judged=evolve(table.judged, word=np.where(stands, table.judged.word, UNDECIDED)))


def describe_doubt_of_clocks(ratio: float, limit: float) -> str:
    """The reason of a verdict that was withdrawn, in a clause; ``limit``: of ``pair_limits``."""
    if not np.isfinite(limit):
        return "the hosts' clocks are not known well enough to compare these times"
    low, high = ratio * np.exp(-limit), ratio * np.exp(limit)
    return f"as well as the hosts' clocks are known, the ratio may be anything from {low:.3g} to {high:.3g}"
