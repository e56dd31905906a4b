"""Claims about what rounds can tell: said beforehand, and afterwards of what stayed undecided."""

from __future__ import annotations

import numpy as np
import pytest
from attrs import evolve
from benchmarks.truth.simulated_runs import dataset_of, make_plan

from msgauge.analysis.run import analyse
from msgauge.model import Cell, Launch, LaunchRecord, Notice, Origin, Plan, Samples, Stack, Stopping
from msgauge.results.dataset import Dataset
from msgauge.rounds.resolution import describe_resolutions, find_resolutions, warn_not_begun, warn_undecided
from msgauge.stats.look_schedule import level_after

STACKS = (Stack("a", "1", Origin("builtin")), Stack("b", "1", Origin("builtin")))


def a_plan(cells: int, stacks: int = 2) -> Plan:
    specs = tuple(f"{letter}@1" for letter in "abcdefghijkl"[:stacks])
    return Plan("unit", 1, specs, tuple(Cell(n, "pingpong", 8 << n, 2) for n in range(cells)), (2,), base="a@1")


def resolvable(plan: Plan, rounds: dict[int, int]) -> list[int]:
    return [one.cells for one in find_resolutions(plan, rounds, [plan.stacks])]


def test_cells_with_more_rounds_resolve_smaller_differences() -> None:
    assert resolvable(a_plan(4), {0: 30, 1: 30, 2: 7, 3: 1}) == [2, 3, 3]


def test_more_stacks_leave_less_to_each_pair() -> None:
    assert resolvable(a_plan(12, stacks=2), dict.fromkeys(range(12), 10))[0] == 12
    assert resolvable(a_plan(12, stacks=12), dict.fromkeys(range(12), 10))[0] == 0


@pytest.mark.parametrize(("rounds", "able"), [(4, False), (5, False), (6, True), (7, True)])
def test_so_few_rounds_that_no_difference_is_told_resolve_none(rounds: int, able: bool) -> None:
    plan = evolve(a_plan(2), stopping=Stopping(minimum_rounds=rounds, maximum_rounds=rounds))
    assert (resolvable(plan, {0: rounds, 1: rounds})[-1] == 2) is able


def test_a_look_among_many_needs_more_rounds_than_a_single_one() -> None:
    """The look after seven of thirty rounds has a small level; a cell that is left then keeps what it said."""
    plan = evolve(a_plan(2), stopping=Stopping(minimum_rounds=7, maximum_rounds=30))
    assert level_after(plan.stopping, 7) < 0.5**5
    assert resolvable(plan, {0: 6, 1: 30})[-1] == 1
    assert resolvable(plan, {0: 6, 1: 6})[-1] == 2, "a run that ends then has the levels of all looks to come"


def test_a_single_stack_has_nothing_to_resolve() -> None:
    assert find_resolutions(a_plan(3, stacks=1), {0: 9}, [("a@1",)]) == ()


def test_the_sentence_names_each_step_once() -> None:
    found = find_resolutions(a_plan(4), {0: 30, 1: 30, 2: 7, 3: 1}, [("a@1", "b@1")])
    assert describe_resolutions(found).startswith(
        "can resolve a difference of 5 % in 2 of 4 tests, of 10 % in 3 of 4 tests (if ratios vary by 3 %"
    )
    assert "cannot resolve" in describe_resolutions(find_resolutions(a_plan(1), {0: 1}, [("a@1", "b@1")]))


