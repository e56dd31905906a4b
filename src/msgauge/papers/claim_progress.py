"""Which claims of a paper a look leaves open, and which of their cases: only these get further rounds."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import evolve

from msgauge.analysis.estimates.burst_traces import make_traces
from msgauge.analysis.estimates.observations import make_observations
from msgauge.model import CellKey
from msgauge.papers.case_levels import LOOK_ERROR
from msgauge.papers.catalogue import list_shipped_papers, load_paper, systems_of
from msgauge.papers.claim_cases import KINDS_OF_CASES, find_cases
from msgauge.papers.claim_cells import list_needs, list_planned
from msgauge.papers.claim_statement import Claim
from msgauge.papers.claims import JudgedClaim, combine_outcomes
from msgauge.papers.number_selection import Case
from msgauge.papers.paper_evaluation import add_named_systems, judge_claims
from msgauge.results.dataset import Dataset
from msgauge.results.run_folder import RunFolder

OpenCases = frozenset[frozenset[CellKey]]
"""Cases of a claim, each by what it needs."""


def find_open_claims(folder: RunFolder, dataset: Dataset) -> dict[int, OpenCases]:
    """The claims of a paper's plan that are undecided by what had been measured at a look, with their open cases.

    By number in the plan. A question is answered with its first interval. Undecided at a look is no verdict: that is
    told at the end. Where every case that could be measured is clear, more rounds say no more, and those that nobody
    measured leave it open. A case that is as clear as a claim has to be at a look stays what it is.
    """
    asked, kernels = {one.text: number for number, one in enumerate(folder.plan.claims)}, folder.facts.kernels
    every = {number: frozenset(map(frozenset, one.needs)) for number, one in enumerate(folder.plan.claims)}
    if folder.plan.study not in list_shipped_papers():
        return every
    paper = load_paper(folder.plan.study)
    systems = systems_of(paper, folder.stacks, on_hosts=bool(folder.plan.hosts.names))
    _, placed = add_named_systems(paper, systems)
    claims = [evolve(claim, error=LOOK_ERROR) for claim in paper.claims if claim.text in asked]
    observed, traces = make_observations(dataset, kernels), make_traces(dataset, kernels)
    judged = judge_claims(claims, folder, placed, observed, traces)
    planned, left = list_planned(folder.plan), dict[int, OpenCases]()
    for claim, one in zip(claims, judged, strict=True):
        if _is_clear(claim, one):
            continue
        number, clear = asked[claim.text], frozenset[Case]()
        if claim.kind in KINDS_OF_CASES:
            cases = find_cases(claim, observed, placed.across if one.place else placed.here)
            clear = _find_clear([case.place.case for case in cases], one)
        needs = list_needs(claim, planned, systems.every)
        left[number] = every[number].difference(frozenset(needs[case]) for case in clear if case in needs)
    return left


def _find_clear(cases: Sequence[Case], judged: JudgedClaim) -> frozenset[Case]:
    """The cases that fit, or contradict, in all stacks; ``cases``: of each piece of its evidence."""
    if judged.unmeasured:  # a case may lack a stack
        return frozenset()
    left = {case for case, one in zip(cases, judged.evidence, strict=True) if one.outcome == "open"}
    return frozenset(cases) - left


def _is_clear(claim: Claim, judged: JudgedClaim) -> bool:
    """Decided, or it would be by the cases that were measured."""
    if judged.verdict != "undecided":
        return True
    return bool(judged.evidence) and not claim.question and combine_outcomes(claim, judged.evidence) != "undecided"
