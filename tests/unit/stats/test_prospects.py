"""After how many rounds a comparison is decided: named for plain scatter, never for modes and slow launches."""

from __future__ import annotations

import numpy as np
import pytest
from benchmarks.truth.machines import ALIKE

from msgauge.stats.prospects import FEWEST, find_uneven, foresee_decision


def apart(machine: str, rounds: int, runs: int) -> np.ndarray:
    """Log ratios of two stacks in ten cells, shape (runs, cells, rounds)."""
    random = np.random.default_rng(3)
    times = np.array([ALIKE[machine]((2, 10, rounds), random) for _ in range(runs)])
    return np.asarray(times[:, 1] - times[:, 0])


@pytest.mark.parametrize("machine", ["spikes", "two modes, cell by cell", "two modes, launch by launch"])
def test_rounds_of_launches_in_modes_show_it(machine: str) -> None:
    assert find_uneven(apart(machine, FEWEST, 300)).mean() > 0.98


def test_plain_scatter_is_mostly_even() -> None:
    assert find_uneven(apart("lognormal", FEWEST, 300)).mean() < 0.25


def test_rounds_that_are_missing_are_no_gap() -> None:
    found = apart("lognormal", 20, 50)
    found[:, ::2, 10:] = np.nan
    assert find_uneven(found).mean() < 0.25


def test_few_tests_do_not_show_in_ten_rounds_what_launches_are_like() -> None:
    found = apart("lognormal", 20, 50)[:, :3]
    assert find_uneven(found[..., :19]).all()
    assert find_uneven(found).mean() < 0.4


TWENTY = 0.03 + 0.04 * np.tile([-1.0, 1, -0.5, 0.5, 0.8, -0.8, 0.2, -0.2, 1.1, -1.1], 2)


def test_a_number_of_rounds_is_named_from_twenty_on_and_it_leaves_room_for_wild_rounds() -> None:
    assert foresee_decision(TWENTY[:19], 0.004, 0.03) is None
    named = foresee_decision(TWENTY, 0.004, 0.03)
    assert named is not None
    assert 40 < named <= 250


def test_a_quarter_more_rounds_are_named_than_are_found_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    named = foresee_decision(TWENTY, 0.004, 0.03)
    monkeypatch.setattr("msgauge.stats.prospects.MORE", 1.0)
    enough = foresee_decision(TWENTY, 0.004, 0.03)
    assert named is not None and enough is not None
    assert 1.25 * enough <= named < 1.25 * enough + 1
