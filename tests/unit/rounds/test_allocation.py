"""Claims about which cells take part in a round: cheap ones early, dear ones as far as their look, settled ones not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st

from msgauge.rounds.allocation import CellState, ClaimUnits, Situation, Start, choose_units, forecast, round_s

LOOKS = (7, 10, 14, 20)


def on(*ranks: int) -> frozenset[Start]:
    """Launches of all stacks on so many ranks."""
    return frozenset(("", count) for count in ranks)


def cells(*costs_s: float, rounds: int = 1) -> dict[int, CellState]:
    return {number: CellState(on(2), rounds, cost) for number, cost in enumerate(costs_s)}


def situation(
    left_s: float, *, rounds: int = 1, start_s: float = 1.0, looks: Sequence[int] = LOOKS, fewest: int = 0
) -> Situation:
    return Situation(rounds, left_s, {("", 2): start_s}, tuple(looks), fewest=fewest)


def simulate(
    states: Mapping[int, CellState], now: Situation, settled_at: Mapping[int, int]
) -> tuple[Counter[int], float, list[frozenset[int]]]:
    """A run in which cell by cell the look after so many of its rounds settles it: rounds of each, seconds, rounds."""
    here, done, held = dict(states), set[int](), []
    while now.rounds < now.looks[-1]:
        chosen = choose_units({cell: state for cell, state in here.items() if cell not in done}, now)
        held_too = {other for cell in chosen for other in here[cell].holds}
        seconds = round_s((here[cell] for cell in chosen - held_too), now.start_s)
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
    assert choose_units(cells(*[1.0] * 8, 6.0, rounds=0), situation(100, rounds=0)) == set(range(9))
    assert choose_units(cells(0.1, 5.0, rounds=0), situation(10, rounds=0)) == {0}


def test_the_first_round_holds_everything_where_nothing_gets_to_a_look() -> None:
    assert choose_units(cells(5.0, 9.0, rounds=0), situation(10, rounds=0)) == {0, 1}


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


def test_a_cell_that_the_first_round_alone_keeps_from_its_look_runs_again() -> None:
    """Something ran beside the first round: nothing gets there at its prices with the third cell, at true ones all."""
    now = situation(60.0, start_s=4.0)
    disturbed, usual = cells(2.0, 0.5, 5.0), cells(1.0, 0.25, 2.5, rounds=2)
    assert choose_units(disturbed, now) == {0, 1, 2}
    after = situation(60.0 - 11.5, rounds=2, start_s=4.0)
    assert choose_units(usual, after) == {0, 1, 2}
    assert choose_units(cells(2.0, 0.5, 5.0, rounds=2), after) == {0, 1}, "once, no more often"
    assert choose_units(cells(2.0, 0.5, 5.0), situation(44.0, start_s=4.0)) == {0, 1}, "it would take time of others"
    assert choose_units(cells(2.0, 0.5, 15.0), now) == {0, 1}, "far from getting there"


def crowd(left_s: float, *claims: ClaimUnits) -> tuple[dict[int, CellState], Situation]:
    """Two cheap cells of two ranks, two of 50 and two of 200, as after the first round; starts take 1, 10 and 60 s."""
    states = {number: CellState(on(ranks), 1, 0.1) for number, ranks in enumerate((2, 2, 50, 50, 200, 200))}
    return states, Situation(1, left_s, {("", 2): 1.0, ("", 50): 10.0, ("", 200): 60.0}, (7,), claims)


def test_the_cells_of_a_claim_go_before_cheaper_ones_that_decide_nothing() -> None:
    states, now = crowd(400.0, ClaimUnits(((4,), (5,)), 2), ClaimUnits(((0,),), 1))
    rounds, _, _ = simulate(states, now, {})
    assert rounds == {0: 7, 1: 7, 2: 1, 3: 1, 4: 7, 5: 7}, "starts of 2 and of 200 ranks alone fit into the time"
    rounds, _, _ = simulate(states, evolve(now, claims=()), {})
    assert rounds == {0: 7, 1: 7, 2: 7, 3: 7, 4: 1, 5: 1}, "without claims the cheap ones"


def test_a_claim_that_any_case_decides_asks_for_the_cheapest_one_and_a_claim_of_all_for_every_one() -> None:
    any_case = ClaimUnits(((4,), (0, 2), (1,)), 1)
    states, now = crowd(30.0, any_case)
    assert choose_units(states, now) == {0, 1}
    states, now = crowd(95.0, ClaimUnits(any_case.cases, 3), ClaimUnits(((2,), (3,)), 1))
    assert {2, 3} <= choose_units(states, now), "all three cases do not fit; those of the other claim do"
    assert 4 not in choose_units(states, now)


def test_a_claim_whose_cells_cannot_get_to_a_look_gets_the_fewest_rounds_that_decide_it() -> None:
    states, now = crowd(300.0, ClaimUnits(((4,), (5,)), 2))
    rounds, left_s, _ = simulate(states, now, {})
    assert (rounds[4], rounds[5]) == (5, 5)
    assert rounds[0] == 7, "what is left goes to the others"
    assert left_s >= 0
    states, now = crowd(200.0, ClaimUnits(((4,), (5,)), 2))
    assert simulate(states, now, {})[0][4] == 1, "four rounds more do not fit, and fewer decide nothing"


def test_as_many_claims_as_can_get_five_rounds_before_any_gets_the_seven_of_a_look() -> None:
    """Six more of the cheap one would leave the dear one three."""
    states, now = crowd(290.0, ClaimUnits(((2,),), 1), ClaimUnits(((4,),), 1))
    rounds, left_s, _ = simulate(states, now, {})
    assert (rounds[2], rounds[4]) == (5, 5)
    assert left_s >= 0
    assert simulate(states, evolve(now, left_s=430.0), {})[0][2] == 7


def test_claims_come_before_questions_that_are_cheaper() -> None:
    question = ClaimUnits(((0,),), 1, question=True)
    states, now = crowd(43.0, ClaimUnits(((2,),), 1), question)
    rounds, _, _ = simulate(states, now, {})
    assert (rounds[0] < 5, rounds[2]) == (True, 5)
    states, now = crowd(43.0, ClaimUnits(((2,),), 1), evolve(question, question=False))
    assert simulate(states, now, {})[0][0] == 7, "of two claims the cheaper one"
    states, now = crowd(60.0, ClaimUnits(((2,),), 1), question)
    rounds, _, _ = simulate(states, now, {})
    assert rounds[2] == 5
    assert rounds[0] >= 5, "with what time they leave"


def test_a_claim_past_its_first_look_goes_on_before_a_dear_one_where_that_costs_next_to_nothing() -> None:
    """Else the dear one's five rounds leave it no time: that of ten processes waited for those of two hundred."""
    states, now = crowd(700.0, ClaimUnits(((0,),), 1), ClaimUnits(((4,),), 1))
    now = evolve(now, looks=LOOKS)
    rounds, left_s, held = simulate({number: states[number] for number in (0, 4)}, now, {})
    assert (rounds[0], rounds[4]) == (20, 12)
    assert held[0] == {0}, "it does not wait for launches of the dear one, with which it shares no start"
    assert 0 <= left_s < 60, "the dear one waits no longer than its own rounds allow"
    slow = evolve(now, start_s={("", 2): 30.0, ("", 50): 10.0, ("", 200): 60.0})
    _, _, held = simulate({number: states[number] for number in (0, 4)}, slow, {})
    assert held[6:12] == [{4}] * 6, "nor for a cheaper one"


