"""Claims about the resolution of the timers that stacks have."""

from __future__ import annotations

from attrs import evolve

from msgauge.analysis.findings.timer_resolution import timer_findings
from msgauge.model import (
    Estimate,
)


def timer(stack: str, step: float) -> Estimate:
    return Estimate(
        stack, 0, "wtime", 0, 2, median_ns=30.0, series=(("step", step), ("tick", 1.0)), kernel_kind="timer"
    )


def test_a_timer_that_steps_by_a_microsecond_is_said_to() -> None:
    coarse, fine = timer_findings([timer("openmpi@5", 30.0), timer("lam@7", 1000.0), timer("mpich@5", 28.0)])
    assert coarse.sentence.startswith("The own timer of lam@7 has a resolution of 1.00 µs (it claims 1.00 ns)")
    assert "openmpi@5, mpich@5" in fine.sentence and "lam" not in fine.sentence
    assert fine.sentence.endswith("overhead, about 30.0 ns."), "of one launch no limit is known"
    assert timer_findings([]) == ()
    limited = [evolve(timer("openmpi@5", 30.0), high_ns=33.0), evolve(timer("mpich@5", 28.0), high_ns=32.0)]
    assert timer_findings(limited)[0].sentence.endswith("overhead, at most 33.0 ns.")


def test_a_timer_whose_step_is_longer_than_one_look_takes_does_not_resolve_that() -> None:
    """A step below what is called coarse, and three times what a look takes."""
    (alone,) = timer_findings([evolve(timer("openmpi@5", 95.0), high_ns=33.0)])
    assert alone.sentence == (
        "The own timer of openmpi@5 has a resolution of 95.0 ns, longer than its own clock-read overhead, "
        "at most 33.0 ns."
    )
    both, fine = timer_findings([timer("openmpi@5", 95.0), timer("mpich@5", 60.0), timer("lam@7", 28.0)])
    assert both.sentence == (
        "The own timers of openmpi@5, mpich@5 have a resolution of 60.0 ns to 95.0 ns, longer than their own "
        "clock-read overhead, about 30.0 ns."
    )
    assert fine.sentence == "The own timer of lam@7 resolves its own clock-read overhead, about 30.0 ns."
