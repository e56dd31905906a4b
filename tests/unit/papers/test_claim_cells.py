"""Claims about which cells a paper's claims ask for."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from attrs import evolve

from msgauge.hosts import Host
from msgauge.kernels import load_kernels
from msgauge.model import Cell, ClaimCells, Origin, Plan, Refusal, Stack
from msgauge.model.stack_expression import parse_expressions
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


STACKS = tuple(
    Stack(family, "1", Origin("builtin"), variant)
    for family, variant in (
        ("tcp", ()), ("taskfarm", ("tcp",)), ("openmpi", ("tcp", "yield", "pmix_base_async_modex=1")),
        ("intelmpi", ("tcp", "yield")),
    )
)  # fmt: skip
TCP, TASKFARM, OPENMPI, INTELMPI = (stack.spec for stack in STACKS)
PLAN = Plan("tcp-or-mpi", 1, tuple(stack.spec for stack in STACKS), CELLS, RANKS)


def needs_of(text: str, plan: Plan = PLAN) -> ClaimCells:
    """Of the claim that begins so."""
    judged = [one for one in load_paper("tcp-or-mpi").claims if one.kind != "fact"]
    able = [one for one in judged if one.left.system != "openmpi-shm"]
    return dict(zip((one.text for one in able), find_claim_cells(plan, STACKS, KERNELS), strict=True))[
        next(one.text for one in able if one.text.startswith(text))
    ]


def test_no_paper_has_no_claims() -> None:
    assert find_claim_cells(evolve(PLAN, study="quick"), STACKS, KERNELS) == ()


def test_claims_ask_for_the_stacks_of_both_sides_in_as_many_cases_as_decide_them() -> None:
    slower = needs_of("Open MPI is slower than the TCP library")
    assert (len(slower.needs), slower.enough) == (26, 26)
    assert all({key.stack for key in case} == {OPENMPI, TCP} for case in slower.needs), "no stack that it is silent of"
    assert all(len({key.cell for key in case}) == 1 for case in slower.needs), "both sides are measured by one cell"
    broadcast = needs_of("Open MPI's broadcast is sometimes slower")
    assert broadcast.enough == 1
    for case in broadcast.needs:
        both = [CELLS[key.cell] for key in case]
        assert {cell.options for cell in both} == {SENDS, BCAST} and len({cell.size_bytes for cell in both}) == 1
        assert {key.stack for key in case} == {OPENMPI}
    many = needs_of("With 200 workers Intel MPI is slower by")
    assert (many.enough, {CELLS[key.cell].ranks for case in many.needs for key in case}) == (4, {200})
    steady = needs_of("The TCP library is predictable")
    assert {key.stack for case in steady.needs for key in case} == {TCP}


def test_cases_whose_cells_the_plan_lacks_are_not_asked_for() -> None:
    few = tuple(cell for cell in CELLS if cell.ranks == 10)
    found = find_claim_cells(evolve(PLAN, cells=few), STACKS, KERNELS)
    assert {key.cell for one in found for case in one.needs for key in case} == {cell.id for cell in few}
    assert len(found) < len(find_claim_cells(PLAN, STACKS, KERNELS)), "claims of 50 and 200 ask for nothing"


def test_a_case_of_a_stack_that_cannot_run_it_is_not_asked_for() -> None:
    cell = next(one for one in CELLS if (one.size_bytes, one.ranks, one.options) == (64, 200, SENDS))
    refused = evolve(PLAN, refusals=(Refusal(INTELMPI, cell.id, "no such kernel"),))
    many = needs_of("With 200 workers Intel MPI is slower by", refused)
    assert (len(many.needs), many.enough) == (5, 3)
    assert needs_of("Open MPI is slower", refused) == needs_of("Open MPI is slower")


@pytest.mark.parametrize("name", list_shipped_papers())
def test_every_measured_claim_of_every_paper_finds_cells_in_what_the_paper_measures(name: str) -> None:
    """Else the time of the run would go past it."""
    whole = load_paper(name)
    stacks: dict[str, Stack] = {}

    def select(expressions: Sequence[str]) -> Sequence[Stack]:
        (wanted,) = parse_expressions(expressions)
        made = Stack(wanted.family, wanted.version or "4.0", Origin("system"), wanted.words)
        return [stacks.setdefault(expressions[0], made)]

    study = make_runnable(whole, select, KERNELS).study
    here = list({stack.spec: stack for stack in stacks.values()}.values())
    able = WorkerCapabilities(capabilities=frozenset(word for kernel in KERNELS.values() for word in kernel.needs))
    plan = make_plan(study, here, KERNELS, Host("node", 2), {stack.spec: able for stack in here})
    measured = [one for one in whole.claims if one.kind not in {"fact", "ran"}]
    found = find_claim_cells(plan, here, KERNELS)
    assert len(found) == len(measured)
    assert all(1 <= one.enough <= len(one.needs) for one in found)
    measuring = {(stack.spec, cell.id) for stack in here for cell in plan.cells} - {
        (key.stack, key.cell) for key in plan.left_out
    }
    assert {(key.stack, key.cell) for one in found for case in one.needs for key in case} <= measuring
