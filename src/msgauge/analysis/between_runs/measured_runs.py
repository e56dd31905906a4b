"""What is read of a run to compare it with others: its launches by their medians and by their tails."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Literal

import numpy as np
from attrs import evolve, frozen

from msgauge.analysis.between_runs.run_levels import RunLevels, SeriesKey, find_series, take_levels
from msgauge.analysis.verdicts.tails import QUANTILES
from msgauge.results.dataset import Series
from msgauge.results.run_folder import RunFolder
from msgauge.stats.launch_quantiles import launch_quantiles

Quantile = Literal["p50", "p95", "p99"]
"""Of what a launch measured of a test: its median, or a tail of its single operations."""


@frozen(eq=False)
class LaunchTimes:
    """One positive time a launch, in ns, and the round of each; both of shape (launches,)."""

    rounds: np.ndarray
    times_ns: np.ndarray


Launches = Mapping[SeriesKey, LaunchTimes]


@frozen(eq=False)
class MeasuredRun:
    """One run by its medians, and the launches that each quantile has of it."""

    levels: RunLevels
    launches: Mapping[Quantile, Launches]

    def by_quantile(self) -> dict[Quantile, RunLevels]:
        """The run by its medians and by each tail, in ``medians_ns`` too; no test has to have one."""
        return {
            quantile: evolve(self.levels, medians_ns={key: one.times_ns for key, one in launches.items()})
            for quantile, launches in self.launches.items()
        }


def read_measured(path: Path) -> MeasuredRun:
    """One run by its medians and by each tail, that of tests whose every operation was timed.

    A test has a tail where each of its launches has ten operations beyond it.

    Raises:
        StoreError: no run folder, or a damaged one.
        NothingMeasuredError: nothing was measured in it.
    """
    folder = RunFolder.open(path)
    series = find_series(folder.dataset)
    medians = take_levels(folder, series)
    tails = {
        key: launch_quantiles([frame.compared / frame.divisor for frame in one.frames], tuple(QUANTILES.values()))
        for key, one in series.items()
        if key.mode == "single" and key in medians.medians_ns
    }
    p95, p99 = (_keep_positive(series, {key: one[at] for key, one in tails.items()}) for at in range(len(QUANTILES)))
    p50 = _keep_positive(series, {key: one.medians_ns for key, one in series.items()})
    return MeasuredRun(medians, {"p50": p50, "p95": p95, "p99": p99})


def read_quantiles(path: Path) -> dict[Quantile, RunLevels]:
    """The levels of one run by each quantile; it raises as ``read_measured`` does."""
    return read_measured(path).by_quantile()


def _keep_positive(series: Mapping[SeriesKey, Series], times_ns: Mapping[SeriesKey, np.ndarray]) -> Launches:
    """What is positive of each series, those that have nothing left out."""
    return {
        key: LaunchTimes(series[key].pairs[found], times[found])
        for key, times in times_ns.items()
        if (found := times > 0).any()
    }
