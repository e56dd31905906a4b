"""For each claim that a run left undecided: how many rounds more would decide it, how long, and by what command."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from math import ceil, isfinite, nan

from attrs import evolve, frozen

from msgauge.analysis.estimates.observations import make_observations
from msgauge.model import CellKey
from msgauge.model.rounding import round_floats
from msgauge.papers.case_levels import error_when_resumed
from msgauge.papers.catalogue import load_paper, systems_of
from msgauge.papers.claim_cases import KINDS_OF_CASES, find_cases
from msgauge.papers.claim_forecast import ClaimForecast
from msgauge.papers.claim_progress import find_open_claims
from msgauge.papers.claim_prospects import foretell_claim
from msgauge.papers.claim_statement import Claim
from msgauge.papers.claims import JudgedClaim
from msgauge.papers.paper_evaluation import add_named_systems
from msgauge.papers.result import PaperResult
from msgauge.results.launch_costs import LaunchCosts
from msgauge.results.launch_times import RunTime
from msgauge.results.run_folder import RunFolder

Part = frozenset[CellKey]
"""A cell with some of its stacks."""
LONGEST_S = 24 * 3600.0
"""What takes longer is not said to decide a claim."""
_RESERVE = 1.25
"""What a budget has beyond the expected time: a round that does not fit into it is not begun."""


def add_forecasts(result: PaperResult, folder: RunFolder) -> PaperResult:
    """The result of a paper, its undecided claims with what would decide them. Of bursts nothing is foretold."""
    if all(one.verdict != "undecided" for one in result.claims):
        return result
    paper = load_paper(result.name)
    paper, placed = add_named_systems(paper, systems_of(paper, folder.stacks, on_hosts=bool(folder.plan.hosts.names)))
    observed, prices = make_observations(folder.dataset, folder.facts.kernels), _Prices.of(folder)
    error = error_when_resumed(folder.plan.stopping)

    def add(claim: Claim, judged: JudgedClaim) -> JudgedClaim:
        if judged.verdict != "undecided" or claim.kind not in KINDS_OF_CASES:
            return judged
        every = find_cases(claim, observed, placed.across if judged.place else placed.here)
        cases, evidence = [one for one in every if one.rounds], [one for one in judged.evidence if one.rounds]
        unmeasured = len(judged.unmeasured) + len(every) - len(cases)  # without a round that began alike on both sides
        found = foretell_claim(evolve(claim, error=error), cases, evidence, unmeasured)
        return evolve(judged, forecast=round_floats(prices.add_to(found, claim.text)) if found else None)

    return evolve(result, claims=tuple(map(add, paper.claims, result.claims)))


@frozen
class _Prices:
    """What rounds of claims take in a run, by the launches that it had."""

    costs: LaunchCosts
    between_s: float
    """Between one launch and the next."""
    used_s: float
    rounds: int
    """Of the run so far."""
    needs: Mapping[str, frozenset[Part]]
    """What each claim still needs, by its text."""
    going_on: frozenset[Part]
    """What all claims need that go on when the run does: a look is harder to convince than the last word."""
    ranks: Mapping[int, int]
    """By cell."""

    @classmethod
    def of(cls, folder: RunFolder) -> _Prices:
        """Those of a run folder."""
        dataset, plan, time = folder.dataset, folder.plan, RunTime()
        for record in dataset.records:
            time.take(record)
        needs = {one.text: _take_apart(one.needs) for one in plan.claims}
        still_open = {
            plan.claims[number].text: _take_apart(cases) for number, cases in find_open_claims(folder, dataset).items()
        }
        return cls(
            LaunchCosts.of(dataset.launches),
            time.between_s / max(1, time.launches),
            time.used_s,
            dataset.latest_round + 1,
            needs | still_open,
            frozenset[Part]().union(*still_open.values()),
            {cell.id: cell.ranks for cell in plan.cells},
        )

    def add_to(self, found: ClaimForecast, text: str) -> ClaimForecast:
        """The forecast with the time that its rounds take and the command for them."""
        own = self.needs.get(text, frozenset[Part]())
        each_s = self._round_s(own)
        found = evolve(found, seconds=found.rounds * each_s)
        if found.word != "begins" and found.seconds > LONGEST_S:
            found = evolve(found, word="never")
        if found.word == "never" or not isfinite(each_s):
            return found
        dearest_s = max(map(self._cells_s, own))
        before = {one for one in self.going_on if self._cells_s(one) <= dearest_s}  # what is cheaper goes first
        budget_s = self.used_s + _RESERVE * found.rounds * self._round_s(own | before)
        return evolve(found, options=f"--rounds {self.rounds + found.rounds} --budget {ceil(budget_s / 60)}min")

    def _round_s(self, parts: Collection[Part]) -> float:
        """Of a round that holds these alone; nan for none."""
        keys = frozenset[CellKey]().union(*parts)
        starts = {(key.stack, self.ranks[key.cell]) for key in keys}
        launched_s = sum(self.costs.start_s(*start, 0.0) + self.between_s for start in starts)
        return launched_s + self._cells_s(keys) if keys else nan

    def _cells_s(self, keys: Collection[CellKey]) -> float:
        """Without starting the launches."""
        return sum(self.costs.cell_s(key, 0.0) for key in keys)


def _take_apart(cases: Iterable[Iterable[CellKey]]) -> frozenset[Part]:
    """The cells of cases, each with the stacks that a case sets against each other in it."""
    every = (tuple(case) for case in cases)
    return frozenset(
        frozenset(key for key in case if key.cell == cell) for case in every for cell in {key.cell for key in case}
    )
