"""Models of simulated machines: do LogGP intervals hold, and are breakpoints found where there are none?"""

from __future__ import annotations

from collections.abc import Iterator
from unittest import mock

import numpy as np
from benchmarks.truth import former
from benchmarks.truth.machines import ALIKE, Machine
from benchmarks.truth.simulation import Figure, Simulation, generator

from msgauge.model import Estimate
from msgauge.models import guidelines
from msgauge.models.anomalies import off_power_of_two
from msgauge.models.guidelines import GUIDELINES, judge
from msgauge.models.loggp import LogGP, fit_loggp
from msgauge.models.message_trains import ReceiveData, TrainData
from msgauge.models.segments import find_segments

SIZES = (1, 64, 512, 1024, 4096, 8192)
COUNTS = (1, 2, 8, 16, 32)
DELAY_NS = 20_000.0
LATE_NS = 40_000.0
LATENCY, O_S, O_R, G, BIG_G = 1500.0, 300.0, 400.0, 700.0, 0.8
SWEEP = np.unique(np.round(2.0 ** np.arange(0, 20.01, 0.35)))
"""About as many sizes as the ping-pong of the study ``model``."""
SLOW_SHARE, SLOW_FACTOR, SCATTER = 0.3, 1.3, 0.01
MEDIAN_OF_TWO_MODES = 0.566
"""The normal quantile of 0.5 / 0.7."""


def draw_paces(launches: int, two_modes: bool, random: np.random.Generator) -> np.ndarray:
    """Of launches that follow each other by chance, shape (launches,): 1 and its scatter, 30 % slow in two modes."""
    slow = random.random(launches) < (SLOW_SHARE if two_modes else 0.0)
    return np.asarray(np.exp(random.normal(0, SCATTER, launches)) * np.where(slow, SLOW_FACTOR, 1.0))


def trains(paces: np.ndarray, random: np.random.Generator) -> tuple[TrainData, ReceiveData]:
    """Trains and delayed receives of a LogGP machine: a launch is slow with all of its messages, cells scatter.

    ``paces``: factor on the times of each launch. The delay is the program's own and takes as long in a slow launch.
    """
    sent, received = [], []
    for launch, pace in enumerate(paces.tolist()):
        for size in SIZES:
            half = O_S + LATENCY + (size - 1) * BIG_G + O_R
            gap = max(G + (size - 1) * BIG_G, O_S, O_R)
            for n in COUNTS:
                sent.append((launch, n, 0.0, size, (2 * half + (n - 1) * gap) * pace * _luck(random)))
            for n in COUNTS[1:]:
                time = (2 * half + (n - 1) * O_S) * pace * _luck(random) + (n - 1) * DELAY_NS
                sent.append((launch, n, DELAY_NS, size, time))
            received.append((launch, LATE_NS, size, LATE_NS + (O_S + O_R) * pace * _luck(random)))
    return TrainData(*np.array(sent).T), ReceiveData(*np.array(received).T)


def covered(model: LogGP, pace: float) -> Iterator[bool]:
    """For each of the five parameters whether its interval holds what the median launch has at this ``pace``."""
    (segment,) = model.segments
    found = (segment.latency, segment.o_s, segment.o_r, segment.g, segment.big_g)
    truths = (LATENCY, O_S, O_R, G, BIG_G)
    return (one.low <= pace * truth <= one.high for one, truth in zip(found, truths, strict=True))


def loggp_coverage(launches: int, two_modes: bool, trials: int, seed: int) -> np.ndarray:
    """Share of intervals that hold the truth, shape (trials,): a run of five parameters each.

    The truth is the median launch's: where three launches in ten are slow, that of the 71st in a hundred of the others.
    """
    random = generator(seed)
    pace = float(np.exp(SCATTER * MEDIAN_OF_TWO_MODES)) if two_modes else 1.0
    fits = (fit_loggp(*trains(draw_paces(launches, two_modes, random), random), ()) for _ in range(trials))
    return np.array([np.mean(list(covered(one, pace))) for one in fits])


def sweep(launches: int, slow: str, random: np.random.Generator, *, jump: float = 0.0) -> np.ndarray:
    """Launch medians of a ping-pong at each size of ``SWEEP``, shape (launches, sizes): one line, scatter 1 %.

    ``slow``: 30 % of "cells", of "launches", or "nothing" is slower by 1.3. ``jump``: relative step above 8 KiB.
    """
    truth = (500.0 + 0.1 * SWEEP) * np.where(SWEEP > 8192, 1 + jump, 1.0)
    shape = {"cells": (launches, SWEEP.size), "launches": (launches, 1), "nothing": (launches, 1)}[slow]
    factor = np.where(random.random(shape) < (SLOW_SHARE if slow != "nothing" else 0.0), SLOW_FACTOR, 1.0)
    return np.asarray(truth * factor * np.exp(random.normal(0, SCATTER, (launches, SWEEP.size))))


def false_breakpoints(launches: int, slow: str, trials: int, seed: int) -> np.ndarray:
    """Whether a breakpoint is found on one straight line, shape (trials,)."""
    random = generator(seed)
    sweeps = (sweep(launches, slow, random) for _ in range(trials))
    return np.array([bool(find_segments(SWEEP, times, random).breakpoints) for times in sweeps])


def jumps_found(launches: int, slow: str, jump: float, trials: int, seed: int) -> np.ndarray:
    """Whether the one breakpoint is found, within a factor of 1.5 of its place, shape (trials,)."""
    random = generator(seed)
    found = (find_segments(SWEEP, sweep(launches, slow, random, jump=jump), random) for _ in range(trials))
    places = [[one.size_bytes.value for one in segmentation.breakpoints] for segmentation in found]
    return np.array([any(8192 / 1.5 <= place <= 8192 * 1.5 for place in some) for some in places])