def test_a_dear_claim_gets_its_five_rounds_where_they_take_longer_than_was_expected() -> None:
    """By a quarter: it does not wait, for later looks of cheaper ones, until the time left is just what it takes."""
    states, now = crowd(450.0, ClaimUnits(((0,), (2,)), 2), ClaimUnits(((4,),), 1))
    states, now = {number: states[number] for number in (0, 2, 4)}, evolve(now, looks=(7, 14, 28))
    rounds: Counter[int] = Counter(dict.fromkeys(states, 1))
    while now.rounds < 28 and (chosen := choose_units(states, now)):
        dearer = {start: (1.25 if start[1] == 200 else 1.0) * seconds for start, seconds in now.start_s.items()}
        seconds = round_s([states[number] for number in chosen], dearer)
        if seconds > now.left_s:
            break
        states |= {number: evolve(states[number], rounds=states[number].rounds + 1) for number in chosen}
        now = evolve(now, rounds=now.rounds + 1, left_s=now.left_s - seconds)
        rounds.update(chosen)
    assert rounds[4] >= 5
    assert min(rounds[0], rounds[2]) >= 7


def test_a_case_in_launches_that_start_anyway_comes_along_for_next_to_nothing() -> None:
    """Two of three would do; the third costs a tenth of a second in launches of a minute, and once ten seconds."""
    states, now = crowd(250.0, ClaimUnits(((4,), (5,), (6,)), 2))
    states[6] = CellState(on(200), 1, 0.1)
    rounds, left_s, _ = simulate(states, now, {})
    assert (rounds[4], rounds[5], rounds[6]) == (5, 5, 5)
    assert left_s >= 0
    states[6] = CellState(on(200), 1, 10.0)
    assert simulate(states, now, {})[0][6] == 1


