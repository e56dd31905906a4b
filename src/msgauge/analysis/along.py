"""Paired ratios of stacks that differ in one respect alone: what a language, a transport, a version or a way of
waiting is worth. Pure.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from msgauge.analysis.comparing import judged
from msgauge.analysis.gather import Group
from msgauge.model import AlongAxis, Cell, Plan, Stack
from msgauge.stacks.axes import AXES, pairs, value_on
from msgauge.stats.ratio import Ratio

Groups = Mapping[tuple[str, int], Group]


def along_axes(
    plan: Plan, stacks: Sequence[Stack], groups: Groups, paired: Callable[[Group, Group], Ratio]
) -> tuple[AlongAxis, ...]:
    """Every axis on which the stacks of a run have pairs. Holm's correction is over the cells of one axis."""
    found = []
    for axis in AXES:
        ratios = list(_ratios(plan, pairs(stacks, axis), groups, paired))
        comparisons = judged([(base.spec, other.spec, cell, ratio) for base, other, cell, ratio in ratios])
        for (base, other, *_), comparison in zip(ratios, comparisons, strict=True):
            found.append(AlongAxis(axis, value_on(base, axis), value_on(other, axis), comparison))
    return tuple(found)


def _ratios(
    plan: Plan, among: Sequence[tuple[Stack, Stack]], groups: Groups, paired: Callable[[Group, Group], Ratio]
) -> Iterator[tuple[Stack, Stack, Cell, Ratio]]:
    for base, other in among:
        for cell in plan.cells:
            here, there = groups.get((base.spec, cell.id)), groups.get((other.spec, cell.id))
            if here is not None and there is not None:
                yield base, other, cell, paired(here, there)
