"""Levels of runs that have few launches beside others that have many: each is compared with its like.

A median of few launches follows another law than one of many: where one launch in five is slow by half, the median of
two is slow, in part at least, in a third of runs, that of twenty hardly ever. Runs whose number of launches was changed
would differ.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from msgauge.stats.change_points import FEWEST_RUNS
from msgauge.stats.level_differences import SHORTEST

ALIKE = 2
"""Medians of up to so many times as many launches are taken as alike."""


def level_runs(launches: Sequence[np.ndarray]) -> np.ndarray:
    """Log levels of the runs of a series at each depth, the largest number of launches first: (depths, runs).

    ``launches``: the positive times of each run, in order, one at least. At a depth a run counts by its first so many
    launches, nan where it has less than half of them. So all levels of a row follow one law as long as nothing changes,
    and orders of runs can be shuffled. Where all runs have as many launches there is one row of their medians.

    Tried and wrong: one row, of the medians of all launches that each run has. Of 60 runs of one binary, the last 15 of
    two launches and the others of twenty, one in five slow by half, a fifth told a change.
    """
    counts = np.array([times.size for times in launches])
    depths = list_depths(counts)
    rows = np.full((len(depths), counts.size), np.nan)
    for row, depth in enumerate(depths):
        for run in np.flatnonzero(ALIKE * counts >= depth):
            rows[row, run] = np.log(np.median(launches[int(run)][:depth]))
    return rows


def list_depths(counts: np.ndarray) -> list[int]:
    """Numbers of launches by which runs are compared that have so many ``counts``, the largest first.

    The first is one that as many runs have as a change needs. The next is one that three of the runs have which have
    too few for it: fewer are no level, and are left out.
    """
    left, needed, depths = np.flip(np.sort(counts)), min(FEWEST_RUNS, counts.size), list[int]()
    while left.size >= needed:
        depths.append(int(left[needed - 1]))
        left, needed = left[ALIKE * left < depths[-1]], SHORTEST
    return depths
