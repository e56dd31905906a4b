"""The steps of a clock alone are no breakpoint and no drift, and what bursts show in them is known to half a step."""

from __future__ import annotations

import numpy as np
import pytest
from benchmarks.truth import found_in_steps
from benchmarks.truth.simulation import Simulation

from msgauge.analysis.estimates.burst_traces import Trace, make_traces
from msgauge.analysis.findings.anomaly_findings import BurstCourse, find_anomalies
from msgauge.analysis.findings.anomaly_inputs import burst_courses
from msgauge.analysis.stack_models.stack_model import segments
from msgauge.kernels import load_kernels
from msgauge.model import Cell, Launch, LaunchRecord, Origin, Plan, Samples, Stack
from msgauge.papers.burst_claims import judge_trace
from msgauge.papers.claim_statement import Claim
from msgauge.papers.number_selection import Pick
from msgauge.results.dataset import Dataset

HALF = 10.0
"""Half a step of the clock, ns; levels lie at 100 ns and above."""
LAUNCHES = 10


@pytest.mark.parametrize("sweep", found_in_steps.SWEEPS)
def test_steps_of_a_clock_are_no_breakpoint_and_hide_none_that_is_large(sweep: str) -> None:
    case = (sweep, 200, 41.67, 0.001)
    figure = Simulation(found_in_steps.breakpoints_of_steps, case, 20).run(seed=5)
    assert figure.share <= 0.05
    assert figure.before > 0.25, "who does not know of steps takes them for breakpoints"
    assert Simulation(found_in_steps.breakpoints_through_steps, case, 4).run(seed=5).share == 1
    jumps = Simulation(found_in_steps.jumps_in_steps, case, 12).run(seed=5)
    assert jumps.trials >= 12 and jumps.share >= 0.9
    assert jumps.before <= 0.5


def test_times_below_one_step_of_the_clock_are_an_error_and_no_division_by_nothing() -> None:
    read = np.zeros((LAUNCHES, len(found_in_steps.DENSE)))
    with pytest.raises(Exception, match="Times must be finite and positive"):
        segments(found_in_steps.make_pings(found_in_steps.DENSE, read, HALF), np.random.default_rng(1))


@pytest.mark.parametrize("what", [found_in_steps.START, found_in_steps.CHANGE])
def test_intervals_of_what_bursts_show_in_steps_hold(what: str) -> None:
    figure = Simulation(found_in_steps.bursts_in_steps, (what, 1.5, 300, 41.67), 30).run(seed=5)
    assert figure.trials >= 20
    assert figure.share >= 0.93
    assert figure.before < 0.8


def burst(first: float, count: int, rest: float, half_ns: float) -> Trace:
    noise = np.exp(0.02 * np.random.default_rng(3).standard_normal((LAUNCHES, 100)))
    steps = np.where(np.arange(100) < count, first, rest) * noise
    return Trace("lam@7", "burst", 1024, 2, (), steps, half_step_ns=half_ns)


@pytest.mark.parametrize(("kind", "trace"), [("start-up", (160, 12, 100)), ("rate-change", (100, 60, 160))])
def test_a_claim_of_a_burst_is_open_where_steps_reach_over_its_bound(
    kind: str, trace: tuple[float, int, float]
) -> None:
    """1.6 times, read in steps of a fifth of the shorter level: from 1.3 to 2 times."""
    verdicts = []
    for half_ns in (0.0, HALF):
        for low in (1.1, 1.5, 1.75):
            claimed = Claim("", kind=kind, left=Pick("lam", kernel="burst"), sizes=(1024,), low=low)
            verdicts.append(judge_trace(claimed, [burst(*trace, half_ns)], {"lam": ("lam@7",)}).verdict)
    assert verdicts == ["holds", "holds", "does not hold", "holds", "undecided", "undecided"]


@pytest.mark.parametrize(("kind", "trace"), [("start-up", (120, 12, 100)), ("rate-change", (100, 60, 120))])
def test_a_page_tells_of_bursts_what_steps_cannot_make(kind: str, trace: tuple[float, int, float]) -> None:
    def kinds(half_ns: float) -> list[str]:
        return [one.kind for one in find_anomalies([], [], [burst(*trace, half_ns)])]

    assert kinds(0.0) == kinds(2.0) == [kind]
    assert kinds(HALF) == []


def test_a_drift_over_a_step_of_the_clock_is_none() -> None:
    batches = np.tile(np.where(np.arange(60) < 40, 900.0, 1000.0), (LAUNCHES, 1))

    def kinds(half_ns: float) -> list[str]:
        course = BurstCourse("lam@7", "bcast", 64, 4, batches, half_step_ns=half_ns)
        return [one.kind for one in find_anomalies([], [course], [])]

    assert kinds(0.0) == kinds(20.0) == ["not-stationary"]
    assert kinds(50.0) == []


@pytest.mark.parametrize(("simulated", "half_ns"), [(False, 21.0), (True, 0.0)])
def test_traces_and_courses_know_the_clock_that_read_them(simulated: bool, half_ns: float) -> None:
    stamps = np.cumsum(np.full(30, 7)).astype(np.int64)
    frames = [Samples(number, 0, "sent", stamps) for number in range(4)]
    frames += [Samples(number, 1, "time", stamps, divisor=6) for number in range(4)]
    cells = Cell(0, "burst", 16, 2, (("messages", "30"),)), Cell(1, "bcast", 16, 2)
    plan = Plan("unit", 1, ("lam@7",), cells, (2,))
    records = [
        LaunchRecord(Launch(number, number, "lam@7", 2, (0, 1), 1), "ok", timer_resolution_ns=42.0)
        for number in range(4)
    ]
    stacks = (Stack("lam", "7", Origin("builtin"), simulated=simulated),)
    dataset = Dataset.of(plan, stacks, records, frames)
    (trace,) = make_traces(dataset, load_kernels().values())
    (course,) = burst_courses(dataset, tuple(load_kernels().values()))
    assert trace.half_step_ns == half_ns
    assert course.half_step_ns == half_ns / 6
