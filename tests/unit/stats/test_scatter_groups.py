"""Series are parted where calm and wild ones are far apart, and else are one."""

from __future__ import annotations

import numpy as np
import pytest

from msgauge.stats.scatter_groups import part_by_scatter


def test_three_levels_are_three_groups_and_what_is_unknown_has_none() -> None:
    logs = np.log([1.0, 100.0, 1.2, np.nan, 1e4, 0.9, 110.0, 1.1e4])
    groups = part_by_scatter(logs, 9.0)
    assert groups[3] == -1
    assert [{*np.flatnonzero(groups == group).tolist()} for group in dict.fromkeys(groups[groups >= 0])] == [
        {0, 2, 5},
        {1, 6},
        {4, 7},
    ]


@pytest.mark.parametrize("series", [2, 9, 200])
@pytest.mark.parametrize("rounds", [5, 7, 20])
def test_series_of_one_law_are_hardly_ever_parted(series: int, rounds: int) -> None:
    """So that it is no matter of chance which variance is borrowed."""
    dice = np.random.default_rng(3)
    drawn = np.log(dice.normal(0, 1, (100, series, rounds)).var(axis=2, ddof=1))
    parted = sum(part_by_scatter(logs, 9.0).max() > 0 for logs in drawn)
    assert parted <= (25 if rounds == 5 else 10)


@pytest.mark.parametrize("logs", [[], [np.nan], [0.0], [np.nan, 1.0]])
def test_fewer_than_two_are_not_parted(logs: list[float]) -> None:
    groups = part_by_scatter(np.array(logs), 9.0)
    assert groups.tolist() == [-1 if np.isnan(one) else 0 for one in logs]


def test_the_parts_are_those_that_explain_most() -> None:
    """By hand, over all places where the order may be cut."""
    logs = np.random.default_rng(4).permutation(np.concatenate([np.linspace(0, 2, 12), np.linspace(5, 6, 4)]))
    ordered = np.sort(logs)
    explained = [
        cut * (16 - cut) * (ordered[cut:].mean() - ordered[:cut].mean()) ** 2 for cut in range(1, ordered.size)
    ]
    cut = 1 + int(np.argmax(explained))
    groups = part_by_scatter(logs, 9.0)
    assert {*logs[groups == groups[logs.argmin()]].tolist()} == {*ordered[:cut].tolist()}
