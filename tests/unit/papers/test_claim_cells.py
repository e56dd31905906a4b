"""Claims about which cells a paper's claims ask for."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from msgauge.hosts import Host
from msgauge.kernels import load_kernels
from msgauge.model import Cell, Origin, Stack
from msgauge.papers.catalogue import list_shipped_papers, load_paper, make_runnable
from msgauge.papers.claim_cells import find_claim_cells
from msgauge.plan import WorkerCapabilities, make_plan

KERNELS = load_kernels()
SENDS, BCAST = (("form", "sends"),), (("form", "bcast"),)
RANKS = (10, 20, 40, 50, 100, 150, 200)
CELLS = tuple(
    Cell(number, "fanout", size, ranks, options)
    for number, (size, ranks, options) in enumerate(
        (size, ranks, options)
        for options in (SENDS, BCAST)
        for ranks in RANKS
        for size in ((8, 32, 64, 256, 1024, 2048) if ranks in {10, 50, 200} else (64, 2048))
    )
)


def test_no_paper_has_no_claims() -> None:
    assert find_claim_cells("quick", CELLS, KERNELS) == ()


def test_claims_ask_for_the_cells_of_both_sides_of_as_many_cases_as_decide_them() -> None:
    found = find_claim_cells("tcp-or-mpi", CELLS, KERNELS)
    judged = [one for one in load_paper("tcp-or-mpi").claims if one.kind != "fact"]
    assert len(found) == len(judged)
    by_text = {claim.text.split(":")[0][:40]: one for claim, one in zip(judged, found, strict=True)}
    slower = by_text["Open MPI is slower than the TCP library i"[:40]]
    assert (len(slower.cases), slower.enough) == (26, 26)
    assert all(len(case) == 1 for case in slower.cases), "both sides are measured by one cell"
    broadcast = by_text["Open MPI's broadcast is sometimes slower"[:40]]
    assert broadcast.enough == 1
    assert all(
        {CELLS[cell].options for cell in case} == {SENDS, BCAST} and len({CELLS[cell].size_bytes for cell in case}) == 1
        for case in broadcast.cases
    )
    many = by_text["With 200 workers Intel MPI is slower by "[:40]]
    assert (many.enough, {CELLS[cell].ranks for case in many.cases for cell in case}) == (4, {200})


def test_cases_whose_cells_the_plan_lacks_are_not_asked_for() -> None:
    few = tuple(cell for cell in CELLS if cell.ranks == 10)
    found = find_claim_cells("tcp-or-mpi", few, KERNELS)
    assert {cell for one in found for case in one.cases for cell in case} == {cell.id for cell in few}
    assert len(found) < len(find_claim_cells("tcp-or-mpi", CELLS, KERNELS)), "claims of 50 and 200 ask for nothing"


@pytest.mark.parametrize("name", list_shipped_papers())
def test_every_measured_claim_of_every_paper_finds_cells_in_what_the_paper_measures(name: str) -> None:
    """Else the time of the run would go past it."""
    whole = load_paper(name)
    stacks: dict[str, Stack] = {}

    def select(expressions: Sequence[str]) -> Sequence[Stack]:
        family = expressions[0].partition("[")[0]
        return [stacks.setdefault(expressions[0], Stack(family, str(len(stacks)), Origin("system")))]

    study = make_runnable(whole, select, KERNELS).study
    offers = {stack.spec: WorkerCapabilities() for stack in stacks.values()}
    plan = make_plan(study, list(stacks.values()), KERNELS, Host("node", 2), offers)
    measured = [one for one in whole.claims if one.kind not in {"fact", "ran"}]
    found = find_claim_cells(name, plan.cells, KERNELS)
    assert len(found) == len(measured)
    assert all(1 <= one.enough <= len(one.cases) for one in found)
