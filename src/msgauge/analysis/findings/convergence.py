"""From which size on one stack is nearly as fast as another: a sentence for each pair that begins far apart."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import frozen

from msgauge.analysis.findings.comparison_findings import describe_row
from msgauge.analysis.findings.ranking import REPEATED, weigh
from msgauge.analysis.findings.size_ranges import find_missing, group_by_size, list_sizes, name_missing
from msgauge.analysis.verdicts.verdict_family import VerdictFamily
from msgauge.model import Comparison, Estimate, Finding
from msgauge.stats.ratio import turn_ratio
from msgauge.units import format_count, format_estimate, format_size

NEAR = 2.0
"""Up to this ratio of times two stacks are near each other (the paper shue-scripting, on large messages)."""
RISE = 64
"""Sizes must span this factor before a trend of the ratio with size is claimed."""
LEVEL = 0.05
"""Chance of one false sentence or more in a run."""


_RESOLVED = ("faster", "slower")


@frozen
class Step:
    """One size: time of the slower stack over that of the faster one, with its interval."""

    size_bytes: int
    ratio: float
    low: float
    high: float


def find_convergences(
    comparisons: Sequence[Comparison], family: VerdictFamily, estimates: Sequence[Estimate] = ()
) -> tuple[Finding, ...]:
    """A finding for each pair of stacks, kernel and number of ranks of which it can be said; right together in 95 %.

    Every sentence rests on few intervals, whatever the number of sizes: those of the smallest size, and of the largest
    that could prove it wrong. So intervals are corrected for the number of rows, each at both ends. The lowest ratio is
    picked from all sizes, and has an interval that is corrected for their number too (Dunn 1961).

    ``estimates``: of the run, whose sizes are named where they were not compared.
    """
    sizes = list_sizes(estimates)
    tests = len({one.cell for one in comparisons})
    rows = [row for row in group_by_size(family.keep_comparable(comparisons)) if _spans(row)]
    found: list[Finding] = []
    for row in rows:
        wide, wider = (family.widen(row, LEVEL / len(rows) / picked) for picked in (1, len(_sizes_of(row))))
        found += find_convergence(wide, tests, wider, find_missing(row, sizes))
    return tuple(found)


def find_convergence(
    cells: Sequence[Comparison],
    tests: int = 0,
    together: Sequence[Comparison] = (),
    missing: Sequence[int] = (),
) -> tuple[Finding, ...]:
    """At most one finding for comparisons of two stacks that differ in size alone, ascending.

    Near from a size on means: there and at every larger size the whole interval of the ratio is at most NEAR; begun far
    apart means: at the smallest size one is resolved as slower, and the whole interval is above NEAR. That no size is
    near is said only when the whole interval of the largest size is above NEAR too, and the one that is shown, which
    holds at all sizes together. Else nothing is said.

    ``tests``: how many tests the run has (0: those of ``cells``); the weight covers the sizes at which the two are
    near, and as a repetition all sizes where they are not. ``together``: the same comparisons with intervals that hold
    at all sizes together, for the size that is picked as the lowest. ``missing``: sizes that were not compared.
    """
    if not _spans(cells):
        return ()
    sized = _sizes_of(cells)
    first = sized[0]
    slower, faster = (first.other, first.base) if first.ratio > 1 else (first.base, first.other)
    steps = [_step(one, turned=first.ratio <= 1) for one in sized]
    near = _near(steps)
    if first.verdict not in _RESOLVED or not steps[0].low > NEAR:
        return ()
    simultaneous = [_step(one, turned=first.ratio <= 1) for one in _sizes_of(together or cells)]
    if not near and (sized[-1].verdict not in _RESOLVED or not min(steps[-1].low, simultaneous[-1].low) > NEAR):
        return ()
    count = tests or len(sized)
    evidence = (
        ("slower", slower),
        ("faster", faster),
        ("kernel", first.kernel),
        ("from", str(near[0].size_bytes) if near else ""),
    )
    where = f"In {describe_row(first)} on {format_count(first.ranks, 'process')}"
    if near:
        sentence = (
            f"{where}, {slower} takes at most {NEAR:.0f} × the time of {faster} "
            f"{_describe_reach(near, missing)} ({_describe_step(near[0])}); "
            f"at {format_size(steps[0].size_bytes)} it takes {_describe_step(steps[0])}."
        )
        weight = weigh([(steps[0].ratio / one.ratio, 1.0) for one in near], count)
        return (Finding(sentence, weight, "convergence", evidence),)
    closest = min(simultaneous, key=lambda step: step.ratio)
    sentence = (
        f"{where}, there is no size up to {format_size(steps[-1].size_bytes)} from which on {slower} takes at most "
        f"{NEAR:.0f} × the time of {faster}; the ratio is lowest at {format_size(closest.size_bytes)} "
        f"({_describe_step(closest)})."
    )
    weight = REPEATED * weigh([(one.ratio, 1.0) for one in steps], count)
    return (Finding(sentence, weight, "convergence", evidence),)


def _describe_reach(near: Sequence[Step], missing: Sequence[int]) -> str:
    """Of the sizes that are near, ascending: beyond the largest of all nothing was seen."""
    first = format_size(near[0].size_bytes)
    beyond = [size for size in missing if size > near[0].size_bytes]
    if len(near) > 1:
        return f"from {first} on{name_missing(beyond)}"
    return f"at {first}, the largest size{' compared' if beyond else ''}"


def _spans(cells: Sequence[Comparison]) -> bool:
    """Whether a trend with size could be seen."""
    sized = _sizes_of(cells)
    return len(sized) >= 3 and sized[-1].size_bytes >= RISE * sized[0].size_bytes


def _sizes_of(cells: Sequence[Comparison]) -> list[Comparison]:
    return [one for one in cells if one.size_bytes > 0]


def _step(one: Comparison, *, turned: bool) -> Step:
    if turned:
        return Step(one.size_bytes, *turn_ratio(one.ratio, one.ratio_low, one.ratio_high))
    return Step(one.size_bytes, one.ratio, one.ratio_low, one.ratio_high)


def _near(steps: Sequence[Step]) -> Sequence[Step]:
    """The sizes from which on it stays near."""
    count = 0
    for step in reversed(steps):
        if not step.high <= NEAR:
            break
        count += 1
    return steps[len(steps) - count :]


def _describe_step(step: Step) -> str:
    ratio, limits = format_estimate(step.ratio, step.low, step.high)
    return f"{ratio} ×, simultaneous 95 % interval {limits}"
