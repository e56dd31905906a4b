"""Paired ratios of stacks that differ in one respect alone: what a language, a transport, a version or a way of
waiting is worth. Pure.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgauge.analysis.verdicts.verdict_family import VerdictFamily
from msgauge.model import FactorEffect, Plan, Stack
from msgauge.model.factors import AXES, pairs, value_on


def find_factor_effects(plan: Plan, stacks: Sequence[Stack], family: VerdictFamily) -> tuple[FactorEffect, ...]:
    """Every axis on which the stacks of a run have pairs; what is said of them is what the family of all pairs says."""
    return tuple(
        FactorEffect(axis, value_on(base, axis), value_on(other, axis), comparison)
        for axis in AXES
        for base, other in pairs(stacks, axis)
        for cell in plan.cells
        if (comparison := family.compare(base.spec, other.spec, cell)) is not None
    )
