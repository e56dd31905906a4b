"""Which rounds of a resumed run are measured anew, and what is put aside for it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import UTC, datetime, timedelta

import pytest
from attrs import evolve

from msgauge.model import Cell, Launch, LaunchRecord, LaunchStatus, Origin, Plan, Stack
from msgauge.plan import launches_of_round
from msgauge.results.dataset import Dataset
from msgauge.rounds.torn_rounds import LONGEST_PAUSE_S, TornRounds, find_torn_rounds

BEGIN = datetime(2026, 1, 1, tzinfo=UTC)
STACKS = (Stack("a", "1", Origin("builtin")), Stack("b", "1", Origin("builtin")))
SIMULATED = tuple(Stack(name, "1", Origin("builtin"), simulated=True) for name in "cd")
PLAN = Plan("unit", 1, ("a@1", "b@1", "c@1", "d@1"), (Cell(0, "pingpong", 8, 2),), (2,), base="a@1")
ROUNDS = 4
EVERY = [launch for round in range(ROUNDS) for launch in launches_of_round(PLAN, round, 4 * round)]
SOON_S = BEGIN.timestamp() + len(EVERY) + 1


def find(lacking: Collection[int], *, gone: Collection[int] = (), now_s: float = SOON_S) -> TornRounds:
    """Of a run of four rounds, a launch a second, that lacks some."""
    dataset = Dataset(PLAN, (*STACKS, *SIMULATED))
    for launch in EVERY:
        if launch.number not in lacking:
            started = (BEGIN + timedelta(seconds=launch.number)).isoformat()
            dataset.add(LaunchRecord(launch, LaunchStatus.OK, started=started, seconds=1.0), ())

    def lacking_of(round: int) -> Sequence[Launch]:
        return [launch for launch in EVERY if launch.round == round and launch.number in lacking]

    return find_torn_rounds(dataset, range(dataset.latest_round + 1), lacking_of, gone, now_s)


def others(launch: Launch) -> tuple[int, ...]:
    """The launches that are compared with this one."""
    kind = {"a@1", "b@1"} if launch.stack in ("a@1", "b@1") else {"c@1", "d@1"}
    return tuple(one.number for one in EVERY if one.round == launch.round and one.stack in kind - {launch.stack})


def test_a_whole_run_is_not_torn_however_old_it_is() -> None:
    assert find((), now_s=SOON_S + 1e7) == TornRounds()


@pytest.mark.parametrize("number", range(4))
def test_an_old_round_is_measured_anew_but_for_those_who_are_not_compared(number: int) -> None:
    assert find({number}) == TornRounds(frozenset({0}), others(EVERY[number]))


def test_a_round_of_which_nothing_is_left_has_nothing_to_put_aside() -> None:
    assert find(range(4, 8)) == TornRounds(frozenset({1}), ())


@pytest.mark.parametrize(("later_s", "torn"), [(LONGEST_PAUSE_S - 2, False), (LONGEST_PAUSE_S + 2, True)])
def test_the_round_under_way_waits_for_so_long(later_s: float, torn: bool) -> None:
    last = EVERY[-1]
    found = find({last.number}, now_s=BEGIN.timestamp() + last.number + later_s)
    assert found == (TornRounds(frozenset({3}), others(last)) if torn else TornRounds())


def test_a_round_that_had_been_whole_is_not_under_way() -> None:
    last = EVERY[-1]
    assert find({last.number}, gone={last.number}) == TornRounds(frozenset({3}), others(last))


def test_launches_whose_time_is_not_known_are_of_another_time() -> None:
    dataset = Dataset(evolve(PLAN, stacks=("a@1", "b@1")), STACKS)
    first, second = (one for one in EVERY[:4] if one.stack in ("a@1", "b@1"))
    dataset.add(LaunchRecord(first, LaunchStatus.OK), ())
    assert find_torn_rounds(dataset, [0], lambda _: [second], (), SOON_S).launches == (first.number,)
