"""From ratios that are shown together to comparisons: corrected for their number, each with its verdict."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from msgauge.model import Cell, Comparison
from msgauge.stats.multiplicity import holm
from msgauge.stats.ratio import Ratio
from msgauge.stats.verdict import judge

Compared = tuple[str, str, Cell, Ratio]
"""Spec of the base, spec of the other, the cell, and the time of the other over that of the base."""


def judge_ratios(found: Sequence[Compared]) -> tuple[Comparison, ...]:
    """One comparison for each ratio, in the same order. Holm's correction is over all of them."""
    adjusted = holm(np.array([ratio.p_value for *_, ratio in found], dtype=float))
    family = int(np.count_nonzero(~np.isnan(adjusted)))
    return tuple(_comparison(one, float(p), family) for one, p in zip(found, adjusted, strict=True))


def _comparison(found: Compared, p_adjusted: float, family: int) -> Comparison:
    base, other, cell, ratio = found
    verdict = judge(ratio, p_adjusted, family)
    return Comparison(
        base=base,
        other=other,
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
