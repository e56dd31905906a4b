"""Intervals of what is picked from many, and of what is shown more than once: leads, largest numbers, looks, ends."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np
from benchmarks.truth.machines import ALIKE
from benchmarks.truth.simulated_runs import dataset_of, make_plan
from benchmarks.truth.simulation import Figure, Simulation, generator

from msgauge.analysis.advice import find_advice
from msgauge.analysis.caveats import describe_caveats
from msgauge.analysis.pair_table import Levels
from msgauge.analysis.run import analyse
from msgauge.analysis.verdict_family import judge_family
from msgauge.model import Comparison, Stopping, StopReason
from msgauge.stats.group_sequential import REPORTED_LEVEL, STOPPING_LEVEL
from msgauge.stats.look_schedule import extend_looks, interval_level_after, looks_of_run
from msgauge.stats.pairwise import FASTER, INTERVAL_LEVEL, SLOWER, estimate_intervals, interval_limits
from msgauge.stats.signed_rank import locate_centres
from msgauge.stats.slow_launches import find_slow_launches
from msgauge.stats.stopping import is_settled

LEAD = 1.2
CELLS = 4
PLANTED = 0.1
_GAIN = re.compile(r"interval (?P<low>[\d.]+) to (?P<high>[\d.]+)")
_SHARE = re.compile(
    r"interval (of the share )?(?P<low>[\d.]+) % to (?P<high>[\d.]+) %(; factor (?P<least>[\d.]+) to (?P<most>[\d.]+))?"
)


def lead_intervals(stacks: int, rounds: int, apart: float, trials: int) -> Figure:
    """Share of leads over the nearest rival whose interval holds; each rival is slower than the one before by ``apart``
    (0: all are level, and every one of them may be taken for the nearest).

    Of two stacks it is the interval of their ratio, 95 %. Before: the least limits of all rivals,
    each of an interval of 95 % by itself.
    """
    random, now, before = generator(91), [], []
    plan = make_plan(stacks, CELLS, Stopping(minimum_rounds=rounds, maximum_rounds=rounds))
    slower = np.log(LEAD) * (np.arange(stacks) > 0) + np.log1p(apart) * np.maximum(np.arange(stacks) - 1, 0)
    for _ in range(trials):
        logs = ALIKE["lognormal"]((stacks, CELLS, rounds), random) + slower[:, None, None]
        for key, place in judge_family(dataset_of(plan, 1000 * np.exp(logs)), Levels()).places.items():
            if place.lead > 0:
                mine = plan.stacks.index(key.stack)
                truth = np.exp(np.delete(slower, mine).min() - slower[mine])
                now.append(place.lead_low <= truth <= place.lead_high)
                each = np.delete(logs[:, key.cell] - logs[mine, key.cell], mine, axis=0)
                low, high = (np.exp(limit.min()) for limit in estimate_intervals(each, 1 - INTERVAL_LEVEL)[1:])
                before.append(low <= truth <= high)
    rivals = f"rivals {100 * apart:.0f} % apart" if apart else "all rivals level"
    case = f"{stacks} stacks, {rounds} rounds, {rivals}, the nearest one {LEAD} × as slow"
    shares = float(np.mean(now)), float(np.mean(before))
    claim = "the lead over the nearest rival has an interval that holds"
    return Figure(claim, "at least 94 %", case, *shares, len(now))


def told_intervals(shape: tuple[int, int, int], apart: float, trials: int) -> Figure:
    """Share of the differences found in a report whose interval holds; each stack takes ``apart`` longer than the last.

    A trial is a difference that was found, on a machine whose pace all stacks share. Before: the interval of each by
    itself, 95 %.
    """
    random, now, before = generator(97), [], []
    stacks, cells, rounds = shape
    plan = make_plan(stacks, cells, Stopping(minimum_rounds=rounds, maximum_rounds=rounds))
    truth = np.log1p(apart) * np.arange(stacks)
    for _ in range(trials):
        logs = random.normal(0, 0.02, shape) + random.normal(0, 0.03, (1, 1, rounds)) + truth[:, None, None]
        (kind,) = judge_family(dataset_of(plan, 1000 * np.exp(logs)), Levels()).kinds
        judged = kind.table.judged
        ratio = np.exp(truth[judged.second] - truth[judged.first])[:, None]
        found = np.isin(judged.word, (FASTER, SLOWER))
        low, high = kind.table.limits
        now += ((low <= ratio) & (ratio <= high))[found].tolist()
        before += ((judged.low <= ratio) & (ratio <= judged.high))[found].tolist()
    case = f"stacks {100 * apart:g} % apart, scatter 2 %: {stacks} stacks, {cells} cells, {rounds} rounds"
    shares = float(np.mean(now)), float(np.mean(before))
    return Figure("intervals of the differences that were found hold", "at least 93 %", case, *shares, len(now))


def largest_gains(kernels: int, trials: int) -> Figure:
    """Share of advice to change the stack whose interval holds the ratio, picked as the largest of many.

    Before: the interval of that test by itself.
    """
    random, now, before = generator(92), [], []
    sizes = (8, 64, 512, 4096)
    plan = make_plan(2, kernels * len(sizes), Stopping(minimum_rounds=10, maximum_rounds=10), sizes=sizes)
    for _ in range(trials):
        logs = ALIKE["lognormal"]((2, len(plan.cells), 10), random)
        logs[1] += np.log(LEAD)
        report = analyse(dataset_of(plan, 1000 * np.exp(logs)), run="", stopped=StopReason.ROUNDS)
        said = _GAIN.search(find_advice("run", plan, report, (), ((), ()))[0].gain)
        now.append(bool(said) and float(said["low"]) <= LEAD <= float(said["high"]))
        largest = max(report.comparisons, key=lambda one: one.ratio)
        before.append(largest.ratio_low <= LEAD <= largest.ratio_high)
    case = f"2 stacks, {len(plan.cells)} tests, 10 rounds"
    shares = float(np.mean(now)), float(np.mean(before))
    claim = "the largest gain of many tests has an interval that holds"
    return Figure(claim, "at least 95 %", case, *shares, len(now))


def largest_shares(cells: int, share: float, trials: int) -> Figure:
    """Share of sentences on slow launches whose intervals hold, of tests that are slow by themselves.

    The sentence tells the largest share of a row of sizes, and how much slower they are unless it is one launch.
    Before: the intervals of that one by itself.
    """
    random, now, before = generator(93), [], []
    row = [Comparison("one", "other", cell, "kernel", 8, 2, (), 1.0, 0.9, 1.1, "undecided") for cell in range(cells)]
    while len(now) < trials:
        times = np.exp(random.normal(0, 0.01, (1, cells, 20)) + np.log(2.8) * (random.random((1, cells, 20)) < share))
        found = [find_slow_launches(times[:, cell : cell + 1]).get((0, 0)) for cell in range(cells)]
        slow = {one.other_key: its for one, its in zip(row, found, strict=True) if its is not None}
        if not slow:
            continue
        said = _SHARE.search(describe_caveats(row, slow))
        assert said, "its limits are told"
        held = float(said["low"]) - 0.05 <= 100 * share <= float(said["high"]) + 0.05
        if said["least"]:
            held &= float(said["least"]) - 0.005 <= 2.8 <= float(said["most"]) + 0.005
        most = max(slow.values(), key=lambda one: one.share)
        now.append(held)
        before.append(
            most.share_low <= share <= most.share_high
            and (most.slow == 1 or most.factor_low <= 2.8 <= most.factor_high)
        )
    case = f"{cells} tests of 20 rounds, {100 * share:g} % of launches slow, test by test"
    shares = float(np.mean(now)), float(np.mean(before))
    return Figure("the largest share of slow launches has an interval that holds", "", case, *shares, len(now))


def interval_at_looks(machine: str, rounds: int, trials: int) -> Figure:
    """Share of runs in which any interval of a named cell misses, at any look, after Ctrl-C, or in the report.

    Somebody interrupts each run after twelve rounds, reads its report, and goes on as planned. Before: 95 % each.
    """
    stopping = Stopping(minimum_rounds=5, maximum_rounds=rounds)
    shown = [(n, interval_level_after(stopping, n)) for n in sorted({*looks_of_run(stopping)[:-1], 12})]
    shown.append((rounds, interval_level_after(stopping, rounds, is_end=True)))
    shares = _share_missed(machine, shown, generator(94), trials)
    case = f"{machine}: looks up to {rounds} rounds, interrupted after 12"
    return Figure("no interval of a number misses at any look of a run", "<= 5 %", case, *shares, trials)


def interval_of_whole_run(machine: str, rounds: int, trials: int) -> Figure:
    """Share of intervals that hold in the report of a run that ended as planned, with looks before or without any."""
    stopping = Stopping(minimum_rounds=5, maximum_rounds=rounds)
    level = interval_level_after(stopping, rounds, is_end=True)
    missed, before = _share_missed(machine, [(rounds, level)], generator(95), trials)
    case = f"{machine}: after all of {rounds} rounds, with looks before"
    claim = "intervals hold in the report of a run that ended as planned"
    return Figure(claim, "93 to 97 %", case, 1 - missed, 1 - before, trials)


def interval_when_resumed(machine: str, reports: tuple[int, ...], trials: int) -> Figure:
    """Share of runs in which any interval of a named cell misses in any report, resumed for a set number of rounds.

    Before: 95 % each.
    """
    stopping = [Stopping(minimum_rounds=reports[0], maximum_rounds=reports[0])]
    for ended, more in pairwise(reports):
        stopping.append(extend_looks(stopping[-1], Stopping(minimum_rounds=more, maximum_rounds=more), ended))
    shown = [(n, interval_level_after(one, n, is_end=True)) for one, n in zip(stopping, reports, strict=True)]
    shares = _share_missed(machine, shown, generator(96), trials)
    case = f"{machine}: reports after {' and '.join(map(str, reports))} rounds, resumed each time"
    return Figure("no interval of a number misses in any report of a resumed run", "<= 7 %", case, *shares, trials)


def interval_until_stop(ratio: float, cells: int, trials: int) -> Figure:
    """Share of runs that precision ends in which any interval of a named cell misses, at a look or in the report.

    Before: 95 % at each look, and 96 % in the report.
    """
    random, stopping = generator(97), Stopping(minimum_rounds=5, maximum_rounds=30)
    now, before = np.zeros(cells), np.zeros(cells)
    for _ in range(trials):
        apart = np.log(ratio) + random.normal(0, 0.03, (cells, stopping.maximum_rounds))
        missed, formerly = np.zeros((2, cells), dtype=bool)
        for n in looks_of_run(stopping):
            middle = locate_centres(apart[:, :n])
            low, high = interval_limits(apart[:, :n], middle, 1 - STOPPING_LEVEL, by_order=True)
            end = n == stopping.maximum_rounds or is_settled(np.exp(low), np.exp(high), stopping.ratio_precision).all()
            level = interval_level_after(stopping, n, is_end=bool(end))
            chosen = end and n < stopping.maximum_rounds
            missed |= _misses(apart[:, :n], min(level, REPORTED_LEVEL) if chosen else level, np.log(ratio))
            formerly |= _misses(apart[:, :n], 0.04 if chosen else INTERVAL_LEVEL, np.log(ratio))
            if end:
                break
        now, before = now + missed, before + formerly
    shares = float(now.mean() / trials), float(before.mean() / trials)
    case = f"true ratio {ratio}, {cells} cells, scatter 3 %, looks up to 30 rounds"
    claim = "no interval of a number misses at any look of a run that precision ends"
    return Figure(claim, "<= 7 %", case, *shares, trials * cells)


def _share_missed(
    machine: str, shown: Sequence[tuple[int, float]], random: np.random.Generator, trials: int
) -> tuple[float, float]:
    """Of ``trials`` cells the share of which any interval misses that is shown after so many rounds, at such a level.

    And the same where each of these intervals were one of 95 %.
    """
    missed, formerly = np.zeros((2, trials), dtype=bool)
    logs = ALIKE[machine]((2, trials, shown[-1][0]), random)
    for rounds, level in shown:
        missed |= _misses(logs[1, :, :rounds] - logs[0, :, :rounds], level, 0.0)
        formerly |= _misses(logs[1, :, :rounds] - logs[0, :, :rounds], INTERVAL_LEVEL, 0.0)
    return float(missed.mean()), float(formerly.mean())


def _misses(apart: np.ndarray, level: float, truth: float) -> np.ndarray:
    _, low, high = estimate_intervals(apart, 1 - level)
    return np.asarray((low > truth) | (high < truth))


def simulations() -> Iterator[Simulation]:
    """Those of intervals; all of them take a few minutes of one core."""
    for stacks in (2, 6, 20):
        for rounds in (10, 15):
            yield Simulation(lead_intervals, (stacks, rounds, 0.0), 7000 // stacks)
    yield Simulation(lead_intervals, (6, 10, 0.02), 200)
    for shape, apart in (((2, 40, 10), 0.02), ((2, 40, 10), 0.03), ((2, 40, 10), 0.05), ((4, 20, 7), 0.02)):
        yield Simulation(told_intervals, (shape, apart), 300)
    for kernels in (1, 10):
        yield Simulation(largest_gains, (kernels,), 200)
    for cells, share in ((1, PLANTED), (5, PLANTED), (20, PLANTED)):
        yield Simulation(largest_shares, (cells, share), 400)
    machines = ("lognormal", "heavy tails", "spikes", "two modes, cell by cell")
    for machine in machines:
        for rounds in (20, 30):
            yield Simulation(interval_at_looks, (machine, rounds), 20_000)
            yield Simulation(interval_of_whole_run, (machine, rounds), 20_000)
        yield Simulation(interval_when_resumed, (machine, (10, 20)), 20_000)
        yield Simulation(interval_when_resumed, (machine, (10, 20, 30, 40)), 20_000)
    yield Simulation(interval_at_looks, ("lognormal", 100), 20_000)
    for ratio in (1.0, 1.03, 1.05):
        for cells in (1, 10):
            yield Simulation(interval_until_stop, (ratio, cells), 10_000 // cells)
