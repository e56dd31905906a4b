"""Where levels of runs differ most, and how seldom runs in random order differ as much: one table, tested as a whole.

Two kinds of difference are looked for. A step: the mean before a place against that after it, in stretches of many
lengths. A stay: the mean of some runs against all others, before and after them, which were at one level.
"""

from __future__ import annotations

from functools import cache
from math import ceil, floor, sqrt

import numpy as np
from attrs import frozen

SHORTEST = 3
"""A level of fewer runs than this is an odd run, not a change."""
SHORTEST_STAY = 5
"""A level that was left again has at least so many runs.

Tried and wrong: three. As many orders of 18 runs have three slow ones side by side in their midst as let no new level
of three be told at the end.
"""
STAYS_WEIGH = 0.95
"""What a stay counts beside a step as large: most changes last, and a machine that wanders comes back by itself."""
MOST_SHUFFLES = 10_000
ENOUGH = 10
"""Shuffles with a difference as large as the largest seen, after which it is no change."""
_FIRST_SHUFFLES, _SHUFFLES_AT_ONCE = 16, 64
_NUMBERS_AT_ONCE = 100_000
"""Differences of shuffles that are made in one piece: as many as a cache holds."""
_LONG = 100
_MOST_PLACES = 32


@frozen
class Bar:
    """What a difference has to pass: the level, and how much more than chance in random order means scatter."""

    level: float
    longer: float

    def weaken(self, largest: np.ndarray, runs: int) -> np.ndarray:
        """Standardised differences as they would be if the scatter beside the change were ``longer`` times as large."""
        share = np.minimum(largest**2 / runs, 1 - 1e-9)
        beside = share / (1 - share) / self.longer**2
        return np.asarray(np.sqrt(runs * beside / (1 + beside)))


@frozen
class LargestDifference:
    """The largest difference in a row of a table."""

    row: int
    places: tuple[int, ...]
    """The first run after a step; of a stay, its first run and the first one after it."""
    p_value: float
    """Corrected over all rows, lengths and places."""


@frozen(eq=False)
class RowGroup:
    """Rows of a table that the same runs measured."""

    rows: list[int]
    held: np.ndarray
    """Whether each run of the table did."""

    @property
    def runs(self) -> int:
        """How many runs did."""
        return int(self.held.sum())

    def take(self, table: np.ndarray, orders: np.ndarray) -> np.ndarray:
        """These rows in these runs, (orders, rows, runs), in orders of all runs of the table."""
        picked = orders[self.held[orders]].reshape(len(orders), self.runs)
        return np.asarray(table[np.array(self.rows)[:, None], picked[:, None]])


@frozen(eq=False)
class _Differences:
    """All differences that are looked at in so many runs: steps at a place of a stretch, and stays, (from, to)."""

    starts: np.ndarray
    places: np.ndarray
    ends: np.ndarray
    stays: np.ndarray

    @property
    def number(self) -> int:
        return self.starts.size + len(self.stays)

    def weigh(self, sizes: np.ndarray) -> np.ndarray:
        """Differences of each row, as they count beside each other."""
        steps = self.starts.size
        return np.concatenate([sizes[:, :steps], STAYS_WEIGH * sizes[:, steps:]], axis=1)

    def measure(self, table: np.ndarray) -> np.ndarray:
        """Each of them in each row, in standard errors, steps before stays: (rows, differences).

        Rows have mean 0 and scatter 1.
        """
        sums = np.concatenate([np.zeros((table.shape[0], 1)), np.cumsum(table, axis=1)], axis=1)
        before, after = self.places - self.starts, self.ends - self.places
        weight, at = np.sqrt(before * after / (before + after)), sums[:, self.places]
        steps = (sums[:, self.ends] - at) * (weight / after) - (at - sums[:, self.starts]) * (weight / before)
        inside, runs = self.stays[:, 1] - self.stays[:, 0], table.shape[1]
        stays = (sums[:, self.stays[:, 1]] - sums[:, self.stays[:, 0]]) * np.sqrt(runs / (inside * (runs - inside)))
        return np.asarray(np.abs(np.concatenate([steps, stays], axis=1)))

    def place(self, values: np.ndarray, index: int) -> tuple[int, ...]:
        """Where one of them lies: a step at its likeliest place in its stretch."""
        if index >= self.starts.size:
            first, after = self.stays[index - self.starts.size]
            return int(first), int(after)
        start, end = int(self.starts[index]), int(self.ends[index])
        return (start + SHORTEST + int(contrasts(values[None, start:end])[0].argmax()),)


def part_rows(table: np.ndarray) -> list[RowGroup]:
    """Rows by the runs that they have (``table``: (rows, runs), nan where a run lacks a row), as they come."""
    parts: dict[bytes, RowGroup] = {}
    for row, held in enumerate(np.isfinite(table)):
        parts.setdefault(held.tobytes(), RowGroup([], held)).rows.append(row)
    return list(parts.values())


