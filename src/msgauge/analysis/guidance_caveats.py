"""What speaks against a stack where "what to use when" names it: slow launches of its own, and tails that are longer.

A stack is named for its median. One that is 5 % faster and 2.8 times slower in every tenth launch, or slower at P99, is
named as well, so the advice says that of it beside. Pure.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from attrs import evolve

from msgauge.analysis.caveats import describe_slow_launches, describe_tails, turn
from msgauge.analysis.fastest import choose_advised, find_winner, group_by_test
from msgauge.model import Analysis, CellKey, Comparison, Estimate, Plan, TailComparison


def add_guidance_caveats(analysis: Analysis, plan: Plan) -> Analysis:
    """The analysis with a line for each stack that the advice names and its tails or launches speak against.

    ``plan``: its purpose says which tests count.
    """
    if analysis.summary is None or not analysis.summary.guidance:
        return analysis
    counted = {cell.id for cell in plan.cells if plan.purpose.weigh(cell) > 0}
    named = _find_named(analysis.estimates, counted)
    lines = [line for stack, mine in named.items() for line in _describe(stack, mine, analysis.comparisons)]
    return evolve(analysis, summary=evolve(analysis.summary, guidance=(*analysis.summary.guidance, *lines)))


def _find_named(estimates: Sequence[Estimate], counted: Collection[int]) -> dict[str, list[Estimate]]:
    """Each stack with the tests in which it alone may be the fastest, of the kind that ``advise_by_size`` speaks of."""
    advised = choose_advised([one for one in estimates if one.cell in counted and not one.failed])
    named: dict[str, list[Estimate]] = {}
    for contest in group_by_test(advised):
        winner = find_winner(contest)
        if winner is not None:
            named.setdefault(winner.stack, []).append(winner)
    return named


def _describe(stack: str, mine: Sequence[Estimate], comparisons: Sequence[Comparison]) -> Iterator[str]:
    """One line on its slow launches, and one on each stack against which a tail of it is longer."""
    slow = [one.slow_launches for one in mine if one.slow_launches is not None]
    if slow:
        where = f" in {len(slow)} of {len(mine)} tests for which it is named"
        yield f"But {describe_slow_launches(slow, len(mine), f'the launches of {stack}', where)}."
    keys = {one.key for one in mine}
    for (rival, quantile), tails in _find_slower_tails(keys, comparisons).items():
        where = f"in {len(tails)} of {len(mine)} tests for which it is named"
        yield f"But {stack} is slower than {rival} at {quantile.upper()} {where} ({describe_tails(tails)})."


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
