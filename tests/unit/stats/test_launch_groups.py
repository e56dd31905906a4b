"""Launches in two groups: found where both are groups of the stack's own, and not in scatter, accidents or a pace."""

from __future__ import annotations

import numpy as np
import pytest

from msgauge.stats.launch_groups import LaunchGroups, find_launch_groups
from msgauge.stats.slow_launches import find_slow_launches

SLOW_LOGS = np.array([0.0, 0.01, 0.02, 0.03, 0.04, 0.40, 0.41, 0.42])


def of_one_stack(logs: np.ndarray) -> LaunchGroups | None:
    return find_launch_groups(1000 * np.exp(logs[None, None])).get((0, 0))


def mixed(logs: np.ndarray) -> np.ndarray:
    """In an order in which fast and slow launches take turns."""
    return logs[[5, 0, 6, 1, 2, 7, 3, 4]]


def test_the_p_is_that_of_a_gap_that_an_exponential_leaves() -> None:
    """Five fast launches, then a gap of 0.36 below three: by hand, with the three places that a gap may have."""
    found = of_one_stack(mixed(SLOW_LOGS))
    assert found is not None
    gap = 3 * 0.36
    of_scatter = (1 + gap / (0.01 * (7 + 6 + 5 + 4))) ** -4
    of_accidents = (1 + gap / (0.01 * (2 + 1))) ** -2
    assert found.p_value == pytest.approx(3 * max(of_scatter, of_accidents), rel=1e-6)
    assert (found.fast, found.slow) == (5, 3)
    assert found.factor == pytest.approx(np.exp(0.41 - 0.02))
    assert found.factor_low < found.factor < found.factor_high


def test_what_most_launches_do_may_be_the_slow_group() -> None:
    found, mirrored = of_one_stack(mixed(SLOW_LOGS)), of_one_stack(mixed(0.42 - SLOW_LOGS))
    assert found is not None
    assert mirrored is not None
    assert (mirrored.fast, mirrored.slow) == (3, 5)
    assert mirrored.p_value == pytest.approx(found.p_value)


@pytest.mark.parametrize("scatter", ["exponential", "spikes", "normal"])
def test_scatter_and_accidents_are_no_groups(scatter: str) -> None:
    random, told = np.random.default_rng(3), 0
    for _ in range(60):
        logs = random.normal(0, 0.15, (2, 10, 20))
        if scatter == "exponential":
            logs = random.exponential(0.1, logs.shape)
        if scatter == "spikes":
            logs = logs / 10 + (random.random(logs.shape) < 0.1) * random.exponential(0.5, logs.shape)
        told += bool(find_launch_groups(np.exp(logs)))
    assert told <= 3


def test_groups_that_the_other_stacks_share_are_the_machines() -> None:
    random = np.random.default_rng(4)
    slow = np.isin(np.arange(10), [1, 4, 5, 8])
    logs = random.normal(0, 0.01, (3, 2, 10))
    logs[0] += 0.4 * slow
    assert set(find_launch_groups(np.exp(logs))) == {(0, 0), (0, 1)}
    logs[1:] += 0.4 * slow
    assert find_launch_groups(np.exp(logs)) == {}


def test_launches_slow_where_no_other_stack_was_measured_may_be_the_machines() -> None:
    """A hiccup that ends the launch of one stack makes that of the other slow, in four rounds of twenty."""
    random = np.random.default_rng(7)
    hiccup = np.isin(np.arange(20), [3, 8, 9, 15])
    logs = random.normal(0, 0.01, (2, 3, 20))
    logs[1] += np.log(3) * hiccup
    witnessed = 1000 * np.exp(logs)
    ended = np.where(hiccup, [[[np.nan]], [[1.0]]], 1.0) * witnessed
    for find in (find_slow_launches, find_launch_groups):
        assert {stack for stack, _ in find(witnessed)} == {1}
        assert find(ended) == {}
    alone = find_slow_launches(ended[1:])
    assert [one.slow for one in alone.values()] == [4, 4, 4]


@pytest.mark.parametrize(("stacks", "rounds", "cells"), [(2, 10, 3), (3, 20, 4), (4, 10, 4)])
def test_a_machine_that_slows_a_few_cells_down_makes_no_stack_slow(stacks: int, rounds: int, cells: int) -> None:
    """The pace of the launches does not show it: most of their nine cells are as fast as ever."""
    random, told, found = np.random.default_rng(7), 0, 0
    for _ in range(40):
        logs = random.normal(0, 0.01, (stacks, 9, rounds))
        slow = np.log(1.5) * (random.random((2, rounds)) < 0.3)
        logs[:, :cells] += slow[0]
        told += bool(find_slow_launches(np.exp(logs)) or find_launch_groups(np.exp(logs)))
        own = random.normal(0, 0.01, (stacks, 9, rounds))
        own[0, :cells] += slow[1]
        found += {stack for stack, _ in find_slow_launches(np.exp(own))} == {0}
    assert told == 0
    assert found >= 30, "a stack's own slow launches in as few cells are told"


@pytest.mark.parametrize("step", [0.05, 0.02])
def test_launches_that_a_coarse_clock_makes_equal_are_no_groups(step: float) -> None:
    random, told = np.random.default_rng(7), 0
    for _ in range(60):
        times = np.exp(random.normal(0, 0.6 * step, (2, 10, 10)))
        told += bool(find_launch_groups(np.round(times / step) * step))
    assert told == 0


def test_a_stack_alone_that_is_slow_from_one_round_on_shows_a_change_of_pace() -> None:
    assert of_one_stack(SLOW_LOGS) is None
    assert of_one_stack(SLOW_LOGS[:7]) is None, "too few launches"


def test_an_interval_holds_though_groups_are_told_because_they_look_narrow() -> None:
    random, held = np.random.default_rng(6), list[bool]()
    for _ in range(400):
        logs = random.normal(0, 0.01, (1, 20, 10))
        slow = random.permutation(10) < 4
        logs[0] += slow * (np.log(1.5) + random.normal(0, 0.05, (20, 10)))
        held += [one.factor_low <= 1.5 <= one.factor_high for one in find_launch_groups(np.exp(logs)).values()]
    assert len(held) > 100
    assert np.mean(held) > 0.93


def test_groups_whose_launches_take_the_same_time_to_the_last_digit_are_told() -> None:
    times = np.where(np.arange(12) % 3 == 2, 2800.0, 1000.0)
    groups = find_launch_groups(np.stack([np.full((1, 12), 1000.0), times[None, :]]))[1, 0]
    assert (groups.fast, groups.slow, groups.p_value) == (8, 4, 0.0)
    assert groups.factor_low == groups.factor_high == pytest.approx(2.8)


def test_a_time_of_zero_is_none() -> None:
    """Of a coarse clock; where most launches are slow, times are looked at upside down."""
    logs = np.random.default_rng(9).normal(0, 0.01, (3, 2, 20))
    logs[0, :, [2, 7, 8, 13]] -= 0.4
    times = 1000 * np.exp(logs)
    whole = find_launch_groups(times)
    times[1, 0, 4] = 0
    with np.errstate(all="raise"):
        found = find_launch_groups(times)
    assert set(found) == set(whole) == {(0, 0), (0, 1)}