def a_run(
    scatter: float,
    difference: float,
    rounds: int = 7,
    first: int | None = None,
    *,
    heavy: bool = False,
    slope: float = 0.0,
    seed: int = 4,
    spent: tuple[float, ...] = (),
) -> list[Notice]:
    """Two stacks in two cells, the second of them quiet and plainly different; ``first``: rounds that have cell 0.

    ``heavy``: launches scatter as Student's t with two degrees of freedom does; ``slope``: the second stack's times
    grow by so much from round to round; ``spent``: levels of the reports that the run had before, by one round apart.
    """
    plan, random = a_plan(2), np.random.default_rng(seed)
    if first is not None:
        plan = evolve(plan, stopping=Stopping(minimum_rounds=7, maximum_rounds=rounds))
    if spent:
        looked = tuple(range(rounds - len(spent), rounds))
        limits = Stopping(minimum_rounds=rounds, maximum_rounds=rounds, looked=looked, spent=spent)
        plan = evolve(plan, stopping=limits)
    records, frames = [], []
    for number in range(2 * rounds):
        stack = number % 2
        records.append(LaunchRecord(Launch(number, number // 2, plan.stacks[stack], 2, (0, 1), 1), "ok", seconds=2.0))  # type: ignore[arg-type]
        for cell, noise, apart in ((0, scatter, difference), (1, 1e-4, 0.5)):
            if cell == 0 and number // 2 >= (rounds if first is None else first):
                continue
            level = apart + slope * (number // 2)
            time_ns = 1e7 * np.exp(stack * level + noise * (random.standard_t(2) if heavy else random.normal()))
            values = np.full(20, round(time_ns))
            frames.append(Samples(number, cell, "time", values, 1, "ns", (("kernel", "pingpong"),)))
    dataset = Dataset.of(plan, STACKS, records, frames)
    return warn_undecided(dataset, analyse(dataset, run="unit", stopped="budget"))


def test_what_stayed_undecided_is_told_with_the_rounds_and_the_time_it_takes() -> None:
    (notice,) = a_run(scatter=0.1, difference=0.0, seed=5)
    assert notice.message.startswith("1 of 2 comparisons undecided; to find a difference of 5 % in 1 test takes up to")
    ((what, takes),) = notice.evidence
    assert what == "a difference of 5 % in pingpong, 8 B, 2 ranks"
    assert "more rounds" in takes and "min" in takes
    assert notice.remedy.startswith("add the rounds named (--resume RUN --rounds ")
    assert int(notice.remedy.split("--rounds ")[1].split(")")[0]) > 20, "of all, not of those to come"


def test_what_no_number_of_rounds_decides_is_not_called_small() -> None:
    (notice,) = a_run(scatter=3.0, difference=0.0, seed=5)
    assert notice.message == (
        "1 of 2 comparisons undecided; in 1 test a difference of 5 % would not be found within a thousand rounds."
    )
    assert notice.evidence == (("a difference of 5 % in pingpong, 8 B, 2 ranks", "not within a thousand rounds"),)
    assert notice.remedy.startswith("add more rounds"), "none are named"


def test_where_no_look_is_left_no_rounds_are_advised_but_a_new_run() -> None:
    """After four reports nothing is left to spend: --resume, which was advised, could never tell anything."""
    (notice,) = a_run(scatter=0.1, difference=0.0, rounds=12, seed=5, spent=(0.04, 0.00294, 0.00147, 0.00147))
    assert notice.message == (
        "2 of 2 comparisons undecided; after so many reports of this run only a new one can tell more."
    )
    assert notice.remedy.startswith("measure anew")
    assert notice.code == "spent", "advise proposes to add rounds for those that are undecided"
    assert {takes for _, takes in notice.evidence} == {"only in a new run"}


def test_where_rounds_resemble_those_before_them_nothing_is_told_of_more_of_them() -> None:
    (notice,) = a_run(scatter=0.02, difference=-0.1, rounds=12, slope=0.02)
    assert notice.message == (
        "1 of 2 comparisons undecided; in 1 test rounds are too uneven, or too few, to tell what would have been found."
    )


@pytest.mark.parametrize("scatter", [0.005])
def test_a_run_that_decided_everything_says_nothing(scatter: float) -> None:
    assert a_run(scatter, difference=0.3) == []


def test_a_test_that_was_in_no_launch_is_named() -> None:
    plan = a_plan(3)
    launches = [Launch(number, 0, f"{letter}@1", 2, (0, 2), number) for number, letter in enumerate("ab")]
    dataset = Dataset.of(plan, STACKS, [LaunchRecord(launch, "ok") for launch in launches], ())  # type: ignore[arg-type]
    (notice,) = warn_not_begun(dataset)
    assert (notice.code, notice.evidence) == ("not-begun", (("pingpong, 16 B, 2 ranks", "not begun"),))
    assert "1 of 3 tests" in notice.message
    assert warn_not_begun(Dataset(plan, STACKS)) == [], "a run that was interrupted at once says that already"


def test_too_few_rounds_for_any_difference_are_said_to_be() -> None:
    (notice,) = a_run(scatter=0.005, difference=3.0, rounds=5)
    assert notice.message.startswith(
        "2 of 2 comparisons undecided; all have fewer than 6 rounds, in which no difference is told, however large (of "
        "two equal stacks one wins all 5 of 5 rounds in 1 of 16 cases); "
    )
    assert a_run(scatter=0.005, difference=3.0, rounds=6) == []


def test_a_cell_that_was_left_early_is_judged_as_the_look_after_it_was() -> None:
    """Six of thirty rounds: at the level of that look they find nothing; at the end's they would."""
    (notice,) = a_run(scatter=0.005, difference=0.0, rounds=30, first=6)
    assert "takes up to" in notice.message
    assert "would have been found" not in notice.message


@pytest.mark.parametrize("seed", range(4))
def test_one_accident_is_no_reason_to_say_that_nothing_would_be_found(seed: int) -> None:
    """One launch three times as slow in twelve rounds, which the test leaves out."""
    logs = np.random.default_rng(seed).normal(0, 0.02, (2, 6, 12))
    logs[1, :, 4] += np.log(3)
    dataset = dataset_of(make_plan(2, 6, Stopping(minimum_rounds=12, maximum_rounds=12)), 1000 * np.exp(logs))
    (notice,) = warn_undecided(dataset, analyse(dataset, run="", stopped="rounds"))
    assert "rounds are too uneven" in notice.message
    assert "would not be found" not in notice.message and "more round" not in notice.message
    assert notice.remedy.startswith("add more rounds")


def count_told(scatter: float, *, heavy: bool) -> tuple[int, int]:
    """In how many of 30 runs of 30 rounds something is undecided, and is told that 5 % would have been found."""
    runs = [a_run(scatter, 0.01, 30, heavy=heavy, seed=seed) for seed in range(30)]
    said = [notice.message for notices in runs for notice in notices]
    return len(said), sum("would have been found in four of five runs" in one for one in said)


def test_of_even_rounds_it_is_told_what_they_would_have_found() -> None:
    undecided, told = count_told(0.03, heavy=False)
    assert undecided >= 15 and told >= 0.7 * undecided


def test_of_uneven_rounds_it_is_not_told_what_they_would_have_found() -> None:
    """Whether a run shows its far rounds is luck: without a look at the gaps it was told in 14 of 19 undecided runs."""
    undecided, told = count_told(0.015, heavy=True)
    assert undecided >= 10 and told <= 1
