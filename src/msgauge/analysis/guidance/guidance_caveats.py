"""What speaks against a stack where "what to use when" names it: slow launches of its own, and tails that are longer.

A stack is named for its median. One that is 5 % faster and 2.8 times slower in every tenth launch, or slower at P99, is
named as well, so the advice says that of it beside. Pure.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from attrs import evolve

from msgauge.analysis.findings.caveats import describe_slow_launches, describe_tails, turn
from msgauge.analysis.findings.fastest import choose_advised, find_candidates, group_by_test
from msgauge.analysis.guidance.use_by_size import MOST_NAMED
from msgauge.model import Analysis, CellKey, Comparison, Estimate, Plan, TailComparison
from msgauge.units import format_count


def add_guidance_caveats(analysis: Analysis, plan: Plan) -> Analysis:
    """The analysis with a line for each stack that the advice names and its tails or launches speak against.

    ``plan``: its purpose says which tests count.
    """
    if analysis.summary is None or not analysis.summary.guidance:
        return analysis
    counted = {cell.id for cell in plan.cells if plan.purpose.weigh(cell) > 0}
    named = _find_named(analysis.estimates, counted)
    lines = [line for stack, mine in named.items() for line in _describe(stack, mine, analysis)]
    return evolve(analysis, summary=evolve(analysis.summary, guidance=(*analysis.summary.guidance, *lines)))


def _find_named(estimates: Sequence[Estimate], counted: Collection[int]) -> dict[str, list[Estimate]]:
    """Each stack with the tests in which it may be the fastest, of the kind that ``advise_by_size`` speaks of.

    Those alone that are few enough in some test to be named, be it as the only one, as equivalent or as not resolved.
    """
    advised = choose_advised([one for one in estimates if one.cell in counted and not one.failed])
    found: dict[str, list[Estimate]] = {}
    named: set[str] = set()
    for contest in group_by_test(advised):
        candidates = find_candidates(contest)
        for one in candidates:
            found.setdefault(one.stack, []).append(one)
        if len(candidates) <= MOST_NAMED:
            named.update(one.stack for one in candidates)
    return {stack: mine for stack, mine in found.items() if stack in named}


def _describe(stack: str, mine: Sequence[Estimate], analysis: Analysis) -> Iterator[str]:
    """One line on its slow launches, and one on each stack against which a tail of it is longer."""
    tests = f"{format_count(len(mine), 'test')} in which it may be the fastest"
    slow = [one.slow_launches for one in mine if one.slow_launches is not None]
    if slow:
        where = f" in {len(slow)} of {tests}"
        yield f"But {describe_slow_launches(slow, len(mine), f'the launches of {stack}', where)}."
    keys = {one.key for one in mine}
    for (rival, quantile), tails in _find_slower_tails(keys, analysis.comparisons).items():
        where = f"in {len(tails)} of {tests}"
        ratios = describe_tails(tails, analysis.interval_level)
        yield f"But {stack} is slower than {rival} at {quantile.upper()} {where} ({ratios})."


def _find_slower_tails(
    keys: Collection[CellKey], comparisons: Sequence[Comparison]
) -> dict[tuple[str, str], list[TailComparison]]:
    """By the other stack and the quantile."""
    found: dict[tuple[str, str], list[TailComparison]] = {}
    for given in comparisons:
        for one in (given, turn(given)):
            for tail in one.tails if one.other_key in keys else ():
                if tail.verdict == "slower":
                    found.setdefault((one.base, tail.quantile), []).append(tail)
    return found
