"""The parallel efficiency of programs, with the interval that the launches of both times give it. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np
from attrs import evolve

from msgauge.model import Analysis, CellKey, Estimate, ProgramEfficiency
from msgauge.results.dataset import CellSamples, Dataset
from msgauge.stats import programs
from msgauge.stats.round_memory import spread_by_memory


def add_efficiencies(dataset: Dataset, analysis: Analysis) -> Analysis:
    """The analysis with the efficiency of every program whose launches have a serial time."""
    level = analysis.interval_level
    return evolve(analysis, efficiencies=tuple(find_efficiencies(dataset, analysis.estimates, level)))


def find_efficiencies(
    dataset: Dataset, estimates: Iterable[Estimate], level: float = 0.95
) -> Iterator[ProgramEfficiency]:
    """One for each estimate of a program; limits are those of the ratio within each launch, and hold the value.

    One launch alone has none.

    ``level``: of each interval by itself, that of all others of the run. As far as launches resemble those before them
    in these ratios, the limits lie further apart.
    """
    found: list[tuple[CellKey, float]] = []
    logs: list[tuple[str, tuple[int, ...], np.ndarray]] = []
    for one in estimates:
        worth, cell = programs.program(one), dataset.cells.get(one.key)
        if worth is not None and cell is not None and np.isfinite(worth.efficiency):
            found.append((CellKey(one.stack, one.cell), worth.efficiency))
            logs.append((one.stack, *_find_logs(cell, one.ranks)))
    known = [one for one in logs if one[1]]
    spread = iter(spread_by_memory(known))
    for (key, value), (_, rounds, own) in zip(found, logs, strict=True):
        low, high = programs.limit_efficiency(next(spread) if rounds else own, level)
        yield ProgramEfficiency(key, value, float(np.minimum(value, low)), float(np.maximum(value, high)))


def _find_logs(one: CellSamples, ranks: int) -> tuple[tuple[int, ...], np.ndarray]:
    """The rounds of the launches that have both times, and the logarithm of the efficiency of each."""
    serial = next((series for series in one.further if series.name == "serial"), None)
    alone = dict(zip(serial.rounds, serial.medians_ns, strict=True)) if serial else {}
    mine = dict(zip(one.compared.rounds, one.compared.medians_ns, strict=True))
    rounds = tuple(number for number in sorted(mine.keys() & alone.keys()) if mine[number] > 0 and alone[number] > 0)
    serial_ns, time_ns = (np.array([side[number] for number in rounds]) for side in (alone, mine))
    return rounds, programs.log_efficiencies(serial_ns, time_ns, ranks)