def _luck(random: np.random.Generator) -> float:
    return float(np.exp(random.normal(0, 0.005)))


# --- guidelines that hold exactly ---------------------------------------------------------------------------------

STACKS = ("one@1", "two@1", "three@1", "four@1")


def equal_sides(rounds: int, machine: Machine, random: np.random.Generator) -> tuple[Estimate, ...]:
    """Gather and allgather of four stacks at ten sizes, alike: forty guidelines at their very edge."""
    logs = machine((len(STACKS), 20, rounds), random)
    return tuple(
        Estimate(
            stack=stack,
            cell=cell,
            kernel=("gather", "allgather")[cell % 2],
            size_bytes=8 << cell // 2,
            ranks=4,
            options=(),
            median_ns=float(np.exp(np.median(logs[index, cell]))),
            low_ns=1.0,
            high_ns=1.0,
            launch_medians_ns=tuple(np.exp(logs[index, cell]).tolist()),
            rounds=tuple(range(rounds)),
        )
        for index, stack in enumerate(STACKS)
        for cell in range(20)
    )


def false_violations(rounds: int, machine: Machine, trials: int, seed: int) -> np.ndarray:
    """Whether any of forty guidelines that hold is called violated, shape (trials,)."""
    random = generator(seed)
    chosen = [one for one in GUIDELINES if one.name == "gather <= allgather"]
    runs = (judge(equal_sides(rounds, machine, random), chosen) for _ in range(trials))
    return np.array([any(one.verdict == "violated" for one in run) for run in runs])


def false_odd_sizes(rounds: int, machine: Machine, trials: int, seed: int) -> np.ndarray:
    """Whether any of twenty sizes on a straight line is called odd, shape (trials,)."""
    random = generator(seed)
    sizes = np.unique(np.concatenate([2.0 ** np.arange(3, 14), 1.5 * 2.0 ** np.arange(3, 13)]))
    truth = 500.0 + 0.1 * sizes
    runs = (truth * np.exp(machine((1, sizes.size, rounds), random)[0].T) for _ in range(trials))
    return np.array([bool(off_power_of_two(sizes, times)) for times in runs])


# --- what of it is on the page ------------------------------------------------------------------------------------


def intervals_hold(launches: int, two_modes: bool, trials: int) -> Figure:
    """Share of LogGP intervals that hold what the median launch has; before: a bootstrap over launches."""
    now = float(loggp_coverage(launches, two_modes, trials, 31).mean())
    with former.bootstrapped_models(launches):
        before = float(loggp_coverage(launches, two_modes, trials, 31).mean())
    case = f"{launches} launches{', 30 % of them slow by 1.3' if two_modes else ''}, five parameters"
    return Figure("LogGP intervals hold", "at least 93 %", case, now, before, 5 * trials)


def straight_lines(launches: int, slow: str, trials: int) -> Figure:
    """Share of straight lines with a breakpoint; before: noise by the robust scatter of cells."""
    now = float(false_breakpoints(launches, slow, trials, 32).mean())
    with former.robust_noise():
        before = float(false_breakpoints(launches, slow, trials, 32).mean())
    case = f"{launches} launches, {SWEEP.size} sizes, 30 % of {slow} slow by 1.3"
    return Figure("no breakpoint on a straight line", "<= 5 %", case, now, before, trials)


def jumps(launches: int, slow: str, jump: float, trials: int) -> Figure:
    """Share of jumps that are found."""
    now = float(jumps_found(launches, slow, jump, trials, 33).mean())
    with former.robust_noise():
        before = float(jumps_found(launches, slow, jump, trials, 33).mean())
    noise = "scatter 1 %" if slow == "nothing" else f"30 % of {slow} slow by 1.3"
    case = f"{launches} launches, {SWEEP.size} sizes, {noise}"
    return Figure(f"a jump of {100 * jump:.0f} % is found", "", case, now, before, trials)


def guidelines_hold(rounds: int, machine: str, trials: int) -> Figure:
    """Share of runs in which a guideline that holds is called violated; before: judged from three rounds on."""
    now = float(false_violations(rounds, ALIKE[machine], trials, 34).mean())
    with mock.patch.object(guidelines, "MINIMUM_ROUNDS", 3):
        before = float(false_violations(rounds, ALIKE[machine], trials, 34).mean())
    case = f"{machine}: 40 guidelines at their edge, {rounds} rounds"
    return Figure("no guideline that holds is called violated", "<= 5 %", case, now, before, trials)


def sizes_even(rounds: int, machine: str, trials: int) -> Figure:
    """Share of runs in which a size on a straight line is called odd; the same before, from four rounds on."""
    share = float(false_odd_sizes(rounds, ALIKE[machine], trials, 35).mean())
    case = f"{machine}: 10 sizes between powers of two, {rounds} rounds"
    return Figure("no size on a straight line is called odd", "<= 5 %", case, share, share, trials)


def simulations() -> Iterator[Simulation]:
    """Those of models, guidelines and anomalies."""
    for launches in (5, 7, 10):
        for two_modes in (False, True):
            yield Simulation(intervals_hold, (launches, two_modes), 2000)
    for launches in (5, 7, 10):
        for slow in ("cells", "launches"):
            yield Simulation(straight_lines, (launches, slow), 500)
    for slow in ("nothing", "cells"):
        for jump in (0.05, 0.3, 1.0):
            yield Simulation(jumps, (7, slow, jump), 200)
    for machine in ("lognormal", "two modes, cell by cell"):
        for rounds in (3, 5, 7, 10):
            yield Simulation(guidelines_hold, (rounds, machine), 500)
        for rounds in (5, 7, 10):
            yield Simulation(sizes_even, (rounds, machine), 500)
