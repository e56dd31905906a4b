"""What is run in the next round: time goes where it decides. Pure.

The next round follows from the plan, the records so far and what the last look decided, so that a resumed run goes on
as an undisturbed one would have. A round is made of units: a cell with all stacks that share it, which run it in the
same rounds; in the run of a paper also a cell with the stacks that a claim sets against each other.

- The first round holds every cell, so that each is seen once and its cost is known. Cells that by all expectation
  never get to a look (two hundred processes on two cores) are not begun where they would take half of the time.
- Then cells are brought to their first look, the cheap ones first: those that get there within what is left. A dear
  cell waits until the cheap ones are there; one that cannot get there is left out, for a look decides with no fewer
  rounds. Where none can, the cheap ones are brought to as many as tell something when the budget ends the run. What
  the first round took may have been an accident (something else ran beside it): a cell that is not far from getting
  there has a second round first, where that keeps no other from its look.
- In the run of a paper the units that its claims need come before the others, claim by claim, the cheapest claim
  first: a dear cell that decides one goes before cheaper ones that decide none. They get the fewest rounds that may
  decide a claim, then come to their first look, then go on to later ones, all before others come to their first: a
  stack that no claim speaks of costs the claims no time.
- What an open claim has left to the next look goes before all that, once it is past its first look, where it costs next
  to nothing: a claim of ten processes does not wait for those of two hundred. Nor do these wait for it from the first
  look of the run on: they are in every round, before what they take turns out to be more than is left.
- After that the open cells go on to the next look of the run, the cheap ones first again.
- What a look settled is left alone: cells by their comparisons, and what a claim needs when the claim is decided or the
  case that needs it is clear.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from attrs import evolve, frozen

from msgauge.stats.pairwise import FEWEST_ROUNDS

_AS_CHEAP = 1 / 50
"""What differs by less than this share of the time left is as cheap; then a cell of more claims goes first."""
_GROUP_SHARE = 1 / 3
"""Cells that all get there within this share of the time left go together; those that are dearer wait for them."""
_GROUP_STARTS = 4.0
"""So do cells in launches that start anyway, which cost together no more than this many times those starts."""
_FIRST_SHARE = 0.5
"""Cells that are not expected to get to a look may take so much of the time in the first round, to be seen once."""
_AN_ACCIDENT = 2.0
"""The first round may have taken so many times what others do; a cell that would then get to its look runs again."""
_AGAIN_SHARE = 0.1
"""Of the time left, for all that run again for that reason."""
_RIDES = 0.05
"""A case whose launches start anyway comes along for this share of what they take: more cases decide sooner."""
_GOES_ON = 1 / 20
"""What a claim is asked for by the next look goes first while it takes no more than this share of the time left."""
_WAITS = 3
"""Units of claims rank before this: wanted for a look, or on the way to the next. Others wait for them."""
_SINGLE_STEPS = 500
"""A forecast goes round by round up to here."""


Start = tuple[str, int]
"""What starting is paid for once, whatever runs in it: the launch of a stack on a number of ranks. Stack '': all."""


@frozen
class CellState:
    """A unit that is still open: how often it ran, and what one round more takes in its stacks."""

    starts: frozenset[Start]
    rounds: int
    """In which all of its stacks ran."""
    cost_s: float
    """Without starting the launches, which it shares with other units."""
    goal: int = 0
    """Rounds that do for the claim it is wanted for, where those of a look do not fit into the time; else 0."""
    part: bool = False
    """Only some of the stacks that share the cell."""
    holds: frozenset[int] = frozenset()
    """Other units that are run with it: the same cell, and some of its stacks."""


@frozen
class ClaimUnits:
    """The units that decide a claim of a paper."""

    cases: tuple[tuple[int, ...], ...]
    """Each case by its units, all of which it needs."""
    enough: int
    """So many cases can decide the claim."""
    number: int = 0
    """In the plan."""
    question: bool = False

    def has_enough(self, units: Mapping[int, CellState], needed: int) -> bool:
        """Whether so many cases as can decide it have had so many rounds."""
        return sum(all(units[one].rounds >= needed for one in case) for case in self.cases) >= self.enough


@frozen
class Situation:
    """A run before a round."""

    rounds: int
    """Rounds that are done."""
    left_s: float
    start_s: Mapping[Start, float]
    """What it takes to start and end the launches."""
    looks: tuple[int, ...]
    """Rounds after which results are drawn up; the last one ends the run."""
    claims: tuple[ClaimUnits, ...] = ()
    """What is still to be decided; none: every cell is worth the same."""
    fewest: int = 0
    """With so many rounds a run that its budget ends before its first look tells something; 0: with none."""

    def need(self, cell: CellState) -> int:
        """Rounds that the cell needs until a look can decide it."""
        first = cell.goal or self.looks[0]
        if cell.rounds < first:
            return first - cell.rounds
        return next((look for look in self.looks if look > self.rounds), self.rounds + 1) - self.rounds


@frozen
class Forecast:
    """What a run would do if nothing were settled before its end."""

    rounds: Mapping[int, int]
    """By unit."""
    seconds: float


def choose_units(units: Mapping[int, CellState], now: Situation) -> frozenset[int]:
    """The units of the next round, of those that are open; none when not one more round of any of them fits."""
    wanted = _find_wanted(units, now)
    units = {**units, **wanted}
    begun = frozenset[Start]().union(*(one.starts for one in wanted.values()))
    claimed = {number for claim in now.claims for case in claim.cases for number in case}

    def rank(number: int) -> int:
        looked = units[number].rounds >= now.looks[0]
        if looked and number in claimed and number not in wanted:
            return 0 if _seconds({number: units[number]}, now) <= _GOES_ON * now.left_s else 2
        return 1 if number in wanted else 4 if looked else 3

    ranks = {number: rank(number) for number in units}

    def place(number: int) -> tuple[int, bool, float, int]:
        state, order = units[number], ranks[number]
        return order, order > 0 and bool(begun) and not state.starts <= begun, _own_s(state, now), number

    whole = [number for number, state in units.items() if not state.part]
    reachable = _take(units, sorted(units, key=place), now)
    if not now.rounds:
        others_s = round_s((units[number] for number in set(whole).difference(reachable)), now.start_s)
        return _with_held(reachable if reachable and others_s > _FIRST_SHARE * now.left_s else units, units)
    if not reachable:
        cheap = sorted(whole, key=lambda number: (units[number].cost_s, number))
        fewest = now.fewest if now.rounds < now.looks[0] else 0
        fewer = {number: evolve(units[number], goal=fewest) for number in cheap if units[number].rounds < fewest}
        if told := _take(fewer, fewer, now):
            return _with_held(told, units)
        return _with_held(_take(units, cheap, evolve(now, looks=(now.rounds + 1,))), units)
    due = {number for number in reachable if now.need(units[number]) >= now.looks[-1] - now.rounds}
    fits = round_s(wanted.values(), now.start_s) * (now.looks[-1] - now.rounds) <= now.left_s
    if now.rounds >= now.looks[0] or fits:  # who waits longer has fewer rounds than fit, or none if they take longer
        due |= wanted.keys()
    deciding = [number for number in reachable if ranks[number] < _WAITS]
    if now.rounds == 1 and not now.claims:
        again = _find_again(units, sorted(whole, key=place), reachable, now)
        due.update([*again, *reachable] if again else ())  # a cheaper one has no fewer rounds
    return _with_held({*_find_group(units, deciding or reachable, reachable, now), *due}, units)


def forecast(units: Mapping[int, CellState], now: Situation, *, every_cell: bool = False) -> Forecast:
    """The rounds that each of these units gets in the time left, and how long that takes."""
    states, begun = dict(units), now
    while now.rounds < now.looks[-1]:
        chosen = frozenset(states) if every_cell else choose_units(states, now)
        seconds = round_s((states[number] for number in _leave_out_held(chosen, states)), now.start_s)
        if not chosen or (now.rounds and seconds > now.left_s):
            break
        steps = _count_steps([states[number] for number in chosen], now, seconds, every_cell)
        states |= {number: evolve(states[number], rounds=states[number].rounds + steps) for number in chosen}
        now = evolve(now, rounds=now.rounds + steps, left_s=now.left_s - steps * seconds)
    return Forecast({number: state.rounds for number, state in states.items()}, begun.left_s - now.left_s)


def round_s(units: Iterable[CellState], start_s: Mapping[Start, float]) -> float:
    """Seconds of one round that holds these units, none of which holds another."""
    held = list(units)
    starts = frozenset[Start]().union(*(one.starts for one in held))
    return sum(one.cost_s for one in held) + sum(start_s[start] for start in starts)


def _with_held(chosen: Iterable[int], units: Mapping[int, CellState]) -> frozenset[int]:
    numbers = frozenset(chosen)
    return numbers | {held for number in numbers for held in units[number].holds if held in units}


def _leave_out_held(chosen: frozenset[int], units: Mapping[int, CellState]) -> frozenset[int]:
    return chosen.difference(*(units[number].holds for number in chosen))


def _find_wanted(units: Mapping[int, CellState], now: Situation) -> dict[int, CellState]:
    """The units that bring claims to the fewest rounds that may decide one, and then to their first look.

    Of as many claims as get there, the cheapest first, and questions with what time they leave. A dear claim that five
    rounds decide would not get them if cheaper ones had their seven before it.
    """
    wanted: dict[int, CellState] = {}
    for goal in (FEWEST_ROUNDS, 0) if now.claims else ():
        states = {number: evolve(state, goal=goal) for number, state in units.items()}
        brought: dict[int, CellState] = {}
        for is_question in (False, True):
            waiting = [one for one in now.claims if one.question == is_question]
            brought = _find_brought(waiting, states, wanted, brought, now)
        wanted |= brought
    return wanted


def _find_brought(
    waiting: Sequence[ClaimUnits],
    states: Mapping[int, CellState],
    wanted: Mapping[int, CellState],
    brought: Mapping[int, CellState],
    now: Situation,
) -> dict[int, CellState]:
    """The units that bring as many of these claims to the goal of the states as there is time for beside ``wanted``."""
    found = dict(brought)
    while waiting:
        needs = [(claim, _find_needed(claim, states, frozenset(found), now)) for claim in waiting]
        waiting = [claim for claim, needed in needs if needed]
        more = [{number: states[number] for number in needed} for _, needed in needs if needed]
        costs = [_seconds({**wanted, **found, **one}, now) for one in more]
        if not waiting or min(costs) > now.left_s:
            break
        cheapest = costs.index(min(costs))
        waiting = [claim for claim in waiting if claim is not waiting[cheapest]]
        found |= more[cheapest]
    return found


def _find_needed(
    claim: ClaimUnits, units: Mapping[int, CellState], wanted: frozenset[int], now: Situation
) -> frozenset[int]:
    """The units that the cheapest cases of a claim lack beside those wanted already; none when it has enough cases.

    Further cases come along where they cost next to nothing.
    """
    lacking = [
        frozenset(one for one in case if one in units and units[one].rounds < (units[one].goal or now.looks[0]))
        for case in claim.cases
    ]
    if claim.enough == len(lacking):
        return frozenset().union(*lacking) - wanted
    claims_of = Counter(unit for one in now.claims for unit in {unit for case in one.cases for unit in case})

    def price(one: frozenset[int]) -> tuple[int, int, float]:
        seconds = _seconds({number: units[number] for number in needed | one | wanted}, now)
        return int(seconds / max(_AS_CHEAP * now.left_s, 1e-9)), -min(claims_of[unit] for unit in one), seconds

    needed: frozenset[int] = frozenset()
    while sum(one <= needed | wanted for one in lacking) < claim.enough:
        left: list[frozenset[int]] = [one for one in lacking if not one <= needed | wanted]
        cheapest: frozenset[int] = min(left, key=price)
        needed |= cheapest
    started = frozenset[Start]().union(*(units[number].starts for number in needed))
    for case in lacking if needed else ():
        if all(
            units[one].starts <= started and units[one].cost_s <= _RIDES * _start_s(units[one], now) for one in case
        ):
            needed |= case
    return needed - wanted


def _seconds(units: Mapping[int, CellState], now: Situation) -> float:
    """What it takes to bring these units where they need to be."""
    most: Mapping[Start, int] = {}
    for unit in units.values():
        most = _longest(most, unit, now)
    return sum(_own_s(unit, now) for unit in units.values()) + _starts_s(most, now)


def _own_s(unit: CellState, now: Situation) -> float:
    return now.need(unit) * unit.cost_s


def _longest(most: Mapping[Start, int], unit: CellState, now: Situation) -> Mapping[Start, int]:
    """How many rounds each launch is started in, for this unit too."""
    need = now.need(unit)
    longer = {start: need for start in unit.starts if need > most.get(start, 0)}
    return {**most, **longer} if longer else most


def _take(units: Mapping[int, CellState], order: Iterable[int], now: Situation) -> list[int]:
    """As many as get where they need to be in the time left, in this order; what does not fit is passed over."""
    taken: list[int] = []
    most: Mapping[Start, int] = {}
    own_s = 0.0
    for number in order:
        longest = _longest(most, units[number], now)
        if own_s + _own_s(units[number], now) + _starts_s(longest, now) <= now.left_s:
            taken.append(number)
            most, own_s = longest, own_s + _own_s(units[number], now)
    return taken


def _find_again(
    units: Mapping[int, CellState], order: Iterable[int], reachable: Iterable[int], now: Situation
) -> list[int]:
    """Those that the first round alone keeps from their look, as many as there is time for beside what gets there."""
    sure = {number: units[number] for number in reachable}
    spare_s = min(_AGAIN_SHARE * now.left_s, now.left_s - _seconds(sure, now))
    begun = frozenset[Start]().union(*(one.starts for one in sure.values()))
    more_s = {start: 0.0 if start in begun else seconds for start, seconds in now.start_s.items()}
    again: list[int] = []
    for number in _take(units, order, evolve(now, left_s=_AN_ACCIDENT * now.left_s)):
        if number not in sure and round_s((units[one] for one in (*again, number)), more_s) <= spare_s:
            again.append(number)
    return again


def _find_group(
    units: Mapping[int, CellState], order: Iterable[int], others: Iterable[int], now: Situation
) -> list[int]:
    """Those that go together now: the first of the order, until they are too dear to be waited for, and the cheap.

    One of the others that costs less than the start of the launches that are there anyway always comes along.
    """
    group: list[int] = []
    most: Mapping[Start, int] = {}
    own_s = cost_s = 0.0
    for number in order:
        longest = _longest(most, units[number], now)
        own_s, cost_s = own_s + _own_s(units[number], now), cost_s + units[number].cost_s
        long = own_s + _starts_s(longest, now) > _GROUP_SHARE * now.left_s
        alone = bool(now.claims) and units[number].starts.isdisjoint(most)
        if group and long and (alone or cost_s > _GROUP_STARTS * sum(now.start_s[start] for start in longest)):
            break
        group, most = [*group, number], longest
    begun = most.keys()
    cheap = [one for one in others if units[one].starts <= begun and units[one].cost_s <= _start_s(units[one], now)]
    return [*group, *cheap]


def _start_s(unit: CellState, now: Situation) -> float:
    return sum(now.start_s[start] for start in unit.starts)


def _starts_s(most: Mapping[Start, int], now: Situation) -> float:
    return sum(rounds * now.start_s[start] for start, rounds in most.items())


def _count_steps(chosen: list[CellState], now: Situation, seconds: float, every_cell: bool) -> int:
    """One round; where nothing can change before the end, or after very many rounds, several at once."""
    final = len(now.looks) == 1 or every_cell
    if not now.rounds or not (final or now.rounds >= _SINGLE_STEPS):
        return 1
    needed = now.looks[-1] - now.rounds if every_cell else min(now.need(cell) for cell in chosen)
    fitting = int(now.left_s / seconds) if seconds > 0 else needed
    return max(1, min(needed, fitting, now.looks[-1] - now.rounds))
