"""Runs of fewer launches than those that tell how much runs differ: what so few launches may be off by beside."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from msgauge.analysis.between_runs.run_levels import RunLevels, SeriesKey

DRAWS = 240
_SEED = 1


def list_deviations(versions: Sequence[Sequence[RunLevels]], sides: Sequence[Sequence[SeriesKey]]) -> np.ndarray:
    """By how much the change may be off because some runs have few launches, as ``DRAWS`` draws: (draws, cells).

    Repeated runs show how much runs of *their* numbers of launches differ. What a shorter run differs by beside is read
    off them: how far as many launches in a row lie from the level of their whole run, whatever law they follow and
    however long a mode lasts; one draw takes the same launches of all cells. Zeros where no run is shorter.

    ``versions``: the old and the new runs; ``sides``: the keys of the cells in each.
    """
    telling = [(run, keys) for runs, keys in zip(versions, sides, strict=True) if len(runs) > 1 for run in runs]
    random, found = np.random.default_rng(_SEED), np.zeros((DRAWS, len(sides[0])))
    for runs, keys in zip(versions, sides, strict=True):
        for run in runs:
            places = (np.arange(DRAWS) + 0.5) / DRAWS
            random.shuffle(places)
            for cell, key in enumerate(keys):
                apart = _stretches_of(_count(run, key), [(one, other[cell]) for one, other in telling])
                measured = sum(key in one.medians_ns for one in runs)
                if apart.size:
                    found[:, cell] += apart[(places * apart.size).astype(int)] / measured
    return found


def _count(run: RunLevels, key: SeriesKey) -> int:
    return int(run.medians_ns[key].size) if key in run.medians_ns else 0


def _stretches_of(launches: int, telling: Sequence[tuple[RunLevels, SeriesKey]]) -> np.ndarray:
    """How far so many launches in a row lie from the level of their run, of all longer runs; log, (stretches,)."""
    longer = [np.log(run.medians_ns[key]) for run, key in telling if _count(run, key) > launches > 0]
    apart = [
        np.median(np.lib.stride_tricks.sliding_window_view(logs, launches), axis=1) - np.median(logs) for logs in longer
    ]
    return np.concatenate(apart) if apart else np.zeros(0)
