"""Why a comparison is undecided, and what would decide it: said only where it will come true."""

from __future__ import annotations

from math import floor, log2

import numpy as np
from attrs import frozen

from msgauge.stats.pairwise import FEWEST_FOR_DIFFERENCE, FEWEST_ROUNDS, MARGIN
from msgauge.stats.prospects import foresee_decision
from msgauge.stats.ratio import Ratio
from msgauge.units import KEPT, format_limits

FEWEST_COMPUTED = 2
"""Rounds of computed times that are alike, and so decide (``pairwise``)."""
EXHAUSTED = "after so many reports of this run only a new one can tell more"


@frozen
class Doubt:
    """An undecided comparison: its ratio, the least p that its rounds can give, and what would be asked of it.

    ``level``: of its table; ``resumed``: of the table after more rounds;
    ``computed``: whether its times are, as two rounds that are alike then decide.
    """

    ratio: Ratio
    least_p: float
    level: float
    family: int
    least_rounds: int
    resumed: float
    computed: bool = False


def describe_doubt(doubt: Doubt, rounds: np.ndarray | None = None) -> str:
    """The reason in a clause.

    ``rounds``: log ratios of the rounds, from which the rounds needed are forecast; none where they show outliers or
    modes (``stats.prospects.find_uneven``), of which nothing is forecast.
    """
    ratio = doubt.ratio
    if ratio.rounds < FEWEST_ROUNDS:
        fewest = FEWEST_COMPUTED if doubt.computed and ratio.rounds < FEWEST_COMPUTED else FEWEST_FOR_DIFFERENCE
        return f"only {_count(ratio.rounds)} with both; to tell a difference takes at least {fewest}"
    spread = f"the interval {format_limits(ratio.low, ratio.high)}"
    if doubt.level <= 0:
        return f"{spread} is all that is told: {EXHAUSTED}"
    if includes_one(ratio.low, ratio.high):
        inside = ratio.low >= 1 / (1 + MARGIN) and ratio.high <= 1 + MARGIN
        where = "lies within" if inside else "includes 1 and is wider than"
        end = f", but that is not sure when corrected for {doubt.family} comparisons" if inside else ""
        return f"{spread} {where} the ±{MARGIN * 100:.0f} % margin{end}{_forecast(doubt, rounds)}"
    if doubt.least_p > doubt.level:
        few = f"p of {_count(ratio.rounds)} cannot fall below {doubt.least_p:.2g}"
        enough = f"at least {doubt.least_rounds} rounds are needed" if doubt.least_rounds else EXHAUSTED
        return f"{spread} excludes 1, but {few}, which is not enough here: {enough}"
    return (
        f"{spread} excludes 1; not significant when corrected for {doubt.family} comparisons{_forecast(doubt, rounds)}"
    )


def includes_one(low: float, high: float) -> bool:
    """Whether an interval of ratios does, by the digits that are kept."""
    return low <= 1 + KEPT and high >= 1 - KEPT


def _forecast(doubt: Doubt, rounds: np.ndarray | None) -> str:
    """``; about 12 rounds would tell`` where so many tell it in four of five cases, else nothing.

    A run that was resumed very often has nothing left to spend on further looks: no number of rounds tells it then.
    """
    if rounds is None or rounds.size < 3 or doubt.resumed <= 0:
        return ""
    level = doubt.resumed / max(doubt.family, 1)
    needed = foresee_decision(rounds, level, MARGIN, least=1 - floor(log2(doubt.resumed)))
    return f"; about {needed} rounds would tell" if needed else ""


def _count(rounds: int) -> str:
    return "1 round" if rounds == 1 else f"{rounds} rounds"
