"""Each claim, what is promised, and the simulation that holds it to account; each gives figures with their errors."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise, product

import numpy as np
from benchmarks.truth import former
from benchmarks.truth.machines import ALIKE, SCATTER, Machine, modes_of_cells
from benchmarks.truth.simulation import Figure, Simulation, generator

from msgauge.model import Stopping
from msgauge.stats.group_sequential import REPORTED_LEVEL, STOPPING_LEVEL
from msgauge.stats.location import median_interval
from msgauge.stats.look_schedule import extend_looks, interval_level_after, level_after, looks_of_run
from msgauge.stats.pairwise import (
    EQUIVALENT,
    FASTER,
    LEVEL,
    SEED,
    SLOWER,
    best,
    estimate_intervals,
    interval_limits,
    judge_pairs,
)
from msgauge.stats.sign_flips import step_down
from msgauge.stats.signed_rank import locate_centres
from msgauge.stats.stopping import is_settled

DIFFERENT = (FASTER, SLOWER)
FAMILIES = (
    (2, 40, 4),
    (2, 200, 4),
    (2, 200, 5),
    (2, 40, 7),
    (2, 200, 7),
    (6, 9, 10),
    (20, 9, 7),
    (2, 9, 15),
    (2, 200, 15),
    (6, 40, 15),
    (20, 9, 15),
)
"""Stacks, cells, rounds."""
NEAR_THE_LEVEL = {(6, 9, 10), (2, 200, 15), (20, 9, 15)}
"""Those that err in 4 % and more take more trials to tell from 5 %."""
PROMISED_POWER = {(40, 10): "at least 90 %", (200, 10): "at least 70 %"}
"""Of cells and rounds: how many of the cells that differ by 5 % are found."""


def family_error(shape: tuple[int, int, int], machine: str, trials: int) -> Figure:
    """Share of A/A tables with two stacks or more called different; before: against a base picked from the data.

    All pairs are asked, so whoever names a base, or picks one from the data, sees a part of these verdicts.
    """
    random = generator(1)
    now = before = 0
    for _ in range(trials):
        logs = ALIKE[machine](shape, random)
        now += tells_apart(logs)
        before += bool(np.isin(former.against_base(logs, None), DIFFERENT).any())
    stacks, cells, rounds = shape
    case = f"{machine}: {stacks} stacks, {cells} cells, {rounds} rounds"
    claim = "identical stacks are not called different, whichever is named or picked as the base"
    return Figure(claim, "<= 5 %", case, now / trials, before / trials, trials)


def tells_apart(logs: np.ndarray) -> bool:
    """Whether any two stacks of a table are called different; ``logs``: shape (stacks, cells, rounds).

    Without a p within the level no verdict says so, and the rest of it, which takes most of the time, is left out.
    """
    first, second = np.triu_indices(len(logs), 1)
    tested = step_down((logs[second] - logs[first]).reshape(-1, logs.shape[2]), seed=SEED)
    if tested.p_adjusted.min() > LEVEL:
        return False
    return bool(np.isin(judge_pairs(np.exp(logs)).word, DIFFERENT).any())


def family_error_at_looks(shape: tuple[int, int, int], machine: str, every: int, trials: int) -> Figure:
    """Share of A/A tables with a difference at any look of a run; before: one level for all looks.

    ``every``: the run is interrupted, shown and resumed after each so many rounds beside its planned looks; 0: never.
    """
    random = generator(7)
    stacks, cells, rounds = shape
    stopping = Stopping(minimum_rounds=5, maximum_rounds=rounds)
    looked = sorted({*looks_of_run(stopping), *(range(7, rounds, every) if every else ())})
    now = before = 0
    for _ in range(trials):
        times = np.exp(ALIKE[machine](shape, random))
        shown = [(judge_pairs(times[..., :n], level=level_after(stopping, n)), n) for n in looked]
        now += any(np.isin(one.word, DIFFERENT).any() for one, _ in shown)
        before += any((np.nan_to_num(one.p_different, nan=1.0) <= 0.05).any() for one, _ in shown)
    extra = f", resumed after each {every} rounds" if every else ""
    case = f"{machine}: {stacks} stacks, {cells} cells, looks up to {rounds} rounds{extra}"
    return Figure("what any look shows holds", "<= 5 %", case, now / trials, before / trials, trials)


def family_error_when_extended(shape: tuple[int, int, tuple[int, ...]], machine: str, trials: int) -> Figure:
    """Share of A/A runs with a difference in any report: each is of a set number of rounds, then resumed for more.

    Before: looks taken before shared a level with those to come, as if they had had it themselves.
    """
    random = generator(9)
    stacks, cells, rounds = shape
    stopping = [Stopping(minimum_rounds=rounds[0], maximum_rounds=rounds[0])]
    for ended, more in pairwise(rounds):
        stopping.append(extend_looks(stopping[-1], Stopping(minimum_rounds=more, maximum_rounds=more), ended))
    former_levels = [former.level_of_looks(rounds[: number + 1], LEVEL) for number in range(len(rounds))]
    levels = [level_after(*one, is_end=True) for one in zip(stopping, rounds, strict=True)]
    now = before = 0
    for _ in range(trials):
        times = np.exp(ALIKE[machine]((stacks, cells, rounds[-1]), random))
        least = [float(np.nanmin(judge_pairs(times[..., :n]).p_different)) for n in rounds]
        now += any(p <= level for p, level in zip(least, levels, strict=True))
        before += any(p <= level for p, level in zip(least, former_levels, strict=True))
    reports = " and ".join(str(n) for n in rounds)
    case = f"{machine}: {stacks} stacks, {cells} cells, reports after {reports} rounds, resumed each time"
    return Figure("what any report of a resumed run says holds", "<= 5 %", case, now / trials, before / trials, trials)


def coverage_at_stop(ratio: float, cells: int, trials: int, scatter: float = 0.03) -> Figure:
    """Share of ratio intervals that hold where precision ended the run; before: stopped and reported at 95 %."""
    random = generator(8)
    stopping = Stopping(minimum_rounds=5, maximum_rounds=30)
    end = interval_level_after(stopping, 30, is_end=True)
    now, before = [], []
    for _ in range(trials):
        apart = np.log(ratio) + random.normal(0, scatter, (cells, stopping.maximum_rounds))
        now.append(_covered(apart, np.log(ratio), stopping, (STOPPING_LEVEL, REPORTED_LEVEL, end)))
        before.append(_covered(apart, np.log(ratio), stopping, (0.05, 0.05, 0.05)))
    case = f"true ratio {ratio}, {cells} cells, scatter {100 * scatter:.0f} %"
    shares = float(np.mean(now)), float(np.mean(before))
    return Figure("intervals hold at the adaptive stop", "93 to 97 %", case, *shares, trials * cells)


def _covered(apart: np.ndarray, truth: float, stopping: Stopping, levels: tuple[float, float, float]) -> float:
    """Share of cells whose interval holds after the first look at which all cells are settled."""
    for rounds in looks_of_run(stopping):
        low, high = interval_limits(apart[:, :rounds], locate_centres(apart[:, :rounds]), 1 - levels[0], by_order=True)
        if is_settled(np.exp(low), np.exp(high), stopping.ratio_precision).all():
            break
    level = levels[1 if rounds < stopping.maximum_rounds else 2]
    _, low, high = estimate_intervals(apart[:, :rounds], 1 - level)
    return float(((low <= truth) & (truth <= high)).mean())


def power(cells: int, rounds: int, trials: int, machine: Machine = ALIKE["lognormal"]) -> Figure:
    """Share of cells found where half of them differ by 5 %."""
    random = generator(2)
    now, before = [], []
    for _ in range(trials):
        logs = machine((2, cells, rounds), random)
        logs[1, : cells // 2] += np.log(1.05)
        now.append((judge_pairs(np.exp(logs)).word[0, : cells // 2] == SLOWER).mean())
        before.append((former.against_base(logs)[0, : cells // 2] == SLOWER).mean())
    case = f"scatter {100 * SCATTER:.0f} %, {cells} cells, {rounds} rounds"
    promised = PROMISED_POWER.get((cells, rounds), "")
    return Figure("a difference of 5 % is found", promised, case, float(np.mean(now)), float(np.mean(before)), trials)


def power_where_all_differ(cells: int, rounds: int, trials: int) -> Figure:
    """Share of cells found where all of them differ by 5 %: exchanges of few rounds look like differences, too."""
    random, now, before = generator(155), [], []
    for _ in range(trials):
        logs = ALIKE["lognormal"]((2, cells, rounds), random)
        logs[1] += np.log(1.05)
        now.append((judge_pairs(np.exp(logs)).word[0] == SLOWER).mean())
        before.append((former.against_base(logs)[0] == SLOWER).mean())
    case, promised = f"{cells} cells, {rounds} rounds", PROMISED_POWER.get((cells, rounds), "")
    claim = "a difference of 5 % in all cells is found"
    return Figure(claim, promised, case, float(np.mean(now)), float(np.mean(before)), trials)


def other_laws(shape: tuple[int, int], share: float, factor: float, trials: int) -> Figure:
    """Share of tables with a difference where one stack has a second mode, shifted so that the median ratio is 1.

    Nothing is promised of it: the test asks whether two stacks have one law, and these have not.
    """
    random = generator(10)
    cells, rounds = shape
    off = _median_of_modes(share, np.log(factor))
    now = before = 0
    for _ in range(trials):
        logs = random.normal(0, SCATTER / 2, (2, cells, rounds))
        logs[1] += np.log(factor) * (random.random((cells, rounds)) < share) - off
        now += bool(np.isin(judge_pairs(np.exp(logs)).word, DIFFERENT).any())
        before += bool(np.isin(former.against_base(logs), DIFFERENT).any())
    case = (
        f"scatter 1 %, {100 * share:.0f} % of the launches of one stack {factor:g} times slower, "
        f"{cells} cells, {rounds} rounds"
    )
    claim = "stacks of two laws whose median ratio is 1 are called different"
    return Figure(claim, "", case, now / trials, before / trials, trials)


def _median_of_modes(share: float, height: float) -> float:
    """Median of a difference of two launches, of which the one is slow in this share by so much."""
    from scipy.optimize import brentq
    from scipy.special import ndtr

    spread = np.sqrt(2) * SCATTER / 2
    return float(
        brentq(lambda at: (1 - share) * ndtr(at / spread) + share * ndtr((at - height) / spread) - 0.5, 0, height)
    )


def false_equivalence(cells: int, rounds: int, trials: int) -> Figure:
    """Share of tables with a false "equivalent", all cells exactly at the margin; before: intervals one by one."""
    random = generator(3)
    now = before = 0
    for _ in range(trials):
        logs = random.normal(0, 0.005, (2, cells, rounds))
        logs[1] += np.log(1.03)
        now += bool((judge_pairs(np.exp(logs)).word == EQUIVALENT).any())
        before += bool((median_interval(np.exp(logs[1] - logs[0]))[1] <= 1.03).any())
    case = f"{cells} cells at 1.03, {rounds} rounds"
    return Figure("no table has a false equivalent", "<= 5 %", case, now / trials, before / trials, trials)


def contradictions(trials: int) -> Figure:
    """Share of tables in which a mark of the best contradicts a verdict; before: the smallest median is marked."""
    random = generator(4)
    now = before = 0
    for _ in range(trials):
        stacks, cells, rounds = random.integers(2, 7), random.integers(2, 13), random.integers(5, 13)
        logs = modes_of_cells((stacks, cells, rounds), random) + random.normal(0, 0.05, (stacks, cells, 1))
        found = judge_pairs(np.exp(logs))
        smallest = np.median(logs, axis=2).argmin(axis=0)
        medians = np.arange(stacks)[:, None] == smallest[None, :]
        now += _contradicted(best(found, stacks), found.word, found.first, found.second)
        before += _contradicted(medians, found.word, found.first, found.second)
    case = "2 to 6 stacks, 2 to 12 cells, 5 to 12 rounds"
    return Figure("no mark contradicts a verdict", "0", case, now / trials, before / trials, trials)


def simulations() -> Iterator[Simulation]:
    """Those of verdicts and marks; all of them take three quarters of an hour of one core."""
    yield from _families()
    for machine in ("lognormal", "two modes, launch by launch"):
        for shape in ((2, 40, 30), (6, 9, 20), (2, 200, 20)):
            yield Simulation(family_error_at_looks, (shape, machine, 0), 2500)
        yield Simulation(family_error_at_looks, ((2, 40, 20), machine, 2), 2500)
        yield Simulation(family_error_when_extended, ((2, 40, (10, 20)), machine), 2500)
        trials = 8000 if machine == "lognormal" else 3000
        yield Simulation(family_error_when_extended, ((2, 40, (10, 20, 30, 40)), machine), trials)
    for ratio in (1.0, 1.03, 1.05):
        for cells in (1, 10):
            yield Simulation(coverage_at_stop, (ratio, cells), 2000)
    for cells, rounds in ((40, 7), (40, 10), (200, 10)):
        yield Simulation(power, (cells, rounds), 1000)
        yield Simulation(power_where_all_differ, (cells, rounds), 1000)
    for tables, modes in product(((9, 10), (40, 10), (9, 20)), ((0.3, 1.3), (0.25, 1.06))):
        yield Simulation(other_laws, (tables, *modes), 400)
    for cells, rounds in ((9, 7), (40, 10)):
        yield Simulation(false_equivalence, (cells, rounds), 2000)
    yield Simulation(contradictions, (), 10_000)


def _families() -> Iterator[Simulation]:
    machines = (
        "lognormal",
        "heavy tails",
        "spikes",
        "two modes, cell by cell",
        "two modes, launch by launch",
        "drifting",
    )
    for machine, shape in product(machines, FAMILIES):
        yield Simulation(family_error, (shape, machine), 4000 if shape in NEAR_THE_LEVEL else 2000)
    yield Simulation(family_error, ((20, 40, 10), "lognormal"), 5000)
    for rounds, trials in ((4, 300), (7, 800), (10, 2000), (15, 600)):
        yield Simulation(family_error, ((20, 200, rounds), "lognormal"), trials)
        yield Simulation(family_error, ((20, 200, rounds), "two modes, cell by cell"), min(trials, 600))


def _contradicted(marks: np.ndarray, word: np.ndarray, first: np.ndarray, second: np.ndarray) -> bool:
    slower = (marks[second] & (word == SLOWER)).any()
    return bool(slower or (marks[first] & (word == FASTER)).any())
