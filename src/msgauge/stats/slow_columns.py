"""Columns of a table that are slow for certain: those of hosts, of pairs of hosts, or of directions.

A row is a launch and counts once; where nothing is wrong, its values may be dealt out anew among the columns, whatever
their distribution is. What is largest is compared with the largest of such draws, and after a column is found the test
goes on without it (step-down).

Several columns that are slow together hide each other from that: dealt out anew, their values meet in one column by
chance, of two among five in every twentieth draw of five launches. So sets are tested as well: how far the k-th
largest mean is above its mean over draws, and this against the farthest of all k in each draw. Were one of the k
largest an ordinary column, the k-th largest would be no larger than such a one comes by chance. More than half of the
columns are never slow: then what is ordinary is not known.

Source: Westfall and Young 1993 (step-down maximum under permutation); Phipson and Smyth 2010; Holm 1979 (families).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from attrs import frozen

from msgauge.stats.location import student_interval

LEVEL = 0.05
LEAST_HOST = 0.20
"""A host, pair or direction counts as slow from 20 % on."""
LEAST_DISTANCE = 0.10
"""Groups count from 10 % between them on."""
FAMILIES = 8
"""Hosts, groups and pairs, each of latency and bandwidth; hosts and pairs that are unlike in their two directions."""
FEWEST_LAUNCHES = 3
NOISY = 2.0
"""A column whose launches scatter by more than so many times what those of the typical one do is noisy. Where all
scatter alike one in a hundred is, in five launches."""
_DRAWS = 1999
_MOST_PAIRS = 64
"""No more single pairs are listed: with more of them something else is wrong."""


@frozen
class Slow:
    """A column that is slow for certain: logarithms of its ratio to the typical column and of the limits."""

    column: int
    middle: float
    low: float
    high: float
    p: float


def find_slow(values: np.ndarray, seed: int, parts: Sequence[np.ndarray] = (), *, in_sets: bool = False) -> list[Slow]:
    """Columns that are above the typical one of their part for certain and by enough, the slowest first.

    ``values``, ``parts`` and ``in_sets`` as in ``step_down``. A column must be slow beside what others scatter, and
    beside what its own launches scatter: its interval is as wide as either asks, and does not hold 1. The typical
    column is the median of the means of those that were not found.
    """
    certain = step_down(values, seed, parts, in_sets=in_sets)
    if not certain:
        return []
    ordinary = np.ones(values.shape[1], dtype=bool)
    ordinary[[column for column, _ in certain]] = False
    masks = [mask for mask in parts or (np.ones(values.shape[1], dtype=bool),) if (mask & ordinary).any()]
    shifts = values.copy()
    for mask in masks:
        shifts[:, mask] -= np.median(values[:, mask & ordinary].mean(axis=0))
    rest = values - np.where(ordinary, 0.0, shifts.mean(axis=0))
    reach, levels = _draw_reach(rest, masks, ordinary, seed), _own_levels(values)
    return [
        one
        for column, p in certain
        if any(mask[column] for mask in masks)
        and (one := _judge(shifts[:, column], reach, levels[column], (column, p))) is not None
    ]


def find_unlike(unlike: np.ndarray, seed: int, *, mirrored: bool = False, in_sets: bool = False) -> list[Slow]:
    """As ``find_slow``, of logarithms of the ratio of two directions, which are 0 where these are alike.

    ``unlike``: shape (launches, columns). They are set against 0 and not against the others: of two hosts the other one
    has the mirror image. ``mirrored``: both signs are asked for; columns from the number of columns on are ways back.
    """
    count = unlike.shape[1]
    values = np.concatenate([unlike, -unlike], axis=1) if mirrored else unlike
    certain = step_down(values, seed, in_sets=in_sets)
    if not certain:
        return []
    rest = values.copy()
    for column, _ in certain:
        for place in {column, (column + count) % values.shape[1]} if mirrored else {column}:
            rest[:, place] -= values[:, place].mean()
    smallest, largest = _draw_limits(rest, (np.ones(values.shape[1], dtype=bool),), seed)
    levels = _own_levels(values) if count > 1 else np.full(values.shape[1], 1 - LEVEL / FAMILIES)
    return [
        one
        for column, p in certain
        if (one := _judge(values[:, column], (-smallest, largest), levels[column], (column, p))) is not None
    ]


def always_above(values: np.ndarray, told: Sequence[int]) -> list[int]:
    """Columns that were LEAST_HOST above 0 in every launch, without those that are ``told``: seen, but not certain."""
    if len(values) < FEWEST_LAUNCHES:
        return []
    above = (values >= np.log1p(LEAST_HOST)).all(axis=0)
    return [int(column) for column in np.flatnonzero(above) if column not in told]


def _judge(own: np.ndarray, reach: tuple[float, float], level: float, found: tuple[int, float]) -> Slow | None:
    """A column in logarithms of its ratio, shape (launches,); None where it is too small, or its interval holds 1."""
    middle = float(own.mean())
    low, high = (float(limit) for limit in student_interval(own, level))
    low, high = min(low, middle - reach[1]), max(high, middle + reach[0])
    if min(middle, np.median(own)) < np.log1p(LEAST_HOST) or low <= 0:
        return None
    return Slow(found[0], middle, low, high, found[1])


def _own_levels(values: np.ndarray) -> np.ndarray:
    """Level of the interval that each column's own launches ask for, shape (columns,): of noisy ones all hold together.

    The draws answer for columns that scatter alike; a noisy one among quiet ones is larger than most draws by luck.
    """
    scatters = values.std(axis=0, ddof=1)
    noisy = scatters > NOISY * np.median(scatters)
    return np.where(noisy, 1 - LEVEL / FAMILIES / max(1, int(noisy.sum())), 1 - LEVEL)


def _draw_reach(
    values: np.ndarray, masks: Sequence[np.ndarray], ordinary: np.ndarray, seed: int
) -> tuple[float, float]:
    """How far below and above the typical column the mean of any column comes by chance, but in LEVEL of all maps.

    ``values``: with all that was found taken off; ``ordinary``: columns that were not found. Draws take their centre
    from the columns that they deal out, while a column is set against the median of the ordinary ones, which scatters
    too; with few columns that counts, by as much as it would with normal means.
    """
    smallest, largest = _draw_limits(values, masks, seed)
    middle = float(np.median(values.mean(axis=0)))
    wider = 1.0
    for mask in masks:
        columns, others = int(mask.sum()), int((mask & ordinary).sum())
        wider = max(wider, float(np.sqrt(columns / max(1, columns - 1) * (1 + np.pi / 2 / others))))
    return wider * (middle - smallest), wider * (largest - middle)


def _draw_limits(values: np.ndarray, masks: Sequence[np.ndarray], seed: int) -> tuple[float, float]:
    """Below and above what no mean of any column comes by chance, but in LEVEL of all maps.

    The largest of all means is asked for, and each side of each family has its part of LEVEL: so it is the interval of
    whatever was picked.
    """
    drawn = np.concatenate(list(_draw([values[:, mask] for mask in masks if mask.any()], np.random.default_rng(seed))))
    outside = max(1, int(LEVEL / 2 / FAMILIES * (_DRAWS + 1)))
    smallest, largest = np.sort(drawn, axis=0)[[outside - 1, -outside], [0, 1]]
    return float(smallest), float(largest)


def step_down(
    values: np.ndarray, seed: int, parts: Sequence[np.ndarray] = (), *, in_sets: bool = False
) -> list[tuple[int, float]]:
    """Columns whose mean over launches is certainly above those of the others, the largest first, with corrected p.

    ``values``: shape (launches, columns). ``parts``: bool masks; columns are dealt out anew within each of them alone.
    ``in_sets``: several may be found at once. None where more than half of the columns would be found.
    """
    if len(values) < FEWEST_LAUNCHES:
        return []
    random = np.random.default_rng(seed)
    open_ = np.ones(values.shape[1], dtype=bool)
    masks = parts or (open_.copy(),)
    means, found, worst = values.mean(axis=0), list[tuple[int, float]](), 0.0
    half = values.shape[1] // 2
    while len(found) < _MOST_PAIRS:
        order = [int(column) for column in np.argsort(-means, kind="stable") if open_[column]]
        order = order[: max(1, half - len(found)) if in_sets else 1]
        large = means[order] >= np.log1p(LEAST_DISTANCE) / 2
        if not large.any():
            break  # far too small to be told, however certain
        p = _test_sets(values, [mask & open_ for mask in masks], means[order], random)
        certain = np.flatnonzero(large & (p <= LEVEL))
        if not certain.size:
            break
        size = int(certain[-1]) + 1
        worst = max(worst, float(p[size - 1]))
        found += [(column, worst) for column in order[:size]]
        open_[order[:size]] = False
        if len(found) > half:
            return []
    return found


def _test_sets(
    values: np.ndarray, masks: Sequence[np.ndarray], largest: np.ndarray, random: np.random.Generator
) -> np.ndarray:
    """Corrected p of the k largest means being as large as they are, shape (k,); ``largest``: these, in order."""
    parts = [values[:, mask] for mask in masks if mask.any()]
    if len(largest) == 1:
        return np.array([correct((_count_draws(parts, float(largest[0]), random) + 1) / (_DRAWS + 1))])
    drawn = np.concatenate(list(_draw(parts, random, len(largest))))[:, 1:]
    middle = drawn.mean(axis=0)
    farthest = (drawn - middle).max(axis=1)
    reached = (farthest[:, None] >= (largest - middle) - 1e-9 * np.abs(largest)).sum(axis=0)
    return np.array([correct((int(count) + 1) / (_DRAWS + 1)) for count in reached])


def _count_draws(parts: Sequence[np.ndarray], largest: float, random: np.random.Generator) -> int:
    """How many draws have a largest mean as large. Stops when they are far too many for any level."""
    reached = 0
    for drawn in _draw(parts, random):
        reached += int((drawn[:, 1] >= largest * (1 - 1e-9)).sum())
        if reached > LEVEL / FAMILIES * _DRAWS:
            return _DRAWS
    return reached


def _draw(parts: Sequence[np.ndarray], random: np.random.Generator, most: int = 1) -> Iterator[np.ndarray]:
    """Smallest mean of each draw, then the largest ones in order, shape (draws, 1 + most), some draws at a time."""
    chunk = max(1, min(200, 2_000_000 // max(1, sum(part.size for part in parts))))
    for start in range(0, _DRAWS, chunk):
        count = min(chunk, _DRAWS - start)
        means = [random.permuted(np.broadcast_to(part, (count, *part.shape)), axis=2).mean(axis=1) for part in parts]
        drawn = np.concatenate(means, axis=1)
        if most == 1:
            yield np.stack([drawn.min(axis=1), drawn.max(axis=1)], axis=1)
        else:
            drawn.sort(axis=1)
            yield np.concatenate([drawn[:, :1], drawn[:, : -most - 1 : -1]], axis=1)


def correct(p: float) -> float:
    """A p of one family, corrected for all of them."""
    return min(1.0, FAMILIES * p)
