"""Whether rounds resemble the rounds before them in how stacks compare, and how much wider that makes what is said.

The pace of the machine cancels in every comparison of a round. What a stack has by itself does not: where its launches
resemble those before them, ten rounds are worth five or two. Few rounds cannot tell how much they do, and to allow for
it always would cost half of what is found; so it is allowed for where an exact test says that the order of the rounds
matters. What the test overlooks stays: of 0.5 in ten rounds of three stacks one run in two.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache

import numpy as np
from attrs import field, frozen

from msgauge.stats.dependence import widening_factor
from msgauge.stats.signed_rank import locate_centres

FEWEST_ROUNDS = 7
LEVEL = 0.05
"""Of the test: so many runs whose rounds are independent pay for it."""
_ORDERS = 2000
_NOTHING = 1e-9
_DIGITS = 9
"""After the point of a logarithm: differences of equal ones are not always equal to the last digit."""
_SEED = 7


@frozen(eq=False)
class RoundMemory:
    """Of a table, and by how much it widens what is said of each of its stacks."""

    coefficient: float = 0.0
    """How much the ranks of a round resemble those of the round before, 0 where they do not: of what shows it most."""
    p_value: float = 1.0
    """The least of all stacks together and of each by itself, corrected for their number."""
    factors: np.ndarray = field(factory=lambda: np.ones(0))
    """How many times wider than for independent rounds an interval that each stack has a part in has to be, shape
    (stacks,): 1 where the order of rounds tells nothing. Empty: 1 for all."""

    @property
    def largest(self) -> float:
        """The largest of the factors."""
        return float(self.factors.max(initial=1.0))

    def between(self, first: np.ndarray, second: np.ndarray) -> np.ndarray:
        """The factors of differences of two stacks each, given as their rows; of the shape of both."""
        return np.asarray(np.maximum(self.of(first), self.of(second)))

    def of(self, rows: np.ndarray) -> np.ndarray:
        """The factors of these stacks."""
        factors: np.ndarray = self.factors[rows] if self.factors.size else np.ones(rows.shape)
        return factors


INDEPENDENT = RoundMemory()


def measure_memory(times: np.ndarray) -> RoundMemory:
    """That of a table; ``times``: positive, shape (stacks, cells, rounds), nan where a stack has no launch.

    Of each stack what counts is its time over the median of all that the cell has, which one that wanders hardly moves.
    Rounds of a cell in which one of them is missing tell nothing of it. ``INDEPENDENT`` below seven rounds, and where
    nothing moves.
    """
    found = [one for one in _compare_within_cells(np.log(np.where(times > 0, times, np.nan))) if _has_enough(one[1])]
    if not found:
        return INDEPENDENT
    stacks, series = (np.concatenate(part) for part in zip(*found, strict=True))
    return examine_order(series[:, np.isfinite(series).any(axis=0)], stacks, times.shape[0])


def examine_order(series: np.ndarray, stacks: np.ndarray, count: int) -> RoundMemory:
    """By the exchange of whole rounds; ``INDEPENDENT`` where nothing moves.

    ``series``: how stacks compare in each test, logarithms, shape (series, rounds) in order of time, nan where a test
    has no such round; ``stacks``: which of the ``count`` stacks each is of, shape (series,). All series are put into
    another order of rounds together, as launches are what they share. All of them together, and those of each stack,
    are held against 1999 other orders in how alike neighbours are; p is the share of orders in which anything stands
    out as much (max-T). It is exact whatever the law of the rounds is, as long as their order tells nothing. Ranks
    within each series keep single slow launches from deciding. Rounds that compare alike share a rank: one of three
    stacks is the median of its cell in each third round, and clocks have steps. (Tried and wrong: ties ranked in order
    of time, which called the rounds of three stacks alike in 13 % of runs of twenty tests.)

    Stacks that stand out by themselves have the factor that they tell together, or their own where that is larger: it
    is known from less. The others have theirs where they stand out together, beside them.

    Source: Wald and Wolfowitz 1943, "An exact test for randomness in the non-parametric case based on serial
    correlation", here for many series of the same rounds; Westfall and Young 1993 (max-T).
    """
    series = np.round(series, _DIGITS)
    moves = np.nanmax(series, axis=1) > np.nanmin(series, axis=1)
    if not moves.any():
        return INDEPENDENT
    series, stacks = series[moves], stacks[moves]
    ranks = _rank(series)
    present = np.unique(stacks)
    of_stacks = np.array([ranks[stacks == stack].T @ ranks[stacks == stack] for stack in present])
    alike = np.concatenate([of_stacks.sum(axis=0, keepdims=True), of_stacks])
    sums = _sum_neighbours(alike)
    unusual = _standardise(sums)
    p = (unusual.max(axis=0) >= unusual[:, :1] - _NOTHING).mean(axis=1)
    coefficients = sums[:, 0] / alike.trace(axis1=1, axis2=2) + 1 / series.shape[1]
    shown = int(np.argmax(unusual[:, 0]))
    alone = p[1:] <= LEVEL
    together = not alone.all() and _stand_out(of_stacks[~alone], p[0], some_alone=bool(alone.any()))
    factors = np.ones(count)
    for some in (present[alone], present[~alone] if together else present[:0]):
        factors[some] = _widen(series[np.isin(stacks, some)]) if some.size else 1.0
    for stack in present[alone].tolist():
        factors[stack] = max(factors[stack], _widen(series[stacks == stack]))
    return RoundMemory(float(coefficients[shown]), float(p[shown]), factors)


def spread_by_memory(measured: Sequence[tuple[str, Sequence[int], np.ndarray]]) -> list[np.ndarray]:
    """Values that scatter as much further about their middle as rounds resemble those before them.

    ``measured``: how tests of one stack compare, its name, the rounds, and a logarithm of each of them. Where the order
    of the rounds tells nothing, and below seven rounds, they are as they were.
    """
    places = {number: place for place, number in enumerate(sorted({n for _, rounds, _ in measured for n in rounds}))}
    if len(places) < FEWEST_ROUNDS:
        return [values for *_, values in measured]
    stacks = list(dict.fromkeys(stack for stack, *_ in measured))
    series = np.full((len(measured), len(places)), np.nan)
    for row, (_, rounds, values) in enumerate(measured):
        series[row, [places[number] for number in rounds]] = values
    rows = np.array([stacks.index(stack) for stack, *_ in measured])
    factors = examine_order(series, rows, len(stacks)).of(rows)
    centres = [locate_centres(values) for *_, values in measured]
    return [
        values if factor == 1 else centre + factor * (values - centre)
        for (*_, values), centre, factor in zip(measured, centres, factors.tolist(), strict=True)
    ]


def _stand_out(alike: np.ndarray, p_of_all: float, *, some_alone: bool) -> bool:
    """Whether stacks that do not stand out by themselves do together; beside others that do, they are asked apart."""
    if not some_alone:
        return p_of_all <= LEVEL
    unusual = _standardise(_sum_neighbours(alike.sum(axis=0, keepdims=True)))
    return float((unusual >= unusual[:, :1] - _NOTHING).mean()) <= LEVEL


def _sum_neighbours(alike: np.ndarray) -> np.ndarray:
    """How alike neighbours are, of products of all rounds (groups, rounds, rounds), in each order: (groups, orders)."""
    before, after = _neighbours(alike.shape[1])
    return np.array([one[before, after].sum(axis=1) for one in alike])


def _standardise(sums: np.ndarray) -> np.ndarray:
    return np.asarray((sums - sums.mean(axis=1, keepdims=True)) / np.maximum(sums.std(axis=1, keepdims=True), _NOTHING))


@cache
def _neighbours(rounds: int) -> tuple[np.ndarray, np.ndarray]:
    """The rounds that follow each other, earlier and later, each of shape (orders, rounds - 1); first as they are."""
    orders = np.random.default_rng(_SEED).permuted(np.tile(np.arange(rounds), (_ORDERS, 1)), axis=1)
    orders[0] = np.arange(rounds)
    return orders[:, :-1], orders[:, 1:]


def _compare_within_cells(logs: np.ndarray) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Of each cell with two stacks or more which these are, and they over the one in the middle: (stacks, rounds).

    nan in the rounds in which one of them is missing.
    """
    for cell in range(logs.shape[1]):
        there = np.flatnonzero(np.isfinite(logs[:, cell]).any(axis=1))
        if there.size > 1:
            values = logs[there, cell]
            yield there, np.where(np.isfinite(values).all(axis=0), values - np.median(values, axis=0), np.nan)


def _has_enough(series: np.ndarray) -> bool:
    return int(np.isfinite(series[0]).sum()) >= FEWEST_ROUNDS


def _rank(series: np.ndarray) -> np.ndarray:
    """Ranks of each series less their mean, equal values share theirs; 0, which tells nothing, where there is none."""
    return np.array([np.nan_to_num(np.sign(one[:, None] - one)).sum(axis=1) / 2 for one in series])


def _widen(series: np.ndarray) -> float:
    """The factor of the series that have as many rounds and tell the most, by their number times their rounds.

    (Tried and wrong: as many rounds as most series have. A paper leaves two thirds of its tests after seven rounds; 38
    such series called for 1.7 times where 36 of a hundred rounds called for 1.2.)
    """
    sizes = np.isfinite(series).sum(axis=1).tolist()
    most = max(set(sizes), key=lambda size: (size * sizes.count(size), size))
    return widening_factor(np.array([one[np.isfinite(one)] for one in series if np.isfinite(one).sum() == most]))
