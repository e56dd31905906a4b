"""What did not run is told once for each reason, with the cells it holds for."""

from __future__ import annotations

from attrs import evolve
from report_example import example_view

from msgauge.model import Cell, Failure
from msgauge.report import failures
from msgauge.report.sections import failures as failures_section


def cell(number: int, size: int, ranks: int = 2, **options: str) -> Cell:
    return Cell(number, "pingpong", size, ranks, tuple(options.items()))


def test_cells_are_told_by_kernel_and_options_with_their_sizes_and_ranks() -> None:
    cells = [cell(0, 8), cell(1, 1024), cell(2, 8, send="ready"), cell(3, 1 << 20, 4, send="ready"), cell(4, 64, 3)]
    assert failures.describe_cells(cells) == (
        "pingpong, 3 sizes from 8 B to 1 KiB, 2 and 3 ranks",
        "pingpong send=ready, 8 B and 1 MiB, 2 and 4 ranks",
    )
    assert failures.describe_cells([evolve(cell(0, 0, 1), kernel="pi", mode="single")]) == ("pi mode=single, 1 rank",)


def test_a_reason_that_holds_for_many_cells_is_one_card() -> None:
    view = example_view(hostile=False)
    cells = [one for one in view.plan.cells if one.kernel == "stream"]
    lost = tuple(Failure("tcp@1", "not reached", "stream", one.id, f"launches/{one.id:04d}") for one in cells)
    view = evolve(view, analysis=evolve(view.analysis, failures=lost))
    (group,) = failures.failures(view)
    assert group.cells == tuple(sorted(cells, key=lambda one: one.id))
    assert group.log == lost[0].log
    assert failures_section.render(view).count("not reached") == 1


def test_a_stack_that_failed_as_a_whole_has_no_cells() -> None:
    view = example_view(hostile=False)
    view = evolve(view, analysis=evolve(view.analysis, failures=(Failure("tcp@1", "it does not compile"),)))
    (group,) = failures.failures(view)
    assert (group.cells, group.spans) == ((), ())
