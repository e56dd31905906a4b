"""Histories of one binary in which some runs have many launches and others few, some launches of which are slow.

"Before": every run counted by the median of all its launches.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from unittest import mock

import numpy as np
from benchmarks.truth.simulation import Figure, Simulation, generator

from msgauge.analysis.between_runs import history
from msgauge.analysis.between_runs.history import Change, History, trace_history
from msgauge.analysis.between_runs.run_levels import RunLevels, SeriesKey

RUNS, CELLS, USUAL = 60, 4, 20
MOOD = SCATTER = 0.01
SLOW_FACTOR = 1.5
AT = 30
"""The first run after a step, from 0."""
FIVE_PERCENT = 0.0488
"""Logarithm."""
NONE = range(0)


def histories_of_unequal_launches(few: int, short: range, slow_share: float, step: float, trials: int) -> Figure:
    """Share of clean histories that show a change; with a step, of those in which it alone is found.

    ``short``: numbers of the runs of ``few`` launches; all others have twenty. A share of launches is slow by half in
    all tests.
    """
    random, counts = generator(29), [few if run in short else USUAL for run in range(RUNS)]
    now = before = 0
    for _ in range(trials):
        runs = [_draw(run, launches, slow_share, step * (run >= AT), random) for run, launches in enumerate(counts)]
        now += _tells(trace_history(runs), step, short)
        with mock.patch.object(history, "level_runs", _list_medians):
            before += _tells(trace_history(runs), step, short)
    claim = "a history without a change shows none, however few launches some of its runs have"
    if step:
        claim = (
            f"a step of {100 * np.expm1(step):.0f} % is found within one run, or with the next that has many launches"
        )
    case = (
        f"{RUNS} runs of {USUAL} launches, {_describe(few, short)}, {100 * slow_share:.0f} % of launches slow by half"
    )
    return Figure(claim, "" if step else "<= 0.25 %", case, now / trials, before / trials, trials)


def _describe(few: int, short: range) -> str:
    if not short:
        return "all alike"
    where = f"every {short.step}th" if short.step > 1 else f"numbers {short.start + 1} to {short.stop}"
    return f"{where} of {few}"


def _draw(run: int, launches: int, slow_share: float, shift: float, random: np.random.Generator) -> RunLevels:
    """One run: a mood, launches that are slow in all tests, and the scatter of each."""
    shared = MOOD * random.normal() + shift + np.log(SLOW_FACTOR) * (random.random(launches) < slow_share)
    logs = shared + SCATTER * random.normal(0, 1, (CELLS, launches))
    medians = {SeriesKey("one@1", "pingpong", 8 << cell, 2): 1000 * np.exp(times) for cell, times in enumerate(logs)}
    return RunLevels(f"run{run:02d}", f"{run:02d}", medians_ns=medians)


def _tells(found: History, step: float, short: range) -> bool:
    changes = [change for one in found.series for change in one.changes]
    return finds_step(changes, step, AT, next((run for run in range(AT, RUNS) if run not in short), AT))


def finds_step(changes: Sequence[Change], step: float, at: int, instead: int | None = None) -> bool:
    """A clean history: whether it shows a change; else whether most tests have one at the step, none far from it.

    ``at``: the first run after the step; ``instead``: another that may be named for it.
    """
    if not step or not changes:
        return bool(changes)
    near = all(change.earliest - 1 <= at <= change.latest + 1 for change in changes)
    place = Counter(change.first for change in changes).most_common(1)[0][0]
    return near and (abs(place - at) <= 1 or place == instead)


def _list_medians(launches: Sequence[np.ndarray]) -> np.ndarray:
    return np.log([[np.median(times) for times in launches]])


def simulations() -> Iterator[Simulation]:
    """Those of histories of unequal numbers of launches; ten minutes of one core."""
    for few, short, slow_share in (
        (2, range(45, 60), 0.2),
        (2, range(52, 60), 0.2),
        (3, range(45, 60), 0.3),
        (5, range(45, 60), 0.4),
        (5, range(15), 0.4),
        (10, range(30, 60), 0.4),
        (1, range(4, 60, 8), 0.3),
    ):
        yield Simulation(histories_of_unequal_launches, (few, short, slow_share, 0.0), 200)
    for few, short, slow_share in (
        (20, NONE, 0.2),
        (5, range(30, 60), 0.0),
        (5, range(20), 0.0),
        (2, range(45, 60), 0.2),
        (1, range(4, 60, 8), 0.2),
        (2, range(28, 32), 0.2),
    ):
        yield Simulation(histories_of_unequal_launches, (few, short, slow_share, FIVE_PERCENT), 60)
