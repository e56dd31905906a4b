"""Intervals of parallel efficiencies have the level of the run, and allow for rounds that resemble each other."""

from __future__ import annotations

import numpy as np
import pytest

from msgauge.analysis.estimates.efficiencies import find_efficiencies
from msgauge.model import Cell, Estimate, Launch, LaunchRecord, Origin, Plan, ProgramEfficiency, Samples, Stack
from msgauge.results.dataset import Dataset

RANKS, SPEC = 4, "a@1"
PLAN = Plan("unit", 1, (SPEC,), (Cell(0, "pi", 0, RANKS),), (RANKS,))


def limits(logs: np.ndarray, level: float = 0.95) -> ProgramEfficiency:
    """Of launches whose efficiencies have these logarithms; one launch a round."""
    records, frames = [], []
    for number, log in enumerate(logs.tolist()):
        records.append(LaunchRecord(Launch(number, number, SPEC, RANKS, (0,), 1), "ok", timer_resolution_ns=1.0))
        time_ns = 1_000_000 + 10_000 * (number % 3)
        serial_ns = round(np.exp(log) * RANKS * time_ns)
        frames += [Samples(number, 0, name, np.array([ns])) for name, ns in (("time", time_ns), ("serial", serial_ns))]
    dataset = Dataset.of(PLAN, [Stack("a", "1", Origin("builtin"))], records, frames)
    series = (("communication", 10.0), ("serial", float(np.median([one.values[0] for one in frames[1::2]]))))
    one = Estimate(SPEC, 0, "pi", 0, RANKS, median_ns=1_010_000.0, series=series)
    (found,) = find_efficiencies(dataset, [one], level)
    return found


def width(one: ProgramEfficiency) -> float:
    return float(np.log(one.high / one.low))


def test_an_interval_has_the_level_of_the_run() -> None:
    logs = np.log(0.8) + 0.03 * np.random.default_rng(1).normal(size=12)
    assert width(limits(logs, 0.9975)) > 1.3 * width(limits(logs))


def test_rounds_that_resemble_those_before_them_make_it_wider() -> None:
    values = 0.03 * np.sort(np.random.default_rng(2).normal(size=20))
    mixed = np.random.default_rng(3).permutation(values)
    assert width(limits(np.log(0.8) + values)) > 1.5 * width(limits(np.log(0.8) + mixed))


def test_one_launch_has_no_interval() -> None:
    found = limits(np.log(np.array([0.8])))
    assert found.value == pytest.approx(0.8) and np.isnan([found.low, found.high]).all()


@pytest.mark.parametrize("level", [0.95, 0.99])
def test_independent_rounds_have_the_interval_of_their_median(level: float) -> None:
    logs = np.log(0.8) + 0.03 * np.random.default_rng(5).normal(size=10)
    found = limits(logs, level)
    assert found.low <= found.value <= found.high < 1
