"""Runs against runs of one binary where the runs of one version have many launches, and those of the other few.

"Before": a short run counted with the variance between the long ones.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal
from unittest import mock

import numpy as np
from attrs import frozen
from benchmarks.truth.machines import correlate
from benchmarks.truth.run_paces import CELLS, JUDGED, TEN_PERCENT, calls_different, share_different
from benchmarks.truth.simulation import Figure, Simulation, generator

from msgauge.analysis.between_runs import run_comparison
from msgauge.analysis.between_runs.run_comparison import compare_runs
from msgauge.analysis.between_runs.run_levels import RunLevels, SeriesKey

Law = Literal["normal", "launches slow", "tests slow", "pace 0.8"]
"""How launches scatter beside their 2 %: not; some slow with all tests; some tests of a launch slow; as AR(1)."""
MOOD, SCATTER, SLOW, SLOW_SHARE = 0.005, 0.02, 0.26, 0.1
"""Logarithms; a mood is shared by all launches of a run."""


@frozen
class Runs:
    """Old and new runs of one stack: how many, of how many launches each, in how many tests, and their law."""

    counts: tuple[int, int]
    launches: tuple[int, int]
    cells: int
    law: Law

    @property
    def case(self) -> str:
        """In words."""
        old, new = (f"{count} of {size}" for count, size in zip(self.counts, self.launches, strict=True))
        return f"launches of the runs: old {old}, new {new}; {self.law}, {self.cells} tests"

    def draw(self, version: int, shift: float, random: np.random.Generator) -> list[RunLevels]:
        """The runs of the old version, 0, or of the new one, 1."""
        return [self._run(self.launches[version], shift, random) for _ in range(self.counts[version])]

    def _run(self, launches: int, shift: float, random: np.random.Generator) -> RunLevels:
        logs = MOOD * random.normal() + shift + SCATTER / 2 * random.normal(0, 1, (self.cells, launches))
        shared = random.normal(0, 1, (1, launches))
        logs += SCATTER * (correlate(shared, 0.8) if self.law == "pace 0.8" else shared)
        if self.law == "launches slow":
            logs += SLOW * (random.random((1, launches)) < SLOW_SHARE)
        if self.law == "tests slow":
            logs += SLOW * (random.random(logs.shape) < SLOW_SHARE)
        keys = (SeriesKey(JUDGED, "pingpong", 8 << cell, 2) for cell in range(self.cells))
        return RunLevels("run", "", medians_ns={key: 1000 * np.exp(row) for key, row in zip(keys, logs, strict=True)})


def unequal_launches(
    counts: tuple[int, int], launches: tuple[int, int], law: Law, planted: float, trials: int
) -> Figure:
    """Share of comparisons of one binary with a test that is called different; with a change, share of tests found."""
    random, runs = generator(184), Runs(counts, launches, CELLS, law)
    of, now, before = (share_different if planted else calls_different), 0.0, 0.0
    for _ in range(trials):
        old, new = runs.draw(0, 0.0, random), runs.draw(1, planted, random)
        now += of(compare_runs(old, new))
        with mock.patch.object(run_comparison, "list_deviations", _list_none):
            before += of(compare_runs(old, new))
    claim = "runs of one binary are not called different, however few launches one of them has"
    if planted:
        claim = f"a change of {100 * np.expm1(planted):.0f} % between runs of unequal numbers of launches is found"
    return Figure(claim, "" if planted else "<= 5 %", runs.case, now / trials, before / trials, trials)


def _list_none(_: object, sides: Sequence[Sequence[SeriesKey]]) -> np.ndarray:
    return np.zeros((1, len(sides[0])))


def simulations() -> Iterator[Simulation]:
    """Those of runs of unequal numbers of launches; six minutes of one core."""
    for launches in ((20, 1), (20, 2), (20, 5)):
        for law in ("normal", "launches slow", "tests slow", "pace 0.8"):
            yield Simulation(unequal_launches, ((5, 1), launches, law, 0.0), 300)
    for counts, launches in (((10, 1), (20, 1)), ((3, 3), (20, 2)), ((1, 5), (2, 20)), ((5, 1), (20, 20))):
        for law in ("normal", "tests slow"):
            yield Simulation(unequal_launches, (counts, launches, law, 0.0), 300)
    for launches in ((20, 1), (20, 2), (20, 20)):
        yield Simulation(unequal_launches, ((5, 1), launches, "normal", TEN_PERCENT), 200)
