"""Claims about the rounds of a run: what is settled is left alone, and a resumed run goes on with the same launches."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np
import pytest
from attrs import evolve

from msgauge.analysis.run import analyse_round
from msgauge.model import Cell, CellKey, ClaimCells, Launch, LaunchRecord, Origin, Plan, Samples, Stack, Stopping
from msgauge.papers.claim_progress import OpenCases
from msgauge.plan import launches_of_round
from msgauge.results.dataset import Dataset
from msgauge.results.run_folder import RunFolder
from msgauge.rounds import schedule
from msgauge.rounds.allocation import CellState, ClaimUnits
from msgauge.rounds.schedule import Schedule

STACKS = (Stack("a", "1", Origin("builtin")), Stack("b", "1", Origin("builtin")))
COST_S = {0: 0.02, 1: 0.02, 2: 8.0}
NOISE = {0: 0.001, 1: 1.0, 2: 0.001}
"""Scatter of launches by cell: the second one is never settled."""
START_S = 0.5
BEGIN = datetime(2026, 1, 1, tzinfo=UTC)
PLAN = Plan(
    "unit",
    1,
    ("a@1", "b@1"),
    tuple(Cell(number, "pingpong", 8 << number, 2) for number in COST_S),
    (2,),
    stopping=Stopping(budget_s=200.0, minimum_rounds=7, maximum_rounds=20),
    base="a@1",
)


@contextmanager
def a_folder(place: Path, plan: Plan = PLAN) -> Iterator[RunFolder]:
    with RunFolder.create(place, "", plan, {}, STACKS) as folder:
        yield folder


def perform(folder: RunFolder, launch: Launch) -> None:
    """A launch in simulated time; what it measures depends on its number alone."""
    random = np.random.default_rng(launch.number)
    before_s = sum(record.seconds for record in folder.dataset.records)
    frames = []
    for cell in launch.cells:
        level = 1000 * (1.5 if launch.stack == "b@1" else 1.0) * np.exp(random.normal(0, NOISE[cell]))
        batches = np.full(20, round(1e9 * COST_S[cell] / 20 / 1.6))
        words = (("kernel", "pingpong"), ("mode", "batch"))
        frames.append(Samples(launch.number, cell, "time", batches, int(batches[0] / level), "ns", words))
    seconds = START_S + sum(COST_S[cell] for cell in launch.cells)
    started = (BEGIN + timedelta(seconds=before_s)).isoformat(timespec="milliseconds")
    folder.dataset.add(LaunchRecord(launch, "ok", started=started, seconds=seconds), frames)  # type: ignore[arg-type]


def carry_out(folder: RunFolder, schedule: Schedule, rounds: range, each: int = 2) -> list[Launch]:
    """What a campaign does, in simulated time: every launch from the first of these rounds to the end of the run."""
    done, analysis = [], None
    for round in rounds:
        for launch in launches_of_round(folder.plan, round, each * round, schedule.cells_of(round)):
            if launch.number not in folder.dataset:
                perform(folder, launch)
            done.append(launch)
        analysis = analyse_round(folder.dataset, (), analysis)
        schedule.take_look(round + 1, analysis)
        if not schedule.cells_of(round + 1):
            break
    return done


def rounds_of(launches: list[Launch]) -> Counter[int]:
    return Counter(cell for cell, _ in {(cell, launch.round) for launch in launches for cell in launch.cells})


def test_time_goes_where_it_decides(tmp_path: Path) -> None:
    with a_folder(tmp_path) as folder:
        launches = carry_out(folder, Schedule(folder, 2), range(20))
    assert rounds_of(launches) == {0: 7, 1: 20, 2: 8}
    assert all(2 not in launch.cells for launch in launches if 1 <= launch.round < 7)


def test_stacks_that_share_a_cell_run_it_in_the_same_rounds(tmp_path: Path) -> None:
    with a_folder(tmp_path) as folder:
        launches = carry_out(folder, Schedule(folder, 2), range(20))
    held = {stack: {(x.round, cell) for x in launches if x.stack == stack for cell in x.cells} for stack in PLAN.stacks}
    assert held["a@1"] == held["b@1"]


def test_a_run_resumed_anywhere_goes_on_with_the_launches_of_an_undisturbed_one(tmp_path: Path) -> None:
    with a_folder(tmp_path / "whole") as folder:
        whole = carry_out(folder, Schedule(folder, 2), range(20))
    for kept in range(1, len(whole), 3):
        with a_folder(tmp_path / str(kept)) as folder:
            for launch in whole[:kept]:
                perform(folder, launch)
            resumed = carry_out(folder, Schedule(folder, 2), range(whole[kept - 1].round, 20))
        assert resumed == [launch for launch in whole if launch.round >= whole[kept - 1].round]


def test_a_cell_that_no_stack_can_start_any_more_waits_for_nothing(tmp_path: Path) -> None:
    plan = evolve(PLAN, cells=(*PLAN.cells[:2], Cell(2, "pingpong", 32, 4)), rank_counts=(2, 4))
    with a_folder(tmp_path, plan) as folder:
        for number in range(4):
            launch = Launch(number, number // 2, PLAN.stacks[number % 2], 4, (2,), 1)
            folder.dataset.add(LaunchRecord(launch, "failed", seconds=1.0), ())  # type: ignore[arg-type]
        assert {key.cell for key in Schedule(folder, 2).cells_of(2)} == {0, 1}


def test_with_every_cell_asked_for_nothing_is_left_alone(tmp_path: Path) -> None:
    plan = evolve(PLAN, stopping=evolve(PLAN.stopping, every_cell=True))
    with a_folder(tmp_path, plan) as folder:
        launches = carry_out(folder, Schedule(folder, 2), range(20))
    assert rounds_of(launches) == {0: 11, 1: 11, 2: 11}


def test_the_next_round_never_costs_more_than_is_left(tmp_path: Path) -> None:
    plan = evolve(PLAN, stopping=evolve(PLAN.stopping, budget_s=60.0))
    with a_folder(tmp_path, plan) as folder:
        launches = carry_out(folder, Schedule(folder, 2), range(20))
        assert sum(record.seconds for record in folder.dataset.records) <= 60.0
    assert rounds_of(launches)[2] in (1, 2, 3)
    assert rounds_of(launches)[0] >= 7


def test_what_a_run_can_tell_is_said_before_it_begins_and_grows_with_its_budget(tmp_path: Path) -> None:
    said = []
    for budget_s in (6.0, 1000.0):
        plan = evolve(PLAN, stopping=evolve(PLAN.stopping, budget_s=budget_s))
        with a_folder(tmp_path / str(budget_s), plan) as folder:
            said.append(Schedule(folder, 2).describe_prospects(0))
    assert all(one.endswith("(if ratios vary by 3 % between rounds)") for one in said)
    assert said[0] != said[1] and said[1].startswith("can resolve a difference of 5 % in 3 of 3 tests")


def test_a_run_in_simulated_time_has_no_scatter_to_speak_of(tmp_path: Path) -> None:
    stacks = tuple(evolve(stack, simulated=True) for stack in STACKS)
    with RunFolder.create(tmp_path, "", PLAN, {}, stacks) as folder:
        assert Schedule(folder, 2).describe_prospects(0) == ""


C = Stack("c", "1", Origin("builtin"))
PAPER = evolve(
    PLAN,
    stacks=(*PLAN.stacks, C.spec),
    claims=(ClaimCells(((CellKey("a@1", 2), CellKey("b@1", 2)),), 1),),
    stopping=evolve(PLAN.stopping, budget_s=150.0),
)
"""A claim sets two of three stacks against each other in the dear cell."""


def carry_out_paper(place: Path, kept: list[Launch] | None = None) -> list[Launch]:
    """All of a paper's launches; from the round of the last of those that were ``kept`` on where there are any."""
    with RunFolder.create(place, "", PAPER, {}, (*STACKS, C)) as folder:
        for launch in kept or []:
            perform(folder, launch)
        return carry_out(folder, Schedule(folder, 2), range(kept[-1].round if kept else 0, 20), each=3)


