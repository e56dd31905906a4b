"""Which cells of a plan the claims of a paper need, so that the time of a run goes where it decides one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product

from attrs import evolve

from msgauge.model import Cell, ClaimCells, Kernel, KernelKind
from msgauge.papers.case_levels import count_enough
from msgauge.papers.catalogue import list_shipped_papers, load_paper
from msgauge.papers.claims import Claim
from msgauge.papers.number_selection import Case, Pick, match_options

_MEASURED = {"ratio", "difference", "spread", "start-up", "rate-change"}
_OF_BURSTS = {"start-up", "rate-change"}
"""The sizes of their picks bound the bytes sent, and are none of cells."""


def find_claim_cells(study: str, cells: Sequence[Cell], kernels: Mapping[str, Kernel]) -> tuple[ClaimCells, ...]:
    """What each claim and each question of a paper needs of the cells; nothing where the study is no paper.

    Of a claim about all of its cases every one is needed, of one about most of them more than half, of one about any of
    them, and of a question, the first that can be had.
    """
    if study not in list_shipped_papers():
        return ()
    bursts = [cell for cell in cells if kernels[cell.kernel].kind is KernelKind.CURVE]
    found = (
        _find_cases(claim, bursts if claim.kind in _OF_BURSTS else cells)
        for claim in load_paper(study).claims
        if claim.kind in _MEASURED
    )
    return tuple(one for one in found if one is not None)


def _find_cases(claim: Claim, cells: Sequence[Cell]) -> ClaimCells | None:
    picks = [claim.left] if claim.right.is_constant or not claim.right.kernel else [claim.left, claim.right]
    if claim.kind in _OF_BURSTS:
        picks = [evolve(claim.left, size_bytes=None)]
    asked = [
        [cell for pick in picks for cell in _cells_of(pick, Case(size, ranks), cells)]
        for size, ranks in product(claim.sizes, claim.ranks)
    ]
    cases = tuple(tuple(sorted({cell.id for cell in one if cell})) for one in asked if all(one))
    return ClaimCells(cases, count_enough(len(cases), "any" if claim.question else claim.hold)) if cases else None


def _cells_of(pick: Pick, case: Case, cells: Sequence[Cell]) -> Iterator[Cell | None]:
    """The cell of a pick and those it is set against; None for one that the plan does not have."""
    place = pick.place(case)
    yield _find_cell(pick, place, cells)
    if pick.alone and place.ranks > 1:
        yield _find_cell(pick, evolve(place, ranks=1), cells)
    for one in pick.less:
        yield from _cells_of(one, place, cells)


def _find_cell(pick: Pick, place: Case, cells: Sequence[Cell]) -> Cell | None:
    """A pick of bursts names no kernel."""
    there = (
        cell
        for cell in cells
        if (cell.kernel, cell.size_bytes, cell.ranks) == (pick.kernel or cell.kernel, place.size_bytes, place.ranks)
    )
    return match_options(pick, there)
