"""Claims about the table of a model on a terminal."""

from __future__ import annotations

from msgauge import units
from msgauge.models.estimate import ParameterEstimate
from msgauge.report.terminal.model_terminal import write_parameter


def test_an_interval_that_says_nothing_is_not_given_five_digits() -> None:
    """``8.06 µs ±16163%`` was more exact about its ignorance than about the time."""
    assert write_parameter(ParameterEstimate(8060.0, -1.29e6, 1.31e6), units.format_time) == "8.06 µs >±999%"
    assert write_parameter(ParameterEstimate(100.0, 95.0, 105.0), units.format_time) == "100 ns ±5%"
    assert write_parameter(ParameterEstimate(reason="overlap"), units.format_time) == "–"
