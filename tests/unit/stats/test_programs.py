"""Claims about whole programs: efficiency, shares and cost are what anyone works out by hand."""

from __future__ import annotations

from math import isnan

import numpy as np
import pytest
from attrs import evolve
from scipy import stats as oracle

from msgauge.model import Estimate
from msgauge.stats.programs import (
    limit_efficiency,
    locate_efficiency,
    log_efficiencies,
    per_worker_ns,
    program,
    programs,
)

SERIES = (
    ("compute", 2.0e6),
    ("communication", 0.5e6),
    ("cpu", 9.0e6),
    ("serial", 8.0e6),
    ("scatter", 0.3e6),
    ("reduce", 0.2e6),
)
FOUR = Estimate("a@1", 3, "matvec", 0, 4, (("n", "480"),), median_ns=2.5e6, series=SERIES)


def test_eight_milliseconds_of_work_in_two_and_a_half_on_four_ranks() -> None:
    found = program(FOUR)
    assert found is not None
    assert found.communication == pytest.approx(0.2)
    assert found.compute == pytest.approx(0.8)
    assert found.cpu_per_serial == pytest.approx(1.125)
    assert found.calls == (("scatter", 0.3e6), ("reduce", 0.2e6))


def test_a_share_never_passes_the_whole() -> None:
    crowded = evolve(FOUR, series=(("compute", 1.0), ("communication", 3.0e6), ("serial", 8.0e6)))
    found = program(crowded)
    assert found is not None
    assert found.communication == 1.0
    assert isnan(found.cpu_per_serial)


def test_the_limits_of_an_efficiency_are_those_of_students_t_on_the_ratio_of_each_launch() -> None:
    serial, time = np.array([8.0, 9.0, 0.0, 8.5]), np.array([2.5, 2.4, 2.0, 2.6])
    ratios = np.log(np.array([8.0, 9.0, 8.5]) / (4 * np.array([2.5, 2.4, 2.6])))
    expected = oracle.ttest_1samp(ratios, 0).confidence_interval(0.95)
    found = log_efficiencies(serial, time, 4)
    assert np.log(limit_efficiency(found)) == pytest.approx((expected.low, expected.high))
    wide = oracle.ttest_1samp(ratios, 0).confidence_interval(0.9975)
    assert np.log(limit_efficiency(found, 0.9975)) == pytest.approx((wide.low, wide.high))
    assert np.isnan(limit_efficiency(log_efficiencies(serial[2:], time[2:], 4))).all()
    assert np.isnan(limit_efficiency(log_efficiencies(serial[:0], time[:0], 4))).all()


def test_the_efficiency_is_that_of_the_median_launch() -> None:
    """Of a serial program slow in two launches of five the ratio of both medians would be 2.4 / (4 x 0.75) = 0.8."""
    serial, time = np.array([2.0, 2.4, 2.6, 2.0, 2.5]), np.array([0.5, 0.8, 0.75, 0.7, 0.9])
    found = log_efficiencies(serial, time, 4)
    assert locate_efficiency(found) == pytest.approx(2.4 / (4 * 0.8))
    assert np.isnan(locate_efficiency(found[:0]))


def test_the_interval_of_an_efficiency_is_that_of_its_number() -> None:
    """Of 40 launches with a serial program slow in 40 %; that of the ratio of both medians was held in half."""
    random, runs = np.random.default_rng(6), 400
    logs = 0.005 * random.normal(0, 1, (runs, 40)) + np.log(1.5) * (random.random((runs, 40)) < 0.4)
    law = 0.005 * random.normal(0, 1, 10**6) + np.log(1.5) * (random.random(10**6) < 0.4)
    held = [low <= np.exp(np.median(law)) <= high for low, high in map(limit_efficiency, logs)]
    assert np.mean(held) >= 0.93


def test_five_launches_go_by_their_order_as_the_ratios_of_two_stacks_do() -> None:
    """Student's t of five was blind to a parallel side that is slow in two launches of five."""
    logs = np.log(np.array([0.9, 0.91, 0.6, 0.92, 0.61]))
    assert limit_efficiency(logs) == pytest.approx((0.6, 0.92))
    held = [low <= np.exp(0.0) <= high for low, high in map(limit_efficiency, _slow_in_two_of_five(2000))]
    assert np.mean(held) >= 0.92


def _slow_in_two_of_five(runs: int) -> np.ndarray:
    """Logarithms around a median of 0: launches scatter by 2 %, and 40 % of them take 1.5 times as long."""
    random = np.random.default_rng(4)
    logs = -(0.02 * random.normal(0, 1, (runs, 5)) + np.log(1.5) * (random.random((runs, 5)) < 0.4))
    sample = -(0.02 * random.normal(0, 1, 10**6) + np.log(1.5) * (random.random(10**6) < 0.4))
    return np.asarray(logs - np.median(sample))


def test_without_a_serial_time_there_is_no_efficiency_but_there_are_shares() -> None:
    found = program(evolve(FOUR, series=(("compute", 2.0e6), ("communication", 0.5e6), ("serial", 0.0))))
    assert found is not None
    assert isnan(found.serial_ns)
    assert found.communication == pytest.approx(0.2)


def test_what_is_no_program_or_failed_has_no_worth() -> None:
    pingpong = Estimate("a@1", 0, "pingpong", 8, 2, median_ns=200.0)
    assert programs([pingpong, evolve(FOUR, failed="wrong bytes arrived"), FOUR]) == (program(FOUR),)


def test_a_round_is_shared_out_among_the_workers() -> None:
    round_ = Estimate("a@1", 0, "fanout", 8, 50, median_ns=490_000.0)
    assert per_worker_ns(round_) == pytest.approx(10_000.0)
    assert isnan(per_worker_ns(evolve(round_, failed="it hung")))
