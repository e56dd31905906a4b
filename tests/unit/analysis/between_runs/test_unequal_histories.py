"""Histories some runs of which have few launches: these are no change, hide none, and are told."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from attrs import evolve
from benchmarks.truth.unequal_histories import histories_of_unequal_launches
from simulated_histories import simulate_history

from msgauge.analysis.between_runs.history import trace_history
from msgauge.analysis.between_runs.history_findings import group_changes, judge_history
from msgauge.analysis.between_runs.run_levels import RunLevels
from msgauge.analysis.verdicts.regression_gate import parse_gate


def shorten(runs: list[RunLevels], launches: int, which: Callable[[int], bool]) -> list[RunLevels]:
    """The same runs, some of which were cut short."""
    return [
        evolve(run, medians_ns={key: times[:launches] for key, times in run.medians_ns.items()}) if which(at) else run
        for at, run in enumerate(runs)
    ]


def test_fewer_rounds_in_the_newest_runs_are_no_change() -> None:
    found = histories_of_unequal_launches(2, range(52, 60), 0.2, 0.0, 16)
    assert found.share == 0.0
    assert found.before > 0.0


def test_short_runs_do_not_hide_a_step_of_the_long_ones() -> None:
    found = histories_of_unequal_launches(2, range(45, 60), 0.2, 0.0488, 4)
    assert found.share == 1.0
    assert found.before < 1.0


def test_all_later_runs_may_be_short() -> None:
    assert histories_of_unequal_launches(10, range(30, 60), 0.4, 0.0, 2).share == 0.0


@pytest.mark.parametrize("at", [26, 30, 34])
def test_a_step_among_short_runs_is_found(at: int) -> None:
    """Long runs alone, the first thirty, cannot show it."""
    runs = shorten(simulate_history(40, seed=at, steps={"openmpi": (at, 0.2)}), 3, lambda run: run >= 26)
    history = trace_history(runs)
    (group,) = group_changes(history)
    assert abs(group.first - at) <= 1
    assert len(group.members) == 3
    assert judge_history(parse_gate("slower>5%"), history)[0] == "regression"


def test_a_step_that_long_and_short_runs_show_is_told_once() -> None:
    runs = shorten(simulate_history(40, seed=2, steps={"openmpi": (14, 0.2)}), 3, lambda run: run >= 26)
    assert [len(one.changes) for one in trace_history(runs).series] == [1, 1, 1]


def test_a_step_that_was_undone_before_the_short_runs_does_not_stand() -> None:
    runs = simulate_history(60, seed=3, steps={"openmpi": (20, 0.2)})
    back = [evolve(run, medians_ns={k: v * np.exp(-0.2) for k, v in run.medians_ns.items()}) for run in runs[34:]]
    history = trace_history(shorten([*runs[:34], *back], 2, lambda run: run >= 50))
    assert len(group_changes(history)) == 2
    assert judge_history(parse_gate("slower>5%"), history)[0] == "passed"


def test_runs_of_few_launches_are_named_and_drawn() -> None:
    runs = simulate_history(30, seed=4)
    for numbers, said in (
        ({10, 20}, "2 are not searched for changes, as fewer than 3 are no level"),
        ({10, 20, 29}, "3 are compared with others by as few, which shows large changes alone"),
    ):
        history = trace_history(shorten(runs, 2, numbers.__contains__))
        (warning,) = history.warnings
        assert warning.code == "history-few-launches"
        assert f"{len(numbers)} of 30 runs have less than half as many launches as others: {said}" in warning.message
        assert warning.evidence == tuple((runs[number].name, "2") for number in sorted(numbers))
        assert all(len(one.runs) == 30 for one in history.series)
    assert not trace_history(runs).warnings