def test_of_cases_that_cost_the_same_the_one_that_more_claims_speak_of_goes_first() -> None:
    states, now = crowd(415.0, ClaimUnits(((4,), (5,)), 1), ClaimUnits(((5,), (4,), (3,), (2,)), 4))
    states |= {4: evolve(states[4], cost_s=0.01)}
    assert choose_units(states, now) >= {4}, "the cheaper by far, while both are of the same claims"
    now = evolve(now, claims=(*now.claims, ClaimUnits(((5,),), 1)))
    assert choose_units(states, now) >= {5}


def test_what_a_claim_has_already_is_not_asked_for_again() -> None:
    states, now = crowd(100.0, ClaimUnits(((0,), (4,)), 1))
    states |= {0: evolve(states[0], rounds=7)}
    assert not {4, 5} & choose_units(states, now)
    assert {2, 3} <= choose_units({cell: state for cell, state in states.items() if cell}, now), "left alone by a look"


def taken_apart(left_s: float, **now: Any) -> tuple[dict[int, CellState], Situation]:
    """Two cells of a stack that starts in 1 s and one that takes 30 s; a claim speaks of the first in cell 0."""
    both = frozenset({("a", 2), ("b", 2)})
    states = {
        0: CellState(both, 1, 0.2, holds=frozenset({2})),
        1: CellState(both, 1, 0.2),
        2: CellState(frozenset({("a", 2)}), 1, 0.1, part=True),
    }
    starts_s = {("a", 2): 1.0, ("b", 2): 30.0}
    return states, evolve(Situation(1, left_s, starts_s, LOOKS, (ClaimUnits(((2,),), 1),)), **now)


def test_a_claim_takes_no_time_for_stacks_that_it_does_not_speak_of() -> None:
    states, now = taken_apart(60.0)
    rounds, left_s, held = simulate(states, now, {})
    assert set(held) == {frozenset({2})}
    assert rounds == {0: 1, 1: 1, 2: 20}, "later looks too, before others come to their first"
    assert left_s > 30


def test_others_come_when_the_claims_have_what_they_can_get() -> None:
    states, now = taken_apart(600.0)
    rounds, _, held = simulate(states, now, {2: 10})
    assert held[:9] == [frozenset({2})] * 9
    assert set(held[9:]) == {frozenset({0, 1})}
    assert rounds == {0: 11, 1: 11, 2: 10}
    assert choose_units(states, evolve(now, claims=())) == {0, 1, 2}, "a whole cell runs the stacks of its claim too"


def test_the_first_round_of_a_paper_holds_whole_cells() -> None:
    states, now = taken_apart(600.0, rounds=0)
    assert choose_units({one: evolve(state, rounds=0) for one, state in states.items()}, now) == {0, 1, 2}


