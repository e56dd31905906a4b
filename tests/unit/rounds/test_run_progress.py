"""Claims about what a growing run says of the launches to come."""

from __future__ import annotations

from attrs import evolve

from msgauge.model import Launch, LaunchRecord, LaunchStatus
from msgauge.results.given_up import FailuresInARow
from msgauge.rounds.run_progress import RunProgress


def a_record(number: int, *, round: int, started: str, status: LaunchStatus = LaunchStatus.OK) -> LaunchRecord:
    launch = Launch(number, round, "a@1" if number % 2 == 0 else "b@1", 2, (0, 1) if round == 0 else (1,), seed=1)
    return LaunchRecord(launch, status, started=f"2026-01-01T00:00:{started}", seconds=2.0)


def test_time_is_that_of_launches_and_of_short_gaps_between_them() -> None:
    progress = RunProgress()
    for number, started in enumerate(("00.000", "03.000", "30.000")):
        progress.take_record(a_record(number, round=0, started=started))
    assert (progress.time.launched_s, progress.time.between_s) == (6.0, 1.0)
    assert progress.time.used_s == 7.0
    assert progress.time.launches == 3


def test_waiting_for_a_worker_is_no_time_between_launches() -> None:
    progress = RunProgress()
    progress.take_record(a_record(0, round=0, started="00.000"))
    progress.take_record(evolve(a_record(1, round=0, started="09.000"), waited_s=6.5))
    progress.take_record(evolve(a_record(2, round=1, started="41.000"), waited_s=29.0))
    assert progress.time.between_s == 0.5 + 1.0


def test_the_rounds_of_a_cell_are_counted_once_for_all_its_stacks() -> None:
    progress = RunProgress()
    for number in range(6):
        progress.take_record(a_record(number, round=number // 2, started="00.000"))
    assert dict(progress.rounds_of_cells) == {0: 1, 1: 3}
    assert progress.latest_round == 2


def test_a_stack_is_given_up_after_two_failures_in_a_row_and_stays_so() -> None:
    progress = RunProgress()
    statuses = [LaunchStatus.FAILED, LaunchStatus.OK, LaunchStatus.FAILED, LaunchStatus.FAILED, LaunchStatus.OK]
    seen = []
    for place, status in enumerate(statuses):
        progress.take_record(a_record(2 * place, round=place, started="00.000", status=status))
        seen.append(("a@1", 2) in progress.given_up)
    assert seen == [False, False, False, True, True]


def test_a_stack_that_failed_by_itself_waits_for_no_host() -> None:
    for lost in (True, False):
        failures = FailuresInARow()
        for number in (0, 2):
            record = a_record(number, round=number, started="00.000", status=LaunchStatus.FAILED)
            failures.take(evolve(record, lost=lost))
        assert failures.given_up == {("a@1", 2)}
        assert failures.waits_for_hosts("a@1", 2) == lost
