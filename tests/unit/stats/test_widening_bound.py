"""The bound on every rule that widens absolute intervals, by the linear program of the page of proof."""

from __future__ import annotations

import numpy as np
from benchmarks.truth.widening_bound import TRUTHS, nearest_coverage

from msgauge.stats.dependence import locate_series


def test_few_rounds_cannot_keep_to_93_to_97_at_every_pace_and_many_can() -> None:
    few, many = (nearest_coverage(rounds, 2000).share for rounds in (5, 20))
    assert few > 0.02 > many


def test_ours_covers_more_where_seven_rounds_of_one_series_do_not_resemble_each_other() -> None:
    assert TRUTHS[0] == 0
    random = np.random.default_rng(3)
    limits = [locate_series([random.normal(0, 1, 7)]) for _ in range(200)]
    assert np.mean([low[0] <= 0 <= high[0] for low, high in limits]) > 0.97