def test_a_paper_says_how_many_of_its_claims_get_to_five_rounds(tmp_path: Path) -> None:
    for budget_s, able in ((150.0, 1), (1.0, 0)):
        plan = evolve(PAPER, stopping=evolve(PAPER.stopping, budget_s=budget_s))
        with RunFolder.create(tmp_path / str(able), "", plan, {}, (*STACKS, C)) as folder:
            said = Schedule(folder, 2).describe_prospects(0)
        assert said == f"can bring {able} of 1 claim to 5 rounds, the fewest that decide one"
        asked = evolve(plan, claims=(*plan.claims, evolve(plan.claims[0], question=True)))
        with RunFolder.create(tmp_path / f"{able}-asked", "", asked, {}, (*STACKS, C)) as folder:
            said = Schedule(folder, 2).describe_prospects(0)
        assert said.startswith(f"can bring {able} of 1 claim and {able} of 1 question to 5 rounds")


def test_a_claim_has_its_own_stacks_in_its_rounds_and_no_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(schedule, "find_open_claims", lambda *_: {})
    launches = carry_out_paper(tmp_path)
    rounds = {stack: {one.round for one in launches if one.stack == stack and 2 in one.cells} for stack in PAPER.stacks}
    assert rounds["a@1"] == rounds["b@1"] == set(range(7)), "the same rounds, as many as a look needs"
    assert rounds["c@1"] == {0}, "where the budget has room for two stacks in seven rounds, and not for three"


