"""Where a history of runs changes its level: steps with their certainty, found in all cells together."""

from __future__ import annotations

from functools import cache
from itertools import pairwise
from math import ceil, floor, sqrt

import numpy as np
from attrs import frozen

SHORTEST = 3
"""A level of fewer runs than this is an odd run, not a change."""
FEWEST_RUNS = 12
"""Six runs before and six after are the fewest whose orders, 924 of them, let p fall below 0.25 %."""
LEVEL = 0.0025
"""Chance of a false change in a history, so that twenty histories show one in 5 % at most."""
MOST_SHUFFLES = 10_000
ENOUGH = 10
"""Shuffles with a difference as large as the largest seen, after which it is no change."""
_LONG = 100
_MOST_PLACES = 32
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


@frozen(eq=False)
class _Part:
    """Rows of a table that the same runs measured."""

    rows: list[int]
    held: np.ndarray
    """Whether each run of the table did."""

    @property
    def runs(self) -> int:
        """How many runs did."""
        return int(self.held.sum())

    def take(self, table: np.ndarray, order: np.ndarray) -> np.ndarray:
        """These rows in these runs, in an order of all runs of the table."""
        return np.asarray(table[np.ix_(self.rows, order[self.held[order]])])


@frozen
class _Bar:
    """What a difference has to pass: the level, and how much more than chance in random order means scatter."""

    level: float
    longer: float

    def weaken(self, largest: np.ndarray, runs: int) -> np.ndarray:
        """Standardised differences as they would be if the scatter beside the change were ``longer`` times as large."""
        share = np.minimum(largest**2 / runs, 1 - 1e-9)
        beside = share / (1 - share) / self.longer**2
        return np.asarray(np.sqrt(runs * beside / (1 + beside)))


def find_steps(logs: np.ndarray, *, cases: int = 0, seed: int = 1) -> tuple[LevelShift, ...]:
    """All steps in a history, in order of runs.

    ``logs``: logarithms of the level of each run, shape (series, runs), in order of time; nan where a run lacks a
    series. ``cases``: of how many series what is told is picked (0: these). Runs scatter by the
    state of the machine, one for all cells of a run: orders of whole runs are shuffled to see what chance alone gives,
    the largest over all series, stretches and places against the largest seen. Places are sought in stretches of many
    lengths, so that a level that was left again is seen, and once more between the steps that were found. Fewer than
    twelve runs have too few orders for p to fall to 0.25 %; a new level of three runs is seen among eighteen. A step is
    sought in the mean of all series too, where the scatter of single ones is less; series that have it there as well
    have it.

    Series that lack different runs are shuffled together all the same, each over its own runs in the order of all, so
    it costs them nothing that they are many. Tried and wrong: each such group with its share of the level, which no
    shuffles reach from 25 groups on; forty series, one run in ten missing, hid a step of 30 % in all of them.

    Source: Kovacs, Buhlmann, Li and Munk 2023 (seeded binary segmentation); Antoch and Huskova 2001 (permutation of
    the largest). Tried and left: the whole stretch alone (Bai and Perron 1998), which overlooks a level that was left
    again: ten runs of forty, slower by 22 % at a scatter of 2 %.
    """
    bar = _Bar(LEVEL, 1.0)
    cuts = _split(logs, bar, np.random.default_rng(seed))
    while any(cuts):
        longer = _widen_by_dependence(logs, cuts)
        if longer <= 1.02 * bar.longer:
            break
        bar = _Bar(LEVEL, longer)
        cuts = _split(logs, bar, np.random.default_rng(seed))
    found = [step for row, steps in enumerate(cuts) for step in _steps(row, logs, steps, cases or len(logs))]
    return tuple(sorted(found, key=lambda step: (step.first_after, step.series)))


