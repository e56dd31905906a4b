"""What clocks of several hosts leave open: times that compare ranks are known to within an interval.

One rule. A worker says of each such time by how much it may be wrong because of the clocks, whatever way messages took.
A verdict stands only if it stands for every two times within these intervals; a time whose interval is more than
``MARKED`` of it is named in a warning.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from attrs import evolve

from msgauge.analysis.verdicts.pair_table import PairTable
from msgauge.model import CellKey, Estimate, Samples
from msgauge.results.dataset import CellSamples
from msgauge.stats.error_bounds import bound_log
from msgauge.stats.pairwise import EQUIVALENT, MARGIN, UNDECIDED
from msgauge.units import format_limits

MARKED = 0.1
"""Share of a time that its clocks may be unknown by before it is named."""


def clock_error_ns(frames: Sequence[Samples]) -> float:
    """The largest error of any launch that the hosts' clocks leave, in ns per event; 0 where one clock was read."""
    errors = [(frame.attribute("clock_error_ns", ""), frame.divisor) for frame in frames]
    return max((int(text) / divisor for text, divisor in errors if text.isdecimal()), default=0.0)


def is_marked(one: Estimate) -> bool:
    """Whether the hosts' clocks leave the time of a stack in a test open by a share that matters."""
    return one.clock_error_ns > max(0.0, MARKED * one.median_ns)


def log_bounds(cells: Mapping[CellKey, CellSamples], stacks: Sequence[str], columns: Sequence[int]) -> np.ndarray:
    """By how much the logarithm of each time may be wrong; shape (stacks, columns), inf where it may be anything."""
    errors = {key: clock_error_ns(one.frames) for key, one in cells.items() if key.stack in stacks}
    return bound_logs(errors, cells, stacks, columns)


def bound_logs(
    errors_ns: Mapping[CellKey, float],
    cells: Mapping[CellKey, CellSamples],
    stacks: Sequence[str],
    columns: Sequence[int],
) -> np.ndarray:
    """By how much errors of so many ns change the logarithm of each time; shape (stacks, columns), inf as above."""
    bounds = np.zeros((len(stacks), len(columns)))
    for row, stack in enumerate(stacks):
        for column, cell in enumerate(columns):
            key = CellKey(stack, cell)
            if errors_ns.get(key, 0.0) > 0:
                bounds[row, column] = bound_log(errors_ns[key], float(np.median(cells[key].medians_ns)))
    return bounds


def pair_limits(table: PairTable, bounds: np.ndarray) -> np.ndarray:
    """By how much the logarithm of each ratio may be wrong, shape (pairs, columns)."""
    return np.asarray(bounds[table.judged.first] + bounds[table.judged.second])


def withdraw_doubtful(table: PairTable, bounds: np.ndarray) -> PairTable:
    """Undecided is what would not be said of every two times that the clocks leave possible, by the ratios shown."""
    limits = pair_limits(table, bounds)
    if not limits.any():
        return table
    alike, distance = table.judged.word == EQUIVALENT, np.abs(np.log(table.ratios))
    within = distance + limits <= np.log1p(MARGIN)
    stands = np.where(alike, within, distance > limits) | (limits == 0)
    return evolve(table, judged=evolve(table.judged, word=np.where(stands, table.judged.word, UNDECIDED)))


def describe_doubt_of_clocks(ratio: float, limit: float) -> str:
    """The reason of a verdict that was withdrawn, in a clause; ``limit``: of ``pair_limits``."""
    if not np.isfinite(limit):
        return "the hosts' clocks are not known well enough to compare these times"
    low, high = ratio * np.exp(-limit), ratio * np.exp(limit)
    return f"as well as the hosts' clocks are known, the ratio may be anything from {format_limits(low, high)}"
