"""Times of single operations, or with cold caches, are not held against those of batches, and what is told says so."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pytest
from attrs import evolve

from msgauge.analysis.estimates.observations import Observation, find_paces
from msgauge.analysis.findings.anomaly_findings import BurstCourse, find_anomalies
from msgauge.analysis.stack_models.stack_model import pingpongs
from msgauge.analysis.verdicts.regression_gate import Gate, describe_gate
from msgauge.analysis.warnings import run_warnings
from msgauge.model import CacheMode, Comparison, Estimate, Mode, Pattern
from msgauge.models.guidelines import find_unjudged, judge
from msgauge.papers.number_selection import Pick, match_options

ROUNDS = 12
POWERS = (64, 128, 256, 512, 1024, 2048)


def estimate(kernel: str, size: int, time: float, number: int) -> Estimate:
    """Twelve launches that scatter by 1 %."""
    times = time * np.exp(0.01 * np.random.default_rng(1000 * number + size).standard_normal(ROUNDS))
    return Estimate(
        "one@1",
        number,
        kernel,
        size,
        4,
        median_ns=time,
        launch_medians_ns=tuple(times),
        rounds=tuple(range(ROUNDS)),
    )


def in_single_mode(estimates: Iterable[Estimate]) -> list[Estimate]:
    return [evolve(one, mode="single") for one in estimates]


def violated(estimates: list[Estimate]) -> list[str]:
    return [one.finding().sentence for one in judge(estimates) if one.verdict == "violated"]


def test_a_guideline_holds_tests_of_one_way_against_each_other_only() -> None:
    """An allreduce whose every operation was timed took thrice as long as in a batch: that breaks no guideline."""
    slow, parts = [estimate("allreduce", 64, 9e3, 1)], [estimate("reduce", 64, 2e3, 2), estimate("bcast", 64, 1e3, 3)]
    (told,) = violated([*slow, *parts])
    assert "allreduce of 64 B takes" in told
    assert violated([*in_single_mode(slow), *parts]) == []
    (told,) = violated(in_single_mode([*slow, *parts]))
    assert "allreduce of 64 B (every operation timed) takes" in told


def test_what_would_have_to_be_measured_is_named_with_its_way() -> None:
    slow, parts = [estimate("allreduce", 64, 9e3, 1)], [estimate("reduce", 64, 2e3, 2), estimate("bcast", 64, 1e3, 3)]
    known = [*in_single_mode(slow), *parts]
    missing = {one.guideline.name: one.missing for one in find_unjudged(known, judge(known))}
    assert "reduce on 4 ranks, every operation timed" in missing["allreduce <= reduce + bcast"]


def test_sizes_of_both_ways_do_not_hide_that_a_larger_message_is_faster() -> None:
    """Each way is judged, not only the one that comes first in the plan."""
    batch = [estimate("bcast", size, 1000.0 + size, number) for number, size in enumerate(POWERS)]
    single = [evolve(one, cell=one.cell + 10) for one in in_single_mode(batch)]
    broken = [evolve(one, launch_medians_ns=tuple(9 * t for t in one.launch_medians_ns)) for one in single[:1]]
    told = violated([*batch, *broken, *single[1:]])
    assert told
    assert all("(every operation timed)" in one for one in told)


def test_a_size_is_odd_among_sizes_of_its_own_way_alone() -> None:
    """1000 B one by one, which takes three times as long, beside powers of two in batches."""
    batch = [estimate("bcast", size, 1000.0 + size, number) for number, size in enumerate(POWERS)]
    single = [estimate("bcast", 1000, 3 * 2000.0, 10)]
    assert {one.kind for one in find_anomalies([*batch, *single], (), ())} == {"guideline", "off-power-of-two"}
    assert find_anomalies([*batch, *in_single_mode(single)], (), ()) == ()


@pytest.mark.parametrize(
    ("way", "said"), [({}, "on 4 ranks (root 1)"), ({"cache": "cold"}, "on 4 ranks (root 1, cold cache)")]
)
def test_an_anomaly_is_told_with_the_options_and_the_way_of_its_test(way: dict[str, str], said: str) -> None:
    drift = np.exp(np.linspace(0, 1, 60)) * np.exp(0.01 * np.random.default_rng(3).standard_normal((10, 60)))
    course = BurstCourse("one@1", "bcast", 64, 4, 1000 * drift, options=(("root", "1"),), **way)
    (told,) = find_anomalies((), (course,), ())
    assert f"one@1 in bcast at 64 B {said}" in told.sentence


def test_the_gate_names_the_options_and_the_way_of_its_worst_test() -> None:
    one = Comparison("a@1", "b@1", 0, "bcast", 64, 4, (("root", "1"),), 1.4, 1.3, 1.5, "slower", cache="cold")
    assert "b@1 in bcast 64 B on 4 ranks, root 1, cold cache" in describe_gate(
        Gate("slower", 0.05), ("regression", (one,)), 9
    )


def observation(cache: CacheMode, mode: Mode, time: float) -> Observation:
    options = (("send", "standard"),)
    return Observation(
        "one@1",
        "pingpong",
        1024,
        2,
        options,
        "time",
        tuple(range(ROUNDS)),
        (time,) * ROUNDS,
        pattern=Pattern.ROUND_TRIP,
        cache=cache,
        mode=mode,
    )


@pytest.mark.parametrize("order", [1, -1])
def test_a_model_and_a_claim_take_what_was_measured_as_usual_whatever_came_last(order: int) -> None:
    known = [observation("hot", "batch", 1e3), observation("cold", "batch", 9e3), observation("hot", "single", 2e3)]
    assert [one.median_ns for one in pingpongs(known[::order])] == [1e3]
    assert pingpongs(known[1:][::order])[0].median_ns > 1e3
    chosen = match_options(Pick(system="one", kernel="pingpong"), known[::order])
    assert chosen is not None
    assert chosen.median_ns == 1e3


def test_the_pace_of_the_machine_is_read_off_tests_of_two_ways_as_off_two() -> None:
    """A machine that slows down, in tests that scatter by themselves as well: the second one tells it better."""
    random = np.random.default_rng(5)
    course = np.linspace(0, 0.5, ROUNDS)
    rows = [observation("hot", "batch", 1e3), observation("cold", "batch", 9e3)]
    scatter = np.exp(course + 0.1 * random.standard_normal((2, ROUNDS)))
    moving = [evolve(one, medians_ns=tuple(one.median_ns * each)) for one, each in zip(rows, scatter, strict=True)]
    limits = [
        find_paces(known)["one@1"].locate(np.array(moving[0].medians_ns))
        for known in (moving, [moving[0], evolve(moving[1], size_bytes=2048, cache="hot")], moving[:1])
    ]
    assert limits[0] == limits[1] != limits[2]


def test_a_warning_names_the_way_of_each_test_that_it_lists() -> None:
    """One test in batches, and the same one by one."""
    rows = [evolve(estimate("bcast", 64, 1e3, 1), mode=mode) for mode in ("batch", "single")]
    assert run_warnings._where(rows) == "bcast, 64 B, 4 ranks; bcast, 64 B, 4 ranks, every operation timed"
