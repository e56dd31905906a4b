"""Tails between runs: P99 of operations that were timed one by one, of two versions and of a history.

What is judged is the notice beside medians, which speaks where the tail changed and the median did not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

import numpy as np
from attrs import evolve
from benchmarks.truth.simulation import Figure, Simulation, generator

from msgauge.analysis.between_runs.history import trace_history
from msgauge.analysis.between_runs.measured_runs import Quantile
from msgauge.analysis.between_runs.run_comparison import compare_runs
from msgauge.analysis.between_runs.run_levels import RunLevels, SeriesKey
from msgauge.analysis.between_runs.run_quantiles import choose_quantile, warn_of_changed_tails, warn_of_tails_in_history
from msgauge.stats.launch_quantiles import launch_quantile

CELLS, LAUNCHES, OPERATIONS = 9, 7, 2000
MOOD, LAUNCH = 0.02, 0.02
"""Logarithms: by how much runs scatter, and launches in a run."""
JUDGED = "new@1"

Run = dict[Quantile, RunLevels]


def _some(shape: tuple[int, ...], random: np.random.Generator) -> np.ndarray:
    """Two operations in a hundred are slow, by an exponential."""
    slow = random.random(shape) < 0.02
    return np.where(slow, 1.5 + random.exponential(0.5, shape), 1 + 0.05 * np.abs(random.normal(0, 1, shape)))


def _in_clusters(shape: tuple[int, ...], random: np.random.Generator) -> np.ndarray:
    """How many are slow differs from launch to launch, between none and one in ten."""
    slow = random.random(shape) < 0.1 * random.beta(0.5, 2, (*shape[:-1], 1))
    return np.where(slow, 1.5 + random.exponential(0.5, shape), 1 + 0.05 * np.abs(random.normal(0, 1, shape)))


LAWS: Mapping[str, Callable[[tuple[int, ...], np.random.Generator], np.ndarray]] = {
    "lognormal": lambda shape, random: random.lognormal(0, 0.5, shape),
    "two operations in 100 slow": _some,
    "slow operations in clusters": _in_clusters,
}
"""Of the operations of launches, shape (launches, operations)."""


def tails_of_versions(law: str, runs: tuple[int, int], references: int, tail: float, trials: int) -> Figure:
    """Share of comparisons of one binary in which a tail is said to have changed; of ``tail``: those that tell it.

    ``tail``: the factor on what an operation of the new version takes beyond the median; 1 for the same binary.
    """
    random, told = generator(301), 0
    names = [f"reference{number}@1" for number in range(references)]
    for _ in range(trials):
        old, new = (
            [_draw_run(law, number, factor, references, random) for number in range(count)]
            for count, factor in zip(runs, (1.0, tail), strict=True)
        )
        medians = compare_runs(choose_quantile(old, "p50"), choose_quantile(new, "p50"), names)
        told += bool(warn_of_changed_tails(old, new, medians, names))
    beside = f"{references} reference stacks" if references else "repeated runs"
    case = f"{law}: {runs[0]} old and {runs[1]} new runs, moods of 2 %, {CELLS} tests, by {beside}"
    return _figure("between runs", case, tail, told / trials, trials)


def tails_of_histories(law: str, runs: int, tail: float, trials: int) -> Figure:
    """Share of histories in which a tail is said to have changed; with ``tail`` from the run in the middle on."""
    random, told = generator(302), 0
    for _ in range(trials):
        history = [_draw_run(law, number, tail if number >= runs // 2 else 1.0, 0, random) for number in range(runs)]
        told += bool(warn_of_tails_in_history(history, trace_history(choose_quantile(history, "p50"))))
    return _figure("in a history", f"{law}: {runs} runs, moods of 2 %, {CELLS} tests", tail, told / trials, trials)


def _figure(where: str, case: str, tail: float, share: float, trials: int) -> Figure:
    claim, promised = f"a tail {where} that did not change is not said to have", "<= 5 %"
    if tail != 1:
        claim, promised = f"a tail {where} that is {tail:g} times as long is told where the median stays", ""
    return Figure(claim, promised, case, share, float("nan"), trials)


def _draw_run(law: str, number: int, tail: float, references: int, random: np.random.Generator) -> Run:
    mood = MOOD * random.normal()
    medians: dict[SeriesKey, np.ndarray] = {}
    tails: dict[SeriesKey, np.ndarray] = {}
    for stack in (JUDGED, *(f"reference{one}@1" for one in range(references))):
        for cell in range(CELLS):
            times = LAWS[law]((LAUNCHES, OPERATIONS), random)
            middle = np.median(times, axis=1, keepdims=True)
            if stack == JUDGED and tail != 1:
                times = np.where(times > middle, middle + tail * (times - middle), times)
            times = 1000 * times * np.exp(mood + LAUNCH * random.normal(0, 1, (LAUNCHES, 1)))
            key = SeriesKey(stack, "pingpong", 8 << cell, 2, mode="single")
            medians[key] = np.median(times, axis=1)
            tails[key] = np.array([launch_quantile(row, 0.99) for row in times])
    day = f"2026-{number // 28 + 1:02d}-{number % 28 + 1:02d}"
    run = RunLevels(f"runs/{day}", day, medians_ns=medians)
    return {"p50": run, "p95": evolve(run, medians_ns={}), "p99": evolve(run, medians_ns=tails)}


def simulations() -> Iterator[Simulation]:
    """Tails between versions and in histories; twenty minutes of one core."""
    for law in LAWS:
        yield Simulation(tails_of_versions, (law, (3, 3), 0, 1.0), 400)
        yield Simulation(tails_of_versions, (law, (1, 1), 3, 1.0), 400)
        yield Simulation(tails_of_versions, (law, (3, 3), 0, 2.0), 100)
        yield Simulation(tails_of_histories, (law, 30, 1.0), 60)
        yield Simulation(tails_of_histories, (law, 30, 2.0), 30)