def find_differences(table: np.ndarray, bar: Bar, random: np.random.Generator) -> list[LargestDifference]:
    """The largest difference of each row, and of the mean of all; p by shuffling whole runs, over all rows together.

    ``table``: logarithms, (rows, runs), nan where a run lacks a row.
    """
    parts, seen = part_rows(table), []
    for part in parts:
        (looked,) = _with_mean(part.take(table, np.arange(table.shape[1])[None]))
        seen.append((looked, bar.weaken(_list_differences(part.runs).measure(looked), part.runs)))
    sizes = [_list_differences(part.runs).weigh(sums).max(axis=1) for part, (_, sums) in zip(parts, seen, strict=True)]
    p = np.split(_shuffle(table, parts, sizes, bar, random), np.cumsum([one.size for one in sizes])[:-1])
    found = []
    for part, (looked, sums), mine in zip(parts, seen, p, strict=True):
        columns = np.flatnonzero(part.held)
        for one in _place_differences(looked, sums, mine, bar.level, len(table)):
            places = tuple(int(columns[place]) for place in one.places)
            found.append(LargestDifference(part.rows[one.row], places, one.p_value))
    return found


def _place_differences(
    looked: np.ndarray, sums: np.ndarray, p: np.ndarray, level: float, cases: int
) -> list[LargestDifference]:
    """The largest of each row of a part; that of the mean where it is more certain for the row."""
    runs, rows = looked.shape[1], max(len(looked) - 1, 1)
    differences = _list_differences(runs)
    best = differences.weigh(sums).argmax(axis=1)
    places = [differences.place(looked[row], index) for row, index in enumerate(best)]
    found = [LargestDifference(row, places[row], float(p[row])) for row in range(rows)]
    if rows == 1 or p[-1] > level:
        return found
    alone = cases * _p_at_place(sums[:rows, best[-1]], runs)
    shared = [LargestDifference(row, places[-1], float(max(alone[row], p[-1]))) for row in range(rows)]
    return [own if own.p_value <= level else other for own, other in zip(found, shared, strict=True)]


def _with_mean(tables: np.ndarray) -> np.ndarray:
    """What is looked at, (orders, rows, runs): rows without odd runs, of scatter one, and the mean of several.

    What the mean scatters at least is told by runs without what is odd in any order, four at either side, for all rows
    share the odd runs of a machine. Tried and wrong: by runs that are bounded in this order; of two series, slower by
    two for eight runs of forty, none was told.
    """
    rows = tables.reshape(-1, tables.shape[2])
    bounded = bound_runs(rows)
    least = _scatter_of_most(rows)
    spread = np.maximum(bounded.std(axis=1, keepdims=True), least)
    looked = _in_units(bounded, spread).reshape(tables.shape)
    if tables.shape[1] == 1:
        return looked
    mean = looked.mean(axis=1)
    usual = _in_units(_clip_odd(rows, SHORTEST_STAY - 1), spread).reshape(tables.shape).mean(axis=1)
    whole = np.asarray(_clip_odd(usual, SHORTEST_STAY - 1).std(axis=1, keepdims=True))
    joint = _in_units(mean, np.maximum(mean.std(axis=1, keepdims=True), whole))
    return np.concatenate([looked, joint[:, None]], axis=1)


def _scatter_of_most(table: np.ndarray) -> np.ndarray:
    """Scatter of each row whose odd runs, two at either side, are no farther out than the next: alike in every order.

    Where slow runs lie apart they count as odd and are bounded, and together they are not: without this, an order that
    has three of five together scatters less than the one that has them all, and looks as large a change. Tried and
    wrong: slower by 35 % for five runs of fifty was told in 5 to 17 %.
    """
    return np.asarray(_clip_odd(table, SHORTEST - 1).std(axis=1, keepdims=True))


def _clip_odd(table: np.ndarray, odd: int) -> np.ndarray:
    """Rows whose lowest runs and highest, so many each, are no farther out than the next."""
    ordered = np.sort(table, axis=1)
    return np.asarray(np.clip(table, ordered[:, odd : odd + 1], ordered[:, -odd - 1 : -odd]))


def _in_units(table: np.ndarray, spread: np.ndarray) -> np.ndarray:
    """Rows of mean 0 in units of a scatter, (rows, 1); all 0 where it is 0."""
    return np.asarray((table - table.mean(axis=1, keepdims=True)) / np.where(spread > 1e-12, spread, np.inf))


