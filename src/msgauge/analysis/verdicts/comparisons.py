"""Every stack against one base, cell by cell: what of the family of all pairs is displayed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from msgauge.analysis.verdicts.verdict_family import VerdictFamily
from msgauge.model import Cell, Comparison, Estimate, Plan
from msgauge.results.dataset import Dataset
from msgauge.stats.ratio import Ratio


def compare_stacks(
    dataset: Dataset, estimates: Sequence[Estimate], family: VerdictFamily, *, forecast: bool = False
) -> tuple[Comparison, ...]:
    """Base against every other stack in every cell, stacks of one kind (``Dataset.kinds``) among themselves.

    The base decides which comparisons are shown, not what is said in them. ``forecast``: as ``VerdictFamily.compare``.
    """
    return tuple(_compare(dataset, estimates, family, forecast))


def typical_ratios(
    plan: Plan, comparisons: Sequence[Comparison], family: VerdictFamily
) -> dict[tuple[str, str, int], Ratio]:
    """For each base, other and number of processes the geometric mean of the ratios of its tests, where it is known."""
    cells = {cell.id: cell for cell in plan.cells}
    pairs: dict[tuple[str, str, int], list[Cell]] = {}
    for one in comparisons:
        pairs.setdefault((one.base, one.other, one.ranks), []).append(cells[one.cell])
    found = {
        (base, other, ranks): family.typical_ratio(base, other, mine) for (base, other, ranks), mine in pairs.items()
    }
    return {pair: ratio for pair, ratio in found.items() if ratio is not None}


def _compare(
    dataset: Dataset, estimates: Sequence[Estimate], family: VerdictFamily, forecast: bool
) -> Iterator[Comparison]:
    plan = dataset.plan
    for among in dataset.kinds:
        base = choose_base(plan, estimates, among)
        for cell in plan.cells:
            for other in among:
                found = family.compare(base, other, cell, forecast=forecast) if base and other != base else None
                if found is not None:
                    yield found


def choose_base(plan: Plan, estimates: Sequence[Estimate], among: Sequence[str]) -> str:
    """The stack the others are compared with: the plan's, or the first of the run of those with the most tests.

    '' when none of ``among`` was measured. No time has a say: intervals against the stack that came out as the fastest
    held in 87 to 93 % where all were alike, for what was low by chance was taken as the base.
    """
    tests = Counter(one.stack for one in estimates if not one.failed and one.stack in among)
    if plan.base in tests:
        return plan.base
    return max(among, key=lambda stack: tests[stack]) if tests else ""