def test_a_look_that_nothing_can_reach_leaves_the_rounds_that_fit() -> None:
    rounds, left_s, _ = simulate(cells(1.0, 2.0), situation(11.0), {})
    assert rounds == {0: 4, 1: 3}
    assert 0 <= left_s < 2.0


def test_where_no_cell_gets_to_a_look_the_cheap_ones_get_the_rounds_that_tell_something() -> None:
    """Seven rounds do not fit, for starting takes too long; with six the budget may end the run."""
    rounds, left_s, _ = simulate(cells(0.1, 0.2, 3.0), situation(11.6, start_s=2.0, fewest=6), {})
    assert rounds == {0: 6, 1: 6, 2: 1}
    assert left_s >= 0
    without, _, _ = simulate(cells(0.1, 0.2, 3.0), situation(11.6, start_s=2.0), {})
    assert max(without.values()) < 6
    late = {0: CellState(on(2), 7, 1.0), 1: CellState(on(2), 5, 2.0)}
    after = situation(2.9, rounds=7, start_s=0.3, fewest=6)
    assert choose_units(late, after) == {0}, "a run that had a look and went on asks for more than six"
    hopeless, _, _ = simulate(cells(0.1, 0.2), situation(5.0, start_s=2.0, fewest=6), {})
    assert hopeless == {0: 3, 1: 3}


def test_a_run_whose_last_round_is_near_waits_for_no_group() -> None:
    """With a set number of rounds all of them hold every cell, though the dear ones would wait otherwise."""
    rounds, _, _ = simulate(cells(0.1, 50.0), situation(1e4, looks=(7,)), {})
    assert rounds == {0: 7, 1: 7}


def test_the_starts_of_each_number_of_ranks_are_paid_for() -> None:
    states = {0: CellState(on(2), 1, 0.1), 1: CellState(on(4), 1, 0.1)}
    now = Situation(1, 20.0, {("", 2): 1.0, ("", 4): 10.0}, LOOKS)
    assert choose_units(states, now) == {0}
    assert choose_units(states, evolve(now, left_s=70.0)) == {0, 1}


costs = st.lists(st.floats(1e-3, 100.0), min_size=1, max_size=12)


@settings(deadline=None)
@given(
    costs,
    st.floats(1.0, 2000.0),
    st.lists(st.sampled_from([7, 10, 14, 10**6]), min_size=12, max_size=12),
    st.sampled_from([0, 6]),
)
def test_the_budget_holds_and_cells_that_cost_less_never_get_fewer_rounds(
    costs_s: list[float], budget_s: float, settled: list[int], fewest: int
) -> None:
    states = cells(*costs_s)
    rounds, left_s, _ = simulate(states, situation(budget_s, fewest=fewest), {})
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


@st.composite
def some_claims(draw: st.DrawFn) -> tuple[ClaimUnits, ...]:
    """Up to six claims on cells 0 to 5, whose cases may share cells, hold one another, or be of cells that are gone."""
    case = st.lists(st.integers(0, 7), min_size=1, max_size=3, unique=True).map(tuple)
    cases = [tuple(draw(st.lists(case, min_size=1, max_size=5))) for _ in range(draw(st.integers(0, 6)))]
    return tuple(ClaimUnits(one, draw(st.integers(1, len(one)))) for one in cases)


@settings(deadline=None)
@given(some_claims(), st.floats(1.0, 2000.0), st.lists(st.integers(0, 9), min_size=6, max_size=6))
def test_whatever_claims_ask_for_the_budget_holds_and_the_forecast_is_what_happens(
    claims: tuple[ClaimUnits, ...], budget_s: float, rounds: list[int]
) -> None:
    states, now = crowd(budget_s, *claims)
    now = evolve(now, looks=LOOKS)
    expected = forecast(states, now)
    done, left_s, _ = simulate(states, now, {})
    assert left_s >= 0
    assert dict(expected.rounds) == dict(done)
    begun = {cell: evolve(state, rounds=rounds[cell]) for cell, state in states.items()}
    assert choose_units(begun, evolve(now, rounds=max(rounds))) <= begun.keys()
