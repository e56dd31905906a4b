"""Numbers of a paper in units of time hold on a machine whose pace wanders, and efficiencies where it cancels."""

from __future__ import annotations

import numpy as np
import pytest
from attrs import evolve
from benchmarks.truth import absolute_numbers as simulated
from scipy import stats as oracle

from msgauge.analysis.estimates.observations import Observation, find_paces
from msgauge.papers.claim_cases import find_cases
from msgauge.papers.claim_statement import Claim
from msgauge.papers.claims import judge_claim
from msgauge.papers.figures import Plot, make_paper_figure
from msgauge.papers.number_selection import Pick
from msgauge.papers.tables import Column, Row, Table, redraw
from msgauge.stats.dependence import Pace
from msgauge.stats.ratio import compare, limit_medians

SYSTEMS = {"left": ("one@1",), "right": ("two@1",)}


def launches(scatter: float, seed: int, rounds: int = 12) -> np.ndarray:
    return np.asarray(1000 * np.exp(scatter * np.random.default_rng(seed).normal(size=rounds)))


def observe(times: np.ndarray, first: int = 0, stack: str = "one@1", ranks: int = 2, size: int = 8) -> Observation:
    rounds = tuple(range(first, first + times.size))
    return Observation(stack, "pi", size, ranks, (), "time", rounds, tuple(times.tolist()))


def test_claims_about_a_published_time_are_seldom_decided_by_a_pace_that_wanders() -> None:
    found = simulated.false_claims_of_times(0.8, 10, 1, 100)
    assert found.share <= 0.08
    assert found.before > 0.15


def test_a_time_that_is_far_from_the_published_one_is_found_so() -> None:
    assert simulated.claims_of_times_decided(0.8, 20, 1.3, 30).share >= 0.8


ALONE = Claim(
    "", left=Pick(system="left", kernel="pi", alone=True), right=Pick(constant_ns=1.0), sizes=(8,), ranks=(4,)
)


def test_a_time_over_that_on_one_rank_is_as_wide_as_its_rounds_resemble_each_other_or_the_machine_does() -> None:
    single, shared = launches(0.02, 1), launches(0.02, 2)
    observed = [observe(single, ranks=1), observe(shared, ranks=4)]
    (case,) = find_cases(ALONE, observed, SYSTEMS)
    logs = np.log(4 * shared / single)
    factor = min(one.factor(12) for one in (find_paces(observed)["one@1"], Pace((logs,))))
    middle = np.median(logs)
    ends = [middle + factor * (np.log(end) - middle) for end in limit_medians(logs, 0.95)]
    assert np.log(case.limits(0.95)) == pytest.approx(ends)


def test_an_efficiency_whose_rounds_resemble_each_other_is_seldom_on_the_wrong_side_of_a_number() -> None:
    """At the bound and AR(1) 0.8, half of such claims were decided in ten rounds."""
    random, decided = np.random.default_rng(3), 0
    for _ in range(50):
        wander = random.normal(size=(2, 10))
        for step in range(1, 10):
            wander[:, step] = 0.8 * wander[:, step - 1] + 0.6 * wander[:, step]
        single, shared = 1000 * np.exp(0.05 * wander)
        observed = [observe(single, ranks=1), observe(shared / 4, ranks=4)]
        decided += judge_claim(evolve(ALONE, low=1.0), observed, SYSTEMS).verdict != "undecided"
    assert decided <= 8


def test_answers_about_differences_hold_together() -> None:
    found = simulated.differences_hold(0.0, 10, 16, 1.1, 60)
    assert found.share >= 0.93
    assert found.before < 0.6


def test_a_difference_has_the_interval_of_the_level_that_is_asked() -> None:
    """Seven rounds have no order statistic at 99.7 %: Student's t, from scipy, times what the pace makes of it."""
    mine, theirs = launches(0.02, 3, 7), launches(0.02, 4, 7)
    asked = Claim("", kind="difference", left=Pick("left", "pi"), right=Pick("right", "pi"), sizes=(8,), question=True)
    observed = [observe(2 * mine), observe(theirs, stack="two@1")]
    (case,) = find_cases(asked, observed, SYSTEMS)
    apart = 2 * mine - theirs
    factor = min(one.factor(7, 0.997) for one in (find_paces(observed)["one@1"], Pace((apart,))))
    middle = np.median(apart)
    expected = oracle.ttest_1samp(apart, middle).confidence_interval(0.997)
    ends = [middle + factor * (end - middle) for end in (expected.low, expected.high)]
    assert case.limits(0.997) == pytest.approx(ends)
    assert judge_claim(asked, observed, SYSTEMS).evidence[0].low > ends[0]


def draw_efficiency(single: np.ndarray, shared: np.ndarray, first: int) -> tuple[float, float, float]:
    observed = [observe(single, ranks=1), observe(shared, first, ranks=4)]
    wanted = Plot("", (Pick(kernel="pi", times=2.0),), "ranks", systems=("left",), efficiency=True)
    (line,) = make_paper_figure(wanted, observed, (), SYSTEMS).lines
    assert line.points[0][1:] == (1.0, 1.0, 1.0)
    return line.points[-1][1:]


def test_an_efficiency_is_the_ratio_of_each_round() -> None:
    single, shared = launches(0.02, 5), launches(0.005, 6)
    expected = compare(4 * shared, single)
    assert draw_efficiency(single, shared, 0) == pytest.approx((expected.ratio, expected.low, expected.high))


def test_an_efficiency_whose_serial_time_is_of_other_rounds_joins_both_intervals() -> None:
    single, shared = launches(0.02, 5), launches(0.005, 6)
    pace = Pace.of([single, shared])
    alone, many = pace.locate(single, 0.975), pace.locate(shared, 0.975)
    expected = (alone.median / many.median / 4, alone.low / many.high / 4, alone.high / many.low / 4)
    assert draw_efficiency(single, shared, 12) == pytest.approx(expected)


def test_tables_and_figures_show_the_interval_of_an_absolute_time() -> None:
    times = launches(0.02, 7)
    observed = [observe(times * factor, size=size) for size, factor in ((8, 1.0), (16, 1.1), (32, 1.3))]
    where = find_paces(observed)["one@1"].locate(times)
    row = Row("", Pick(kernel="pi", size_bytes=8), unit="ns")
    ((place,),) = redraw(Table("", (Column("", "left"),), (row,)), observed, SYSTEMS).values
    shown = place.measured[0][1]
    assert (shown.value, shown.low, shown.high) == (where.median, where.low, where.high)
    wanted = Plot("", (Pick(kernel="pi"),), "size", systems=("left",))
    (line,) = make_paper_figure(wanted, observed, (), SYSTEMS).lines
    assert line.points[0] == (8.0, where.median, where.low, where.high)


def test_simulated_stacks_have_a_pace_of_their_own() -> None:
    still = Observation("smpi@3", "pi", 8, 2, (), "time", tuple(range(12)), (5.0,) * 12, simulated=True)
    paces = find_paces([observe(launches(0.02, 8)), still, observe(launches(0.02, 9), stack="two@1")])
    assert paces["one@1"] is paces["two@1"] is not paces["smpi@3"]
