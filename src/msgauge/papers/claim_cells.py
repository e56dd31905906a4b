"""What of a plan the claims of a paper need, so that the time of a run goes where it decides one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from attrs import evolve

from msgauge.model import Cell, CellKey, ClaimCells, Kernel, KernelKind, Plan, Stack
from msgauge.papers.case_levels import count_enough
from msgauge.papers.catalogue import list_shipped_papers, load_paper, systems_of
from msgauge.papers.claim_coverage import Planned
from msgauge.papers.claim_statement import Claim
from msgauge.papers.number_selection import Case, Pick, list_needed

_MEASURED = {"ratio", "difference", "spread", "start-up", "rate-change"}
_OF_BURSTS = {"start-up", "rate-change"}
"""The sizes of their picks bound the bytes sent, and are none of cells."""


def find_claim_cells(plan: Plan, stacks: Sequence[Stack], kernels: Mapping[str, Kernel]) -> tuple[ClaimCells, ...]:
    """What each claim and each question of a paper needs of its plan; nothing where the study is no paper.

    Of a claim about all of its cases every one is needed, of one about most of them more than half, of one about any of
    them, and of a question, the first that can be had. A case that lacks a stack, or a cell, asks for nothing.
    """
    if plan.study not in list_shipped_papers():
        return ()
    paper = load_paper(plan.study)
    roles = systems_of(paper, stacks, on_hosts=bool(plan.hosts.names)).every
    bursts = tuple(cell for cell in plan.cells if kernels[cell.kernel].kind is KernelKind.CURVE)
    planned, of_bursts = list_planned(plan), list_planned(evolve(plan, cells=bursts))
    found = (
        _find_cases(claim, of_bursts if claim.kind in _OF_BURSTS else planned, roles)
        for claim in paper.claims
        if claim.kind in _MEASURED
    )
    return tuple(one for one in found if one is not None)


def list_planned(plan: Plan) -> dict[str, tuple[Cell, ...]]:
    """By stack, the cells that it is to measure: without those that it refuses, and that are left out."""
    unable = {refusal.key for refusal in plan.refusals} | set(plan.left_out)
    return {stack: tuple(cell for cell in plan.cells if CellKey(stack, cell.id) not in unable) for stack in plan.stacks}


def _find_cases(claim: Claim, planned: Planned, roles: Mapping[str, Sequence[str]]) -> ClaimCells | None:
    needs = list_needs(claim, planned, roles)
    enough = count_enough(len(needs), "any" if claim.question else claim.hold)
    return ClaimCells(tuple(needs.values()), enough, claim.text, claim.question) if needs else None


def list_needs(claim: Claim, planned: Planned, roles: Mapping[str, Sequence[str]]) -> dict[Case, tuple[CellKey, ...]]:
    """What each case of a claim needs, of those that can be had; ``planned``: by stack, the cells it is to measure."""
    picks = [claim.left] if claim.right.is_constant or not claim.right.kernel else [claim.left, claim.right]
    if claim.kind in _OF_BURSTS:
        picks = [evolve(claim.left, size_bytes=None)]
    sides = {case: [_keys_of(pick, case, planned, roles) for pick in picks] for case in claim.cases}
    return {case: tuple(sorted(set[CellKey]().union(*keys))) for case, keys in sides.items() if all(keys)}


def _keys_of(pick: Pick, case: Case, planned: Planned, roles: Mapping[str, Sequence[str]]) -> set[CellKey]:
    """The cells of a pick and those it is set against, of every stack that it speaks of and that can run them all."""
    keys = set[CellKey]()
    for stack in roles.get(pick.system, ()) if pick.system else planned:
        cells = list(list_needed(pick, case, planned.get(stack, ())))
        if all(cells):
            keys |= {CellKey(stack, cell.id) for cell in cells if cell}
    return keys
