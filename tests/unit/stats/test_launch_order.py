"""Launches that are slow for their place in the order are found, and no others."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from benchmarks.truth.launch_order import serially_balanced
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from msgauge.stats.launch_order import FIRST, LEVEL, OrderEffect, find_order_effect


class Run:
    """Rounds of so many stacks on so many numbers of ranks; launches and machine scatter by 1 %.

    In random order, or each block begins with the stack that the one before it ended with, the others at random.
    """

    def __init__(
        self, random: np.random.Generator, stacks: int, rounds: int, ranks: int = 1, *, balanced: bool = False
    ) -> None:
        if balanced:
            order = serially_balanced(random, stacks, rounds * ranks)
        else:
            order = np.array([random.permutation(stacks) for _ in range(rounds * ranks)])
        self.balanced = balanced
        self.stacks = order.ravel()
        self.blocks = np.repeat(np.arange(rounds * ranks), stacks)
        self.groups = self.stacks + stacks * (self.blocks % ranks)
        self.first = np.concatenate([[True], np.diff(self.blocks) != 0])
        self.former = np.concatenate([[-1], self.stacks[:-1]])
        self.paces = random.normal(0, 0.01, rounds * ranks)[self.blocks] + random.normal(0, 0.01, self.stacks.size)

    def found(self, slow: np.ndarray | float = 0.0) -> OrderEffect | None:
        return find_order_effect(self.paces + slow, self.groups, self.stacks, self.blocks, balanced=self.balanced)


@pytest.mark.parametrize("balanced", [False, True])
@pytest.mark.parametrize("shape", [(2, 10), (3, 10), (6, 7, 3)])
def test_where_the_order_has_no_say_hardly_a_run_tells_one(shape: tuple[int, ...], balanced: bool) -> None:
    random = np.random.default_rng(3)
    told = 0
    for trial in range(60):
        run = Run(random, *shape, balanced=balanced)
        slow = (0.0, 0.3 * np.linspace(0, 1, run.paces.size), 0.5 * (random.random(run.paces.size) < 0.2))[trial % 3]
        told += run.found(slow) is not None
    assert told <= 4  # at a level of 0.02 five and more come once in 130 times, and the dice are always the same


@pytest.mark.parametrize(
    ("shape", "balanced"), [((2, 20), False), ((3, 15), False), ((6, 7, 3), False), ((3, 18), True), ((6, 7, 3), True)]
)
@pytest.mark.parametrize(
    ("slow", "place"), [(lambda run: run.former == 0, 0), (lambda run: run.first, FIRST)], ids=["after", "first"]
)
def test_launches_that_are_slow_for_their_place_are_named(
    shape: tuple[int, ...], balanced: bool, slow: Callable[[Run], np.ndarray], place: int
) -> None:
    random = np.random.default_rng(4)
    for _ in range(5):
        run = Run(random, *shape, balanced=balanced)
        effect = run.found(0.1 * slow(run))
        assert effect is not None
        assert effect.place == place
        assert effect.factor == pytest.approx(np.exp(0.1), rel=0.05)
        assert effect.launches == slow(run).sum()
        assert effect.p_value <= LEVEL


def test_an_effect_that_is_sure_and_small_is_not_told() -> None:
    run = Run(np.random.default_rng(5), 6, 20)
    run.paces *= 0.01
    assert run.found(0.01 * run.first) is None
    assert run.found(0.03 * run.first) is not None


def test_launches_of_no_known_pace_still_go_before_others() -> None:
    run = Run(np.random.default_rng(6), 3, 20)
    run.paces[run.stacks == 0] = np.nan
    effect = run.found(0.1 * (run.former == 0))
    assert effect is not None
    assert effect.place == 0


def test_few_blocks_or_one_stack_tell_nothing() -> None:
    random = np.random.default_rng(7)
    few, alone = Run(random, 6, 4), Run(random, 1, 20)
    assert few.found(few.first) is None
    assert alone.found() is None
    nothing = np.zeros(0, dtype=np.int64)
    assert find_order_effect(np.zeros(0), nothing, nothing, nothing, balanced=True) is None


def test_two_stacks_that_alternate_have_no_other_order() -> None:
    random = np.random.default_rng(8)
    run = Run(random, 2, 20, balanced=True)
    assert run.found(0.3 * run.first) is None
    run = Run(random, 2, 20)
    assert run.found(0.3 * run.first) is not None


@given(
    paces=arrays.arrays(np.float64, 24, elements=st.floats(-50, 50) | st.just(np.nan)),
    stacks=arrays.arrays(np.int64, 24, elements=st.integers(0, 3)),
    blocks=arrays.arrays(np.int64, 24, elements=st.integers(0, 9)),
    balanced=st.booleans(),
)
def test_any_launches_give_an_effect_or_none(
    paces: np.ndarray, stacks: np.ndarray, blocks: np.ndarray, balanced: bool
) -> None:
    effect = find_order_effect(paces, stacks, stacks, np.sort(blocks), balanced=balanced)
    if effect is not None:
        assert effect.factor > 0
        assert 0 < effect.p_value <= LEVEL
        assert effect.launches > 0
