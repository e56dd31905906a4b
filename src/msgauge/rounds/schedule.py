"""The rounds of a run that is being measured: what is known from its records, and the cells of the next round.

Only the launches of earlier rounds are looked at, so that a run resumed within a round goes on with the same cells.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import inf

from attrs import evolve, frozen

from msgauge.analysis.run import analyse_round
from msgauge.analysis.verdicts.stop_decision import find_open_cells
from msgauge.model import Analysis, CellKey
from msgauge.papers.claim_progress import OpenCases, find_open_claims
from msgauge.results.dataset import Dataset
from msgauge.results.run_folder import RunFolder
from msgauge.rounds import allocation
from msgauge.rounds.allocation import CellState, ClaimUnits, Forecast, Situation, choose_units
from msgauge.rounds.forecast import cells_of_stack, expect_beginning, expect_cell_s, expect_start_s
from msgauge.rounds.resolution import describe_prospects
from msgauge.rounds.round_units import Prices, Units, make_units
from msgauge.rounds.run_progress import RunProgress
from msgauge.stats.look_schedule import least_rounds_at_end, looks_of_run


@frozen
class _Outlook:
    """What is known before a round: the units that can still be run, and the situation."""

    units: Units
    prices: Prices
    states: dict[int, CellState]
    now: Situation

    def after(self, look: _Look | None) -> _Outlook:
        """What a look leaves open: units of cells, and those of claims whatever is said of their cells; None: all."""
        if look is None:
            return self
        first = self.now.looks[0]
        claims = tuple(
            one for one in self.units.claims if one.number in look.claims or not one.has_enough(self.states, first)
        )
        asked = {number for claim in claims for case in self._open_cases(claim, look) for number in case}
        left = {
            number: state
            for number, state in self.states.items()
            if number in asked or (number in look.cells and not state.part)
        }
        return evolve(self, states=left, now=evolve(self.now, claims=claims))

    def _open_cases(self, claim: ClaimUnits, look: _Look) -> Iterable[tuple[int, ...]]:
        """Of a claim, the cases that a look left open; of one that it left aside, for want of rounds, all."""
        if claim.number not in look.claims:
            return claim.cases
        return [case for case in claim.cases if self.units.keys_of(case) in look.claims[claim.number]]


@frozen
class _Look:
    """What is open after a look."""

    cells: frozenset[int]
    """By the comparisons in them."""
    claims: Mapping[int, OpenCases]
    """By their numbers in the plan, with the cases that are."""


class Schedule:
    """Which cells each round holds."""

    def __init__(self, folder: RunFolder, cores: int) -> None:
        self._folder = folder
        self._plan = folder.plan
        self._cores = cores
        self._looks = looks_of_run(folder.plan.stopping)
        self._fewest = least_rounds_at_end(folder.plan.stopping)
        self._simulated = folder.dataset.simulated
        self._shown: dict[int, _Look] = {}
        """By the rounds that were done."""
        self._progress, self._progress_before = RunProgress(), 0
        """By the launches of all rounds before that one."""
        self._known: tuple[tuple[int, int], _Outlook] | None = None
        """The last outlook, with the round that it is of and how many rounds were there."""

    def cells_of(self, round: int) -> frozenset[CellKey]:
        """What a round holds, by cell and stack; nothing when nothing fits into the time that is left."""
        if round == 0:
            return self._first_cells()
        outlook, left = self._look_ahead(round), self._what_is_open(round)
        if not self._plan.stopping.every_cell:
            return outlook.units.keys_of(choose_units(left.states, left.now))
        every = outlook.units.keys_of(outlook.states)
        fits = outlook.prices.round_s(every, outlook.units.ranks) <= outlook.now.left_s
        return every if left.states and fits else frozenset()

    def round_s(self, round: int) -> float:
        """Seconds that a round is expected to take; inf when nothing fits."""
        keys, outlook = self.cells_of(round), self._look_ahead(round)
        held = [key for key in keys if key in outlook.prices.cell_s]
        return outlook.prices.round_s(held, outlook.units.ranks) if held else inf

    def forecast(self, round: int) -> Forecast:
        """What the rounds from this one on are expected to take, and how many there will be, if nothing is settled."""
        return self._forecast(self._what_is_open(round))

    def _forecast(self, left: _Outlook) -> Forecast:
        return allocation.forecast(left.states, left.now, every_cell=self._plan.stopping.every_cell)

    def describe_prospects(self, round: int) -> str:
        """What the rounds from this one on can tell with those before, in a clause."""
        outlook, coming = self._look_ahead(round), self._forecast(self._what_is_open(round)).rounds
        states = {n: evolve(state, rounds=coming.get(n, state.rounds)) for n, state in outlook.states.items()}
        real = [kind for kind in self._folder.dataset.kinds if not self._simulated.issuperset(kind)]
        return describe_prospects(self._plan, outlook.units, states, real)

    def open_cells(self, round: int) -> frozenset[int]:
        """The cells that the last look before a round left open, those that no stack can start any more left out."""
        left = self._what_is_open(round)
        return frozenset(key.cell for key in left.units.keys_of(left.states))

    def take_look(self, rounds: int, analysis: Analysis) -> None:
        """Take note of what a look after so many rounds shows; after any other number of rounds nothing is decided."""
        if rounds in self._looks:
            cells = find_open_cells(self._plan, analysis, self._progress_up_to(rounds).rounds_of_cells)
            claims = find_open_claims(self._folder, self._before(rounds)) if self._plan.claims else {}
            self._shown[rounds] = _Look(cells, claims)

    def _what_is_open(self, round: int) -> _Outlook:
        """Of what can be run, what the last look before a round left open."""
        looked = max((look for look in self._looks if look <= round), default=0)
        if looked and looked not in self._shown:
            self.take_look(looked, analyse_round(self._before(looked), self._folder.facts.kernels, None))
        return self._look_ahead(round).after(self._shown.get(looked))

    def _first_cells(self) -> frozenset[CellKey]:
        """Of the plan alone, so that a resumed run began as it did."""
        units, states, now = expect_beginning(self._plan, self._simulated, self._cores)
        return units.keys_of(states if self._plan.stopping.every_cell else choose_units(states, now))

    def _before(self, round: int) -> Dataset:
        whole = self._folder.dataset
        if whole.latest_round < round:
            return whole
        return whole.select(lambda record: record.launch.round < round)

    def _look_ahead(self, round: int) -> _Outlook:
        key = round, self._folder.dataset.rounds
        if self._known is None or self._known[0] != key:
            self._known = key, self._make_outlook(round)
        return self._known[1]

    def _progress_up_to(self, round: int) -> RunProgress:
        """By the launches before a round; those seen already are not looked at again."""
        if round < self._progress_before:
            self._progress, self._progress_before = RunProgress(), 0
        for number in range(self._progress_before, round):
            for launch in self._folder.dataset.launches_of_round(number):
                self._progress.take(launch)
        self._progress_before = round
        return self._progress

    def _make_outlook(self, round: int) -> _Outlook:
        progress = self._progress_up_to(round)
        prices = self._price(progress)
        units = make_units(self._plan, prices.cell_s)
        states, start_s = units.price(prices, _count_rounds(units, progress))
        left_s = self._plan.stopping.budget_s - progress.time.used_s
        now = Situation(round, left_s, start_s, self._looks, units.claims, self._fewest)
        return _Outlook(units, prices, states, now)

    def _price(self, progress: RunProgress) -> Prices:
        """By what was seen; of the stacks that have a worker and were not given up."""
        costs, between_s = progress.costs, progress.time.between_s / max(1, progress.time.launches)
        without = {built.stack for built in self._folder.builds if built.reason}
        cell_s: dict[CellKey, float] = {}
        start_s: dict[tuple[str, int], float] = {}
        for stack in self._plan.stacks:
            for ranks in self._plan.rank_counts:
                held = [cell for cell in cells_of_stack(self._plan, stack) if cell.ranks == ranks]
                if not held or stack in without or (stack, ranks) in progress.given_up:
                    continue
                alone = stack in self._simulated
                usual_s = expect_start_s(ranks, alone, self._cores)
                start_s[stack, ranks] = costs.start_s(stack, ranks, usual_s) + between_s
                for cell in held:
                    usual_s = expect_cell_s(cell, self._plan.stopping, alone, self._cores)
                    key = CellKey(stack, cell.id)
                    cell_s[key] = costs.cell_s(key, usual_s)
        return Prices(cell_s, start_s)


def _count_rounds(units: Units, progress: RunProgress) -> dict[int, int]:
    """By unit: where claims take cells apart, the rounds in which all of its stacks ran; else those of any."""
    if len(units.keys) == len(units.ranks):
        return dict(progress.rounds_of_cells)
    ran = progress.rounds_of
    return {
        number: len(set.intersection(*(ran.get(key, set()) for key in held))) for number, held in units.keys.items()
    }
