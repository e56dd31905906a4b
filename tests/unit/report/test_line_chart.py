"""The figure of a model's errors can be read: percents on its axis, and the band of what closes behind them."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from msgauge.report.figures.figure import Figure
from msgauge.report.figures.line_chart import Axes, PlottedLine, error_ticks, plot_lines
from msgauge.report.figures.theme import paper, screen
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


def test_two_sizes_never_have_one_label() -> None:
    """1024 and 1025 bytes were both 1 KiB on the axis, in a page whose tables tell them apart."""
    sizes = (1024.0, 1536.0, 65536.0, 1048576.0, 1048577.0)
    line = PlottedLine("measured", tuple((size, size, size, size) for size in sizes))
    for theme, names in ((paper(), "1 KiB|1536 B|64 KiB|1 MiB|1048577 B"), (screen(), "1 KiB|1 MiB|1048577 B")):
        picture = render_svg(plot_lines("s", "sizes", "sizes", (line,), Axes("size", "time")), theme)
        for name in names.split("|"):
            bare = name.replace(" B", "").replace("iB", "i")
            assert len(re.findall(f">({name}|{bare})<", picture)) == 1, name


def test_a_bar_that_goes_on_beyond_the_figure_ends_in_an_arrow_head() -> None:
    def heads(*places: tuple[float, float, float, float]) -> list[str]:
        figure = plot_lines("r", "ratios", "ratios", (PlottedLine("a", places, line=False),), Axes("size", "ratio"))
        layers = figure.make(paper())["layer"]
        assert "<svg" in render_svg(figure, paper())
        return [layer["mark"]["shape"] for layer in layers if str(layer["mark"].get("shape", "")).startswith("tri")]

    within = (8.0, 1.0, 0.9, 1.1)
    assert heads(within, (64.0, 1.1, 1.0, 1.2)) == []
    assert heads(within, (64.0, 1.1, 1.0, 9.0)) == ["triangle-up"]
    assert heads(within, (64.0, 1.1, 1e-6, float("inf"))) == ["triangle-down", "triangle-up"]
