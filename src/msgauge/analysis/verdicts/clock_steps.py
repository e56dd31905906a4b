"""What the steps of a clock leave open: a time that is read in few steps is known to half a step, however many rounds.

Reading in steps keeps the order of times, so that "faster" and "slower" stand as they are; what it hides is how far
apart they lie. So intervals of times and ratios reach half a step further, and "equivalent" is said where it stands for
every two times that would be read alike.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from attrs import evolve

from msgauge.analysis.verdicts.clock_errors import bound_logs, pair_limits
from msgauge.analysis.verdicts.pair_table import PairTable
from msgauge.model import CellKey, Samples
from msgauge.results.dataset import Dataset
from msgauge.stats.location import Location
from msgauge.stats.pairwise import EQUIVALENT, MARGIN, UNDECIDED
from msgauge.units import format_limits


def find_half_steps(dataset: Dataset) -> dict[CellKey, float]:
    """Half the step of the clock that timed each stack in each cell, ns per event; 0 where no launch told its step.

    What launches tell is the least difference that they saw, in one of many by chance a large one, so the median of
    them counts. A sample of many events has its step divided among them. Simulated time has no steps.
    """
    steps = list_steps(dataset)
    return {
        key: 0.0 if key.stack in dataset.simulated else half_step(one.frames, steps)
        for key, one in dataset.cells.items()
    }


def list_steps(dataset: Dataset) -> dict[int, float]:
    """The step of the clock that each launch told, ns."""
    return {record.launch.number: record.timer_resolution_ns for record in dataset.records}


def half_step(frames: Sequence[Samples], steps: Mapping[int, float]) -> float:
    """Half the step of the clock in frames of one series, ns per event; ``steps``: of each launch."""
    told = [steps[frame.launch] / frame.divisor if frame.unit == "ns" else 0.0 for frame in frames]
    return 0.5 * float(np.median(told))


def reach_further(where: Location, half_step_ns: float) -> Location:
    """A time with an interval that allows for the steps of its clock, ns; it ends at 0."""
    if not half_step_ns:
        return where
    return evolve(where, low=max(where.low - half_step_ns, 0.0), high=where.high + half_step_ns)


def bound_steps(dataset: Dataset, stacks: Sequence[str], columns: Sequence[int]) -> np.ndarray:
    """By how much half a step may change the logarithm of each time; shape (stacks, columns), inf below one step."""
    return bound_logs(find_half_steps(dataset), dataset.cells, stacks, columns)


def allow_for_steps(table: PairTable, bounds: np.ndarray) -> PairTable:
    """With limits of ratios that reach as far as ``bounds`` leave open, and no "equivalent" that these do not bear."""
    reach, judged = pair_limits(table, bounds), table.judged
    with np.errstate(divide="ignore"):
        farthest = np.maximum(-np.log(judged.low), np.log(judged.high)) + reach
    doubtful = (judged.word == EQUIVALENT) & (reach > 0) & ~(farthest <= np.log1p(MARGIN))
    word = np.where(doubtful, UNDECIDED, judged.word)
    return evolve(table, reach=reach, judged=evolve(judged, word=word))


def describe_doubt_of_steps(low: float, high: float) -> str:
    """Why an "equivalent" was withdrawn, in a clause; limits of the ratio, with what steps leave open."""
    if not (low > 0 and np.isfinite(high)):
        return "these times are shorter than one step of the clock"
    return f"the clock's steps are so long that the ratio may be anything from {format_limits(low, high)}"
