"""What the page of proof says of versions and histories on simulated ranks, in short: processes, folders, commands."""

from __future__ import annotations

from pathlib import Path

import pytest
from benchmarks.truth import fake_runs
from benchmarks.truth.simulation import Figure, Simulation
from simulated_runs import only_builtin_stacks


@pytest.fixture(autouse=True)
def _builtin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    only_builtin_stacks(tmp_path, monkeypatch)
    monkeypatch.chdir(tmp_path)


def tried(simulation: Simulation) -> Figure:
    """Its figure, and the name is one of the page."""
    assert simulation.name in {one.name for one in fake_runs.simulations()}
    return simulation.run(seed=5)


def test_ten_pairs_of_the_same_binary_are_not_called_different() -> None:
    assert tried(Simulation(fake_runs.fake_pairs, (0,), 10)).share == 0


def test_pairs_of_the_same_binary_are_not_called_different_where_repeated_runs_say_how_runs_scatter() -> None:
    assert tried(Simulation(fake_runs.fake_pairs, (3,), 2)).share == 0


def test_a_planted_change_of_five_percent_is_found_by_against_every_time() -> None:
    assert tried(Simulation(fake_runs.fake_against, (0.05,), 3)).share == 1


def test_a_step_in_a_history_of_run_folders_is_found_within_one_run_and_no_other() -> None:
    assert fake_runs.fake_histories(0.1, 1, runs=20).share == 1


def test_a_history_of_run_folders_without_a_change_shows_none() -> None:
    assert fake_runs.fake_histories(0.0, 1, runs=16).share == 0
