"""Claims about the tables of a model on a terminal and on the page."""

from __future__ import annotations

from pathlib import Path

import pytest
from attrs import evolve
from report_example import example_view

from msgauge import units
from msgauge.analysis.stack_models.stack_model import Prediction, StackModel
from msgauge.model import Pattern
from msgauge.models.estimate import ParameterEstimate
from msgauge.models.loggp import CostLaw, LogGP, Segment
from msgauge.report.sections import models
from msgauge.report.terminal.model_terminal import NO_INTERVALS, print_models, rows, write_parameter

AROUND = 0.1


def estimate(value: float, *, alone: bool = False) -> ParameterEstimate:
    return ParameterEstimate(value) if alone else ParameterEstimate(value, value * (1 - AROUND), value * (1 + AROUND))


def stack_model(*, alone: bool = False) -> StackModel:
    """``alone``: of a single launch, which has no interval."""
    overhead, gap, half, latency, nothing = (estimate(value, alone=alone) for value in (200, 300, 1400, 1000, 0.0))
    law, slope = CostLaw(overhead, nothing), estimate(0.0994, alone=alone)
    segment = Segment(1, 1 << 20, law, law, CostLaw(gap, slope), CostLaw(half, slope), latency, nothing)
    why = "computing takes no time in this simulation"
    predicted = Prediction("pi", Pattern.REDUCE, 2, "pi n 100 on 2 ranks", 1410.0, 2490.0, why)
    return StackModel("a@1", LogGP((segment,)), predictions=(predicted,))


def test_an_interval_that_says_nothing_is_not_given_five_digits() -> None:
    """``8.06 µs ±16163%`` was more exact about its ignorance than about the time."""
    assert write_parameter(ParameterEstimate(8060.0, -1.29e6, 1.31e6), units.format_time) == "8.06 µs >±999%"
    assert write_parameter(ParameterEstimate(100.0, 95.0, 105.0), units.format_time) == "100 ns ±5%"
    assert write_parameter(ParameterEstimate(reason="overlap"), units.format_time) == "–"


def test_every_interval_has_the_unit_of_its_parameter() -> None:
    """Those of G had none, beside times that had theirs."""
    (row,) = rows(stack_model())
    assert row[1] == ("1.00 µs", "900 ns to 1.10 µs")
    assert row[5] == ("0.0994 ns/B", "0.0895 to 0.109 ns/B")


def test_a_table_of_a_model_has_no_frame_as_other_tables_have_none(capsys: pytest.CaptureFixture[str]) -> None:
    print_models((stack_model(),), Path("run"))
    printed = capsys.readouterr().out
    assert not set("│┃┏┡└") & set(printed)
    assert "* LogGP does not apply: computing takes no time in this simulation.\n" in printed


def test_a_model_of_one_launch_says_why_nothing_has_an_interval(capsys: pytest.CaptureFixture[str]) -> None:
    """The legend explained a ± that stood nowhere."""
    print_models((stack_model(alone=True),), Path("run"))
    assert NO_INTERVALS in capsys.readouterr().out
    print_models((stack_model(),), Path("run"))
    assert NO_INTERVALS not in capsys.readouterr().out


def test_names_of_the_page_are_headings_of_their_rows_and_reasons_may_break() -> None:
    """Names stood at the right, below a heading at the left, and reasons were cut off by the edge."""
    page = str(models.render(evolve(example_view(), models=(stack_model(),))))
    assert '<th scope="row">pi n 100 on 2 ranks</th>' in page
    assert '<td class="reason">does not apply: computing' in page
    assert '<th scope="row">1 B to 1 MiB</th>' in page