def _widen_by_dependence(logs: np.ndarray, cuts: list[list[tuple[int, float]]]) -> float:
    """By how much means of runs scatter more than those of runs in random order: 1 where neighbours are not alike.

    From the correlation of neighbouring runs around their levels, of all series together, as they share the machine.
    Steps that are none take a part of it away, so it is measured again without those that it made doubtful. Tried and
    left: to count it from two of its standard errors on, which left 5 % of false histories at a correlation of 0.3.

    Source: first-order autoregression; Kendall 1954 for the bias of short series.
    """
    rest = np.empty_like(logs)
    for row, steps in enumerate(cuts):
        ends = [0, *sorted(place for place, _ in steps), logs.shape[1]]
        for start, end in pairwise(ends):
            rest[row, start:end] = logs[row, start:end] - np.nanmean(logs[row, start:end])
    for part in _part_rows(logs):
        whole = np.ix_(np.array(part.rows), np.flatnonzero(part.held))
        rest[whole] = _bound_runs(rest[whole])
    spread = np.nanstd(rest, axis=1, keepdims=True)
    common = np.nanmean(rest / np.where(spread > 1e-12, spread, np.inf), axis=0)
    energy, runs = float((common**2).sum()), logs.shape[1]
    if energy < 1e-12:
        return 1.0
    alike = float((common[1:] * common[:-1]).sum()) / energy
    alike = min(max(alike + (1 + 3 * alike) / runs, 0.0), 0.9)
    return sqrt((1 + alike) / (1 - alike))


def _split(logs: np.ndarray, bar: _Bar, random: np.random.Generator) -> list[list[tuple[int, float]]]:
    """For each series where it changes, with p; the stretches of all series are tested as one family at each depth."""
    cuts: list[list[tuple[int, float]]] = [[] for _ in range(logs.shape[0])]
    stretches, held = [(row, 0, logs.shape[1]) for row in range(logs.shape[0])], np.isfinite(logs)
    while stretches:
        following = []
        stretches = [one for one in stretches if held[one[0], one[1] : one[2]].sum() >= FEWEST_RUNS]
        apart = sorted({(start, end) for _, start, end in stretches})
        for start, end in apart:
            rows = [row for row, *place in stretches if place == [start, end]]
            for row, place, alone in _test_changes(logs[rows, start:end], bar, random):
                p = alone * min(len(apart), 2)  # both sides of a step; those of other series overlap them
                if p <= bar.level:
                    cuts[rows[row]].append((start + place, p))
                    following += [(rows[row], start, start + place), (rows[row], start + place, end)]
        stretches = following
    return cuts


def _part_rows(table: np.ndarray) -> list[_Part]:
    """Rows by the runs that they have, in the order in which they come."""
    parts: dict[bytes, _Part] = {}
    for row, held in enumerate(np.isfinite(table)):
        parts.setdefault(held.tobytes(), _Part([], held)).rows.append(row)
    return list(parts.values())


def _test_changes(table: np.ndarray, bar: _Bar, random: np.random.Generator) -> list[tuple[int, int, float]]:
    """(row, place, p) of the best change of each row; p by shuffling whole runs, over all rows and their means."""
    parts, seen = _part_rows(table), []
    for part in parts:
        looked = _with_mean(part.take(table, np.arange(table.shape[1])))
        seen.append((looked, _largest_sums(looked, _list_seeds(part.runs))))
    sizes = [bar.weaken(sums.max(axis=1), part.runs) for part, (_, sums) in zip(parts, seen, strict=True)]
    p = np.split(_shuffle(table, parts, sizes, bar, random), np.cumsum([one.size for one in sizes])[:-1])
    found = []
    for part, (looked, sums), mine in zip(parts, seen, p, strict=True):
        columns = np.flatnonzero(part.held)
        told = _place_changes(looked, sums, mine, bar, len(table))
        found += [(part.rows[row], int(columns[place]), chance) for row, place, chance in told]
    return found


