"""Runs beside references whose rounds resemble each other: what the launches of a stack alone are worth."""

from __future__ import annotations

import numpy as np
import pytest
from benchmarks.truth import run_paces
from benchmarks.truth.machines import correlate

from msgauge.analysis.between_runs.run_levels import RunLevels, SeriesKey
from msgauge.analysis.between_runs.run_references import variances_beside

ROUNDS = 40
REFERENCE = SeriesKey("reference@1", "pingpong", 8, 2)
CELLS = [SeriesKey("judged@1", "pingpong", 8 << place, 2) for place in range(9)]


def run_of(judged: np.ndarray, reference: np.ndarray) -> RunLevels:
    """A run of logarithms: of the judged stack, shape (cells, rounds), and of one cell of a reference."""
    series = {REFERENCE: np.exp(reference), **{key: np.exp(row) for key, row in zip(CELLS, judged, strict=False)}}
    return RunLevels("", "", medians_ns=series)


def test_the_pace_that_references_show_is_no_error_of_a_stack() -> None:
    random = np.random.default_rng(1)
    pace, own = correlate(random.normal(0, 0.05, ROUNDS), 0.8), random.normal(0, 0.01, (9, ROUNDS))
    found = variances_beside(run_of(pace + own, pace), CELLS, [REFERENCE])
    variances = own.var(axis=1, ddof=1)
    assert found == pytest.approx(np.pi / 2 * np.maximum(variances, variances.mean()) / ROUNDS, rel=0.3)


def test_what_lasts_in_a_stack_by_itself_counts_for_more() -> None:
    """The mean of AR(1) 0.8 has a variance nine times as large as that of independent rounds."""
    random = np.random.default_rng(2)
    own = correlate(random.normal(0, 0.05, (9, ROUNDS)), 0.8)
    found = variances_beside(run_of(own, np.zeros(ROUNDS)), CELLS, [REFERENCE])
    variances = own.var(axis=1, ddof=1)
    factors = found / (np.pi / 2 * np.maximum(variances, variances.mean()) / ROUNDS)
    assert factors == pytest.approx(factors[0])
    assert 5 < factors[0] < 15


def test_two_launches_that_agree_by_chance_count_with_all_of_their_stack() -> None:
    own = np.array([[0.0, 0.1], [0.0, 0.0001]])
    found = variances_beside(run_of(own, np.zeros(2)), CELLS[:2], [REFERENCE])
    assert found[1] == pytest.approx(found[0] / 2, rel=0.01)


def test_a_stack_that_wanders_as_references_do_counts_as_it_is() -> None:
    """How much they do is seen from how far apart their levels lie."""
    own = correlate(np.random.default_rng(2).normal(0, 0.05, (3, ROUNDS)), 0.8)
    other = SeriesKey("another@1", "pingpong", 8, 2)
    run = RunLevels("", "", medians_ns=dict(zip((CELLS[0], REFERENCE, other), np.exp(own), strict=True)))
    (found,) = variances_beside(run, CELLS[:1], [REFERENCE, other])
    left = own[0] - own[1:].mean(axis=0)
    assert found == pytest.approx(np.pi / 2 * left.var(ddof=1) / ROUNDS)


def test_a_series_of_other_rounds_is_as_it_is_and_one_that_is_missing_says_nothing() -> None:
    logs = np.random.default_rng(3).normal(0, 0.01, (1, 12))
    found = variances_beside(run_of(logs, np.arange(7.0)), CELLS[:2], [REFERENCE])
    assert found[0] >= np.pi / 2 * logs.var(ddof=1) / 12
    assert np.isnan(found[1])


def test_one_binary_is_not_called_different_where_its_stack_wanders_more_than_references() -> None:
    found = run_paces.paces_beside_references("cell", 0.8, 3.0, 0.0, 12)
    assert found.share <= 0.1
    assert found.before > 0.4
