"""The four words: faster, slower, equivalent, undecided."""

from __future__ import annotations

from math import ceil, isnan, log, sqrt

from attrs import frozen

from msgauge.model import Word
from msgauge.stats.ratio import Ratio

MARGIN = 0.03
SIGNIFICANCE = 0.05
LEAST_ROUNDS = 4
"""With three, launches in two modes agree by chance too often (identical stacks: 1.4 % at p <= 0.001)."""
MANY_TIMES = 10
"""Rounds that disagree so much that more than ten times as many were needed call for other remedies."""


@frozen
class Verdict:
    """One of the four words on the second stack, and the reason when it is undecided."""

    word: Word
    reason: str = ""


def judge(ratio: Ratio, p_adjusted: float, family: int, margin: float = MARGIN) -> Verdict:
    """What may be claimed of ``other`` against ``base``.

    ``p_adjusted``: p after Holm over the ``family`` comparisons shown together. In this order:

    1. equivalent, when the 95 % interval lies wholly within 1 / (1 + margin) to 1 + margin; a difference that is
       resolved but that small is equivalent, for nobody would choose by it (interval inclusion; stricter than two
       one-sided tests at 5 %, which ask for the 90 % interval);
    2. faster or slower, when the adjusted p is at most 5 % and the interval excludes 1;
    3. undecided otherwise, and why.

    So "faster" says: surely different, and not shown to be within the margin. Source: Schuirmann 1987; Holm 1979.
    """
    if ratio.rounds < LEAST_ROUNDS or isnan(ratio.low):
        return Verdict("undecided", f"only {_rounds(ratio.rounds)} with both; a verdict needs at least {LEAST_ROUNDS}")
    if within(ratio, margin):
        return Verdict("equivalent")
    if p_adjusted <= SIGNIFICANCE and not ratio.low <= 1 <= ratio.high:
        return Verdict("faster" if ratio.ratio < 1 else "slower")
    return Verdict("undecided", _doubt(ratio, family, margin))


def within(ratio: Ratio, margin: float = MARGIN) -> bool:
    """Whether the whole interval is inside the equivalence margin."""
    return 1 / (1 + margin) <= ratio.low and ratio.high <= 1 + margin


def _doubt(ratio: Ratio, family: int, margin: float) -> str:
    spread = f"{ratio.low:.3g} to {ratio.high:.3g}"
    if ratio.low <= 1 <= ratio.high:
        half = (log(ratio.high) - log(ratio.low)) / 2
        needed = ceil(ratio.rounds * (half / (margin / sqrt(2))) ** 2)
        remedy = f"about {needed} rounds needed" if needed <= MANY_TIMES * ratio.rounds else "rerun on an idle machine"
        return f"the interval {spread} includes 1 and is wider than the ±{margin * 100:.0f} % margin; {remedy}"
    return (
        f"the interval {spread} excludes 1; not significant when corrected for {family} comparisons: more rounds needed"
    )


def _rounds(count: int) -> str:
    return "1 round" if count == 1 else f"{count} rounds"