def _place_changes(
    looked: np.ndarray, sums: np.ndarray, p: np.ndarray, bar: _Bar, cases: int
) -> list[tuple[int, int, float]]:
    """(row, place, p) of the best change of each row of a part; one that the mean has counts where it is better."""
    runs, rows = looked.shape[1], max(len(looked) - 1, 1)
    seeds = _list_seeds(runs)
    best = sums.argmax(axis=1)
    places = [_place_within(looked[row], seeds[0][index], seeds[2][index]) for row, index in enumerate(best)]
    found = [(row, places[row], float(p[row])) for row in range(rows)]
    if rows == 1 or p[-1] > bar.level:
        return found
    alone = cases * _p_at_place(bar.weaken(sums[:rows, best[-1]], runs), runs)
    shared = [(row, places[-1], float(max(alone[row], p[-1]))) for row in range(rows)]
    return [own if own[2] <= bar.level else other for own, other in zip(found, shared, strict=True)]


def _with_mean(table: np.ndarray) -> np.ndarray:
    """What is looked at: the rows without odd runs, each of scatter one, and their mean, where there are several."""
    bounded = _standardise(_bound_runs(table))
    return np.vstack([bounded, _standardise(bounded.mean(axis=0, keepdims=True))]) if len(table) > 1 else bounded


def _standardise(table: np.ndarray) -> np.ndarray:
    spread = table.std(axis=1, keepdims=True)
    return np.asarray((table - table.mean(axis=1, keepdims=True)) / np.where(spread > 1e-12, spread, np.inf))


def _shuffle(
    table: np.ndarray, parts: list[_Part], sizes: list[np.ndarray], bar: _Bar, random: np.random.Generator
) -> np.ndarray:
    """Share of orders of runs whose largest difference of all rows is as large as each of ``sizes``, those of a part.

    No more orders are tried once it is clear that even the largest is none. Which runs are odd is asked anew in each
    order. (Tried and wrong: once, in the order of time. Three slow runs in a row are none there and single ones are, so
    other orders of what was left looked too calm: runs that are slow in 30 % of cases showed a change in 10 % of
    histories.)

    Source: Besag and Clifford 1991, "Sequential Monte Carlo p-values".
    """
    few = table.shape[1] < 30  # p is near the level, and shuffles cost little
    most = min(ceil((ENOUGH if few else 4) / bar.level), MOST_SHUFFLES)
    same = len(parts) == 1
    reached = np.concatenate([_rank(one * (1 - 1e-9), part, same) for one, part in zip(sizes, parts, strict=True)])
    counts, shuffles = np.zeros(reached.size), 0
    while shuffles < most - 1 and counts.min() < ENOUGH:
        order = random.permutation(table.shape[1])
        largest = [
            _rank(_largest_sums(_with_mean(part.take(table, order)), _list_seeds(part.runs)).max(), part, same)
            for part in parts
        ]
        counts += max(largest) >= reached
        shuffles += 1
    return np.asarray((1 + counts) / (1 + shuffles))


def _rank(sizes: np.ndarray, part: _Part, same: bool) -> np.ndarray:
    """What is compared between parts: of few runs a difference is large by chance more easily than of many."""
    return sizes if same else -_p_at_place(sizes, part.runs)


def _p_at_place(sizes: np.ndarray, runs: int) -> np.ndarray:
    """Two-sided p of standardised differences at one place that other data chose (Student 1908)."""
    from scipy.special import stdtr

    share = np.minimum(sizes**2 / runs, 1 - 1e-9)
    return np.asarray(2 * stdtr(runs - 2, -np.sqrt((runs - 2) * share / (1 - share))))


def _place_within(values: np.ndarray, start: int, end: int) -> int:
    """The likeliest place of a change in a stretch of a series."""
    return int(start) + SHORTEST + int(_contrasts(values[None, start:end])[0].argmax())


