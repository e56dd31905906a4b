"""Claims about plans that were damaged or edited: what makes no sense is refused as that, where the plan is read."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve

from msgauge.errors import StoreError
from msgauge.model import (
    Cell,
    CellKey,
    ClaimCells,
    Kernel,
    Option,
    Origin,
    Plan,
    PluginFacts,
    Refusal,
    Stack,
    Stopping,
    serialization,
)
from msgauge.results.plan_check import check_options, find_mistakes, find_unknown_options
from msgauge.results.run_folder import RunFolder

CELLS = (Cell(0, "prtt", 8, 2, (("n", "4"),)), Cell(1, "pingpong", 64, 2), Cell(2, "pingpong", 64, 2, mode="single"))
PLAN = Plan("quick", 7, ("a@1", "b@1"), CELLS, (2,), refusals=(Refusal("a@1", 2, "cannot"),))
FACTS = PluginFacts(
    (Kernel("prtt", "", "", "", options=(Option("n", ("1", "4")),)), Kernel("pingpong", "Ping-pong", "", ""))
)


def test_a_plan_that_makes_sense_has_no_mistake() -> None:
    resumed = Stopping(looked=(7, 10), spent=(0.01, 0.01), shown=(0.002, 0.002), ends=1)
    for plan in (PLAN, evolve(PLAN, stopping=resumed), evolve(PLAN, base="b@1")):
        assert find_mistakes(plan) == []
        assert find_unknown_options(plan, FACTS) == []
    assert find_unknown_options(PLAN, PluginFacts()) == []


@pytest.mark.parametrize(
    ("plan", "says"),
    [
        (evolve(PLAN, stacks=("a@1", "a@1")), "the stack 'a@1' is there 2 times"),
        (evolve(PLAN, cells=(*CELLS, Cell(0, "bcast", 8, 2))), "number of a test 0"),
        (evolve(PLAN, cells=(*CELLS, evolve(CELLS[1], id=9))), "'pingpong'"),
        (evolve(PLAN, rank_counts=(2, 2)), "number of ranks 2"),
        (evolve(PLAN, cells=(*CELLS, Cell(9, "bcast", 10**30, 2))), "messages of"),
        (evolve(PLAN, cells=(*CELLS, Cell(9, "bcast", -1, 2))), "messages of -1 bytes"),
        (evolve(PLAN, cells=(*CELLS, Cell(9, "bcast", 8, 10**30)), rank_counts=(2, 10**30)), "ranks"),
        (evolve(PLAN, cells=(*CELLS, Cell(9, "bcast", 8, 3))), "3 ranks, which no launch has"),
        (evolve(PLAN, cells=(*CELLS, Cell(-1, "bcast", 8, 2))), "test -1 has no number"),
        (evolve(PLAN, cells=(Cell(0, "prtt", 8, 2, (("n", "4"), ("n", "1"))),), refusals=()), "option of test 0 'n'"),
        (evolve(PLAN, base="c@1"), "no stack 'c@1' to compare with"),
        (evolve(PLAN, refusals=(Refusal("c@1", 0, ""),)), "no test 0 of a stack 'c@1'"),
        (evolve(PLAN, left_out=(CellKey("a@1", 9),)), "no test 9 of a stack 'a@1'"),
        (evolve(PLAN, claims=(ClaimCells(((CellKey("a@1", 9),),)),)), "no test 9 of a stack 'a@1'"),
        (evolve(PLAN, stopping=Stopping(minimum_rounds=9, maximum_rounds=8)), "9 to 8 rounds"),
        (evolve(PLAN, stopping=Stopping(maximum_rounds=10**12)), "rounds"),
        (evolve(PLAN, stopping=Stopping(budget_s=float("nan"))), "budget_s is nan"),
        (evolve(PLAN, stopping=Stopping(looked=(0,), spent=(0.1,))), "drawn up after 0 rounds"),
        (evolve(PLAN, stopping=Stopping(looked=(7,))), "not every look"),
        (evolve(PLAN, stopping=Stopping(looked=(7,), spent=(1.0,))), "a level of 1"),
    ],
)
def test_what_makes_no_sense_is_told(plan: Plan, says: str) -> None:
    assert any(says in mistake for mistake in find_mistakes(plan)), find_mistakes(plan)


@pytest.mark.parametrize(
    ("cell", "says"),
    [
        (Cell(0, "prtt", 8, 2, (("n", "abc"),)), "prtt has no option n = 'abc'"),
        (Cell(0, "prtt", 8, 2, (("m", "4"),)), "prtt has no option m = '4'"),
        (Cell(0, "abc", 8, 2), "no kernel 'abc'"),
    ],
)
def test_options_that_the_facts_of_the_run_do_not_state_are_told(cell: Cell, says: str) -> None:
    (mistake,) = find_unknown_options(evolve(PLAN, cells=(cell,)), FACTS)
    assert says in mistake


@pytest.mark.parametrize("said", ["", "bytes *", "x\x00", "\ud800", "size", "-" * 300 + "1", "1" + "0" * 400])
def test_arithmetic_of_a_kernel_that_cannot_be_read_is_told(said: str) -> None:
    facts = evolve(FACTS, kernels=(evolve(FACTS.kernels[0], bytes_moved=said), FACTS.kernels[1]))
    with pytest.raises(StoreError, match="bytes_moved of prtt is no arithmetic"):
        check_options(PLAN, facts, "here")


def _double_stack(plan: dict[str, Any]) -> None:
    plan["stacks"] = ["a@1", "a@1"]


def _enlarge(plan: dict[str, Any]) -> None:
    plan["cells"][0]["size_bytes"] = 10**30


def _make_endless(plan: dict[str, Any]) -> None:
    plan["stopping"]["budget_s"] = float("inf")


def _misname_option(plan: dict[str, Any]) -> None:
    plan["cells"][0]["options"] = [["n", "abc"]]


@pytest.mark.parametrize("edit", [_double_stack, _enlarge, _make_endless, _misname_option])
def test_it_is_refused_with_its_place_and_a_remedy(tmp_path: Path, edit: Callable[[dict[str, Any]], None]) -> None:
    stacks = [Stack(name, "1", Origin("system")) for name in "ab"]
    with RunFolder.create(tmp_path, "", PLAN, {}, stacks, facts=FACTS) as folder:
        path = folder.path / "plan.json"
    assert RunFolder.open(path.parent).facts == FACTS
    document = json.loads(path.read_text())
    edit(document["value"])
    path.write_text(json.dumps(document))
    with pytest.raises(StoreError) as caught:
        _ = RunFolder.open(path.parent).facts
    assert caught.value.where == str(path)
    assert caught.value.remedy == serialization.REMEDY
