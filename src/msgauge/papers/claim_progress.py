"""Which claims of a paper a look leaves open: only these get further rounds."""

from __future__ import annotations

from attrs import evolve

from msgauge.analysis.estimates.burst_traces import make_traces
from msgauge.analysis.estimates.observations import make_observations
from msgauge.papers.case_levels import LOOK_ERROR
from msgauge.papers.catalogue import list_shipped_papers, load_paper, systems_of
from msgauge.papers.claim_statement import Claim
from msgauge.papers.claims import JudgedClaim, combine_outcomes
from msgauge.papers.paper_evaluation import add_named_systems, judge_claims
from msgauge.results.dataset import Dataset
from msgauge.results.run_folder import RunFolder


def find_open_claims(folder: RunFolder, dataset: Dataset) -> frozenset[int]:
    """The numbers of those claims of a paper's plan that are undecided, by what had been measured at a look.

    A question is answered with its first interval. Undecided at a look is no verdict: that is told at the end. Where
    every case that could be measured is clear, more rounds say no more, and those that nobody measured leave it open.
    """
    asked, kernels = {one.text: number for number, one in enumerate(folder.plan.claims)}, folder.facts.kernels
    every = frozenset(range(len(folder.plan.claims)))
    if folder.plan.study not in list_shipped_papers():
        return every
    paper = load_paper(folder.plan.study)
    _, placed = add_named_systems(paper, systems_of(paper, folder.stacks, on_hosts=bool(folder.plan.hosts.names)))
    claims = [evolve(claim, error=LOOK_ERROR) for claim in paper.claims if claim.text in asked]
    observed, traces = make_observations(dataset, kernels), make_traces(dataset, kernels)
    judged = judge_claims(claims, folder, placed, observed, traces)
    clear = (one.text for claim, one in zip(claims, judged, strict=True) if _is_clear(claim, one))
    return every - {asked[text] for text in clear}


def _is_clear(claim: Claim, judged: JudgedClaim) -> bool:
    """Decided, or it would be by the cases that were measured."""
    if judged.verdict != "undecided":
        return True
    return bool(judged.evidence) and not claim.question and combine_outcomes(claim, judged.evidence) != "undecided"
