"""The parallel efficiency of programs, with the interval that the launches of both times give it. Pure."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from attrs import evolve

from msgauge.model import Analysis, CellKey, Estimate, ProgramEfficiency
from msgauge.results.dataset import CellSamples, Dataset
from msgauge.stats import programs


def add_efficiencies(dataset: Dataset, analysis: Analysis) -> Analysis:
    """The analysis with the efficiency of every program whose launches have a serial time."""
    return evolve(analysis, efficiencies=tuple(find_efficiencies(dataset, analysis.estimates)))


def find_efficiencies(dataset: Dataset, estimates: Iterable[Estimate]) -> Iterable[ProgramEfficiency]:
    """One for each estimate of a program; limits are those of 95 % of the ratio within each launch, and the value."""
    for one in estimates:
        worth, cell = programs.program(one), dataset.cells.get(one.key)
        if worth is not None and cell is not None and np.isfinite(worth.efficiency):
            limits = [limit for limit in _limit(cell, one.ranks) if np.isfinite(limit)]
            low, high = min([worth.efficiency, *limits]), max([worth.efficiency, *limits])
            yield ProgramEfficiency(CellKey(one.stack, one.cell), worth.efficiency, low, high)


def _limit(one: CellSamples, ranks: int) -> tuple[float, float]:
    """nan where fewer than two launches have both times."""
    serial = next((series for series in one.further if series.name == "serial"), None)
    if serial is None:
        return float("nan"), float("nan")
    mine, alone = (dict(zip(side.rounds, side.medians_ns, strict=True)) for side in (one.compared, serial))
    shared = sorted(mine.keys() & alone.keys())
    serial_ns, time_ns = (np.array([side[number] for number in shared]) for side in (alone, mine))
    return programs.efficiency_limits(serial_ns, time_ns, ranks)
