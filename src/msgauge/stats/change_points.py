"""Where a history of runs changes its level: steps with their certainty, found in all cells together."""

from __future__ import annotations

from itertools import pairwise
from math import sqrt

import numpy as np
from attrs import frozen

from msgauge.stats.level_differences import (
    SHORTEST,
    Bar,
    bound_runs,
    contrasts,
    find_differences,
    part_rows,
)

FEWEST_RUNS = 12
"""Six runs before and six after are the fewest whose orders, 924 of them, let p fall below 0.25 %."""
LEVEL = 0.0025
"""Chance of a false change in a history, so that twenty histories show one in 5 % at most."""
LIKELIHOOD_DROP = 7.35
"""Runs at which a change is less likely than at the best by no more than this are in its 95 % interval (Hansen 2000).

Tried and left: 3.84 of chi-square, under which a place of 5 % at a scatter of 2 % was in its interval in 90 %.
"""


@frozen
class LevelShift:
    """A change of level in one cell."""

    series: int
    first_after: int
    """Index of the first run at the new level."""
    earliest: int
    latest: int
    factor: float
    """Time after the change over that before; its interval is of all places where the change may be."""
    low: float
    high: float
    together: tuple[float, float]
    """Limits of the factor that hold for the changes of all cells together, whichever of them is told."""
    p_value: float
    """Corrected over all cells and all places of the stretch it was sought in."""


def find_steps(logs: np.ndarray, *, cases: int = 0, seed: int = 1) -> tuple[LevelShift, ...]:
    """All steps in a history, in order of runs.

    ``logs``: logarithms of the level of each run, shape (series, runs), in order of time; nan where a run lacks a
    series. ``cases``: of how many series what is told is picked (0: these). Runs scatter by the
    state of the machine, one for all cells of a run: orders of whole runs are shuffled to see what chance alone gives,
    the largest over all series, stretches and places against the largest seen. Steps are sought in stretches of many
    lengths, levels that were left again by both their ends, and either once more between what was found. Fewer than
    twelve runs have too few orders for p to fall to 0.25 %; a new level of three runs is seen among eighteen. A step is
    sought in the mean of all series too, where the scatter of single ones is less; series that have it there as well
    have it.

    Series that lack different runs are shuffled together all the same, each over its own runs in the order of all, so
    it costs them nothing that they are many. Tried and wrong: each such group with its share of the level, which no
    shuffles reach from 25 groups on; forty series, one run in ten missing, hid a step of 30 % in all of them.

    Source: Antoch and Huskova 2001 (permutation of the largest difference). Tried and left: steps of the whole stretch
    alone (Bai and Perron 1998), which overlook a level that was left again: ten runs of forty, slower by 22 % at a
    scatter of 2 %; steps of shorter stretches beside them, without stays: five runs of fifty by 12 % in a third.
    """
    bar = Bar(LEVEL, 1.0)
    cuts = _split(logs, bar, np.random.default_rng(seed))
    while any(cuts):
        longer = _widen_by_dependence(logs, cuts)
        if longer <= 1.02 * bar.longer:
            break
        bar = Bar(LEVEL, longer)
        cuts = _split(logs, bar, np.random.default_rng(seed))
    found = [step for row, steps in enumerate(cuts) for step in _steps(row, logs, steps, cases or len(logs))]
    return tuple(sorted(found, key=lambda step: (step.first_after, step.series)))


def _widen_by_dependence(logs: np.ndarray, cuts: list[list[tuple[int, float]]]) -> float:
    """By how much means of runs scatter more than those of runs in random order: 1 where neighbours are not alike.

    From the correlation of neighbouring runs around their levels, of all series together, as they share the machine.
    Steps that are none take a part of it away, so it is measured again without those that it made doubtful. Tried and
    left: to count it from two of its standard errors on, which left 5 % of false histories at a correlation of 0.3.
    Tried and wrong: means that hold odd runs, which put their whole level beside the runs and looked like dependence.

    Source: first-order autoregression; Kendall 1954 for the bias of short series, as many as there are levels.
    """
    rest = np.full_like(logs, np.nan)
    for part in part_rows(logs):
        whole = np.ix_(np.array(part.rows), np.flatnonzero(part.held))
        rest[whole] = bound_runs(logs[whole])
    for row, steps in enumerate(cuts):
        ends = [0, *sorted(place for place, _ in steps), logs.shape[1]]
        for start, end in pairwise(ends):
            rest[row, start:end] -= np.nanmean(rest[row, start:end])
    spread = np.nanstd(rest, axis=1, keepdims=True)
    common = np.nanmean(rest / np.where(spread > 1e-12, spread, np.inf), axis=0)
    energy, runs = float((common**2).sum()), logs.shape[1]
    if energy < 1e-12:
        return 1.0
    alike = float((common[1:] * common[:-1]).sum()) / energy
    levels = 1 + sum(map(len, cuts)) / len(cuts)
    alike = min(max(alike + levels * (1 + 3 * alike) / runs, 0.0), 0.9)
    return sqrt((1 + alike) / (1 - alike))


