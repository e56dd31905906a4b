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
    """One for each estimate of a program with launches that have both times: of the median launch, with its limits.

    One launch alone has no limits.

    ``level``: of each interval by itself, that of all others of the run. As far as launches resemble those before them
    in these ratios, the limits lie further apart.
    """
    found: list[CellKey] = []
    logs: list[tuple[str, tuple[int, ...], np.ndarray]] = []
    for one in estimates:
        cell = dataset.cells.get(one.key)
        if cell is None or programs.program(one) is None:
            continue
        rounds, own = _find_logs(cell, one.ranks)
        if rounds:
            found.append(one.key)
            logs.append((one.stack, rounds, own))
    for key, (_, _, own), spread in zip(found, logs, spread_by_memory(logs), strict=True):
        value, (low, high) = programs.locate_efficiency(own), programs.limit_efficiency(spread, level)
        yield ProgramEfficiency(key, value, float(np.minimum(value, low)), float(np.maximum(value, high)))


def _find_logs(one: CellSamples, ranks: int) -> tuple[tuple[int, ...], np.ndarray]:
    """The rounds of the launches that have both times, and the logarithm of the efficiency of each."""
    serial = next((series for series in one.further if series.name == "serial"), None)
    alone = dict(zip(serial.rounds, serial.medians_ns, strict=True)) if serial else {}
    mine = dict(zip(one.compared.rounds, one.compared.medians_ns, strict=True))
    rounds = tuple(number for number in sorted(mine.keys() & alone.keys()) if mine[number] > 0 and alone[number] > 0)
    serial_ns, time_ns = (np.array([side[number] for number in rounds]) for side in (alone, mine))
    return rounds, programs.log_efficiencies(serial_ns, time_ns, ranks)
