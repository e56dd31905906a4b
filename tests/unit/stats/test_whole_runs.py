"""Short versions of the page of proof: whole runs, their looks, and sentences that follow from many tests at once."""

from __future__ import annotations

import pytest
from benchmarks.truth import claims, sentences, tails, whole_runs
from benchmarks.truth.simulation import Figure, Simulation


def draw(function: object, *arguments: object, trials: int) -> Figure:
    return Simulation(function, arguments, trials).run(seed=11)  # type: ignore[arg-type]


def allowed(promised: float, figure: Figure) -> float:
    """A share that this number of trials does not tell from the promised one, but in one draw of a thousand."""
    return float(promised + 3.1 * (promised * (1 - promised) / figure.trials) ** 0.5)


def test_no_run_shows_a_false_difference_at_any_look_though_settled_tests_are_left_alone() -> None:
    figure = draw(whole_runs.family_error_of_runs, (2, 12, 20), "two modes, launch by launch", trials=16)
    assert figure.share <= allowed(0.05, figure)


def test_a_test_that_is_left_alone_keeps_its_verdict_which_it_did_not() -> None:
    figure = draw(whole_runs.changed_verdicts, (2, 12, 20), "lognormal", trials=5)
    assert (figure.share, figure.before) == (0.0, 1.0)


def test_looks_and_resumed_reports_err_in_five_percent_of_runs_all_together() -> None:
    looks = draw(claims.family_error_at_looks, (2, 40, 20), "lognormal", 0, trials=60)
    assert looks.share <= allowed(0.05, looks)
    resumed = draw(claims.family_error_when_extended, (2, 40, (10, 20, 30, 40)), "lognormal", trials=60)
    assert resumed.share <= allowed(0.05, resumed)


@pytest.mark.parametrize("largest", [2.001, 1.999])
def test_no_run_of_twelve_kernels_has_a_false_sentence_on_convergence(largest: float) -> None:
    figure = draw(sentences.near_sizes, 12, largest, trials=14)
    assert figure.share <= allowed(0.05, figure)
    assert figure.before > 0.1, "intervals one by one do not keep it"


def test_forecasts_come_true_in_four_of_five_runs() -> None:
    figure = draw(sentences.forecasts_kept, 20, 10, "lognormal", trials=20)
    assert figure.share >= 0.8 - (allowed(0.2, figure) - 0.2)
    failed = draw(sentences.forecasts_failed, 20, 10, "two modes, launch by launch", trials=20)
    assert failed.share <= allowed(0.05, failed), "of launches in modes nothing is forecast"


def test_a_difference_that_a_plan_says_it_resolves_is_found_in_four_of_five_runs() -> None:
    figure = draw(sentences.resolved_as_planned, 2, 2, 7, trials=40)
    assert figure.share >= 0.8 - (allowed(0.2, figure) - 0.2)


def test_tails_of_one_law_are_alike_however_many_operations_a_launch_has_and_however_they_come_together() -> None:
    figure = draw(tails.tails_of_clumps, (0.00025, 60), (1000, 10_000), trials=60)
    assert figure.share <= allowed(0.05, figure)
    assert figure.before > 0.2, "all operations of each launch do not keep it"


def test_identical_tails_are_alike_and_a_planted_one_is_found() -> None:
    alike = draw(tails.false_tails, (2, 4, 10), "slow operations in clusters", trials=50)
    assert alike.share <= allowed(0.05, alike)
    assert draw(tails.tails_found, (2, 4, 10), "slow operations in clusters", 3.0, trials=15).share >= 0.5


def test_a_planted_slow_mode_is_in_the_first_sentence_and_scatter_has_none() -> None:
    assert draw(tails.modes_said, 0.1, trials=15).share == 1.0
    assert draw(tails.modes_invented, "lognormal", 2, trials=50).share <= 0.02
    paced = draw(tails.modes_invented, "drifting", 6, trials=30)
    assert paced.share <= allowed(0.05, paced), "of stacks that follow one machine none has such a mode"


def test_a_run_without_anomalies_shows_none() -> None:
    figure = draw(sentences.anomalies_invented, 7, trials=9)
    assert figure.share <= allowed(0.05, figure)
