"""How near to 95 % any widening of absolute intervals can come, at every pace: a bound, by linear program.

Of one pace that all series share, few rounds hardly tell how much neighbours resemble each other. What they tell is the
likelihood of the coefficient; a rule turns it into a factor. Over all such rules the program finds the one whose worst
coverage lies nearest to 95 %. It is fitted to the draws that judge it, so no rule does better than it says.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from benchmarks.truth.machines import correlate
from benchmarks.truth.simulation import Figure, Simulation, generator
from scipy.linalg import toeplitz
from scipy.optimize import linprog
from scipy.special import stdtrit

TRUTHS = np.arange(0.0, 0.81, 0.1)
"""Coefficients at which a rule has to hold."""
_CANDIDATES = np.arange(0.0, 0.96, 0.05)
"""Coefficients between which the likelihood chooses."""
_GROUPS = 24
"""Of runs that resemble themselves alike: a rule has one factor, or a mixture of factors, for each."""
_FACTORS = np.exp(np.linspace(0, np.log(12), 50))
LEVEL = 0.95


def nearest_coverage(rounds: int, trials: int) -> Figure:
    """How far from 95 % the coverage of the best rule lies at the worst coefficient from 0 to 0.8, as a share."""
    random = generator(100)
    likeness, misses = [], []
    for truth in TRUTHS:
        values = correlate(random.normal(0, 1, (trials, rounds)), float(truth))
        likeness.append(_likeness(values))
        deviation = values.std(axis=1, ddof=1) * stdtrit(rounds - 1, (1 + LEVEL) / 2) / np.sqrt(rounds)
        misses.append(np.abs(values.mean(axis=1)) / deviation)
    far = _solve(_coverages(np.array(likeness), np.array(misses)))
    case = f"one series, AR(1) 0 to 0.8, {rounds} rounds: distance from 95 %"
    claim = "the best of all rules that widen absolute intervals of a shared pace"
    return Figure(claim, "", case, far, float("nan"), trials)


def simulations() -> Iterator[Simulation]:
    """At the numbers of rounds of the other simulations of absolute times."""
    for rounds in (5, 7, 10, 20):
        yield Simulation(nearest_coverage, (rounds,), 6000)


def _likeness(values: np.ndarray) -> np.ndarray:
    """Mean coefficient of each series by its likelihood, shape (series,)."""
    logs = np.array([_log_likelihood(values, float(one)) for one in _CANDIDATES])
    weight = np.exp(logs - logs.max(axis=0))
    return np.asarray((weight * _CANDIDATES[:, None]).sum(axis=0) / weight.sum(axis=0))


def _log_likelihood(values: np.ndarray, correlation: float) -> np.ndarray:
    """Of a coefficient, with level and scatter integrated out, for each series of shape (series, rounds)."""
    rounds = values.shape[1]
    covariance = toeplitz(correlation ** np.arange(rounds))
    inverse = np.linalg.inv(covariance)
    weight = inverse.sum(axis=0)
    apart = values - (values @ weight / weight.sum())[:, None]
    squares = np.einsum("ij,jk,ik->i", apart, inverse, apart)
    known = np.linalg.slogdet(covariance)[1] + np.log(weight.sum())
    return np.asarray(-0.5 * known - 0.5 * (rounds - 1) * np.log(squares))


def _coverages(likeness: np.ndarray, misses: np.ndarray) -> np.ndarray:
    """Share of the runs of each truth that lie in a group and are covered by a factor: (truths, groups, factors).

    ``misses``: by which factor the plain interval would have to be widened to hold the level, shape of ``likeness``.
    """
    limits = np.quantile(likeness, np.linspace(0, 1, _GROUPS + 1)[1:-1])
    shares = np.zeros((len(likeness), _GROUPS, _FACTORS.size))
    for truth, groups in enumerate(np.searchsorted(limits, likeness)):
        for group in range(_GROUPS):
            held = misses[truth, groups == group][:, None] <= _FACTORS
            shares[truth, group] = held.sum(axis=0) / misses.shape[1]
    return shares


def _solve(shares: np.ndarray) -> float:
    """The least largest distance from the level, over mixtures of factors in every group."""
    truths, groups, factors = shares.shape
    flat = shares.reshape(truths, -1)
    slack = -np.ones((truths, 1))
    above, below = np.hstack([flat, slack]), np.hstack([-flat, slack])
    whole = np.hstack([np.kron(np.eye(groups), np.ones(factors)), np.zeros((groups, 1))])
    found = linprog(
        np.r_[np.zeros(groups * factors), 1.0],
        A_ub=np.vstack([above, below]),
        b_ub=np.r_[np.full(truths, LEVEL), np.full(truths, -LEVEL)],
        A_eq=whole,
        b_eq=np.ones(groups),
    )
    return float(found.fun)
