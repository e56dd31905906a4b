"""Old runs of many launches against new ones of few: what so few leave open is no change of the stack."""

from __future__ import annotations

import numpy as np
import pytest
from attrs import evolve
from benchmarks.truth.unequal_launches import Law, Runs, unequal_launches

from msgauge.analysis.between_runs.run_comparison import compare_runs
from msgauge.analysis.between_runs.run_levels import RunLevels, SeriesKey
from msgauge.analysis.between_runs.short_runs import list_deviations
from msgauge.analysis.beyond_amount import find_beyond_between_runs
from msgauge.analysis.verdicts.regression_gate import Gate
from msgauge.stats.between_runs import Changes

KEY = SeriesKey("one@1", "pingpong", 8, 2)


def run_of(*logs: float) -> RunLevels:
    """A run of one cell."""
    return RunLevels("run", "", medians_ns={KEY: np.exp(np.array(logs))})


@pytest.mark.parametrize("law", ["normal", "tests slow"])
def test_one_binary_is_not_called_different_by_a_run_of_one_launch(law: Law) -> None:
    found = unequal_launches((5, 1), (20, 1), law, 0.0, 25)
    assert found.share <= 0.1
    assert found.before >= 0.15


def test_a_change_is_found_in_a_run_of_two_launches_all_the_same() -> None:
    assert unequal_launches((5, 1), (20, 2), "normal", 0.2, 20).share >= 0.8


def test_runs_of_equal_numbers_are_judged_as_ever() -> None:
    found = unequal_launches((5, 1), (20, 20), "normal", 0.0953, 20)
    assert found.share == found.before >= 0.9


def test_deviations_are_those_of_as_many_launches_in_a_row_of_the_longer_runs() -> None:
    long, longer = run_of(0.0, 0.0, 0.3), run_of(0.1, 0.1, 0.1, 0.1)
    moved = list_deviations([[long, longer], [run_of(0.0)]], [[KEY], [KEY]])
    assert sorted(set(moved[:, 0].round(9))) == [0.0, 0.3]
    assert (moved > 0.1).mean() == pytest.approx(1 / 7, abs=0.01)
    assert not list_deviations([[long, longer], [longer]], [[KEY], [KEY]]).any()


def test_a_single_long_run_tells_nothing_of_short_ones_that_are_repeated() -> None:
    """How much these differ is seen from themselves."""
    assert not list_deviations([[run_of(0.0, 0.1, 0.2)], [run_of(0.0), run_of(0.1)]], [[KEY], [KEY]]).any()


def test_what_launches_may_have_moved_is_in_interval_verdict_and_gate() -> None:
    alone = Changes(np.array([0.2, -0.2]), np.full(2, 0.02), np.full(2, 9.0))
    moved = np.where(np.arange(100)[:, None] < 10, 0.25, 0.0) * np.ones((1, 2))
    beside = evolve(alone, moved=moved)
    assert (alone.p_different() < 0.001).all() and (beside.p_different() > 0.1).all()
    assert beside.interval()[0][0] < 1 < alone.interval()[0][0]
    gate = Gate("different", 0.05)
    assert all(find_beyond_between_runs(gate, alone)) and not any(find_beyond_between_runs(gate, beside))
    assert np.array(evolve(alone, moved=np.zeros((3, 2))).interval()) == pytest.approx(np.array(alone.interval()))


def test_verdict_of_a_slow_launch_that_old_runs_know_is_undecided() -> None:
    runs = Runs((5, 1), (20, 1), 1, "tests slow")
    random = np.random.default_rng(4)
    old = runs.draw(0, 0.0, random)
    (cell,) = compare_runs(
        old, [RunLevels("run", "", medians_ns={key: np.array([1300.0]) for key in old[0].medians_ns})]
    ).judged
    assert cell.verdict == "undecided"
    assert cell.ratio_low < 1 < cell.ratio_high
