"""The bound on every rule that widens absolute intervals, by the linear program of the page of proof."""

from __future__ import annotations

import numpy as np
import pytest
from benchmarks.truth.widening_bound import TRUTHS, nearest_coverage
from scipy.stats import t as student

from msgauge.stats.dependence import widening_factor


def test_few_rounds_cannot_keep_to_93_to_97_at_every_pace_and_many_can() -> None:
    few, many = (nearest_coverage(rounds, 2000).share for rounds in (5, 20))
    assert few > 0.02 > many


@pytest.mark.parametrize("rounds", [7])
def test_no_rule_means_ours_neither(rounds: int) -> None:
    """Ours errs on the safe side: it covers more than the best rule where rounds do not resemble each other."""
    random = np.random.default_rng(3)
    held = []
    for _ in range(200):
        values = random.normal(0, 1, rounds)
        reach = widening_factor(values[None]) * student.ppf(0.975, rounds - 1) * values.std(ddof=1) / np.sqrt(rounds)
        held.append(abs(values.mean()) <= reach)
    assert np.mean(held) > 0.97
    assert TRUTHS[0] == 0
