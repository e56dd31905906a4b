"""What stands in each place of the tables, and which marks it may carry."""

from __future__ import annotations

import math

import numpy as np
import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st
from report_example import HOSTILE, example_view

from msgauge.model import Analysis, Cell, Comparison, Estimate, Failure, Plan, Refusal
from msgauge.report.distributions import share_below
from msgauge.report.grid import bandwidth, format_halfwidth, make_grids, mirror

CELL = Cell(0, "pingpong", 8, 2)
PLAN = Plan("s", 1, ("a", "b"), (CELL,), (2,))


def estimate(stack: str, median: float, half: float = 0.01, **more: object) -> Estimate:
    return Estimate(stack, 0, "pingpong", 8, 2, (), median, median * (1 - half), median * (1 + half), **more)  # type: ignore[arg-type]


def versus(base: str, other: str, ratio: float, verdict: str) -> Comparison:
    return Comparison(base, other, 0, "pingpong", 8, 2, (), ratio, ratio * 0.99, ratio * 1.01, verdict)  # type: ignore[arg-type]


def standings(*estimates: Estimate, comparisons: tuple[Comparison, ...] = (), **more: object) -> list[str]:
    analysis = Analysis("r", "s", "rounds", 5, estimates, comparisons, **more)  # type: ignore[arg-type]
    (grid,) = make_grids(PLAN, analysis)
    return [entry.standing for entry in grid.rows[0]]


@pytest.mark.parametrize(
    ("verdict", "standing"),
    [("slower", "behind"), ("equivalent", "equal"), ("undecided", "level"), ("faster", "level")],
)
def test_the_verdict_against_the_fastest_decides_the_mark(verdict: str, standing: str) -> None:
    found = standings(estimate("a", 100), estimate("b", 104), comparisons=(versus("a", "b", 1.04, verdict),))
    assert found == ["fastest", standing]


def test_a_comparison_told_from_the_other_side_counts_as_well() -> None:
    told = versus("b", "a", 1 / 1.2, "faster")
    assert standings(estimate("a", 100), estimate("b", 120), comparisons=(told,)) == ["fastest", "behind"]
    assert mirror(told).ratio == pytest.approx(1.2)
    assert mirror(told).ratio_low < 1.2 < mirror(told).ratio_high


def test_without_a_comparison_only_intervals_that_keep_apart_tell_two_stacks_apart() -> None:
    assert standings(estimate("a", 100), estimate("b", 110)) == ["fastest", "behind"]
    assert standings(estimate("a", 100, 0.06), estimate("b", 110, 0.06)) == ["fastest", "level"]


def test_a_simulated_stack_is_never_the_fastest_nor_judged() -> None:
    assert standings(estimate("a", 10, simulated=True), estimate("b", 100)) == ["apart", "fastest"]


def test_simulated_stacks_among_themselves_are_judged() -> None:
    pair = (estimate("a", 10, simulated=True), estimate("b", 100, simulated=True))
    assert standings(*pair, comparisons=(versus("a", "b", 10.0, "slower"),)) == ["fastest", "behind"]


def test_failed_refused_and_missing_are_told_apart() -> None:
    failed = evolve(estimate("a", 1), failed="it crashed")
    assert standings(failed, refusals=(Refusal("b", 0, "lacks it"),)) == ["failed", "refused"]
    assert standings(estimate("a", 1), failures=(Failure("b", "did not build"),)) == ["fastest", "failed"]
    assert standings(estimate("a", 1)) == ["fastest", "missing"]


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
