"""What stands in each place of the tables, and which marks it may carry."""

from __future__ import annotations

import math

import numpy as np
import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st
from report_example import HOSTILE, example_view

from msgauge.model import Analysis, Cell, Estimate, Failure, Place, Plan, Refusal
from msgauge.report.figures.distributions import share_below
from msgauge.report.grid import bandwidth, format_halfwidth, lead, make_grids

CELL = Cell(0, "pingpong", 8, 2)
PLAN = Plan("s", 1, ("a", "b"), (CELL,), (2,))


def estimate(stack: str, median: float, half: float = 0.01, **more: object) -> Estimate:
    return Estimate(stack, 0, "pingpong", 8, 2, (), median, median * (1 - half), median * (1 + half), **more)  # type: ignore[arg-type]


FIRST, EITHER, SECOND = Place(True, 1, 1), Place(True, 1, 2), Place(False, 2, 2)


def standings(*estimates: Estimate, **more: object) -> list[str]:
    analysis = Analysis("r", "s", "rounds", 5, estimates, **more)  # type: ignore[arg-type]
    (grid,) = make_grids(PLAN, analysis)
    return [entry.standing for entry in grid.rows[0]]


def test_all_that_may_be_the_fastest_are_marked_and_no_other() -> None:
    """Medians and intervals mark nothing: here the slower one by its median is marked."""
    assert standings(estimate("a", 100, place=SECOND), estimate("b", 200, place=FIRST)) == ["behind", "best"]
    assert standings(estimate("a", 100, place=EITHER), estimate("b", 200, place=EITHER)) == ["best", "best"]


def test_what_was_compared_with_none_has_no_mark() -> None:
    assert standings(estimate("a", 100), estimate("b", 200)) == ["alone", "alone"]


def test_a_simulated_stack_has_no_mark_beside_measured_ones() -> None:
    simulated = estimate("a", 10, simulated=True, place=FIRST)
    assert standings(simulated, estimate("b", 100)) == ["apart", "alone"]
    assert standings(simulated, estimate("b", 100, simulated=True, place=SECOND)) == ["best", "behind"]


def test_the_stack_that_leads_is_the_quickest_of_those_that_may_be_the_fastest() -> None:
    analysis = Analysis("r", "s", "rounds", 5, (estimate("a", 90, place=SECOND), estimate("b", 100, place=EITHER)))  # type: ignore[arg-type]
    (grid,) = make_grids(PLAN, analysis)
    found = lead(grid.rows[0])
    assert found is not None
    assert found.stack == "b"


def test_failed_refused_and_missing_are_told_apart() -> None:
    failed = evolve(estimate("a", 1), failed="it crashed")
    assert standings(failed, refusals=(Refusal("b", 0, "lacks it"),)) == ["failed", "refused"]
    assert standings(estimate("a", 1), failures=(Failure("b", "did not build"),)) == ["alone", "failed"]
    assert standings(estimate("a", 1)) == ["alone", "missing"]


def test_grids_part_by_kernel_ranks_and_options_and_keep_every_cell() -> None:
    view = example_view()
    found = make_grids(view.plan, view.analysis, view.kernels)
    assert [grid.key for grid in found] == ["pingpong-2", "stream-2", "exchange-2", "bcast-4-root-0", "bcast-4-root-1"]
    assert sorted(row[0].cell.id for grid in found for row in grid.rows) == [cell.id for cell in view.plan.cells]
    assert found[3].shared == {"oversubscribed"}
    assert [grid.shown for grid in found] == ["time", "bandwidth", "bandwidth", "time", "time"]


def test_a_bandwidth_interval_turns_the_time_interval_round() -> None:
    view = example_view()
    entry = make_grids(view.plan, view.analysis, view.kernels)[1].rows[3][0]
    middle, low, high = bandwidth(entry)
    assert low < middle < high
    assert entry.estimate is not None
    assert high == pytest.approx(entry.cell.size_bytes / entry.estimate.low_ns * 1e9)


@given(st.floats(1, 1e9), st.floats(0, 0.99), st.floats(0, 3))
def test_the_printed_half_width_is_never_narrower_than_the_interval(middle: float, below: float, above: float) -> None:
    text = format_halfwidth(middle, middle * (1 - below), middle * (1 + above))
    side = 100 * max(below, above)
    if text == ">±100%":
        assert side > 99
    else:
        assert float(text.strip("±%")) >= side - 1e-6 * max(1.0, side)


def test_an_interval_without_numbers_is_not_printed() -> None:
    assert format_halfwidth(100.0, math.nan, math.nan) == ""


@given(st.lists(st.floats(1, 1e6), min_size=2, max_size=200), st.floats(0.5, 2e6))
def test_shares_below_a_value_follow_the_samples(values: list[float], value: float) -> None:
    points = list(np.quantile(values, np.linspace(0, 1, 101)))
    share = share_below(points, value)
    assert 0 <= share <= 100
    assert share_below(points, value * 1.5) >= share


def test_hostile_names_do_not_reach_keys() -> None:
    view = example_view()
    options = (("ro\"ot'", "<x>/../.."),)
    plan = evolve(view.plan, cells=(Cell(0, "pingpong", 8, 2, options),))
    (grid,) = make_grids(plan, view.analysis)
    assert all(c.isascii() and (c.isalnum() or c == "-") for c in grid.key)
    assert HOSTILE in grid.stacks
