"""Paired ratios of stacks that differ in one respect alone: what a language, a transport, a version or a way of
waiting is worth. Pure.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgauge.analysis.comparisons import pair_cells
from msgauge.analysis.verdicts import judge_ratios
from msgauge.model import Cell, CellKey, FactorEffect, Plan, Stack
from msgauge.model.factors import AXES, pairs, value_on
from msgauge.results.dataset import CellSamples
from msgauge.stats.ratio import Ratio

Delivered = Mapping[CellKey, CellSamples]


def find_factor_effects(plan: Plan, stacks: Sequence[Stack], delivered: Delivered) -> tuple[FactorEffect, ...]:
    """Every axis on which the stacks of a run have pairs. Holm's correction is over the cells of one axis."""
    found = []
    for axis in AXES:
        ratios = list(_ratios(plan, pairs(stacks, axis), delivered))
        comparisons = judge_ratios([(base.spec, other.spec, cell, ratio) for base, other, cell, ratio in ratios])
        for (base, other, *_), comparison in zip(ratios, comparisons, strict=True):
            found.append(FactorEffect(axis, value_on(base, axis), value_on(other, axis), comparison))
    return tuple(found)


def _ratios(
    plan: Plan, among: Sequence[tuple[Stack, Stack]], delivered: Delivered
) -> Iterator[tuple[Stack, Stack, Cell, Ratio]]:
    for base, other in among:
        for cell in plan.cells:
            here, there = delivered.get(CellKey(base.spec, cell.id)), delivered.get(CellKey(other.spec, cell.id))
            if here is not None and there is not None:
                yield base, other, cell, pair_cells(here, there)
