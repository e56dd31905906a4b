"""Models of launches in two groups: intervals hold, no breakpoint and no violation is found where there is none."""

from __future__ import annotations

import pytest
from benchmarks.truth import models
from benchmarks.truth.machines import modes_of_cells

from msgauge.models.guidelines import MINIMUM_ROUNDS


@pytest.mark.parametrize("two_modes", [False, True])
def test_loggp_intervals_hold_at_five_launches(two_modes: bool) -> None:
    """At least 93 % are promised; those of a bootstrap held 86 % in two groups."""
    assert models.loggp_coverage(5, two_modes, 80, seed=21).mean() >= 0.93


def test_no_breakpoint_is_found_in_cells_of_two_groups() -> None:
    """At most 5 % are promised; those of before were found in 75 %."""
    assert models.false_breakpoints(5, "cells", 40, seed=22).mean() <= 0.05


@pytest.mark.parametrize("slow", ["nothing", "cells"])
def test_a_doubled_time_is_still_found(slow: str) -> None:
    assert models.jumps_found(7, slow, 1.0, 10, seed=23).mean() >= 0.9


def test_guidelines_and_anomalies_say_nothing_of_noise_in_two_groups() -> None:
    assert models.false_violations(MINIMUM_ROUNDS, modes_of_cells, 30, seed=24).mean() <= 0.1
    assert models.false_odd_sizes(5, modes_of_cells, 60, seed=25).mean() <= 0.05


def test_fewer_than_five_rounds_judge_no_guideline() -> None:
    assert not models.false_violations(4, modes_of_cells, 20, seed=26).any()
