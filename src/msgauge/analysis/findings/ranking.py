"""How much a finding matters: one scale for all kinds, used by terminal, page and JSON.

The weight of a finding is the expected effect on the reader's decision: over the tests of the run (kernel x size x
ranks x options), the mean of

    effect(ratio) x certainty,    effect(ratio) = |ln ratio| / (1 + ln^2 ratio)

for the tests that the finding covers, and 0 for all others. So a weight is effect x share of tests x certainty.

- effect: 0 for equal times, 0.5 at a factor of 2.7, and falling slowly above: a stack that is a thousand times slower
  is no candidate, and saying so changes a choice less than a close rival does.
- certainty: 1 - adjusted p of a difference; 0.05 for what is undecided.
- A sentence that repeats for a part of the tests what a sentence about all of them has said (the same stack is slower)
  counts a quarter: it does not change the choice.

A summary names the choice itself. It stands above: 0.5 and half of the share of tests that it covers.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import isfinite, log

from msgauge.model import Comparison, Finding
from msgauge.stats.pairwise import MARGIN

HIGHEST_EFFECT = 0.5
UNDECIDED = 0.05
"""Certainty of an undecided comparison."""
REPEATED = 0.25
"""What a sentence counts that repeats a part of another one."""

Outcome = tuple[float, float]
"""Ratio and certainty of one test."""


def rank(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """What matters most first; findings of equal weight stay in their order."""
    return tuple(sorted(findings, key=lambda finding: -finding.weight))


def weigh(covered: Iterable[Outcome], tests: int) -> float:
    """The weight of a finding that covers these tests of a run with ``tests`` tests."""
    return sum(effect(ratio) * certainty for ratio, certainty in covered) / max(tests, 1)


def weigh_summary(covered: int, tests: int) -> float:
    """The weight of a sentence that names the choice, from ``covered`` of ``tests`` tests."""
    return HIGHEST_EFFECT + HIGHEST_EFFECT * min(1.0, covered / max(tests, 1))


def effect(ratio: float) -> float:
    """How much a ratio of times matters for a choice, 0 to 0.5; that of the inverse ratio is the same."""
    if not (ratio > 0 and isfinite(ratio)):
        return 0.0
    size = abs(log(ratio))
    return size / (1 + size * size)


def outcome_of(comparison: Comparison) -> Outcome:
    """Ratio and certainty of a comparison. An equivalence settles a choice as far as its margin reaches."""
    if comparison.verdict == "undecided":
        return comparison.ratio, UNDECIDED
    certainty = 1 - comparison.p_adjusted if isfinite(comparison.p_adjusted) else 1.0
    return (1 + MARGIN, 1.0) if comparison.verdict == "equivalent" else (comparison.ratio, certainty)
