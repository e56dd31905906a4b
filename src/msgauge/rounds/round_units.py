"""What the rounds of a plan are made of: cells with all their stacks, and in a paper with those of a claim. Pure."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from functools import cached_property

from attrs import frozen

from msgauge.model import CellKey, Plan
from msgauge.rounds.allocation import CellState, ClaimUnits, Start

EVERY_STACK = ""


@frozen
class Prices:
    """Seconds that one round more takes, of the stacks and cells that can still be run."""

    cell_s: Mapping[CellKey, float]
    start_s: Mapping[Start, float]
    """Of the launch of each stack on each number of ranks."""

    def round_s(self, keys: Collection[CellKey], ranks: Mapping[int, int]) -> float:
        """Of a round that holds these; ``ranks`` by cell."""
        starts = {(key.stack, ranks[key.cell]) for key in keys}
        return sum(self.cell_s[key] for key in keys) + sum(self.start_s[start] for start in starts)


@frozen(slots=False)
class Units:
    """The units of a plan by number: those of whole cells have the number of the cell."""

    keys: Mapping[int, frozenset[CellKey]]
    ranks: Mapping[int, int]
    """By cell."""
    claims: tuple[ClaimUnits, ...]

    def keys_of(self, units: Iterable[int]) -> frozenset[CellKey]:
        """What they hold together."""
        return frozenset[CellKey]().union(*(self.keys[number] for number in units))

    def price(self, prices: Prices, rounds: Mapping[int, int]) -> tuple[dict[int, CellState], dict[Start, float]]:
        """Every unit with the rounds that it has had and what one more takes, and what the launches take to start.

        Where no claim takes a cell apart, all stacks of a number of ranks start together.
        """
        starts: dict[int, frozenset[Start]]
        start_s: dict[Start, float]
        if self._held:
            start_s = dict(prices.start_s)
            starts = {
                one: frozenset((key.stack, self.ranks[key.cell]) for key in held) for one, held in self.keys.items()
            }
        else:
            start_s = {}
            for (_, ranks), seconds in prices.start_s.items():
                start_s[EVERY_STACK, ranks] = start_s.get((EVERY_STACK, ranks), 0.0) + seconds
            starts = {cell: frozenset({(EVERY_STACK, ranks)}) for cell, ranks in self.ranks.items()}
        states = {
            number: CellState(
                starts[number],
                rounds.get(number, 0),
                sum(prices.cell_s[key] for key in held),
                part=number not in self.ranks,
                holds=self._held.get(number, frozenset()),
            )
            for number, held in self.keys.items()
        }
        return states, start_s

    @cached_property
    def _held(self) -> dict[int, frozenset[int]]:
        """By unit, the others of which it holds every stack; none where no claim takes a cell apart."""
        parts = self.keys.keys() - self.ranks.keys()
        return {
            number: frozenset(one for one in parts if one != number and self.keys[one] <= held)
            for number, held in (self.keys.items() if parts else ())
        }


def make_units(plan: Plan, keys: Collection[CellKey]) -> Units:
    """The units of what can be run of a plan; a case of a claim of which a stack cannot be run asks for nothing."""
    ranks = {cell.id: cell.ranks for cell in plan.cells}
    whole: dict[int, set[CellKey]] = {}
    for key in keys:
        whole.setdefault(key.cell, set()).add(key)
    held = {cell: frozenset(those) for cell, those in sorted(whole.items())}
    numbers = {those: cell for cell, those in held.items()}
    claims = []
    for number, claim in enumerate(plan.claims):
        cases = []
        for case in claim.needs:
            if all(key.cell in held and key in held[key.cell] for key in case):
                cells = sorted({key.cell for key in case})
                parts = [frozenset(key for key in case if key.cell == cell) for cell in cells]
                cases.append(tuple(numbers.setdefault(part, len(plan.cells) + len(numbers)) for part in parts))
        if len(cases) >= claim.enough > 0:
            claims.append(ClaimUnits(tuple(cases), claim.enough, number, claim.question))
    return Units(
        {number: those for those, number in numbers.items()}, {cell: ranks[cell] for cell in held}, tuple(claims)
    )
