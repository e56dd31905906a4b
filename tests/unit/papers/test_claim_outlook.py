"""Claims about the command that an undecided claim is given: its budget gives the claim the rounds that it names."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
from test_claim_progress import LAUNCHES, SLOWER, run

from msgauge.frontend.study_options import StudyOptions, make_limits
from msgauge.model import LaunchRecord, Samples
from msgauge.papers.claim_forecast import ClaimForecast
from msgauge.papers.claim_outlook import add_forecasts
from msgauge.papers.paper_evaluation import evaluate_paper
from msgauge.plan import launches_of_round
from msgauge.results.run_folder import RunFolder
from msgauge.rounds.schedule import Schedule
from msgauge.stats.look_schedule import extend_looks


def forecast_of(folder: RunFolder, text: str) -> ClaimForecast | None:
    found = evaluate_paper(folder)
    assert found is not None
    told = add_forecasts(found, folder)
    assert all(one.forecast is None for one in told.claims if one.verdict != "undecided")
    return next(one.forecast for one in told.claims if one.text.startswith(text))


def test_the_command_of_a_claim_gives_it_the_rounds_that_it_names(tmp_path: Path) -> None:
    with run(tmp_path, 1.3, 0.12, rounds=3) as folder:
        told = forecast_of(folder, SLOWER)
        assert told is not None and told.word == "begins", told
        rounds, minutes = map(int, re.findall(r"\d+", told.options))
        assert rounds == 3 + told.rounds == 5
        asked = StudyOptions(rounds=rounds, budget=f"{minutes}min")
        folder.extend(extend_looks(folder.plan.stopping, make_limits(folder.plan.stopping, asked), 3))
        needed = {
            key for one in folder.plan.claims if one.text.startswith(SLOWER) for case in one.needs for key in case
        }
        for round in range(3, rounds):
            held = Schedule(folder, 2).cells_of(round)
            assert needed <= held
            perform_round(folder, round, held)
        assert folder.dataset.latest_round == rounds - 1


def perform_round(folder: RunFolder, round: int, held: frozenset[object]) -> None:
    random = np.random.default_rng(round)
    for launch in launches_of_round(folder.plan, round, LAUNCHES * round, held):  # type: ignore[arg-type]
        level = 1e6 * (1.3 if launch.stack.startswith("openmpi") else 1.0)
        frames = [
            Samples(launch.number, cell, "time", np.array([level * np.exp(random.normal(0, 0.12))]).astype(int), 1)
            for cell in launch.cells
        ]
        record = LaunchRecord(launch, "ok", started="2026-01-01T00:00:00.000", seconds=1.0)  # type: ignore[arg-type]
        folder.dataset.add(record, frames)


def test_a_claim_that_is_decided_and_one_without_tests_are_given_none(tmp_path: Path) -> None:
    with run(tmp_path, 20.0, 0.1) as folder:
        assert forecast_of(folder, SLOWER) is None
        assert forecast_of(folder, "With 10 workers Intel MPI") is None


def test_rounds_that_never_began_alike_are_not_asked_for(tmp_path: Path) -> None:
    """Five more of them would begin as these did, and decide nothing."""
    with run(tmp_path, 1.3, 0.12, behind=True) as folder:
        assert forecast_of(folder, SLOWER) is None
