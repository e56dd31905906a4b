"""Noise of a machine, by an A/A comparison: how far equal stacks seem apart, and what difference is found there."""

from __future__ import annotations

from math import inf, isinf

import numpy as np
from attrs import frozen

from msgauge import units
from msgauge.model import Analysis, Comparison
from msgauge.stats.pairwise import LEVEL
from msgauge.stats.prediction import findable, limit_scatter


@frozen
class Noise:
    """An A/A comparison of one stack: the worst of its tests."""

    stack: str
    ratio: float
    low: float
    high: float
    launches: int
    scatter: float = 0.0
    """Half the interquartile range of launch medians over their median, for the test with most variation."""
    detectable: float = inf
    """A difference that as many rounds find in four of five runs at least; inf where that is not known, or none."""
    tests: int = 1
    """Of how many this one is the worst."""

    @property
    def floor(self) -> float:
        """Distance from 1 to the far end of the 95 % interval of the A/A ratio: so far equal stacks may seem apart."""
        return max(abs(self.high - 1.0), abs(1.0 - self.low), abs(self.ratio - 1.0))

    @property
    def sentence(self) -> str:
        """What the comparison gave, and what as many launches find where that is known."""
        text = (
            f"A/A comparison of {self.stack}: ratio {units.format_ratio(self.ratio)} [{self.low:.3f}, {self.high:.3f}] "
            f"with {self.launches} launches each{f', the worst of {self.tests} tests' if self.tests > 1 else ''}"
        )
        if isinf(self.detectable):
            return text
        difference = units.format_percent(self.detectable)
        return (
            f"{text}; where rounds scatter no more than these, four of five such runs find a difference of {difference}"
        )


def find_detectable(analysis: Analysis, compared: Comparison) -> float:
    """The difference that as many rounds as both have find in four of five runs at least; inf where there is none."""
    medians = {one.key: one.medians_by_round for one in analysis.estimates}
    base, other = medians.get(compared.base_key, {}), medians.get(compared.other_key, {})
    logs = np.log([other[number] / base[number] for number in base if number in other])
    if logs.size < 2:
        return inf
    return findable(limit_scatter(float(logs.std(ddof=1)), logs.size), logs.size, LEVEL, 1)
