"""The decision of a run: one table of its stacks, and what to use when. Made once, shown by terminal, page and JSON."""

from __future__ import annotations

from typing import Literal

from attrs import frozen

from msgauge.model.plan import CacheMode, Headline, Mode
from msgauge.model.stack import Pairs

Rank = Literal["fastest", "may be fastest", "slower", ""]
"""Of a stack in one test, read off the verdicts on all pairs; '' where nothing was compared.

``fastest``: no other is said to be faster than it, and each other has one that is. ``may be fastest``: one of several
that no other is said to be faster than. ``slower``: another is said to be faster.
"""


@frozen
class KeyTest:
    """One test that stands for a quality: ``title`` is what people call it (latency, bandwidth)."""

    title: str
    cell: int
    kernel: str
    size_bytes: int
    ranks: int
    options: Pairs
    shown: Headline
    """What is shown of it: time (ns), bandwidth (bytes/s) or messages (1/s)."""
    mode: Mode = "batch"
    cache: CacheMode = "hot"


@frozen
class KeyResult:
    """One stack in one key test: median over launches with its 95 % interval, in the unit of what is shown."""

    median: float
    low: float
    high: float
    standing: Rank
    flags: tuple[str, ...] = ()
    """Of emulated, oversubscribed, non-stationary."""


@frozen
class MeanRatio:
    """Geometric mean of the ratios of times to the base, over the tests that both have, paired in rounds.

    ``verdict``: '' where the stack lacks tests that others have, or with fewer than five whole rounds; then the mean is
    shown and not judged. The means of all stacks are one family of comparisons.
    """

    ratio: float
    ratio_low: float
    ratio_high: float
    verdict: Literal["faster", "slower", "equivalent", "undecided", ""]
    tests: int
    rounds: int


@frozen
class StackSummary:
    """One row: a result (or None) for each key test, and the mean; None for the base and where nothing is paired."""

    stack: str
    simulated: bool
    base: str
    """The stack that the mean is relative to; its own name where it is the base."""
    results: tuple[KeyResult | None, ...]
    mean: MeanRatio | None = None


@frozen
class Summary:
    """What a run decides: key tests, a row for each stack (the lowest mean first), and at most five lines of advice."""

    purpose: str
    """What the tests were weighed for; '' for all alike."""
    tests: int
    """How many tests (kernel x size x ranks x options) the means are over: those in which the base has a result."""
    key_tests: tuple[KeyTest, ...]
    stacks: tuple[StackSummary, ...]
    guidance: tuple[str, ...]
    left_out: int = 0
    """How many more tests count for the purpose, of which the base has no result."""
