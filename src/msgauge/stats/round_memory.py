"""Whether rounds resemble the rounds before them in how stacks compare, which the verdicts take as independent."""

from __future__ import annotations

import numpy as np
from attrs import frozen

FEWEST_ROUNDS = 7
_ORDERS = 1999
_SEED = 7


@frozen
class RoundMemory:
    """``coefficient``: how much the ranks of a round resemble those of the round before, 0 where they do not."""

    coefficient: float
    p_value: float


def measure_memory(series: np.ndarray) -> RoundMemory | None:
    """By the exchange of whole rounds; None below seven rounds, or where nothing moves.

    ``series``: how stacks compare in each test, any unit, shape (series, rounds) in order of time, no nan. All series
    are put into another order of rounds together, as launches are what they share; p is the share of 1999 orders, and
    the present one, in which neighbours are as alike. It is exact whatever the law of the rounds is, as long as their
    order tells nothing. Ranks within each series keep single slow launches from deciding.

    Source: Wald and Wolfowitz 1943, "An exact test for randomness in the non-parametric case based on serial
    correlation", here for many series of the same rounds.
    """
    rounds = series.shape[1]
    moving = series[np.ptp(series, axis=1) > 0] if series.size else series
    if rounds < FEWEST_ROUNDS or not moving.size:
        return None
    ranks = moving.argsort(axis=1, kind="stable").argsort(axis=1).astype(float)
    ranks -= ranks.mean(axis=1, keepdims=True)
    alike = ranks.T @ ranks
    random = np.random.default_rng(_SEED)
    orders = random.permuted(np.tile(np.arange(rounds), (_ORDERS, 1)), axis=1)
    of_chance = alike[orders[:, :-1], orders[:, 1:]].sum(axis=1)
    seen = float(np.diag(alike, 1).sum())
    coefficient = seen / float(np.trace(alike)) + 1 / rounds
    return RoundMemory(coefficient, float((1 + np.sum(of_chance >= seen)) / (_ORDERS + 1)))