@cache
def _list_seeds(runs: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Start, place and end of every change that is looked at; lengths fall by the root of two, half overlapping.

    In long histories by two, and in long stretches at every so many runs: a place is sought once more when it is found.
    """
    found, length = [], float(runs)
    shorter = sqrt(2) if runs <= _LONG else 2.0
    while length >= 2 * SHORTEST:
        count = 2 * ceil(runs / length) - 1
        for index in range(count):
            shift = (runs - length) * index / max(count - 1, 1)
            start, end = floor(shift), min(ceil(shift + length), runs)
            step = max(1, (end - start) // _MOST_PLACES)
            found += [(start, place, end) for place in range(start + SHORTEST, end - SHORTEST + 1, step)]
        length /= shorter
    starts, places, ends = np.array(sorted(set(found))).T
    return starts, places, ends


def _largest_sums(table: np.ndarray, seeds: tuple[np.ndarray, np.ndarray, np.ndarray]) -> np.ndarray:
    """Difference of the means after and before each place within its stretch, in standard errors: (series, seeds)."""
    starts, places, ends = seeds
    sums = np.concatenate([np.zeros((table.shape[0], 1)), np.cumsum(table, axis=1)], axis=1)
    before, after = places - starts, ends - places
    first = (sums[:, places] - sums[:, starts]) / before
    second = (sums[:, ends] - sums[:, places]) / after
    return np.asarray(np.abs(second - first) * np.sqrt(before * after / (before + after)))


def _contrasts(table: np.ndarray) -> np.ndarray:
    """|t| of a change before each place that leaves three runs on both sides: (series, places)."""
    n = table.shape[1]
    places = np.arange(SHORTEST, n - SHORTEST + 1)
    sums = np.cumsum(table, axis=1)
    before = sums[:, places - 1] / places
    after = (sums[:, -1:] - sums[:, places - 1]) / (n - places)
    between = (after - before) ** 2 * places * (n - places) / n
    total = ((table - table.mean(axis=1, keepdims=True)) ** 2).sum(axis=1, keepdims=True)
    return np.asarray(np.sqrt(between * (n - 2) / np.maximum(total - between, 1e-24)))


def _bound_runs(table: np.ndarray) -> np.ndarray:
    """Runs no farther than four scatters of neighbours' differences from the median of those around them."""
    steps = np.abs(np.diff(table, axis=1))
    reach = 4 * 1.4826 / np.sqrt(2) * np.median(steps, axis=1, keepdims=True)
    padded = np.pad(table, ((0, 0), (2, 2)), mode="edge")
    local = _middle_of_five(*(padded[:, shift : shift + table.shape[1]] for shift in range(5)))
    return np.asarray(np.where(reach > 0, np.clip(table, local - reach, local + reach), table))


def _middle_of_five(a: np.ndarray, b: np.ndarray, c: np.ndarray, d: np.ndarray, e: np.ndarray) -> np.ndarray:
    """Their median, value by value; several times as fast as ``np.median`` of a stack of them."""
    low, high = np.maximum(np.minimum(a, b), np.minimum(c, d)), np.minimum(np.maximum(a, b), np.maximum(c, d))
    return np.asarray(np.maximum(np.minimum(low, high), np.minimum(np.maximum(low, high), e)))


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
        values = _bound_runs(logs[row : row + 1, columns[start:end]])[0]
        inside = SHORTEST + int(_contrasts(values[None, :])[0].argmax())
        ends[index + 1] = start + inside
        earliest, latest = _reach(values)
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


def _reach(values: np.ndarray) -> tuple[int, int]:
    """First and last place where the change is about as likely as at the best one, by the profile likelihood."""
    contrast = _contrasts(values[None, :])[0]
    n = values.size
    deviance = n * np.log1p(contrast**2 / (n - 2))
    likely = np.flatnonzero(deviance >= deviance.max() - LIKELIHOOD_DROP) + SHORTEST
    return int(likely[0]), int(likely[-1])
