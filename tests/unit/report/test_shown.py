"""What tables, legends and headings show of stacks that failed, are simulated or have intervals without an end."""

from __future__ import annotations

import io
from math import inf, isfinite

from attrs import evolve
from report_example import example_view
from rich.console import Console

from msgauge.model import KeyResult, KeyTest, MeanRatio, StackSummary, Summary
from msgauge.report import figure_files, page
from msgauge.report.decision_table import explain_numbers, list_headings, list_rows
from msgauge.report.figures.chart_parts import list_drawn
from msgauge.report.figures.grid_charts import figures_of
from msgauge.report.figures.theme import paper, screen
from msgauge.report.figures.vega_render import render_svg
from msgauge.report.grid import amounts, format_halfwidth, make_grids
from msgauge.report.terminal.decision_terminal import print_decision
from msgauge.report.view import RunView

LATENCY = KeyTest("latency", 0, "pingpong", 8, 1, (), "time")
QUICK, SLOW = KeyResult(100.0, 90.0, 110.0, "fastest"), KeyResult(200.0, 190.0, 210.0, "slower")


def summary(*rows: tuple[str, bool, KeyResult | None]) -> Summary:
    made = tuple(StackSummary(name, simulated, "a", (one,)) for name, simulated, one in rows)
    return Summary("", 1, (LATENCY,), made, ())


def stars(found: Summary) -> dict[str, str | None]:
    return {row.stack: row.cells[0].mark for row in list_rows(found)}


def test_a_simulated_stack_has_no_star_beside_measured_ones_as_in_every_table() -> None:
    rows = ("a", False, QUICK), ("b", False, SLOW), ("fake@1", True, QUICK)
    assert stars(summary(*rows)) == {"a": "*", "b": "", "fake@1": ""}
    assert stars(summary(("a", False, None), rows[2])) == {"a": "", "fake@1": "*"}
    assert stars(summary(rows[2], ("smpi@3", True, SLOW))) == {"fake@1": "*", "smpi@3": ""}
    assert "may be the fastest" not in explain_numbers(summary(("a", False, SLOW), rows[2]))


def test_one_rank_is_one() -> None:
    assert list_headings(summary(("a", False, QUICK)))[0] == ("latency", "pingpong, 8 B, 1 rank")


def test_a_standing_stands_beside_no_number_that_its_star_has_told() -> None:
    """One launch has no interval, in whose place the words of the standing stood."""
    alone = summary(("a", False, KeyResult(100.0, float("nan"), float("nan"), "may be fastest")), ("b", False, None))
    out = io.StringIO()
    Console(file=out, width=100).print(*print_decision(alone, 100))
    row = next(line for line in out.getvalue().splitlines() if line.startswith("a "))
    assert row.split() == ["a", "*", "100", "ns"]
    assert "no result" in out.getvalue()


def test_a_mean_that_is_slower_says_so_as_one_that_is_faster_does() -> None:
    """The word fell out with the standings, for which a star or none stands."""
    means = {"b": MeanRatio(1.3, 1.2, 1.4, "slower", 4, 9), "c": MeanRatio(0.8, 0.7, 0.9, "faster", 4, 9)}
    rows = tuple(StackSummary(name, False, "a", (SLOW,), means.get(name)) for name in "abc")
    out = io.StringIO()
    Console(file=out, width=100).print(*print_decision(Summary("", 4, (LATENCY,), rows, ()), 100))
    said = {line.split()[0]: line.split() for line in out.getvalue().splitlines() if line[:1] in ("a", "b", "c")}
    assert said["b"][-4:] == ["1.20", "to", "1.40", "slower"]
    assert said["c"][-1] == "faster"
    assert said["b"].count("slower") == 1


