"""Performance guidelines: a library that violates one could use its own other calls and be faster.

A guideline says left <= right in time (``guideline_terms``); ``judge`` holds them against launch medians
paired by round. A guideline is *violated* when the left side is slower by more than the margin: the interval of 95 % by
itself lies above it, and the p, corrected over all that were judged together, is below 5 % (less in a run that was
resumed); it *holds* when the
interval that is shown ends below the margin; else it is *undecided*. The intervals that are shown hold together for all
that were judged, whichever of them are told.

Source: Träff, Gropp and Thakur 2010, "Self-consistent MPI performance guidelines", IEEE TPDS 21(5).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import product
from math import exp, isfinite
from typing import Literal

import numpy as np
from attrs import evolve, frozen

from msgauge.model import Estimate, Finding
from msgauge.model.measured_way import note_way
from msgauge.model.starts import Starts, list_unlike
from msgauge.models.estimate import ParameterEstimate
from msgauge.models.guideline_terms import (
    ANY,
    BLOCK_KERNELS,
    GUIDELINES,
    SMALLEST_ELEMENT,
    Guideline,
    SideCandidates,
    Term,
    describe_side,
    whole_vector,
)
from msgauge.stats.error_bounds import bound_ratio
from msgauge.stats.multiplicity import holm
from msgauge.stats.ratio import estimate_ratios, interval_at
from msgauge.stats.round_memory import spread_by_memory
from msgauge.stats.signed_rank import locate_centres
from msgauge.units import format_ratio, format_size

MARGIN = 0.03
LEVEL = 0.05
MINIMUM_ROUNDS = 5
Verdict = Literal["violated", "holds", "undecided"]


@frozen
class NotJudged:
    """A guideline that nothing is said of for one stack on so many ranks, and what of it was not measured.

    ``ranks`` 0: on no ranks at all.
    """

    guideline: Guideline
    stack: str
    ranks: int
    missing: str


@frozen
class Judgement:
    """A guideline held against one stack at one size: ``ratio`` is left / right, paired by round."""

    guideline: Guideline
    stack: str
    left: str
    right: str
    size_bytes: int
    ranks: int
    ratio: ParameterEstimate
    """Its interval holds together with those of all that were judged with it, in 95 %."""
    p_value: float
    """Of the left side being slower by no more than the margin."""
    p_adjusted: float
    rounds: int
    verdict: Verdict
    emulated: bool = False
    """Msgauge had to build an operation of either side: the sides say which."""

    def finding(self) -> Finding:
        """The judgement as a sentence, without a weight (``analysis.findings.ranking``)."""
        value, low, high = map(format_ratio, (self.ratio.value, self.ratio.low, self.ratio.high))
        sentence = (
            f"{self.stack}: {self.left} takes {value} × the time of {self.right} "
            f"({low} to {high}, corrected p {self.p_adjusted:.1g}, {self.rounds} rounds) "
            f"at {self.ranks} ranks. {self.guideline.says}"
        )
        evidence = (
            ("guideline", self.guideline.name),
            ("source", self.guideline.source),
            ("rounds", str(self.rounds)),
            ("p_adjusted", f"{self.p_adjusted:.3g}"),
            ("verdict", self.verdict),
        )
        return Finding(sentence, kind="guideline", evidence=evidence)


def judge(
    estimates: Iterable[Estimate],
    guidelines: Sequence[Guideline] = GUIDELINES,
    *,
    margin: float = MARGIN,
    level: float = LEVEL,
) -> tuple[Judgement, ...]:
    """Hold every guideline against every stack, size and number of ranks where both sides were measured.

    p is one-sided (left slower by more than the margin) and corrected by Holm over all judgements that come back
    together; their intervals are corrected for as many (Dunn 1961), as those that are told are picked from all of them.
    ``level``: what all may err in together, that of the report; a run that was resumed has reports before it. Cells
    that failed, or with fewer than five rounds in common, are left out. Of several option sets of a kernel the
    one listed first counts, except for "monotone", which is judged within each.

    Raises:
        Nothing: what was not measured is not judged.

    Source: Holm 1979; the ratio is exp(Hodges-Lehmann) of log launch medians paired by round, with the interval of
    ``stats.ratio.interval_at``.
    """
    measured = SideCandidates.of(estimates)
    sides = [one for guideline in guidelines for one in _find_sides(guideline, measured)]
    ratios = spread_by_memory([(one.left.stack, one.rounds, one.log_ratios) for one in sides])
    sides = [evolve(one, log_ratios=logs) for one, logs in zip(sides, ratios, strict=True)]
    excesses = [_test_excess(one, margin) for one in sides]
    adjusted = holm(np.array([one.p_value for one in excesses])) if sides else np.zeros(0)
    alone = 1 - level / max(len(sides), 1)
    return tuple(
        _judge_sides(one, evolve(excess, p_adjusted=float(p), level=level), alone, margin)
        for one, excess, p in zip(sides, excesses, adjusted, strict=True)
    )


def find_unjudged(
    estimates: Iterable[Estimate], judgements: Iterable[Judgement], guidelines: Sequence[Guideline] = GUIDELINES
) -> tuple[NotJudged, ...]:
    """What ``judge`` was silent about: every guideline of every stack, on each number of ranks its left side was on.

    Silence is no sign of health: "0 violated" counts only what both sides of were measured.
    """
    known = tuple(estimates)
    measured = SideCandidates.of(known)
    said = {(one.guideline.name, one.stack, one.ranks) for one in judgements}
    found = []
    for guideline, stack in product(guidelines, dict.fromkeys(one.stack for one in known)):
        lefts = [one for one in measured.lefts(guideline.left) if one.stack == stack]
        on = sorted({one.ranks for one in lefts})
        if guideline.left.kernel == ANY:  # any number of ranks will do: a kernel with two sizes need not run on all
            on = [] if any((guideline.name, stack, ranks) in said for ranks in on) else [0]
        elif not on:
            on = [0]
        for ranks in on:
            if (guideline.name, stack, ranks) not in said:
                here = [one for one in lefts if one.ranks == ranks]
                found.append(NotJudged(guideline, stack, ranks, _describe_missing(guideline, here, measured)))
    return tuple(found)


def _describe_missing(guideline: Guideline, lefts: Sequence[Estimate], measured: SideCandidates) -> str:
    """What would have to be measured; ``lefts``: the left side on one number of ranks."""
    if guideline.left.kernel == ANY:
        return "a kernel at two sizes"
    if not lefts:
        return f"{guideline.left.kernel}"
    ranks = lefts[0].ranks
    lacking = [term for term in guideline.right if not any(measured.match(term, left) for left in lefts)]
    if not lacking and len(guideline.right) > 1 and not any(measured.all_of(guideline, left) for left in lefts):
        return f"{' and '.join(term.kernel for term in guideline.right)} at the same m on {ranks} ranks"
    if not lacking:
        cells = ((left, *measured.all_of(guideline, left)) for left in lefts)
        alike = " and began in the same way" if any(list_unlike(*map(_starts_of, one)) for one in cells) else ""
        return f"{MINIMUM_ROUNDS} rounds that both sides share{alike}"
    return ", ".join(_describe_term(term, lefts) for term in lacking)


def _describe_term(term: Term, lefts: Sequence[Estimate]) -> str:
    """``pingpong on 2 ranks at an m of 8 B or 1 KiB``."""
    ranks = 2 if term.ranks == "two" else lefts[0].ranks
    way = "".join(f", {word}" for word in note_way(lefts[0]))
    if term.size == "one element":
        return f"{term.kernel} of at most {format_size(SMALLEST_ELEMENT)} on {ranks} ranks{way}"
    sizes = sorted({whole_vector(left) for left in lefts})
    block = " (block × ranks)" if term.kernel in BLOCK_KERNELS else ""
    of = " or ".join(map(format_size, sizes))
    return f"{term.kernel} on {ranks} ranks{way} at an m{block} of {of}, or up to twice that"


@frozen
class _Excess:
    """The test of a ratio against 1 + margin: one-sided p, alone and corrected, and whether its interval is above."""

    p_value: float
    is_above: bool
    p_adjusted: float = 1.0
    level: float = LEVEL

    @property
    def is_told(self) -> bool:
        return self.is_above and self.p_adjusted < self.level


def _test_excess(sides: _Sides, margin: float) -> _Excess:
    """The interval is that of 95 % by itself, less what steps of the clock hide; the correction is yet to come."""
    if not isfinite(sides.step_log):
        return _Excess(1.0, False)
    ratio, low, _, p = map(float, estimate_ratios(sides.log_ratios - np.log1p(margin) - sides.step_log))
    return _Excess(p / 2 if ratio > 1 else 1 - p / 2, low > 1)


def _judge_sides(sides: _Sides, excess: _Excess, level: float, margin: float) -> Judgement:
    """``level``: of the interval; where the test says that the ratio is above the margin, so is the interval."""
    value = float(np.exp(locate_centres(sides.log_ratios)))
    steps = exp(sides.step_log)
    low, high = (float(limit) for limit in interval_at(sides.log_ratios, level))
    low, high = low / steps, high * steps
    verdict: Verdict = "holds" if high <= 1 + margin else "undecided"
    if excess.is_told:
        verdict, low = "violated", max(low, 1 + margin)
    return Judgement(
        guideline=sides.guideline,
        stack=sides.left.stack,
        left=_describe_side(sides.left, 1),
        right=" + ".join(_describe_side(cell, factor) for cell, factor in sides.right),
        size_bytes=whole_vector(sides.left),
        ranks=sides.left.ranks,
        ratio=ParameterEstimate(value, low, high),
        p_value=excess.p_value,
        p_adjusted=excess.p_adjusted,
        rounds=sides.log_ratios.size,
        verdict=verdict,
        emulated=sides.left.emulated or any(cell.emulated for cell, _ in sides.right),
    )


def _describe_side(estimate: Estimate, factor: int) -> str:
    return describe_side(estimate, factor) + (" (emulated)" if estimate.emulated else "")


@frozen(eq=False)
class _Sides:
    """Both sides of a guideline at one size; ``right``: each cell with how many times it counts."""

    guideline: Guideline
    left: Estimate
    right: Sequence[tuple[Estimate, int]]
    rounds: Sequence[int]
    log_ratios: np.ndarray
    """Left over right in each of the rounds, which both have, shape (rounds,)."""
    step_log: float = 0.0
    """By how much steps of the clock may have moved each of them."""


def _find_sides(guideline: Guideline, measured: SideCandidates) -> list[_Sides]:
    found = (_pair_sides(guideline, left, measured.all_of(guideline, left)) for left in measured.lefts(guideline.left))
    return [sides for sides in found if sides is not None]


def _pair_sides(guideline: Guideline, left: Estimate, right: Sequence[Estimate]) -> _Sides | None:
    """Pair the rounds both sides share; None where these are too few, or the right side was not measured.

    Without those in which a collective of one began behind a barrier and one of the other at an agreed time.
    """
    factors = [left.ranks - 1 if term.times == "ranks - 1" else 1 for term in guideline.right]
    sides = [_by_round(cell) for cell in (left, *right)]
    unlike = list_unlike(*map(_starts_of, (left, *right)))
    rounds = sorted(set.intersection(*(set(side) for side in sides)).difference(unlike))
    if not right or len(rounds) < MINIMUM_ROUNDS:
        return None
    slow = np.array([sides[0][number] for number in rounds])
    pairs = list(zip(factors, sides[1:], strict=True))
    fast = np.array([sum(factor * side[number] for factor, side in pairs) for number in rounds])
    counted = list(zip(right, factors, strict=True))
    half_ns = sum(factor * cell.half_step_ns for cell, factor in counted)
    step_log = bound_ratio((left.half_step_ns, float(np.median(slow))), (half_ns, float(np.median(fast))))
    return _Sides(guideline, left, counted, rounds, np.log(slow) - np.log(fast), step_log)


def _starts_of(estimate: Estimate) -> Starts:
    return dict(estimate.starts)


def _by_round(estimate: Estimate) -> dict[int, float]:
    """Launch median by round; launches without rounds count as paired in order."""
    rounds = estimate.rounds or tuple(range(len(estimate.launch_medians_ns)))
    return dict(zip(rounds, estimate.launch_medians_ns, strict=True))
