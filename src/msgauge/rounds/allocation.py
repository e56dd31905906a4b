"""Which cells take part in the next round: time goes where it decides. Pure.

The next round follows from the plan, the records so far and what the last look decided, so that a resumed run goes on
as an undisturbed one would have. All stacks that share a cell run it in the same rounds.

- The first round holds every cell, so that each is seen once and its cost is known. Cells that by all expectation
  never get to a look (two hundred processes on two cores) are not begun where they would take a tenth of the time.
- Then cells are brought to their first look, the cheap ones first: those that get there within what is left. A dear
  cell waits until the cheap ones are there; one that cannot get there is left out, as fewer rounds decide nothing.
- In the run of a paper the cells that its claims need come before the others, claim by claim, the cheapest claim
  first: a dear cell that decides one goes before cheaper ones that decide none.
- After that the open cells go on to the next look of the run, the cheap ones first again.
- What a look settled is left alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping

from attrs import evolve, frozen

from msgauge.model import ClaimCells
from msgauge.stats.pairwise import FEWEST_ROUNDS

_AS_CHEAP = 1 / 50
"""What differs by less than this share of the time left is as cheap; then a cell of more claims goes first."""
_GROUP_SHARE = 1 / 3
"""Cells that all get there within this share of the time left go together; those that are dearer wait for them."""
_GROUP_STARTS = 4.0
"""So do cells that cost together no more than this many times the starts of the launches that they share."""

_FIRST_SHARE = 0.5
"""Cells that are not expected to get to a look may take so much of the time in the first round, to be seen once."""
_SINGLE_STEPS = 500
"""A forecast goes round by round up to here."""


@frozen
class CellState:
    """A cell that is still open: how often it ran, and what one round more takes in all stacks."""

    ranks: int
    rounds: int
    cost_s: float
    """Without starting the launches, which it shares with other cells."""
    goal: int = 0
    """Rounds that do for the claim it is wanted for, where those of a look do not fit into the time; else 0."""


@frozen
class Situation:
    """A run before a round."""

    rounds: int
    """Rounds that are done."""
    left_s: float
    start_s: Mapping[int, float]
    """By number of ranks: what it takes to start and end one launch of every stack."""
    looks: tuple[int, ...]
    """Rounds after which results are drawn up; the last one ends the run."""
    claims: tuple[ClaimCells, ...] = ()
    """What is to be decided; none: every cell is worth the same."""

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
    """By cell."""
    seconds: float


def choose_cells(cells: Mapping[int, CellState], now: Situation) -> frozenset[int]:
    """The cells of the next round, of those that are open; none when not one more round of any of them fits."""
    wanted = _find_wanted(cells, now)
    cells = {**cells, **wanted}
    begun = {cell.ranks for cell in wanted.values()}

    def place(cell: int) -> tuple[bool, bool, bool, float, int]:
        state = cells[cell]
        looked = state.rounds >= now.looks[0]
        return looked, cell not in wanted, bool(begun) and state.ranks not in begun, _own_s(state, now), cell

    order = sorted(cells, key=place)
    reachable = _take(cells, order, now)
    if not now.rounds:
        others_s = round_s((cells[cell] for cell in cells.keys() - set(reachable)), now.start_s)
        return frozenset(reachable if reachable and others_s > _FIRST_SHARE * now.left_s else cells)
    if not reachable:
        cheap = sorted(cells, key=lambda cell: (cells[cell].cost_s, cell))
        return frozenset(_take(cells, cheap, evolve(now, looks=(now.rounds + 1,))))
    due = {cell for cell in reachable if now.need(cells[cell]) >= now.looks[-1] - now.rounds}
    return frozenset(_find_group(cells, reachable, now)) | due


def forecast(cells: Mapping[int, CellState], now: Situation, *, every_cell: bool = False) -> Forecast:
    """The rounds that each of these cells gets in the time left, and how long that takes."""
    states, begun = dict(cells), now
    while now.rounds < now.looks[-1]:
        chosen = frozenset(states) if every_cell else choose_cells(states, now)
        seconds = round_s((states[cell] for cell in chosen), now.start_s)
        if not chosen or (now.rounds and seconds > now.left_s):
            break
        steps = _count_steps([states[cell] for cell in chosen], now, seconds, every_cell)
        states |= {cell: evolve(states[cell], rounds=states[cell].rounds + steps) for cell in chosen}
        now = evolve(now, rounds=now.rounds + steps, left_s=now.left_s - steps * seconds)
    return Forecast({cell: state.rounds for cell, state in states.items()}, begun.left_s - now.left_s)


def round_s(cells: Iterable[CellState], start_s: Mapping[int, float]) -> float:
    """Seconds of one round that holds these cells."""
    held = list(cells)
    return sum(cell.cost_s for cell in held) + sum(start_s[ranks] for ranks in {cell.ranks for cell in held})


def _find_wanted(cells: Mapping[int, CellState], now: Situation) -> dict[int, CellState]:
    """The cells that bring claims to their first look: of as many claims as get there, the cheapest first.

    Of those that do not get there, as many as get the fewest rounds that may decide a claim.
    """
    wanted: dict[int, CellState] = {}
    for goal in (0, FEWEST_ROUNDS):
        states = {cell: evolve(state, goal=goal) for cell, state in cells.items()} | wanted
        waiting = list(now.claims)
        while waiting:
            needs = [(claim, _find_needed(claim, states, frozenset(wanted), now)) for claim in waiting]
            waiting = [claim for claim, needed in needs if needed]
            costs = [_seconds(wanted.keys() | needed, states, now) for _, needed in needs if needed]
            if not waiting or min(costs) > now.left_s:
                break
            cheapest = waiting.pop(costs.index(min(costs)))
            wanted |= {cell: states[cell] for cell in dict(needs)[cheapest]}
    return wanted


def _find_needed(
    claim: ClaimCells, cells: Mapping[int, CellState], wanted: frozenset[int], now: Situation
) -> frozenset[int]:
    """The cells that the cheapest cases of a claim lack beside those wanted already; none when it has enough cases."""
    lacking = [
        frozenset(cell for cell in case if cell in cells and cells[cell].rounds < (cells[cell].goal or now.looks[0]))
        for case in claim.cases
    ]
    if claim.enough == len(lacking):
        return frozenset().union(*lacking) - wanted
    claims_of = Counter(cell for one in now.claims for cell in {cell for case in one.cases for cell in case})

    def price(one: frozenset[int]) -> tuple[int, int, float]:
        seconds = _seconds(needed | one | wanted, cells, now)
        return int(seconds / max(_AS_CHEAP * now.left_s, 1e-9)), -min(claims_of[cell] for cell in one), seconds

    needed: frozenset[int] = frozenset()
    while sum(one <= needed | wanted for one in lacking) < claim.enough:
        left: list[frozenset[int]] = [one for one in lacking if not one <= needed | wanted]
        cheapest: frozenset[int] = min(left, key=price)
        needed |= cheapest
    return needed - wanted


def _seconds(chosen: Iterable[int], cells: Mapping[int, CellState], now: Situation) -> float:
    """What it takes to bring these cells where they need to be."""
    most: dict[int, int] = {}
    own_s = 0.0
    for number in chosen:
        cell = cells[number]
        most[cell.ranks] = max(now.need(cell), most.get(cell.ranks, 0))
        own_s += _own_s(cell, now)
    return own_s + _starts_s(most, now)


def _own_s(cell: CellState, now: Situation) -> float:
    return now.need(cell) * cell.cost_s


def _take(cells: Mapping[int, CellState], order: Iterable[int], now: Situation) -> list[int]:
    """As many as get where they need to be in the time left, in this order; what does not fit is passed over."""
    taken: list[int] = []
    most: dict[int, int] = {}
    own_s = 0.0
    for number in order:
        cell = cells[number]
        longest = most | {cell.ranks: max(now.need(cell), most.get(cell.ranks, 0))}
        if own_s + _own_s(cell, now) + _starts_s(longest, now) <= now.left_s:
            taken.append(number)
            most, own_s = longest, own_s + _own_s(cell, now)
    return taken


def _find_group(cells: Mapping[int, CellState], order: Collection[int], now: Situation) -> list[int]:
    """Those that go together now: the first of the order, until they are too dear to be waited for, and the cheap.

    A cell that costs less than the start of the launches that are there anyway always comes along.
    """
    group: list[int] = []
    most: dict[int, int] = {}
    own_s = cost_s = 0.0
    for number in order:
        cell = cells[number]
        longest = most | {cell.ranks: max(now.need(cell), most.get(cell.ranks, 0))}
        own_s, cost_s = own_s + _own_s(cell, now), cost_s + cell.cost_s
        long = own_s + _starts_s(longest, now) > _GROUP_SHARE * now.left_s
        if group and long and cost_s > _GROUP_STARTS * sum(now.start_s[ranks] for ranks in longest):
            break
        group, most = [*group, number], longest
    cheap = [one for one in order if cells[one].ranks in most and cells[one].cost_s <= now.start_s[cells[one].ranks]]
    return [*group, *cheap]


def _starts_s(most: Mapping[int, int], now: Situation) -> float:
    return sum(rounds * now.start_s[ranks] for ranks, rounds in most.items())


def _count_steps(chosen: list[CellState], now: Situation, seconds: float, every_cell: bool) -> int:
    """One round; where nothing can change before the end, or after very many rounds, several at once."""
    final = len(now.looks) == 1 or every_cell
    if not now.rounds or not (final or now.rounds >= _SINGLE_STEPS):
        return 1
    needed = now.looks[-1] - now.rounds if every_cell else min(now.need(cell) for cell in chosen)
    fitting = int(now.left_s / seconds) if seconds > 0 else needed
    return max(1, min(needed, fitting, now.looks[-1] - now.rounds))
