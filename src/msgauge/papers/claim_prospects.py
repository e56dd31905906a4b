"""How many rounds more would decide a claim that was left undecided: told only where it will come true. Pure.

The rounds to come are drawn as those that are there allow, and the claim is judged on each course of them. Two ways of
drawing have to agree: normals, and what has been again (launches have modes, which normals have not). So a case at
its bound promises nothing, and of a claim about most of its cases only as many have to become clear as are enough.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from math import inf, isfinite, log, nan

import numpy as np
from attrs import frozen

from msgauge.papers.case_levels import count_against, count_enough
from msgauge.papers.claim_cases import RatioEstimate
from msgauge.papers.claim_forecast import LEAST_ROUNDS, ClaimForecast
from msgauge.papers.claim_statement import Claim
from msgauge.papers.claims import Evidence, choose_levels
from msgauge.stats.prediction import draw_again, draw_more, list_candidates

DRAWS = 400
EVEN = 0.6
"""So likely by the draws is what is said to come true in one run of two. More is never said: with modes that the rounds
so far do not show, what nine draws in ten said of a ratio came true in 40 to 47 % of runs, after 10 rounds and 20."""
Draw = Callable[[Sequence[np.ndarray], int, int, np.random.Generator], list[np.ndarray]]
_FEWEST = 3
"""Rounds without which nothing is known of a scatter."""


def foretell_claim(
    claim: Claim, cases: Sequence[RatioEstimate], evidence: Sequence[Evidence], unmeasured: int = 0
) -> ClaimForecast | None:
    """The rounds that an undecided claim of kind ratio or spread needs.

    None where it has no case, where its rounds decide nothing while cases are lacking that nobody measured, and of
    differences set as a ratio, whose rounds to come are not drawn.

    Of a spread no number is sure to: launches hide most of how they scatter. Drawn as ratios are, what was likely in
    six or eight of ten came true in a third of runs, and in nine of ten still in 44 % where one launch in ten is slow.

    ``evidence``: what each of the cases says now; ``unmeasured``: how many more the claim speaks of, which stay open.
    """
    if not cases:
        return None
    every = len(cases) + unmeasured
    enough = 1 if claim.question else count_enough(every, claim.hold)
    if enough > len(cases):  # it can be refuted alone
        enough = min(count_against(every, claim.hold), len(cases))
    counts = sorted((one.rounds for one in cases), reverse=True)
    if counts[enough - 1] < LEAST_ROUNDS or claim.question:
        return ClaimForecast("begins", max(1, LEAST_ROUNDS - counts[enough - 1]))
    if any(one.differences is not None for one in cases):
        return None
    candidates = [total - counts[0] for total in list_candidates(counts[0], LEAST_ROUNDS)]
    distance = _find_distance(claim, evidence, every)
    never = ClaimForecast("never", candidates[-1], distance=distance) if unmeasured == 0 else None
    if claim.kind == "spread":
        return never
    ways = [_Courses.draw(claim, cases, every, (candidates[-1], draw)) for draw in (draw_more, draw_again)]

    def chance(more: int) -> float:
        return min(way.chance(more) for way in ways)

    if chance(candidates[-1]) < EVEN:
        return never
    return ClaimForecast("may", candidates[bisect_left(candidates, EVEN, key=chance)], distance=distance)


@frozen(eq=False)
class _Courses:
    """What the cases of a claim may come to."""

    claim: Claim
    cases: int
    """Of which the claim speaks."""
    begun: Sequence[RatioEstimate]
    """Those that are there."""
    known: Sequence[RatioEstimate]
    """Those of them with a scatter."""
    values: Sequence[np.ndarray]
    """Of each of these, shape (draws, rounds)."""

    @classmethod
    def draw(cls, claim: Claim, cases: Sequence[RatioEstimate], every: int, way: tuple[int, Draw]) -> _Courses:
        """Those of so many rounds more that a way of drawing gives; ``every``: how many cases the claim speaks of."""
        more, draw = way
        known = [one for one in cases if one.rounds >= _FEWEST]
        return cls(
            claim, every, cases, known, draw([one.values for one in known], more, DRAWS, np.random.default_rng(1))
        )

    def chance(self, more: int) -> float:
        """Of a verdict after so many rounds more."""
        count, hold = self.cases, self.claim.hold
        levels = choose_levels(self.claim, count, sum(one.rounds + more >= LEAST_ROUNDS for one in self.begun))
        fits, against = np.zeros(DRAWS, int), np.zeros(DRAWS, int)
        for case, drawn in zip(self.known, self.values, strict=True):
            rounds = case.rounds + more
            if rounds >= LEAST_ROUNDS:
                low, high = case.limits_of(drawn[:, :rounds], levels.fits)
                fits += np.isfinite(high) & (low >= self.claim.low) & (high <= self.claim.high)
                low, high = case.limits_of(drawn[:, :rounds], levels.contradicts)
                against += np.isfinite(high) & ((high < self.claim.low) | (low > self.claim.high))
        return float(np.mean((fits >= count_enough(count, hold)) | (against >= count_against(count, hold))))


def _find_distance(claim: Claim, evidence: Sequence[Evidence], cases: int) -> float:
    """From its bound of the case that stands in the way: of those that are open as many as are lacking have to fit."""
    bounds = [bound for bound in (claim.low, claim.high) if 0 < bound < inf]
    apart = sorted(
        (
            min(abs(log(one.value / bound)) for bound in bounds)
            for one in evidence
            if bounds and one.outcome == "open" and isfinite(one.value) and one.value > 0
        ),
        reverse=True,
    )
    if not apart:
        return nan
    lacking = count_enough(cases, claim.hold) - sum(one.outcome == "fits" for one in evidence)
    return float(np.expm1(apart[min(max(lacking, 1), len(apart)) - 1]))
