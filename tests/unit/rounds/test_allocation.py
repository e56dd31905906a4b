"""Claims about which cells take part in a round: cheap ones early, dear ones as far as their look, settled ones not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st

from msgauge.rounds.allocation import CellState, Situation, choose_cells, forecast, round_s

LOOKS = (7, 10, 14, 20)


def cells(*costs_s: float, rounds: int = 1) -> dict[int, CellState]:
    return {number: CellState(2, rounds, cost) for number, cost in enumerate(costs_s)}


def situation(left_s: float, *, rounds: int = 1, start_s: float = 1.0, looks: Sequence[int] = LOOKS) -> Situation:
    return Situation(rounds, left_s, {2: start_s}, tuple(looks))


def simulate(
    states: Mapping[int, CellState], now: Situation, settled_at: Mapping[int, int]
) -> tuple[Counter[int], float, list[frozenset[int]]]:
    """A run in which cell by cell the look after so many of its rounds settles it: rounds of each, seconds, rounds."""
    here, done, held = dict(states), set[int](), []
    while now.rounds < now.looks[-1]:
        chosen = choose_cells({cell: state for cell, state in here.items() if cell not in done}, now)
        seconds = round_s((here[cell] for cell in chosen), now.start_s)
        if not chosen or (now.rounds and seconds > now.left_s):
            break
        here |= {cell: evolve(here[cell], rounds=here[cell].rounds + 1) for cell in chosen}
        now = evolve(now, rounds=now.rounds + 1, left_s=now.left_s - seconds)
        held.append(chosen)
        if now.rounds in now.looks:
            done |= {cell for cell, state in here.items() if state.rounds >= settled_at.get(cell, 10**6)}
    return Counter({cell: state.rounds for cell, state in here.items()}), now.left_s, held


def test_the_first_round_holds_every_cell_that_is_seen_once_for_little() -> None:
    """The dear one is expected to get to no look, in either run; once takes a fourteenth of the time, or half of it."""
    assert choose_cells(cells(*[1.0] * 8, 6.0, rounds=0), situation(100, rounds=0)) == set(range(9))
    assert choose_cells(cells(0.1, 5.0, rounds=0), situation(10, rounds=0)) == {0}


def test_the_first_round_holds_everything_where_nothing_gets_to_a_look() -> None:
    assert choose_cells(cells(5.0, 9.0, rounds=0), situation(10, rounds=0)) == {0, 1}


def test_with_time_enough_every_round_holds_every_open_cell() -> None:
    rounds, _, held = simulate(cells(0.1, 2.0, 3.0, rounds=0), situation(1e6, rounds=0, looks=(7,)), {})
    assert set(rounds.values()) == {7}
    assert all(len(chosen) == 3 for chosen in held)


def test_cheap_cells_reach_their_look_before_a_dear_one_goes_on() -> None:
    states = cells(0.1, 0.1, 0.2, 40.0)
    rounds, _, held = simulate(states, situation(400.0), dict.fromkeys(range(4), 7))
    assert held[:6] == [frozenset({0, 1, 2})] * 6
    assert rounds == {0: 7, 1: 7, 2: 7, 3: 8}, "the look of the run after its 14th round is the first that sees it"
    assert held[6:] == [frozenset({3})] * 7


def test_what_is_settled_is_left_alone_and_what_is_open_goes_on() -> None:
    rounds, _, _ = simulate(cells(0.1, 0.1, 0.1), situation(1e3), {0: 7, 1: 10})
    assert rounds == {0: 7, 1: 10, 2: 20}


def test_a_cell_that_cannot_reach_its_look_takes_no_time_from_those_that_can() -> None:
    rounds, left_s, _ = simulate(cells(0.1, 0.1, 200.0), situation(60.0), {0: 7, 1: 10})
    assert rounds == {0: 7, 1: 10, 2: 1}
    assert left_s > 40


def test_a_look_that_nothing_can_reach_leaves_the_rounds_that_fit() -> None:
    rounds, left_s, _ = simulate(cells(1.0, 2.0), situation(11.0), {})
    assert rounds == {0: 4, 1: 3}
    assert 0 <= left_s < 2.0


def test_a_run_whose_last_round_is_near_waits_for_no_group() -> None:
    """With a set number of rounds all of them hold every cell, though the dear ones would wait otherwise."""
    rounds, _, _ = simulate(cells(0.1, 50.0), situation(1e4, looks=(7,)), {})
    assert rounds == {0: 7, 1: 7}


def test_the_starts_of_each_number_of_ranks_are_paid_for() -> None:
    states = {0: CellState(2, 1, 0.1), 1: CellState(4, 1, 0.1)}
    now = Situation(1, 20.0, {2: 1.0, 4: 10.0}, LOOKS)
    assert choose_cells(states, now) == {0}
    assert choose_cells(states, evolve(now, left_s=70.0)) == {0, 1}


costs = st.lists(st.floats(1e-3, 100.0), min_size=1, max_size=12)


@settings(deadline=None)
@given(costs, st.floats(1.0, 2000.0), st.lists(st.sampled_from([7, 10, 14, 10**6]), min_size=12, max_size=12))
def test_the_budget_holds_and_cells_that_cost_less_never_get_fewer_rounds(
    costs_s: list[float], budget_s: float, settled: list[int]
) -> None:
    states = cells(*costs_s)
    rounds, left_s, _ = simulate(states, situation(budget_s), {})
    assert left_s >= 0
    ordered = [rounds[cell] for cell in sorted(states, key=lambda cell: (states[cell].cost_s, cell))]
    assert ordered == sorted(ordered, reverse=True)
    settled_rounds, left_s, _ = simulate(states, situation(budget_s), dict(enumerate(settled)))
    assert left_s >= 0
    assert all(settled_rounds[cell] <= LOOKS[-1] for cell in states)


@settings(deadline=None)
@given(costs, st.floats(1.0, 2000.0))
def test_the_forecast_is_what_then_happens(costs_s: list[float], budget_s: float) -> None:
    expected = forecast(cells(*costs_s, rounds=0), situation(budget_s, rounds=0))
    rounds, left_s, _ = simulate(cells(*costs_s, rounds=0), situation(budget_s, rounds=0), {})
    assert dict(expected.rounds) == dict(rounds)
    assert abs(expected.seconds - (budget_s - left_s)) < 1e-6 * budget_s
