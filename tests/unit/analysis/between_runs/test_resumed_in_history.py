"""Runs that were resumed on another day stand where most of their launches were measured, and are told."""

from __future__ import annotations

import json
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from attrs import evolve
from simulated_histories import simulate_history
from simulated_runs import measure_fake, only_builtin_stacks

from msgauge.analysis.between_runs.history import trace_history
from msgauge.analysis.between_runs.history_findings import find_since, group_changes, judge_history
from msgauge.analysis.between_runs.run_levels import RunLevels, read_run
from msgauge.analysis.verdicts.regression_gate import parse_gate
from msgauge.model import Launch, LaunchRecord, LaunchStatus
from msgauge.results.launch_times import list_sittings

SLOWER = parse_gate("slower>5%")


def record(number: int, started: str, seconds: float = 60.0) -> LaunchRecord:
    """A launch that went well."""
    launch = Launch(number=number, round=0, stack="one@1", cells=(), seed=1, ranks=2)
    return LaunchRecord(launch, LaunchStatus.OK, started=started, seconds=seconds)


@pytest.mark.parametrize(
    ("starts", "sittings"),
    [
        ((), []),
        (("",), []),
        (("2026-11-01T02:00:00+00:00", "2026-11-01T05:00:59+00:00"), [("2026-11-01T02:00:00+00:00", 2)]),
        (
            ("2026-11-01T02:00:00+00:00", "2026-11-01T05:01:01+00:00", "2026-11-01T05:03:00+00:00", ""),
            [("2026-11-01T02:00:00+00:00", 1), ("2026-11-01T05:01:01+00:00", 2)],
        ),
    ],
)
def test_parts_of_a_run_lie_more_than_three_hours_apart(starts: tuple[str, ...], sittings: list[object]) -> None:
    records = [record(number, start) for number, start in enumerate(starts)]
    assert list_sittings(records) == list_sittings(reversed(records)) == sittings


def resume(runs: list[RunLevels], numbers: range, launches: tuple[int, int]) -> list[RunLevels]:
    """Runs with so many launches of their own night, and so many of the night of run 22, an hour after each other."""
    late = datetime.fromisoformat(runs[22].started)
    return [
        evolve(
            run,
            sittings=((run.started, launches[0]), ((late + timedelta(hours=number)).isoformat(), launches[1])),
        )
        if number in numbers
        else run
        for number, run in enumerate(runs)
    ]


def test_the_first_run_after_a_change_is_none_that_was_begun_before_it() -> None:
    """Runs 9 to 14 have most of their launches of the time after the upgrade of night 15."""
    runs = resume(simulate_history(40, seed=6, steps={"openmpi": (9, 0.2)}), range(9, 15), (1, 6))
    history = trace_history(runs)
    (group,) = group_changes(history)
    assert history.runs[group.first].name == runs[15].name
    night_before = runs[14].started[:10]
    assert judge_history(SLOWER, history, find_since(history, night_before))[0] == "regression"
    (warning,) = history.warnings
    assert warning.code == "history-resumed"
    assert warning.message.startswith(f"6 of 40 runs were resumed more than three hours later ({runs[9].name}, ")
    assert warning.evidence[0] == (runs[9].name, f"1 from {runs[9].started}, 6 from {history.runs[17].started}")


def test_a_run_that_was_resumed_for_few_launches_stays_where_it_began() -> None:
    runs = resume(simulate_history(40, seed=6, steps={"openmpi": (15, 0.2)}), range(9, 15), (6, 1))
    history = trace_history(runs)
    assert [run.name for run in history.runs] == [run.name for run in runs]
    assert [run.started for run in history.runs] == [run.started for run in runs]


def test_parts_are_read_from_the_launches_of_a_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    only_builtin_stacks(tmp_path, monkeypatch)
    folder = measure_fake(tmp_path / "runs", "fake", seed=1)
    whole = read_run(folder)
    assert whole.standing == whole.started
    assert len(whole.sittings) == 1
    later = sorted(folder.glob("launches/*/record.json"))[2:]
    for path in later:
        kept = json.loads(path.read_text())
        kept["value"]["started"] = kept["value"]["started"].replace("20", "21", 1)
        path.write_text(json.dumps(kept))
    resumed = read_run(folder)
    assert resumed.started == whole.started
    assert resumed.standing.startswith("21")
    assert [count for _, count in resumed.sittings] == [2, len(later)]
