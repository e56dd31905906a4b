"""The figure of a model's errors can be read: percents on its axis, and the band of what closes behind them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from msgauge.report.figures.figure import Figure
from msgauge.report.figures.line_chart import Axes, PlottedLine, error_ticks, plot_lines
from msgauge.report.figures.theme import paper
from msgauge.report.figures.vega_render import render_svg


def errors(*ratios: float, kind: str = "error") -> Figure:
    places = tuple((float(2**n), ratio, ratio, ratio) for n, ratio in enumerate(ratios))
    return plot_lines("e", "errors", "errors", (PlottedLine("predicted / measured", places),), Axes("size", kind))


def drawn(*ratios: float) -> str:
    return render_svg(errors(*ratios), paper())


@pytest.mark.parametrize("ratios", [(1.0, 1.001, 0.999), (0.99, 1.01), (0.97, 1.3), (0.8, 1.1)])
def test_errors_stand_on_an_axis_in_percent(ratios: tuple[float, ...]) -> None:
    picture = drawn(*ratios)
    assert ">0 %<" in picture
    assert ">−10 %<" in picture
    assert ">+10 %<" in picture


def test_one_percent_and_thirty_do_not_look_alike() -> None:
    assert ">+30 %<" not in drawn(0.99, 1.01)
    assert ">+30 %<" in drawn(0.99, 1.31)


def test_the_band_of_what_closes_is_drawn_for_errors_alone() -> None:
    def bands(kind: str) -> list[object]:
        layers = errors(0.99, 1.2, kind=kind).make(paper())["layer"]
        return [layer["data"]["values"] for layer in layers if layer["mark"]["type"] == "rect"]

    assert bands("error") == [[{"low": 0.95, "high": 1.05}]]
    assert bands("ratio") == []


@given(st.floats(0.01, 0.94), st.floats(1.06, 100))
def test_ticks_of_errors_lie_within_the_axis_and_are_few(low: float, high: float) -> None:
    found = error_ticks(low, high)
    assert 1 <= len(found) <= 9
    assert found == sorted(found)
    assert all(low * 0.998 <= one <= high * 1.002 for one in found)
    assert any(abs(one - 1) < 1e-9 for one in found)
