"""Claims about what rounds are made of: whole cells, and in a paper cells with the stacks that a claim speaks of."""

from __future__ import annotations

from itertools import product

import pytest
from attrs import evolve

from msgauge.model import Cell, CellKey, ClaimCells, Plan
from msgauge.rounds.allocation import ClaimUnits
from msgauge.rounds.round_units import Prices, make_units

STACKS = ("a@1", "b@1", "c@1")
RANKS = {0: 2, 1: 2, 2: 50}
PLAN = Plan("unit", 1, STACKS, tuple(Cell(n, "pingpong", 8 << n, ranks) for n, ranks in RANKS.items()), (2, 50))
KEYS = frozenset(CellKey(stack, cell) for stack, cell in product(STACKS, RANKS))
PRICES = Prices(
    {key: 0.1 if key.stack == "a@1" else 0.2 for key in KEYS},
    {(stack, ranks): 1.0 * ranks for stack, ranks in product(STACKS, (2, 50))},
)


def keys(cell: int, *stacks: str) -> frozenset[CellKey]:
    return frozenset(CellKey(f"{stack}@1", cell) for stack in stacks)


def with_claims(*claims: ClaimCells) -> Plan:
    return evolve(PLAN, claims=claims)


def claim(*needs: frozenset[CellKey], enough: int = 1) -> ClaimCells:
    return ClaimCells(tuple(tuple(sorted(case)) for case in needs), enough)


def test_without_claims_a_unit_is_a_cell_with_all_its_stacks_which_start_together() -> None:
    units = make_units(PLAN, KEYS)
    assert units.keys == {cell: keys(cell, "a", "b", "c") for cell in RANKS}
    states, start_s = units.price(PRICES, {0: 3})
    assert start_s == {("", 2): 6.0, ("", 50): 150.0}
    assert [(one.rounds, round(one.cost_s, 6), one.part) for one in states.values()] == [
        (3, 0.5, False),
        (0, 0.5, False),
        (0, 0.5, False),
    ]


def test_a_claim_takes_its_stacks_out_of_a_cell_and_the_whole_cell_runs_them_too() -> None:
    units = make_units(with_claims(claim(keys(2, "a", "b")), claim(keys(2, "a"))), KEYS)
    states, start_s = units.price(PRICES, {})
    pair, single = (units.claims[at].cases[0][0] for at in (0, 1))
    assert units.keys[pair] == keys(2, "a", "b")
    assert units.keys[single] == keys(2, "a")
    assert states[pair].starts == {("a@1", 50), ("b@1", 50)}
    assert start_s["c@1", 50] == 50.0
    assert (states[2].holds, states[pair].holds, states[single].holds) == ({pair, single}, {single}, frozenset())
    assert (states[2].part, states[pair].part) == (False, True)
    assert units.keys_of([pair, single]) == keys(2, "a", "b")


def test_a_claim_about_every_stack_of_a_cell_needs_no_unit_of_its_own() -> None:
    units = make_units(with_claims(claim(keys(0, "a", "b", "c"))), KEYS)
    assert units.claims == (ClaimUnits(((0,),), 1),)
    assert len(units.keys) == 3


def test_a_case_over_two_cells_has_a_unit_in_each() -> None:
    units = make_units(with_claims(claim(keys(0, "a") | keys(1, "a"))), KEYS)
    ((case,),) = (one.cases for one in units.claims)
    assert [units.keys[number] for number in case] == [keys(0, "a"), keys(1, "a")]


def test_a_stack_that_was_given_up_takes_its_cases_along_and_claims_that_cannot_be_decided_without_them() -> None:
    left = frozenset(key for key in KEYS if key.stack != "b@1")
    both = with_claims(claim(keys(0, "a", "b"), keys(0, "a", "c")), claim(keys(1, "b"), keys(1, "c"), enough=2))
    units = make_units(both, left)
    (one,) = units.claims
    assert [units.keys[number] for case in one.cases for number in case] == [keys(0, "a", "c")]


def test_a_round_pays_for_each_launch_once() -> None:
    assert PRICES.round_s(keys(0, "a", "b") | keys(1, "a"), RANKS) == pytest.approx(4.4)
