"""Other programs are told by the threads that were ready before launches, on invented launches."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import evolve
from benchmarks.truth.simulated_runs import make_plan, stacks

from msgauge.analysis.warnings.other_programs import warn_others
from msgauge.model import HostSet, Launch, LaunchRecord, Notice, Plan, Stopping
from msgauge.results.dataset import Dataset

PLAN = make_plan(1, 1, Stopping())


def warned(others: Sequence[int], processors: int = 2, plan: Plan = PLAN, *, simulated: bool = False) -> list[Notice]:
    """What is said where so many threads beside the sentinel were ready before each launch."""
    dataset = Dataset(plan, tuple(evolve(one, simulated=simulated) for one in stacks(1)))
    for number, count in enumerate(others):
        seen = (("running", str(count + 1)), ("processors", str(processors)), ("loop_ns", "5"))
        record = LaunchRecord(Launch(number, number, plan.stacks[0], 2, (0,), 1), "ok", sentinel_before=seen)
        dataset.add(record, ())
    return list(warn_others(dataset))


def test_other_programs_are_said_with_how_many_threads_and_launches() -> None:
    (warning,) = warned([2, 2, 0, 2] * 3)
    assert warning.code == "other-programs"
    assert "on this machine of 2 processors: before a launch began, 1.5 threads of theirs" in warning.message
    assert warning.message.endswith("one or more before 9 of 12 launches")


def test_a_quiet_machine_is_passed_over_and_so_is_one_that_has_processors_to_spare() -> None:
    assert warned([0] * 19 + [1]) == []
    assert warned([2] * 12, processors=64) == []
    assert len(warned([2] * 12, processors=16)) == 1


def test_few_launches_ranks_elsewhere_and_simulated_time_say_nothing() -> None:
    assert warned([5] * 9) == []
    assert warned([5] * 12, plan=evolve(PLAN, hosts=HostSet(names=("n1", "n2")))) == []
    assert len(warned([5] * 12, plan=evolve(PLAN, hosts=HostSet(names=("n1", "n2"), emulated=True)))) == 1
    assert warned([5] * 12, simulated=True) == []


def test_runs_of_before_the_sentinel_counted_threads_say_nothing() -> None:
    dataset = Dataset(PLAN, stacks(1))
    for number in range(12):
        launch = Launch(number, number, PLAN.stacks[0], 2, (0,), 1)
        dataset.add(LaunchRecord(launch, "ok", sentinel_before=(("loop_ns", "5"),)), ())
    assert list(warn_others(dataset)) == []
