"""Differences of levels in a table of runs: what is looked at, against plain means; levels that were left again."""

from __future__ import annotations

import numpy as np
import pytest

from msgauge.stats import level_differences
from msgauge.stats.change_points import find_steps
from msgauge.stats.level_differences import (
    SHORTEST,
    SHORTEST_STAY,
    STAYS_WEIGH,
    _largest_of_orders,
    _list_differences,
    _middle_of_five,
    _with_mean,
    part_rows,
)


def draw_runs(series: int, runs: int, seed: int) -> np.ndarray:
    """Runs that scatter by 2 % together and by 1 % each."""
    dice = np.random.default_rng(seed)
    return dice.normal(0, 0.02, (1, runs)) + dice.normal(0, 0.01, (series, runs))


@pytest.mark.parametrize("runs", [12, 15, 47, 140])
def test_differences_are_those_of_plain_means(runs: int) -> None:
    (table,) = _with_mean(draw_runs(2, runs, runs)[None])
    looked = _list_differences(runs)
    found = looked.measure(table)
    assert found.shape == (3, looked.number)
    for index in range(0, looked.number, 7):
        if index < looked.starts.size:
            start, place, end = looked.starts[index], looked.places[index], looked.ends[index]
            one, other = table[:, start:place], table[:, place:end]
        else:
            first, after = looked.stays[index - looked.starts.size]
            one, other = table[:, first:after], np.hstack([table[:, :first], table[:, after:]])
        error = np.sqrt(1 / one.shape[1] + 1 / other.shape[1])
        assert found[:, index] == pytest.approx(np.abs(one.mean(axis=1) - other.mean(axis=1)) / error, abs=1e-9)


@pytest.mark.parametrize("runs", [12, 14, 15, 60, 250])
def test_levels_have_runs_enough_and_stays_are_left_again(runs: int) -> None:
    looked = _list_differences(runs)
    assert (looked.places - looked.starts).min() == (looked.ends - looked.places).min() == SHORTEST
    assert bool(len(looked.stays)) == (runs >= 15)
    for first, after in looked.stays:
        assert SHORTEST_STAY <= after - first <= runs // 3
        assert SHORTEST <= first < after <= runs - SHORTEST


def test_a_stay_counts_less_than_a_step_as_large() -> None:
    looked = _list_differences(30)
    weighed = looked.weigh(np.ones((2, looked.number)))
    assert (weighed[:, : looked.starts.size] == 1).all()
    assert (weighed[:, looked.starts.size :] == STAYS_WEIGH).all()


def test_orders_in_one_piece_are_those_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    table = draw_runs(5, 40, 3)
    table[np.random.default_rng(4).random(table.shape) < 0.1] = np.nan
    orders = np.array([np.random.default_rng(seed).permutation(40) for seed in range(20)])
    for part in part_rows(table):
        together = _largest_of_orders(table, part, orders)
        alone = [table[np.ix_(part.rows, order[part.held[order]])] for order in orders]
        looked = _list_differences(part.runs)
        assert together == pytest.approx(
            [looked.weigh(looked.measure(_with_mean(one[None])[0])).max() for one in alone]
        )
        monkeypatch.setattr(level_differences, "_NUMBERS_AT_ONCE", 1)
        assert _largest_of_orders(table, part, orders) == pytest.approx(together)
        monkeypatch.undo()


def test_the_middle_of_five_is_their_median() -> None:
    values = np.random.default_rng(52).integers(0, 5, (5, 400)).astype(float)
    assert (_middle_of_five(*values) == np.median(values, axis=0)).all()


@pytest.mark.parametrize("slower", [0.12, 0.35])
@pytest.mark.parametrize("changed", [1, 6])
def test_a_level_that_was_left_again_is_found_however_large(slower: float, changed: int) -> None:
    """Five runs of fifty. Told in 5 to 50 %: three of the five lie together in one order of forty, and looked alike."""
    found = 0
    for seed in range(5):
        logs = draw_runs(6, 50, seed)
        logs[:changed, 20:25] += np.log1p(slower)
        steps = find_steps(logs)
        assert {step.series for step in steps} <= set(range(changed))
        assert {step.first_after for step in steps} <= {19, 20, 21, 24, 25, 26}
        found += len(steps) == 2 * changed
    assert found >= 3


@pytest.mark.parametrize(
    ("levels", "scatter"),
    [([1.0, 1.5, 1.0], 0.01), ([1.0, 2.0, 1.0], 0.01), ([1.0, 2.0, 1.05], 0.005), ([1.0, 10.0, 1.1], 0.01)],
)
@pytest.mark.parametrize("series", [1, 2, 6])
def test_a_change_of_many_scatters_is_found_in_several_series_too(
    levels: list[float], scatter: float, series: int
) -> None:
    """Where the middle third was left again, the larger it was, the surer it hid, and what still stood with it."""
    dice = np.random.default_rng(series)
    logs = dice.normal(0, scatter, (1, 42)) + dice.normal(0, 0.003, (series, 42)) + np.log(np.repeat(levels, 14))
    steps = find_steps(logs)
    assert {step.series for step in steps} == set(range(series))
    assert {step.first_after for step in steps} == {14, 28}


@pytest.mark.parametrize("odd", [1, 2])
def test_runs_that_are_odd_alone_are_no_level_and_hide_none(odd: int) -> None:
    """Odd runs of one series hid the steps of all: first in an order they were not odd, and they moved their level."""
    for seed in range(4):
        logs = draw_runs(3, 40, seed)
        logs[0, np.arange(odd) * 13 + 5] += np.log(3)
        assert not find_steps(logs)
        logs[:, 22:] += np.log(1.1)
        found = find_steps(logs)
        assert {step.first_after for step in found} <= {21, 22, 23}
        assert {step.series for step in found} == {0, 1, 2}


@pytest.mark.parametrize(("place", "factor"), [(29, 1.5), (30, 1.5), (31, 0.77)])
def test_an_odd_run_beside_a_change_takes_neither_its_place_nor_its_range(place: int, factor: float) -> None:
    """An odd run at 29 was named as the first one after, and the range began and ended with it."""
    near = held = 0
    for seed in range(6):
        logs = draw_runs(6, 60, seed)
        logs[:, 30:] += np.log(1.1)
        logs[:, place] += np.log(factor)
        found = find_steps(logs)
        assert len(found) == 6
        near += all(abs(step.first_after - 30) <= 1 for step in found)
        held += all(step.earliest <= 30 <= step.latest for step in found)
    assert near >= 3
    assert held >= 5
