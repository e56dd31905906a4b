"""Who may be the fastest of a test, and who is advised: one rule for the summary, advice and guidance."""

from __future__ import annotations

from msgauge.analysis.findings.fastest import (
    choose_advised,
    find_candidates,
    find_winner,
    group_by_test,
)
from msgauge.model import Estimate, Place


def stand(stack: str, cell: int = 0, *, best: bool | None = True, **how: bool) -> Estimate:
    """``best``: whether it may be the fastest; None where nothing was compared."""
    place = None if best is None else Place(best, 1, 2)
    return Estimate(stack, cell, "pingpong", 8, 2, place=place, **how)  # type: ignore[arg-type]


def test_one_wins_only_where_no_other_may_be_the_fastest() -> None:
    first, second, third = stand("a"), stand("b"), stand("c", best=False)
    assert find_winner([first, third]) is first
    assert find_winner([first, second, third]) is None
    assert find_winner([third, stand("d", best=None)]) is None
    assert find_candidates([first, second, third, stand("d", best=None)]) == [first, second]


def test_advice_is_about_what_was_measured_and_across_hosts_where_there_is_any() -> None:
    here, away, simulated = stand("a", local=True), stand("b"), stand("c", simulated=True)
    assert choose_advised([here, away, simulated]) == [away]
    assert choose_advised([here, simulated]) == [here]
    assert choose_advised([simulated]) == [simulated]


def test_only_stacks_of_one_kind_and_one_test_are_set_against_each_other() -> None:
    pair, alone = [stand("a"), stand("b", best=False)], stand("a", 1)
    simulated = [stand("c", simulated=True), stand("d", simulated=True)]
    assert group_by_test([*pair, alone, simulated[0], stand("e", best=None)]) == [pair]
    assert group_by_test([*pair, *simulated]) == [pair, simulated]
