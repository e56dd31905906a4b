"""From which size on is one stack nearly as fast as another? A sentence for each pair that begins far apart."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import frozen

from msgauge.model import Comparison, Finding
from msgauge.units import counted, format_ratio, format_size

NEAR = 2.0
"""Within so many times as long counts as near: the same ball-park, in the words of shue-scripting on large messages."""
RISE = 64
"""Sizes must span this factor before one may speak of how a ratio goes with size."""


@frozen
class Step:
    """One size: how many times as long the slower stack takes, with its 95 % interval."""

    size_bytes: int
    ratio: float
    low: float
    high: float


def nearness(cells: Sequence[Comparison]) -> tuple[Finding, ...]:
    """At most one finding for comparisons of two stacks that differ in size alone, ascending.

    Near from a size on means: there and at every larger size the whole interval of the ratio is at most NEAR; begun far
    apart means: at the smallest size the whole interval is above it. Which of the two stacks is the slower one is told
    by the smallest size.

    Weights: 38 when it comes near, else 12.
    """
    sized = [one for one in cells if one.size_bytes > 0]
    if len(sized) < 3 or sized[-1].size_bytes < RISE * sized[0].size_bytes:
        return ()
    first = sized[0]
    slower, faster = (first.other, first.base) if first.ratio > 1 else (first.base, first.other)
    steps = [_step(one, turned=first.ratio <= 1) for one in sized]
    if not steps[0].low > NEAR:
        return ()
    near = _near(steps)
    evidence = (
        ("slower", slower),
        ("faster", faster),
        ("kernel", first.kernel),
        ("from", str(near[0].size_bytes) if near else ""),
    )
    where = f"In {first.kernel} on {counted(first.ranks, 'process')}"
    if near:
        sentence = (
            f"{where}, {slower} comes within {NEAR:.0f} x of {faster} from {format_size(near[0].size_bytes)} on "
            f"({_times(near[0])}); at {format_size(steps[0].size_bytes)} it takes {_times(steps[0])} as long."
        )
        return (Finding(sentence, 38.0, "nearness", evidence),)
    closest = min(steps, key=lambda step: step.ratio)
    sentence = (
        f"{where}, {slower} does not come within {NEAR:.0f} x of {faster} and stay there, up to "
        f"{format_size(steps[-1].size_bytes)}; it is closest at {format_size(closest.size_bytes)} ({_times(closest)})."
    )
    return (Finding(sentence, 12.0, "nearness", evidence),)


def _step(one: Comparison, *, turned: bool) -> Step:
    if turned:
        return Step(one.size_bytes, 1 / one.ratio, 1 / one.ratio_high, 1 / one.ratio_low)
    return Step(one.size_bytes, one.ratio, one.ratio_low, one.ratio_high)


def _near(steps: Sequence[Step]) -> Sequence[Step]:
    """The sizes from which on it stays near."""
    count = 0
    for step in reversed(steps):
        if not step.high <= NEAR:
            break
        count += 1
    return steps[len(steps) - count :]


def _times(step: Step) -> str:
    return f"{format_ratio(step.ratio)} x, 95 % interval {format_ratio(step.low)} to {format_ratio(step.high)}"
