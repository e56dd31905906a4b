"""What lies far away is said to: launches beyond an axis, ends of a change; and tests that nobody runs do not count."""

from __future__ import annotations

import io

import pytest
from attrs import evolve
from report_example import example_view
from rich.console import Console

from msgauge.model import CellKey, Comparison, MeasuringStarted, Refusal
from msgauge.report.figure_files import figures_of
from msgauge.report.figures.theme import screen
from msgauge.report.terminal.diff_terminal import format_delta
from msgauge.report.terminal.progress import ProgressView


def test_a_launch_beyond_the_axis_of_a_distribution_stands_at_its_end_and_says_so() -> None:
    view = example_view(hostile=False)
    slow = [
        evolve(one, launch_medians_ns=(*one.launch_medians_ns[:-1], 40 * one.median_ns))
        for one in view.analysis.estimates
    ]
    for estimates, seen in ((view.analysis.estimates, False), (tuple(slow), True)):
        figures = figures_of(evolve(view, analysis=evolve(view.analysis, estimates=estimates)))
        drawn = [figure.make(screen()) for figure in figures if figure.kind == "samples"]
        marks = [part for spec in drawn for layer in spec["layer"] for part in layer.get("data", {}).get("values", [])]
        signs = [part for part in marks if part.get("sign")]
        assert drawn and bool(signs) is seen
        assert {(part["sign"], part["d"].endswith(", beyond the axis")) for part in signs} <= {("▸", True)}
        assert all(part["x"] <= 3.0 for part in marks)


@pytest.mark.parametrize(
    ("ratio", "low", "high", "said"),
    [
        (1.05, 1.03, 1.07, "+5.0 % [+3.0, +7.0]"),
        (1.2, 1e-9, 8.5e8, "+20.0 % [<-90.0, >+900]"),
        (20.0, 19.0, 21.0, "+1900 % [+1800, +2000]"),
        (0.05, 0.04, 0.06, "-95.0 % [-96.0, -94.0]"),
        (1.05, float("nan"), float("nan"), "+5.0 %"),
    ],
)
def test_a_far_end_of_a_change_is_told_as_far_and_a_sure_one_to_the_digit(
    ratio: float, low: float, high: float, said: str
) -> None:
    assert format_delta(Comparison("a", "b", 0, "pingpong", 8, 2, (), ratio, low, high, "undecided")) == said


def test_tests_that_no_stack_runs_are_not_counted() -> None:
    plan = example_view(hostile=False).plan
    nobody, somebody = plan.cells[0].id, plan.cells[1].id
    refusals = [Refusal(stack, nobody, "too large") for stack in plan.stacks[1:]]
    refusals += [Refusal(stack, somebody, "too large") for stack in plan.stacks[1:]]
    fewer = evolve(plan, refusals=tuple(refusals), left_out=(CellKey(plan.stacks[0], nobody),))
    said = []
    for one in (evolve(plan, refusals=(), left_out=()), fewer):
        out = io.StringIO()
        with ProgressView(Console(file=out, width=100)) as watch:
            watch(MeasuringStarted(one, 30.0))
        said.append(out.getvalue().partition(" in ")[2].partition(" test")[0])
    assert (int(said[0]), int(said[1])) == (len(plan.cells), len(plan.cells) - 1)