def _shuffle(
    table: np.ndarray, parts: list[RowGroup], sizes: list[np.ndarray], bar: Bar, random: np.random.Generator
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
    counts, shuffles, pieces = np.zeros(reached.size), 0, _FIRST_SHUFFLES
    while shuffles < most - 1 and counts.min() < ENOUGH:
        orders = np.array([random.permutation(table.shape[1]) for _ in range(min(pieces, most - 1 - shuffles))])
        largest = np.max([_rank(_largest_of_orders(table, part, orders), part, same) for part in parts], axis=0)
        counted = counts + np.cumsum(largest[:, None] >= reached, axis=0)
        enough = np.flatnonzero(counted.min(axis=1) >= ENOUGH)
        tried = int(enough[0]) + 1 if enough.size else len(orders)
        counts, shuffles, pieces = counted[tried - 1], shuffles + tried, _SHUFFLES_AT_ONCE
    return np.asarray((1 + counts) / (1 + shuffles))


def _largest_of_orders(table: np.ndarray, part: RowGroup, orders: np.ndarray) -> np.ndarray:
    """The largest difference of all rows of a part in each order of runs."""
    differences, found = _list_differences(part.runs), []
    at_once = max(_NUMBERS_AT_ONCE // (differences.number * (len(part.rows) + 1)), 1)
    for start in range(0, len(orders), at_once):
        looked = _with_mean(part.take(table, orders[start : start + at_once]))
        weighed = differences.weigh(differences.measure(looked.reshape(-1, part.runs)))
        found.append(weighed.reshape(len(looked), -1).max(axis=1))
    return np.concatenate(found)


def _rank(sizes: np.ndarray, part: RowGroup, same: bool) -> np.ndarray:
    """What is compared between parts: of few runs a difference is large by chance more easily than of many."""
    return sizes if same else -_p_at_place(sizes, part.runs)


def _p_at_place(sizes: np.ndarray, runs: int) -> np.ndarray:
    """Two-sided p of standardised differences at one place that other data chose (Student 1908)."""
    from scipy.special import stdtr

    share = np.minimum(sizes**2 / runs, 1 - 1e-9)
    return np.asarray(2 * stdtr(runs - 2, -np.sqrt((runs - 2) * share / (1 - share))))


@cache
def _list_differences(runs: int) -> _Differences:
    """Steps in stretches whose lengths fall by the root of two, half overlapping; stays of up to a third of the runs.

    In long histories by two, and in long stretches at every so many runs: a place is sought once more when it is found.

    Source: Kovacs, Buhlmann, Li and Munk 2023 (seeded binary segmentation); Olshen, Venkatraman, Lucito and Wigler 2004
    (circular binary segmentation: one level, left and taken up again).
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
    return _Differences(starts, places, ends, _list_stays(runs))


def _list_stays(runs: int) -> np.ndarray:
    """First run of each stay that is looked at, and the first after it: (stays, 2)."""
    found, length = [], SHORTEST_STAY
    while length <= runs // 3:
        places = range(SHORTEST, runs - SHORTEST - length + 1, max(1, length // 12))
        found += [(start, start + length) for start in places]
        length = max(length + 1, length * 9 // 8)
    return np.array(found, dtype=int).reshape(-1, 2)


def contrasts(table: np.ndarray) -> np.ndarray:
    """|t| of a change before each place that leaves three runs on both sides: (rows, places)."""
    n = table.shape[1]
    places = np.arange(SHORTEST, n - SHORTEST + 1)
    sums = np.cumsum(table, axis=1)
    before = sums[:, places - 1] / places
    after = (sums[:, -1:] - sums[:, places - 1]) / (n - places)
    between = (after - before) ** 2 * places * (n - places) / n
    total = ((table - table.mean(axis=1, keepdims=True)) ** 2).sum(axis=1, keepdims=True)
    return np.asarray(np.sqrt(between * (n - 2) / np.maximum(total - between, 1e-24)))


def bound_runs(table: np.ndarray) -> np.ndarray:
    """Rows with no run farther than four scatters of neighbours' differences from the median of five around it.

    ``table``: (rows, runs), five runs or more. The first runs and the last ones belong to the first five and the last.
    Tried and wrong: the first run thrice in a median of its own, which left odd ones there as they were.
    """
    steps = np.abs(np.diff(table, axis=1))
    reach = 4 * 1.4826 / np.sqrt(2) * np.median(steps, axis=1, keepdims=True)
    runs = table.shape[1]
    inner = _middle_of_five(*(table[:, shift : runs - 4 + shift] for shift in range(5)))
    local = np.pad(inner, ((0, 0), (2, 2)), mode="edge")
    return np.asarray(np.where(reach > 0, np.clip(table, local - reach, local + reach), table))


def _middle_of_five(a: np.ndarray, b: np.ndarray, c: np.ndarray, d: np.ndarray, e: np.ndarray) -> np.ndarray:
    """Their median, value by value; several times as fast as ``np.median`` of a stack of them."""
    low, high = np.maximum(np.minimum(a, b), np.minimum(c, d)), np.minimum(np.maximum(a, b), np.maximum(c, d))
    return np.asarray(np.maximum(np.minimum(low, high), np.minimum(np.maximum(low, high), e)))
