"""Paired ratios of stacks that differ in one respect alone: what a language, a transport, a version or a way of
waiting is worth. Pure.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

import numpy as np

from msgauge.analysis.gather import Group
from msgauge.model import AlongAxis, Cell, Comparison, Plan, Stack
from msgauge.stacks.axes import AXES, pairs, value_on
from msgauge.stats.multiplicity import holm
from msgauge.stats.ratio import Ratio
from msgauge.stats.verdict import judge

Groups = Mapping[tuple[str, int], Group]


def along_axes(
    plan: Plan, stacks: Sequence[Stack], groups: Groups, paired: Callable[[Group, Group], Ratio]
) -> tuple[AlongAxis, ...]:
    """Every axis on which the stacks of a run have pairs. Holm's correction is over the cells of one axis."""
    found = []
    for axis in AXES:
        ratios = list(_ratios(plan, pairs(stacks, axis), groups, paired))
        adjusted = holm(np.array([ratio.p_value for *_, ratio in ratios])) if ratios else np.array([])
        family = int(np.count_nonzero(~np.isnan(adjusted)))
        for (base, other, cell, ratio), p_adjusted in zip(ratios, adjusted, strict=True):
            comparison = _comparison((base.spec, other.spec), cell, ratio, float(p_adjusted), family)
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


def _comparison(names: tuple[str, str], cell: Cell, ratio: Ratio, p_adjusted: float, family: int) -> Comparison:
    verdict = judge(ratio, p_adjusted, family)
    return Comparison(
        base=names[0],
        other=names[1],
        cell=cell.id,
        kernel=cell.kernel,
        size_bytes=cell.size_bytes,
        ranks=cell.ranks,
        options=cell.options,
        ratio=ratio.ratio,
        ratio_low=ratio.low,
        ratio_high=ratio.high,
        verdict=verdict.word,
        reason=verdict.reason,
        p_value=ratio.p_value,
        p_adjusted=p_adjusted,
        rounds=ratio.rounds,
    )
