"""How much less time a stack takes that is advised: limits which hold although the gain was picked as the largest.

They allow for all that verdicts on the same two stacks allow for: what steps of the clock hide, and rounds that
resemble those before them. Pure.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

import numpy as np
from attrs import frozen

from msgauge.analysis.verdicts.pair_table import tabulate
from msgauge.model import CellKey, Comparison, Estimate
from msgauge.stats.error_bounds import bound_ratio
from msgauge.stats.ratio import interval_at
from msgauge.stats.round_memory import measure_memory


@frozen
class GainLimits:
    """Of any two stacks that are compared in a test; also of two of which neither is the base."""

    held: Mapping[CellKey, Estimate]
    factors: Mapping[str, float]
    """How many times wider than for independent rounds an interval is in which a stack has a part."""

    @classmethod
    def of(cls, estimates: Iterable[Estimate]) -> GainLimits:
        """From what was measured; stacks of one kind are compared among themselves."""
        held = {one.key: one for one in estimates if not one.failed and one.launch_medians_ns}
        kinds = {(one.simulated, one.local): dict[CellKey, Estimate]() for one in held.values()}
        for key, one in held.items():
            kinds[one.simulated, one.local][key] = one
        return cls(held, dict(pair for kind in kinds.values() for pair in _measure_factors(kind)))

    def limit(self, one: Comparison, level: float) -> tuple[float, float]:
        """Low and high of the time of the slower stack over that of the faster, which miss in ``level``, at 1 at least.

        Never narrower than the interval of the comparison by itself, where it has one. At 1 as the verdict has said
        which of the two is the faster one.
        """
        base, other = self.held[one.base_key], self.held[one.other_key]
        low, high = np.log(interval_at(log_ratios(base, other), 1 - level))
        middle = np.log(one.ratio)
        factor = max(self.factors.get(stack, 1.0) for stack in (one.base, one.other))
        reach = bound_ratio(*((side.half_step_ns, side.median_ns) for side in (base, other)))
        low, high = middle + factor * (low - middle) - reach, middle + factor * (high - middle) + reach
        low = np.fmin(low, np.log(one.ratio_low) if one.ratio_low > 0 else np.nan)
        high = np.fmax(high, np.log(one.ratio_high))
        low, high = (low, high) if one.ratio >= 1 else (-high, -low)
        return float(np.exp(max(low, 0.0))), float(np.exp(high))


def log_ratios(base: Estimate | None, other: Estimate | None) -> np.ndarray:
    """Logarithms of the ratios of the rounds that both have, shape (rounds,)."""
    if base is None or other is None:
        return np.zeros(0)
    held = base.medians_by_round
    pairs = ((held.get(number, 0.0), time) for number, time in other.medians_by_round.items())
    return np.log([time / before for before, time in pairs if min(before, time) > 0])


def _measure_factors(kind: Mapping[CellKey, Estimate]) -> Iterator[tuple[str, float]]:
    stacks: Sequence[str] = list(dict.fromkeys(key.stack for key in kind))
    cells = sorted({key.cell for key in kind})
    values = {key: (np.array(one.rounds), np.array(one.launch_medians_ns)) for key, one in kind.items()}
    memory = measure_memory(tabulate(values, stacks, cells))
    return zip(stacks, memory.of(np.arange(len(stacks))).tolist(), strict=True)
