"""Claims about the remark that a plan holds more tests than its budget decides."""

from __future__ import annotations

import re

from attrs import evolve

from msgauge.model import Cell, Plan, Refusal, Stopping
from msgauge.rounds.excess import Surroundings, describe_excess
from msgauge.rounds.forecast import forecast_rounds
from msgauge.units import parse_duration_s

HERE = Surroundings(frozenset(), 2)


def a_plan(cells: int, budget_s: float) -> Plan:
    stacks = ("a@1", "b@1")
    sizes = tuple(Cell(number, "pingpong", 8 << number, 2) for number in range(cells))
    return Plan("unit", 1, stacks, sizes, (2,), base="a@1", stopping=Stopping(budget_s=budget_s, cell_budget_s=0.5))


def test_a_budget_that_holds_all_tests_is_not_remarked_on() -> None:
    assert describe_excess(a_plan(2, 600.0), HERE, "") == ""


def test_a_budget_that_is_too_small_is_told_with_one_that_fits() -> None:
    said = describe_excess(a_plan(40, 30.0), HERE, "")
    assert said.startswith("40 tests × 2 stacks want ") and said.endswith("min fits")
    assert re.search(r"within 30 s, \d+ of them", said), "a number behind a duration would read as its seconds"
    minutes = int(said.removesuffix("min fits").rpartition(" ")[2])
    assert describe_excess(a_plan(40, 60.0 * minutes), HERE, "") == ""


def test_a_stack_alone_lacks_no_rounds_for_a_verdict() -> None:
    assert describe_excess(evolve(a_plan(40, 30.0), stacks=("a@1",)), HERE, "") == ""


def test_a_range_of_sizes_is_thinned_until_it_fits() -> None:
    said = describe_excess(a_plan(20, 60.0), HERE, "8B..4MiB")
    assert "--sizes '8B..4MiB x" in said


def test_what_all_stacks_refuse_is_not_what_the_budget_lacks() -> None:
    plan = a_plan(2, 600.0)
    refused = evolve(plan, refusals=tuple(Refusal(stack, 1, "too large") for stack in plan.stacks))
    assert describe_excess(refused, HERE, "") == ""
    short = evolve(a_plan(40, 30.0), refusals=tuple(Refusal(stack, 1, "too large") for stack in plan.stacks))
    assert describe_excess(short, HERE, "").startswith("39 tests × 2 stacks want ")


def test_a_budget_that_the_environment_forbids_is_not_said_to_fit_without_a_word() -> None:
    said = describe_excess(a_plan(40, 30.0), evolve(HERE, most_s=30.0), "")
    assert said.endswith("min fits once MSGAUGE_BUDGET_S allows it")


def test_rounds_are_those_that_show_a_difference_and_not_the_fewest_of_a_run() -> None:
    """Of two stacks 5 rounds of 5 are won by one in 1 case of 16: nothing is told below six."""
    plan = a_plan(1, 600.0)
    enough = forecast_rounds(plan, frozenset(), 2).rounds[0]
    for seconds in range(1, 60):
        short = evolve(plan, stopping=evolve(plan.stopping, budget_s=float(seconds)))
        rounds = forecast_rounds(short, frozenset(), 2).rounds.get(0, 0)
        assert bool(describe_excess(short, HERE, "")) == (rounds < 6), (seconds, rounds)
    assert enough >= 6


def test_tests_that_one_stack_runs_alone_lack_no_rounds_for_a_verdict() -> None:
    plan = a_plan(40, 30.0)
    alone = evolve(plan, refusals=tuple(Refusal("b@1", number, "too large") for number in range(1, 40)))
    assert describe_excess(alone, HERE, "") == ""


def test_nothing_is_said_of_budgets_where_no_budget_helps() -> None:
    plan = a_plan(4, 5.0)
    assert describe_excess(plan, HERE, "")
    few = evolve(plan, stopping=evolve(plan.stopping, minimum_rounds=2, maximum_rounds=2))
    assert describe_excess(few, HERE, "") == ""
    assert describe_excess(plan, evolve(HERE, simulated=frozenset({"b@1"})), "") == ""


def test_a_budget_that_would_hold_the_rounds_is_not_said_to_be_less_than_them() -> None:
    said = [describe_excess(a_plan(cells, float(s)), HERE, "") for cells in (1, 3, 9) for s in range(2, 90, 3)]
    assert any(" want " in one for one in said) and any("would get fewer than" in one for one in said)
    for one in filter(None, said):
        if wanted := re.search(r"want (.*?) for .*?; within (.*?), ", one):
            longer, shorter = (
                sum(map(parse_duration_s, re.findall(r"[\d.]+ (?:h|min|s)\b", text))) for text in wanted.groups()
            )
            assert longer >= shorter, one