def test_a_table_that_is_continued_begins_with_its_headings_and_not_with_blank_lines() -> None:
    """The first part was as deep as the deepest heading of the others."""
    means = (("a", None), ("openmpi@5.0.11", MeanRatio(1.3, 1.2, 1.4, "slower", 4, 9)))
    rows = tuple(StackSummary(name, False, "a", (SLOW,), mean) for name, mean in means)
    two = Summary("a purpose of many words", 4, (evolve(LATENCY, ranks=2),), rows, ())
    out = io.StringIO()
    Console(file=out, width=24).print(*print_decision(two, 24))
    assert sum(line.startswith("──") for line in out.getvalue().splitlines()) == 2, "the table is in two parts"
    assert out.getvalue().splitlines()[0].strip() == "latency"


def endless() -> RunView:
    """A run in which a time may be zero, as of two launches far apart that a coarse clock has read."""
    view = example_view()
    some = tuple(evolve(one, low_ns=0.0) if one.kernel == "stream" else one for one in view.analysis.estimates)
    return evolve(view, analysis=evolve(view.analysis, estimates=some))


def test_where_a_time_may_be_zero_its_rate_has_no_upper_end_and_the_page_is_written() -> None:
    view = endless()
    (grid,) = (one for one in make_grids(view.plan, view.analysis, view.kernels) if one.kernel.name == "stream")
    middle, low, high = amounts(next(entry for entry in grid.entries if entry.estimate), "bandwidth")
    assert low < middle < high == inf
    assert format_halfwidth(middle, low, high) == ">±100%"
    assert "&gt;±100%" in page.render(view)


def test_an_endless_interval_is_cut_off_where_the_figure_ends_on_both_sides() -> None:
    drawn = {one.key: one.make(screen()) for one in figures_of(endless()) if one.key.startswith("stream-2-")}
    for key in ("stream-2-bandwidth", "stream-2-time"):
        points = drawn[key]["data"]["values"]
        assert all(isfinite(point["high"]) and point["low"] > 0 for point in points)
        ends = "high" if key.endswith("bandwidth") else "low"
        assert all(point[ends] != point["y"] for point in points)


def failed_view() -> RunView:
    """The example without a number of its last stack."""
    view = example_view()
    last = view.plan.stacks[-1]
    there = tuple(one for one in view.analysis.estimates if one.stack != last)
    compared = tuple(one for one in view.analysis.comparisons if last not in (one.base, one.other))
    return evolve(view, analysis=evolve(view.analysis, estimates=there, comparisons=compared))


def test_a_legend_names_only_stacks_that_are_drawn() -> None:
    view = failed_view()
    last = len(view.plan.stacks) - 1
    for figure in figures_of(view):
        if figure.kind in ("time", "bandwidth", "ratio"):
            assert figure.drawn == list_drawn(figure.make(screen())["data"]["values"])
            assert last not in figure.drawn
    curve = next(one for one in figure_files.figures_of(view) if one.kind == "time")
    assert view.plan.stacks[-1] not in render_svg(curve, paper())


def test_the_heading_counts_the_stacks_that_have_numbers() -> None:
    assert page.describe_stacks(example_view()) == "4 message-passing stacks compared"
    view = failed_view()
    assert page.describe_stacks(view) == "3 of 4 message-passing stacks compared"
    first = view.plan.stacks[0]
    alone = tuple(one for one in view.analysis.estimates if one.stack == first)
    view = evolve(view, analysis=evolve(view.analysis, estimates=alone))
    assert page.describe_stacks(view) == "One message-passing stack of 4 measured"
    assert page.describe_stacks(evolve(view, plan=evolve(view.plan, stacks=(first,)))) == (
        "One message-passing stack measured"
    )


def test_a_figure_names_the_sizes_at_which_something_is_drawn() -> None:
    """Messages of no byte have no bandwidth, and the figure was said to begin at them."""
    view = example_view()
    grid = next(one for one in make_grids(view.plan, view.analysis, view.kernels) if one.moves_bytes)
    assert [row[0].cell.size_bytes for row in grid.rows[:2]] == [0, 1]
    said = {one.kind: one.text for one in figures_of(view) if one.key.startswith(grid.key)}
    assert "from 0 B to" in said["time"]
    assert "from 1 B to" in said["bandwidth"]
