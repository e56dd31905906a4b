"""Every anomaly that is planted in a run becomes a finding of its kind, and a clean run has none."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from attrs import evolve

from msgauge.analysis.estimates.burst_traces import Trace
from msgauge.analysis.findings.anomaly_findings import BurstCourse, Speeds, find_anomalies
from msgauge.analysis.findings.anomaly_inputs import speeds
from msgauge.model import Estimate, Finding, Launch, LaunchRecord, RankPlacement

LAUNCHES, BATCHES, STEPS, RANKS = 10, 120, 100, 4
SIZES = (4, 5, 8, 12, 16, 24, 32)
STACK = "fake@1"


def noise(rng: np.random.Generator, *shape: int, spread: float = 0.01) -> np.ndarray:
    return np.exp(spread * rng.standard_normal(shape))


class Run:
    """What advice looks at, clean: tests change one part of it."""

    def __init__(self, seed: int) -> None:
        rng = np.random.default_rng(seed)
        self.times = (500.0 + 2.0 * np.array(SIZES)) * noise(rng, LAUNCHES, 1, spread=0.02) * noise(rng, LAUNCHES, 7)
        self.batches = 1000.0 * noise(rng, LAUNCHES, BATCHES)
        self.steps = 1000.0 * noise(rng, LAUNCHES, STEPS, spread=0.03)
        self.loops = 13_000.0 * noise(rng, LAUNCHES, RANKS)

    def findings(self) -> list[Finding]:
        rounds = tuple(range(LAUNCHES))
        estimates = [
            Estimate(STACK, place, "pingpong", size, 2, launch_medians_ns=tuple(self.times[:, place]), rounds=rounds)
            for place, size in enumerate(SIZES)
        ]
        courses = [BurstCourse(STACK, "bcast", 64, RANKS, self.batches)]
        traces = [Trace(STACK, "burst", 64, 2, (), self.steps)]
        ranks = [Speeds(STACK, ("near", "near", "far", "near"), self.loops)]
        found = find_anomalies(estimates, courses, traces, ranks)
        return [one for one in found if one.kind != "guideline"]


def triple_at_24(run: Run) -> None:
    run.times[:, SIZES.index(24)] *= 3.0


def slow_start(run: Run) -> None:
    run.steps[:, :12] *= 1.6


def full_buffer(run: Run) -> None:
    run.steps[:, 60:] *= 2.0


def drift(run: Run) -> None:
    run.batches *= np.linspace(1.0, 1.5, BATCHES)


def two_modes(run: Run) -> None:
    run.times[[1, 4, 7, 8]] *= 1.7


def far_rank(run: Run) -> None:
    run.loops[:, 2] *= 1.4


def moody_launches(run: Run) -> None:
    run.batches *= np.linspace(1.0, 2.0, LAUNCHES)[:, None]


PLANTS: dict[str, Callable[[Run], None]] = {
    "off-power-of-two": triple_at_24,
    "start-up": slow_start,
    "rate-change": full_buffer,
    "not-stationary": drift,
    "bimodal-launches": two_modes,
    "slow-rank": far_rank,
    "between-launches": moody_launches,
}


@pytest.mark.parametrize("kind", PLANTS)
def test_what_is_planted_is_the_only_finding_of_the_run(kind: str) -> None:
    run = Run(seed=3)
    PLANTS[kind](run)
    assert {one.kind for one in run.findings()} == {kind}


def test_a_finding_has_its_size_and_its_evidence() -> None:
    run = Run(seed=3)
    far_rank(run)
    (found,) = run.findings()
    assert "rank 2 on far computes slower than the others: 1.39 × (1.38" in found.sentence
    assert dict(found.evidence).keys() >= {"p", "ranks", "launches", "stack"}


def test_clean_runs_have_no_findings() -> None:
    assert sum(bool(Run(seed).findings()) for seed in range(20)) <= 1


def test_the_loops_of_a_launch_are_taken_where_every_rank_told_its_own() -> None:
    told = tuple(RankPlacement(rank, "near", 1, "0", condition=(("loop_ns", f"{100 + rank}"),)) for rank in range(3))
    record = LaunchRecord(Launch(0, 0, STACK, 3, (), 1), "ok", placement=told)
    silent = evolve(record, placement=(*told[:2], RankPlacement(2, "near", 1, "0")))
    (found,) = speeds([record, silent, evolve(record, placement=told[:2])])
    assert found.loop_ns.tolist() == [[100.0, 101.0, 102.0]]
    assert found.hosts == ("near", "near", "near")
