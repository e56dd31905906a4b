"""Samples that are curves: compared by their last point, shown point by point."""

from __future__ import annotations

import numpy as np
import pytest

from msgauge.model import Samples


def curve(values: list[int], points: str = "3", divisor: int = 1) -> Samples:
    return Samples(1, 0, "received", np.array(values, dtype=np.int64), divisor, attributes=(("points", points),))


def test_a_launch_of_curves_counts_by_its_last_points() -> None:
    frame = curve([1, 5, 100, 2, 6, 120, 3, 7, 110])
    assert frame.curves.tolist() == [[1, 5, 100], [2, 6, 120], [3, 7, 110]]
    assert frame.median_ns == 110
    assert curve([1, 5, 100, 2, 6, 120], divisor=2).median_ns == 55


def test_samples_without_points_are_a_column() -> None:
    frame = Samples(1, 0, "time", np.array([3, 1, 2], dtype=np.int64))
    assert frame.curves.shape == (3, 1)
    assert frame.median_ns == 2


def test_a_curve_that_was_cut_off_is_left_out() -> None:
    assert curve([1, 5, 100, 2, 6]).curves.tolist() == [[1, 5, 100]]


@pytest.mark.parametrize("points", ["0", "-1", "x", "99", ""])
def test_points_that_make_no_sense_are_ignored(points: str) -> None:
    assert curve([1, 2, 3], points).curves.shape == (3, 1)
