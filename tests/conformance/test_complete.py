"""The study ``complete``: no cell of any kernel is silently missing, whatever a stack lacks."""

from __future__ import annotations

from pathlib import Path

import pytest
from attrs import evolve

from msgauge import evaluation
from msgauge.kernels import load_kernels
from msgauge.model import Analysis, Cell, CellKey, Estimate, Plan, Refusal
from msgauge.pipeline import run
from msgauge.results.run_folder import RunFolder
from msgauge.study import load_study


def silent(plan: Plan, analysis: Analysis) -> set[tuple[str, str, int]]:
    """(stack, kernel, ranks) of every cell that is neither an estimate, a failure nor a refusal, nor left out."""
    told = {one.key for one in (*analysis.estimates, *analysis.failures, *analysis.refusals)}
    told |= set(plan.left_out)
    broken = {one.stack for one in analysis.failures if one.cell < 0}
    return {
        (stack, cell.kernel, cell.ranks)
        for stack in plan.stacks
        for cell in plan.cells
        if stack not in broken and CellKey(stack, cell.id) not in told
    }


@pytest.mark.timeout(600)
def test_every_kernel_on_two_and_four_ranks_is_measured_or_says_why_not(tmp_path: Path) -> None:
    study = load_study("complete", load_kernels())
    once = evolve(study.stopping, minimum_rounds=1, maximum_rounds=1, cell_budget_s=0.005)
    result = run(evolve(study, stacks=("tcp",), stopping=once), tmp_path, lambda event: None)
    with RunFolder.open(result.path) as folder:
        analysis = evaluation.analyse_folder(folder, "rounds")
        assert [one.reason for one in analysis.failures] == []
        assert silent(folder.plan, analysis) == set()
        assert {cell.kernel for cell in folder.plan.cells} == set(load_kernels())
        assert {record.status for record in folder.records()} == {"ok"}
    measured = {one.kernel for one in analysis.estimates if not one.failed}
    refused = {folder.plan.cells[one.cell].kernel for one in analysis.refusals}
    assert measured | refused == set(load_kernels())
    assert {"put", "get"} <= refused
    assert {"fanout", "pi", "matvec", "matmul", "mandelbrot", "montecarlo", "startup", "allreduce"} <= measured


def test_a_cell_that_nobody_tells_of_is_noticed() -> None:
    cells = (Cell(0, "pingpong", 8, 2), Cell(1, "put", 8, 2), Cell(2, "pi", 0, 2))
    plan = Plan("s", 1, ("a@1", "b@1"), cells, (2,), left_out=(CellKey("b@1", 2),))
    analysis = Analysis(
        "r", "s", "rounds", 1, (Estimate("a@1", 0, "pingpong", 8, 2),), refusals=(Refusal("a@1", 1, ""),)
    )
    assert silent(plan, analysis) == {("a@1", "pi", 2), ("b@1", "pingpong", 2), ("b@1", "put", 2)}
