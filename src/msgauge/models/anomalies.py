"""Anomalies of a stack: each a claim with its effect size, its interval and its evidence.

Every function takes the series it needs, and gives back only what is both resolved (p corrected over what was looked at
together, below 5 %) and large enough to matter. The launch is the unit of inference: what happened in one launch alone
is no property of the stack.

Source: the effects are those that the five studies of msgauge met (``broxton-logp``: start-up transient, sizes off a
power of two, rates that change with the cumulative bytes); the tests are named at each function.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import log
from typing import Literal

import numpy as np
from attrs import frozen

from msgauge.errors import UsageError
from msgauge.model import Finding, Pairs
from msgauge.models.estimate import ParameterEstimate
from msgauge.models.segments import cheapest_cuts
from msgauge.stats.autocorrelation import effective_size
from msgauge.stats.launch_groups import LaunchGroups
from msgauge.stats.multiplicity import holm
from msgauge.stats.rank_orders import order_p
from msgauge.stats.ratio import estimate_ratios, interval_at
from msgauge.stats.round_memory import spread_by_memory
from msgauge.units import format_ratio

LEVEL = 0.05
MINIMUM_LAUNCHES = 5
SMALLEST_EXCESS = 0.05
"""Effects below 5 % are not anomalies."""
EQUILIBRIUM = 0.02
"""A series is in its steady state when it stays within 2 % of its level."""
FEWEST_FOR_MEAN = 6
"""Of fewer batches a mean is far from its own expectation in most launches where one batch in ten is a spike."""
FEWEST_EFFECTIVE = 20
"""A launch that is worth fewer independent batches does not show how slowly it wanders, and passes for even."""
SHORTEST_LEVEL = 5
"""A level that lasts for fewer steps is none."""
_ROUNDED = 1e-24
"""Variance of logarithms that differ by how computers round alone."""
MOST_STEPS = 1000
"""Changes of a longer course are sought among so many groups of neighbours: the search weighs every pair of places."""

Kind = Literal[
    "off-power-of-two", "start-up", "rate-change", "not-stationary", "bimodal-launches", "slow-rank", "between-launches"
]


@frozen
class Anomaly:
    """``effect`` is a ratio to what is normal (1.2 = 20 % more time); ``where`` locates it (bytes, batch, rank, ns)."""

    kind: Kind
    what: str
    where: float
    effect: ParameterEstimate
    p_value: float
    evidence: Pairs = ()

    def finding(self, subject: str) -> Finding:
        """As a sentence about ``subject`` (a stack, kernel and size); ``analysis.findings.ranking`` weighs it."""
        value, low, high = map(format_ratio, (self.effect.value, self.effect.low, self.effect.high))
        evidence = (*self.evidence, ("p", f"{self.p_value:.3g}"))
        return Finding(f"{subject}: {self.what}: {value} × ({low} to {high}).", kind=self.kind, evidence=evidence)


def off_power_of_two(sizes_bytes: np.ndarray, times_ns: np.ndarray, tables: int = 1) -> tuple[Anomaly, ...]:
    """Sizes between two powers of two that cost more than the line between those two says.

    ``sizes_bytes``: shape (sizes,), increasing; ``times_ns``: launch medians, shape (launches, sizes), positive, in
    order of time: launches that resemble those before them are worth less than their number. A size that lies above the
    larger power of two too is the clear case; the excess is over the line. ``tables``: how many of these are examined
    together; intervals hold for all sizes of all of them, whichever are told.

    Raises:
        UsageError: shapes that do not fit, or times that are not positive.

    Source: paired ratios within launches (Hodges-Lehmann), p one-sided, Holm over the sizes.
    """
    times = _launches(times_ns, np.size(sizes_bytes))
    sizes = np.asarray(sizes_bytes, float)
    powers = np.flatnonzero((sizes >= 1) & (np.exp2(np.round(np.log2(np.maximum(sizes, 1)))) == sizes))
    places, rows = [], []
    for i in np.setdiff1d(np.arange(sizes.size), powers):
        below, above = powers[powers < i], powers[powers > i]
        if below.size and above.size:
            low, high = below[-1], above[0]
            share = (sizes[i] - sizes[low]) / (sizes[high] - sizes[low])
            places.append(float(sizes[i]))
            rows.append(np.log(times[:, i]) - np.log((1 - share) * times[:, low] + share * times[:, high]))
    spread = spread_by_memory([("", range(times.shape[0]), row) for row in rows])
    found = _excesses(np.array(spread).reshape(len(rows), times.shape[0]), tables)
    return tuple(
        Anomaly(
            "off-power-of-two",
            f"{place:.0f} B takes longer than interpolated between the neighbouring powers of two",
            place,
            effect,
            p,
            (("launches", str(times.shape[0])),),
        )
        for place, (effect, p) in zip(places, found, strict=True)
        if _matters(effect, p)
    )


def start_up(series_ns: np.ndarray) -> Anomaly | None:
    """A transient before the equilibrium: first batches slower than the level of the last half, in most launches.

    ``series_ns``: time of each batch in order, before any warm-up is dropped, shape (launches, batches), at least 8
    batches. ``where`` is its length in batches: after so many the median over launches is no longer slower than the
    level by more than 2 % (or four times its own scatter). What is faster than the level ends a start-up: else a rate
    that falls later would stretch it over the first half.

    Raises:
        UsageError: shapes that do not fit, or times that are not positive.

    The effect is of means of logarithms on both sides, and of medians for a start-up of fewer than ``FEWEST_FOR_MEAN``
    batches: spikes are in the steady state as in the start-up, but of few batches most launches show none.

    Source: paired test over launches of log(first batches / last half).
    """
    series = _launches(series_ns, None, columns=8)
    batches = series.shape[1]
    level = np.median(series[:, batches // 2 :], axis=1)
    relative = np.median(np.log(series / level[:, None]), axis=0)
    tail = relative[batches // 2 :]
    scatter = 1.4826 * float(np.median(np.abs(tail - np.median(tail))))
    away = np.flatnonzero(relative[: batches // 2] > max(EQUILIBRIUM, 4 * scatter))
    if not away.size or away[0] > 1:
        return None
    runs = np.flatnonzero(np.diff(away) > 2)
    length = int(away[runs[0]] if runs.size else away[-1]) + 1
    middle = np.mean if length >= FEWEST_FOR_MEAN else np.median
    logs = np.log(series)
    ((effect, p),) = _excesses((middle(logs[:, :length], axis=1) - middle(logs[:, batches // 2 :], axis=1))[None, :])
    evidence = (("batches", str(length)), ("launches", str(series.shape[0])))
    found = Anomaly(
        "start-up",
        f"start-up transient: the first {length} batches are slower than the steady state",
        length,
        effect,
        p,
        evidence,
    )
    return found if _matters(effect, p) else None


def rate_changes(cumulative_bytes: np.ndarray, stamps_ns: np.ndarray) -> tuple[Anomaly, ...]:
    """Where the time per byte changes as bytes add up: a buffer that is full, a window that closes.

    ``cumulative_bytes``: sent after each step, shape (steps,), increasing; ``stamps_ns``: the clock after each step,
    from the start on, shape (launches, steps), increasing. ``effect``: time per byte after the change over that before.

    Raises:
        UsageError: shapes that do not fit, fewer than 20 steps, bytes or stamps that do not increase.

    A place is picked from many, so p is multiplied by their number and the interval is one of so many that hold
    together; launches are independent, whatever messages within one are.

    Source: change points of the mean log rate by dynamic programming with a BIC price (Yao 1988), each confirmed by the
    paired ratio over launches with Bonferroni over the places.
    """
    stamps = _launches(stamps_ns, np.size(cumulative_bytes), columns=20)
    sent = np.asarray(cumulative_bytes, float)
    steps = np.diff(stamps, axis=1, prepend=0.0)
    if np.any(steps <= 0) or np.any(np.diff(sent, prepend=0.0) <= 0):
        raise UsageError("Bytes and stamps must increase with every step.", remedy="leave out repeated stamps")
    logs = np.log(steps / np.diff(sent, prepend=0.0))
    cuts = _changes(logs)
    if not cuts:
        return ()
    ends = [0, *cuts, sent.size]
    parts = [np.median(logs[:, start:end], axis=1) for start, end in pairwise(ends)]
    found = _find_changes(np.diff(np.array(parts), axis=0), min(sent.size, MOST_STEPS) - 2 * SHORTEST_LEVEL + 1)
    return tuple(
        Anomaly(
            "rate-change",
            f"the time per byte changes after {sent[cut - 1]:.0f} B sent",
            float(sent[cut - 1]),
            effect,
            p,
            (("launches", str(stamps.shape[0])),),
        )
        for cut, (effect, p) in zip(cuts, found, strict=True)
        if p < LEVEL and not effect.covers(1.0) and abs(log(effect.value)) > log(1 + SMALLEST_EXCESS)
    )


def not_stationary(series_ns: np.ndarray, tables: int = 1) -> Anomaly | None:
    """The level drifts within a launch: the last third against the middle third, the same way in most launches.

    ``series_ns``: batches after the warm-up, shape (launches, batches), at least 9 batches. The first third is left
    out: a transient has a finding of its own and is not reported twice. ``tables``: as in ``off_power_of_two``.

    Raises:
        UsageError: shapes that do not fit, or times that are not positive.

    Source: paired ratios over launches; two-sided p.
    """
    series = _launches(series_ns, None, columns=9)
    third = series.shape[1] // 3
    middle, last = np.median(series[:, third:-third], axis=1), np.median(series[:, -third:], axis=1)
    drift = np.log(last) - np.log(middle)
    ratio, low, high, p = (float(value) for value in estimate_ratios(drift))
    least, most = _limit_together(drift, (low, high), p * tables < LEVEL, tables)
    effect = ParameterEstimate(ratio, float(least), float(most))
    clear = p < LEVEL and abs(log(ratio)) > log(1 + SMALLEST_EXCESS) and (low > 1 or high < 1)
    what = "non-stationary: the last third of a launch vs its middle third, after the warm-up"
    evidence = (("batches", str(series.shape[1])), ("launches", str(series.shape[0])))
    return Anomaly("not-stationary", what, 2 * third, effect, p, evidence) if clear else None


def bimodal_launches(groups: LaunchGroups) -> Anomaly:
    """Launches that fall into two groups: the same binary is fast in some starts and slow in others.

    ``effect``: geometric mean of the slow ones over that of the fast ones (``stats.launch_groups``).
    """
    effect = ParameterEstimate(groups.factor, groups.factor_low, groups.factor_high)
    what = f"bimodal launches, {groups.fast} fast and {groups.slow} slow"
    evidence = (("fast_ns", f"{groups.fast_ns:.4g}"), ("slow_ns", f"{groups.slow_ns:.4g}"))
    return Anomaly("bimodal-launches", what, groups.slow_ns, effect, groups.p_value, evidence)


def slow_ranks(times_ns: np.ndarray, tables: int = 1) -> tuple[Anomaly, ...]:
    """Ranks (or hosts) that are slower than the others in most launches.

    ``times_ns``: shape (launches, ranks), at least 3 ranks. Each rank is compared with the median of the others in the
    same launch. ``tables``: as in ``off_power_of_two``.

    Raises:
        UsageError: shapes that do not fit, or times that are not positive.

    Tried and wrong: paired tests over launches. Of 16 ranks of six stacks that are slow in 30 % of seven launches,
    whichever, one is slow in nearly all, and was told in 26 % of runs.

    Source: ``stats.rank_orders``.
    """
    times = _launches(times_ns, None, columns=3)
    logs = np.log(times)
    others = [np.median(np.delete(logs, rank, axis=1), axis=1) for rank in range(times.shape[1])]
    apart, p_values = logs.T - np.array(others), order_p(logs)
    ratio, *own, _ = estimate_ratios(apart)
    limits = _limit_together(apart, own, p_values * tables < LEVEL, len(apart) * tables)
    evidence = (("ranks", str(times.shape[1])), ("launches", str(times.shape[0])))
    return tuple(
        Anomaly("slow-rank", f"rank {rank} is slower than the others", rank, effect, float(p), evidence)
        for rank, (value, low, high, p) in enumerate(zip(ratio, *limits, p_values, strict=True))
        if _matters(effect := ParameterEstimate(float(value), float(low), float(high)), p)
    )


def between_launches(series_ns: np.ndarray, step_ns: float = 0.0) -> Anomaly | None:
    """Launches differ far more from each other than their own batches explain: repeat launches, not batches.

    ``series_ns``: batches of each launch after the warm-up, shape (launches, batches), read off a clock of such a
    ``step_ns`` (0: of none). ``effect`` is the spread of
    launch means over the spread that the batches' scatter gives them (1: explained); found from 3 on, when that is
    beyond chance and the launches' own spread is above 2 %. Nothing is said where the batches of a launch, each launch
    counted by its scatter, are worth fewer than ``FEWEST_EFFECTIVE`` independent ones, as of batches that are all read
    alike: a mean of readings is known to no less than the scatter within one step, however many they are.

    Raises:
        UsageError: shapes that do not fit, or times that are not positive.

    Source: one-way analysis of variance with each launch's effective sample size (Geyer 1992) for its autocorrelated
    batches; p and interval from F(launches - 1, effective batches - launches). Tried: a bootstrap over launches, which
    with ten of them gives intervals of a spread that are far too narrow; any effective size, which told of equal
    launches in half to all runs where batches resemble each other by 0.9 and more.
    """
    from scipy.special import fdtrc, fdtri  # scipy.stats has the same by name and takes two seconds to import

    logs = np.log(_launches(series_ns, None, columns=8))
    means, scatter = logs.mean(axis=1), logs.var(axis=1, ddof=1)
    unseen = (step_ns / float(np.median(series_ns))) ** 2 / 12
    within = max(float(np.mean(scatter / [effective_size(row) for row in logs])), unseen, _ROUNDED)
    worth = float(np.mean(scatter)) / within
    if worth < FEWEST_EFFECTIVE:
        return None
    variance = float(means.var(ddof=1)) / within
    freedom = (means.size - 1, means.size * (worth - 1))
    p = float(fdtrc(*freedom, variance))
    low, high = (float(np.sqrt(variance / fdtri(*freedom, q))) for q in (0.975, 0.025))
    effect = ParameterEstimate(float(np.sqrt(variance)), low, high)
    what = "between-launch variation over within-launch variation"
    spread = float(means.std(ddof=1))
    evidence = (("spread_between", f"{spread:.3g}"), ("spread_explained", f"{within**0.5:.3g}"))
    clear = p < LEVEL and effect.value >= 3 and spread > EQUILIBRIUM
    return Anomaly("between-launches", what, spread, effect, p, evidence) if clear else None


# --- what they share --------------------------------------------------------------------------------------------


def _launches(times: np.ndarray, wide: int | None, columns: int = 1) -> np.ndarray:
    table = np.asarray(times, float)
    if table.ndim != 2 or (wide is not None and table.shape[1] != wide) or table.shape[1] < columns:
        raise UsageError(
            f"Times of shape {table.shape} are not (launches, at least {columns}).",
            remedy="give one row a launch, all of the same length",
        )
    if table.shape[0] < MINIMUM_LAUNCHES:
        raise UsageError(
            f"{table.shape[0]} launches cannot tell a property from an accident.",
            remedy=f"measure at least {MINIMUM_LAUNCHES} launches",
        )
    if not np.all(np.isfinite(table)) or np.any(table <= 0):
        raise UsageError("Times must be finite and positive.", remedy="leave out launches that failed")
    return table


def _limit_together(
    logs: np.ndarray, own: Sequence[np.ndarray | float], is_sure: np.ndarray | bool, cases: int
) -> tuple[np.ndarray, np.ndarray]:
    """Low and high of ratios that hold together for so many ``cases`` (Dunn 1961); log ratios, shape (..., launches).

    ``own``: limits of each by itself. Where these lie on one side of 1 and the corrected test ``is_sure`` of the side,
    so do those that are returned.
    """
    low, high = interval_at(logs, 1 - LEVEL / cases)
    low = np.where(is_sure & (np.asarray(own[0]) > 1), np.maximum(low, 1.0), low)
    return low, np.where(is_sure & (np.asarray(own[1]) < 1), np.minimum(high, 1.0), high)


def _excesses(logs: np.ndarray, tables: int = 1) -> list[tuple[ParameterEstimate, float]]:
    """Ratio with interval and one-sided corrected p of each row of log ratios (cases, launches).

    Those that are told are picked from all, so intervals hold together for the cases of so many ``tables``.
    """
    if not logs.size:
        return []
    ratio, *own, two_sided = estimate_ratios(logs)
    p = holm(np.where(ratio > 1, two_sided / 2, 1 - two_sided / 2))
    low, high = _limit_together(logs, own, p * tables < LEVEL, len(logs) * tables)
    return [
        (ParameterEstimate(float(r), float(a), float(b)), float(q))
        for r, a, b, q in zip(ratio, low, high, p, strict=True)
    ]


def _find_changes(logs: np.ndarray, places: int) -> list[tuple[ParameterEstimate, float]]:
    """Like ``_excesses`` for changes in either direction, each picked from so many ``places``: two-sided p."""
    ratio, _, _, p = estimate_ratios(logs)
    low, high = interval_at(logs, 1 - LEVEL / places)
    return [
        (ParameterEstimate(float(r), float(a), float(b)), min(1.0, places * float(q)))
        for r, a, b, q in zip(ratio, low, high, p, strict=True)
    ]


def _changes(logs: np.ndarray, most: int = 5) -> list[int]:
    """First index of every level but the first in what launches have in common; price 3 ln(steps) a change.

    ``logs``: log rates, shape (launches, steps).
    """
    each = -(-logs.shape[1] // MOST_STEPS)
    groups = logs[:, : logs.shape[1] // each * each].reshape(logs.shape[0], -1, each).mean(axis=2)
    level = np.median(groups, axis=0)
    n = level.size
    noise = 1.4826 * float(np.median(np.abs(np.diff(level)))) / np.sqrt(2)
    noise = max(noise * _memory(groups - level), EQUILIBRIUM)
    ones, squares = np.r_[0.0, np.cumsum(level)], np.r_[0.0, np.cumsum(level**2)]
    count = np.arange(n)[None, :] - np.arange(n)[:, None] + 1.0
    total = ones[None, 1:] - ones[:-1, None]
    costs = squares[None, 1:] - squares[:-1, None] - total**2 / np.maximum(count, 1.0)
    costs = np.where(count >= SHORTEST_LEVEL, np.maximum(costs, 0.0) / noise**2, np.inf)
    paths = cheapest_cuts(costs, min(most, n // SHORTEST_LEVEL - 1))
    cuts = paths[int(np.argmin([cost + 3.0 * len(cuts) * log(n) for cost, cuts in paths]))][1]
    return [cut * each for cut in cuts]


def _memory(apart: np.ndarray) -> float:
    """How many times further means over steps scatter than differences of neighbours say; 1 for independent steps.

    ``apart``: how far each launch is from what all have in common, in which no change of the rate is; shape (launches,
    steps). Neighbours that resemble each other differ little, and the mean of many scatters all the more.
    """
    worth = apart.shape[1] / np.array([effective_size(row) for row in apart])
    near = np.mean(np.diff(apart, axis=1) ** 2, axis=1) / 2
    return max(1.0, float(np.sqrt(np.mean(apart.var(axis=1) * worth) / max(float(np.mean(near)), 1e-24))))


def _matters(effect: ParameterEstimate, p: float) -> bool:
    return p < LEVEL and effect.value > 1 + SMALLEST_EXCESS and effect.low >= 1
