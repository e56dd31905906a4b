"""What the report of a run says that somebody interrupted, and what a run finds that had ended and goes on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

import numpy as np
from attrs import evolve
from benchmarks.truth.simulation import Figure, Simulation, generator

from msgauge.analysis.verdicts.pair_table import Levels, PairTable
from msgauge.analysis.verdicts.parted import find_parted_pairs, withdraw_parted
from msgauge.model import Stopping
from msgauge.stats.look_schedule import PROMISED, extend_looks, level_after
from msgauge.stats.pairwise import EQUIVALENT, FASTER, LEVEL, SLOWER, judge_pairs
from msgauge.stats.parted_rounds import find_parted

SCATTER = 0.06
"""So much that forty rounds do not show stacks to be equivalent."""
STUDY = Stopping(minimum_rounds=5, maximum_rounds=30)
"""Of a run that ends by its budget and is resumed with a larger one."""


def false_when_interrupted(shape: tuple[int, int, int], reports: Sequence[int], trials: int) -> Figure:
    """Share of A/A runs with a difference in any report; before: each had the level of the one at the end.

    ``shape``: stacks, cells, rounds that were asked for; ``reports``: after how many of them somebody looks.
    """
    random, (stacks, cells, last) = generator(341), shape
    stopping = Stopping(minimum_rounds=last, maximum_rounds=last)
    now = before = 0
    for _ in range(trials):
        times = np.exp(random.normal(0, SCATTER, shape))
        shown = [(n, judge_pairs(times[..., :n], level=level_after(stopping, n))) for n in (*reports, last)]
        now += any(np.isin(judged.word, (FASTER, SLOWER)).any() for _, judged in shown)
        before += any(np.nanmin(judged.p_different) <= LEVEL for _, judged in shown)
    asked = f"after {reports[0]} rounds" if len(reports) == 1 else f"{len(reports)} times before the end"
    case = f"{stacks} stacks, {cells} cells, {last} rounds asked for, its report looked at {asked}"
    return Figure(
        "what a report of an interrupted run says holds", "<= 5 %", case, now / trials, before / trials, trials
    )


def found_when_resumed(ended: int, ratio: float, scatter: float, trials: int) -> Figure:
    """Share of cells, of four, in which the second stack is called slower after 30 rounds.

    The budget ended the run after ``ended`` rounds, and it is resumed. Before: what was left to be spent was shared
    among looks 1.4 apart, of which each had less than 1024 sign flips can reach.
    """
    random = generator(342)
    last = STUDY.maximum_rounds
    level = level_after(extend_looks(STUDY, evolve(STUDY, budget_s=2 * STUDY.budget_s), ended), last, is_end=True)
    former = (PROMISED - LEVEL) / 2 / 4
    now, before = [], []
    for _ in range(trials):
        times = np.exp(random.normal(0, scatter, (2, 4, last)))
        times[1] *= ratio
        judged = judge_pairs(times, level=level)
        now.append((judged.word == SLOWER).mean())
        before.append((judged.p_different <= former).mean())
    case = f"ended by its budget after {ended} rounds, {ratio:g} times as slow, scatter {100 * scatter:.0f} %"
    claim = "a run that is resumed finds what is clear"
    return Figure(claim, "at least 90 %", case, float(np.mean(now)), float(np.mean(before)), trials)


def alike_though_parted(shape: tuple[int, int, int], went_on: int, scatter: float, trials: int) -> Figure:
    """Share of runs that call a stack equivalent in some test that is 1.2 times as slow since the run went on.

    ``shape``: stacks, cells, rounds at the end; before: without a look at both parts, of which the median hides one.
    """
    random = generator(343)
    now = before = 0
    for _ in range(trials):
        times = _draw_apart(random, shape, scatter)
        times[1, :, went_on:] *= 1.2
        table = _judge(times)
        mine = (table.judged.first == 1) | (table.judged.second == 1)
        kept = withdraw_parted(table, find_parted_pairs(table, (went_on,)) > 0)
        now += (kept.judged.word[mine] == EQUIVALENT).any()
        before += (table.judged.word[mine] == EQUIVALENT).any()
    stacks, cells, last = shape
    case = f"{stacks} stacks, {cells} cells, {went_on} rounds and {last - went_on} later, scatter {100 * scatter:g} %"
    claim = "what became slower when the run went on is not called equivalent"
    return Figure(claim, "<= 5 %", case, now / trials, before / trials, trials)


def parted_by_chance(law: str, shape: tuple[int, int, int], went_on: tuple[int, ...], trials: int) -> Figure:
    """Share of A/A runs of which a comparison is said to have changed when they went on; before: each tested alone."""
    random = generator(344)
    now = before = 0
    for _ in range(trials):
        times = _draw_apart(random, shape, 0.02)
        if law == "one launch in ten 2.8 times as slow":
            times *= np.where(random.random(shape) < 0.1, 2.8, 1.0)
        if law == "exponential":
            times = 1 + 0.05 * random.exponential(size=shape)
        table = _judge(times)
        now += find_parted_pairs(table, went_on).any()
        logs = np.log(table.values[table.judged.second] / table.values[table.judged.first])
        alone = [
            find_parted(one[None], went_on)[0] > 0 for one in logs.reshape(-1, shape[2])[:: max(1, logs.size // 400)]
        ]
        before += any(alone)
    stacks, cells, last = shape
    case = f"{law}: {stacks} stacks, {cells} cells, {last} rounds, resumed {len(went_on)} times"
    claim = "no comparison is said to have changed when a run of one law went on"
    return Figure(claim, "<= 1.5 %", case, now / trials, before / trials, trials)


def _draw_apart(random: np.random.Generator, shape: tuple[int, int, int], scatter: float) -> np.ndarray:
    """Times of stacks that are alike, in rounds with a pace of 3 % for all of them."""
    return np.asarray(np.exp(random.normal(0, 0.03, (1, 1, shape[2])) + random.normal(0, scatter, shape)))


def _judge(times: np.ndarray) -> PairTable:
    return PairTable.of([f"stack{number}" for number in range(len(times))], times, Levels(), exact_clock=False)


def simulations() -> Iterator[Simulation]:
    """Twelve minutes of one core."""
    for shape, went_on, scatter in (((6, 9, 24), 20, 0.004), ((6, 9, 24), 20, 0.01), ((2, 9, 36), 30, 0.004)):
        yield Simulation(alike_though_parted, (shape, went_on, scatter), 400)
    for law in ("normal", "exponential", "one launch in ten 2.8 times as slow"):
        yield Simulation(parted_by_chance, (law, (6, 9, 20), (10,)), 2000)
        yield Simulation(parted_by_chance, (law, (3, 13, 30), (10, 20)), 1000)
    yield Simulation(false_when_interrupted, ((3, 9, 40), (9,)), 2000)
    yield Simulation(false_when_interrupted, ((3, 9, 40), (20,)), 2000)
    yield Simulation(false_when_interrupted, ((2, 40, 20), (10, 15)), 2000)
    yield Simulation(false_when_interrupted, ((3, 9, 40), tuple(range(8, 40, 2))), 800)
    for ended, (ratio, scatter) in product((9, 12), ((1.1, 0.05), (1.3, 0.1), (2.0, 0.15))):
        yield Simulation(found_when_resumed, (ended, ratio, scatter), 400)