def _split(logs: np.ndarray, bar: Bar, random: np.random.Generator) -> list[list[tuple[int, float]]]:
    """For each series where it changes, with p; the stretches of all series are tested as one family at each depth."""
    cuts: list[list[tuple[int, float]]] = [[] for _ in range(logs.shape[0])]
    stretches, held = [(row, 0, logs.shape[1]) for row in range(logs.shape[0])], np.isfinite(logs)
    while stretches:
        following = []
        stretches = [one for one in stretches if held[one[0], one[1] : one[2]].sum() >= FEWEST_RUNS]
        apart = sorted({(start, end) for _, start, end in stretches})
        for start, end in apart:
            rows = [row for row, *place in stretches if place == [start, end]]
            for one in find_differences(logs[rows, start:end], bar, random):
                p = one.p_value * min(len(apart), 2)  # both sides of a step; those of other series overlap them
                if p <= bar.level:
                    places = [start + place for place in one.places]
                    cuts[rows[one.row]] += [(place, p) for place in places]
                    following += [(rows[one.row], *ends) for ends in pairwise([start, *places, end])]
        stretches = following
    return cuts


def _steps(row: int, logs: np.ndarray, cuts: list[tuple[int, float]], cases: int) -> list[LevelShift]:
    """The steps of a series; one whose limits hold 1, beside those found after it, is none, the least one first.

    Two steps up are first cut between them, where a stretch that holds both differs most; once each is found, nothing
    is left there. Tried and wrong: to keep it, which told a third step in 2 to 10 % of such histories.
    """
    cuts = sorted(cuts)
    found = _place_steps(row, logs, cuts, cases)
    doubtful = [place for place, one in enumerate(found) if one.together[0] <= 1 <= one.together[1]]
    if not doubtful:
        return found
    least = min(doubtful, key=lambda place: abs(np.log(found[place].factor)))
    return _steps(row, logs, [*cuts[:least], *cuts[least + 1 :]], cases)


def _place_steps(row: int, logs: np.ndarray, cuts: list[tuple[int, float]], cases: int) -> list[LevelShift]:
    """Each cut, in order, is placed once more among all runs of the series between its neighbours."""
    columns = np.flatnonzero(np.isfinite(logs[row]))
    places = [(int(np.searchsorted(columns, column)), p) for column, p in cuts]
    ends = [0, *[place for place, _ in places], columns.size]
    found = []
    for index, (_, p) in enumerate(places):
        start, end = ends[index], ends[index + 2]
        measured = logs[row, columns[start:end]]
        values = bound_runs(measured[None])[0]
        inside, earliest, latest = _place(values, values == measured)
        ends[index + 1] = start + inside
        factor, *_ = estimate_size(values[:inside], values[inside:], 1)
        reached = range(earliest, latest + 1)
        alone, together = (
            np.array([estimate_size(values[:place], values[place:], count)[1:] for place in reached])
            for count in (1, cases)
        )
        limits, all_limits = ((float(one[:, 0].min()), float(one[:, 1].max())) for one in (alone, together))
        at, first, last = (int(columns[start + place]) for place in (inside, earliest, latest))
        found.append(LevelShift(row, at, first, last, factor, *limits, all_limits, p))
    return found


def estimate_size(before: np.ndarray, after: np.ndarray, cases: int) -> tuple[float, float, float]:
    """Factor, low and high of the mean after over that before; runs of both stretches scatter alike (Student 1908).

    The interval is one of so many ``cases`` that hold together in 95 % (Dunn 1961).
    """
    from scipy.special import stdtrit

    freedom = before.size + after.size - 2
    pooled = (((before - before.mean()) ** 2).sum() + ((after - after.mean()) ** 2).sum()) / freedom
    error = float(np.sqrt(pooled * (1 / before.size + 1 / after.size)))
    shift, reach = float(after.mean() - before.mean()), float(stdtrit(freedom, 1 - 0.025 / cases)) * error
    factor, low, high = (float(np.exp(value)) for value in (shift, shift - reach, shift + reach))
    return factor, low, high


def _place(values: np.ndarray, usual: np.ndarray) -> tuple[int, int, int]:
    """The likeliest place of a change, and the first and last one where it may be; ``usual``: which runs are not odd.

    An odd run says little of the side that it is on: it may choose among places that all others leave open. Tried and
    wrong: bounded, as if it were like others; beside a change of 10 % one of 1.5 times took the place and the range.
    """
    runs = np.flatnonzero(usual) if usual.sum() >= 4 * SHORTEST else np.arange(values.size)
    inside = SHORTEST + int(contrasts(values[None, runs])[0].argmax())
    first, last = int(runs[inside - 1]) + 1, int(runs[inside])  # apart where odd runs lie between
    likeliest = contrasts(values[None])[0, first - SHORTEST : last + 1 - SHORTEST].argmax()
    earliest, latest = _reach(values[runs])
    return first + int(likeliest), int(runs[earliest - 1]) + 1, int(runs[latest])


def _reach(values: np.ndarray) -> tuple[int, int]:
    """First and last place where the change is about as likely as at the best one, by the profile likelihood."""
    contrast = contrasts(values[None, :])[0]
    n = values.size
    deviance = n * np.log1p(contrast**2 / (n - 2))
    likely = np.flatnonzero(deviance >= deviance.max() - LIKELIHOOD_DROP) + SHORTEST
    return int(likely[0]), int(likely[-1])