@pytest.mark.parametrize(("open_until", "rounds"), [(99, 20), (10, 14), (0, 7)])
def test_what_a_claim_needs_goes_on_until_it_is_decided(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, open_until: int, rounds: int
) -> None:
    looked: list[int] = []

    def find_open(_: RunFolder, dataset: Dataset) -> dict[int, OpenCases]:
        looked.append(dataset.rounds)
        return {0: frozenset(map(frozenset, claim.needs))} if dataset.rounds <= open_until else {}

    monkeypatch.setattr(schedule, "find_open_claims", find_open)
    claim = ClaimCells(((CellKey("a@1", 0), CellKey("b@1", 0)),), 1)
    with RunFolder.create(tmp_path, "", evolve(PAPER, claims=(claim,)), {}, (*STACKS, C)) as folder:
        launches = carry_out(folder, Schedule(folder, 2), range(20), each=3)
    held = {stack: {one.round for one in launches if one.stack == stack and 0 in one.cells} for stack in PAPER.stacks}
    assert held["a@1"] == held["b@1"] == set(range(rounds)), "the comparisons of the cell are settled after seven"
    assert len(held["c@1"]) <= 7
    assert looked == [7, 10, 14, 20], "claims are asked at looks alone"


def test_of_an_open_claim_the_cases_that_are_clear_get_no_more_rounds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Even while the claim has cases that have not been brought to a look."""
    first, second, dear = ((CellKey("a@1", cell), CellKey("b@1", cell)) for cell in (0, 1, 2))
    monkeypatch.setattr(schedule, "find_open_claims", lambda *_: {0: frozenset(map(frozenset, (second, dear)))})
    claim = ClaimCells((first, second, dear), 3)
    stopping = evolve(PAPER.stopping, budget_s=110.0)
    with RunFolder.create(tmp_path, "", evolve(PAPER, claims=(claim,), stopping=stopping), {}, (*STACKS, C)) as folder:
        rounds = rounds_of(carry_out(folder, Schedule(folder, 2), range(20), each=3))
    assert rounds == {0: 7, 1: 20, 2: 5}


def test_a_claim_with_fewer_rounds_than_a_look_needs_is_open() -> None:
    claim, begun = ClaimUnits(((1, 2), (3,)), 1), CellState(frozenset(), 5, 1.0)
    seven = evolve(begun, rounds=7)
    assert claim.has_enough({1: seven, 2: seven, 3: begun}, 7)
    assert not claim.has_enough({1: seven, 2: evolve(begun, rounds=6), 3: begun}, 7)
    assert not evolve(claim, enough=2).has_enough({1: seven, 2: seven, 3: begun}, 7)


def test_a_paper_resumed_anywhere_goes_on_with_the_launches_of_an_undisturbed_one(tmp_path: Path) -> None:
    whole = carry_out_paper(tmp_path / "whole")
    for kept in range(1, len(whole), 4):
        resumed = carry_out_paper(tmp_path / str(kept), whole[:kept])
        assert resumed == [launch for launch in whole if launch.round >= whole[kept - 1].round]
