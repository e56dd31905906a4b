"""Bars of shares: parts are named where their names fit, nothing is cut, and a column figure is readable."""

from __future__ import annotations

import re
from typing import Any

import pytest
from test_column_figures import streams_of, text_sizes_pt

from msgauge.report.figure_files import FigureStyle, apply_style
from msgauge.report.figures.direct_labels import break_label
from msgauge.report.figures.figure import Figure
from msgauge.report.figures.share_bars import PARTS, draw_shares, place_names
from msgauge.report.figures.theme import LEAST_TEXT_PT, column, paper, screen
from msgauge.report.figures.vega_render import render, render_svg

NAMES = ("openmpi@5.0.11", "mpich@5.0.2", "mpi4py@4.1.2+intelmpi-2021.18.1", "pvm@3.4.6[route=direct]")
WIDTH_PX = 336.0
"""3.5 in: a column of a paper."""


def bars(*shares: tuple[float, float]) -> list[dict[str, Any]]:
    """A row for each stack on 2 and 4 processes; ``shares``: computing and calls, in turn."""
    made = []
    for number, row in enumerate(f"{name}, {ranks}" for ranks in (2, 4) for name in NAMES):
        computing, calls = shares[number % len(shares)]
        ends = (0.0, computing, computing + calls, 1.0)
        made += [{"row": row, "part": at, "from": ends[at], "to": ends[at + 1], "d": row} for at in range(3)]
    return made


def figure(*shares: tuple[float, float]) -> Figure:
    return Figure(
        "pi-shares", "samples", "Pi", "Shares", "Shares.", NAMES, lambda look: draw_shares(bars(*shares), look)
    )


def draw_column(drawn: Figure) -> str:
    return render_svg(apply_style(drawn, FigureStyle(WIDTH_PX, title=False)), column(WIDTH_PX))


def test_every_part_that_has_room_is_named_inside_a_bar_and_no_legend_is_left() -> None:
    drawing = draw_column(figure((0.9, 0.08), (0.3, 0.65), (0.4, 0.1)))
    assert "role-legend" not in drawing
    for name in PARTS:
        assert drawing.count(f">{name}</text>") == 1


def test_a_part_without_room_stands_alone_in_the_legend() -> None:
    drawing = draw_column(figure((0.7, 0.05)))
    legend = drawing[drawing.index("role-legend") :]
    assert [name for name in PARTS if f">{name}</text>" in legend] == ["calls of the stack"]
    assert drawing.count(">computing</text>") == 1


def test_a_part_that_took_no_time_is_not_named() -> None:
    drawing = draw_column(figure((0.25, 0.75), (0.75, 0.25)))
    assert ">other</text>" not in drawing
    assert "role-legend" not in drawing


def test_a_name_stands_in_the_first_bar_that_holds_it() -> None:
    some = bars((0.1, 0.1), (0.8, 0.1))
    assert place_names(some, 200.0, 10.0)[0]["row"] == f"{NAMES[1]}, 2"
    assert place_names(some, 20.0, 10.0) == {}


def test_text_of_a_column_figure_is_at_least_seven_points_and_the_figure_as_wide_as_the_column() -> None:
    drawn = apply_style(figure((0.7, 0.05), (0.3, 0.65)), FigureStyle(WIDTH_PX, title=False))
    pdf = render(drawn, column(WIDTH_PX), "pdf")
    sizes = [size for content in streams_of(pdf) if b" Tf" in content for size in text_sizes_pt(content)]
    assert len(sizes) > len(NAMES) * 2
    assert min(sizes) >= LEAST_TEXT_PT
    box = re.search(rb"/MediaBox\s*\[0 0 ([\d.]+) [\d.]+\]", pdf)
    assert box is not None
    assert float(box[1]) == pytest.approx(3.5 * 72, abs=1.5)


@pytest.mark.parametrize("look", [column(WIDTH_PX), paper(), screen(), screen(narrow=True)], ids=lambda one: one.width)
def test_no_name_of_a_stack_is_cut(look: Any) -> None:
    drawing = render_svg(figure((0.7, 0.05)), look)
    assert "…" not in drawing
    said = "".join(re.findall(r"<(?:text|tspan)[^>]*>([^<]+)<", drawing)).replace(" ", "")
    for name in NAMES:
        assert f"{name},2" in said


def test_a_label_is_broken_where_a_part_of_the_name_begins() -> None:
    assert break_label("mpi4py@4.1.2+openmpi-5.0.11, 4", 22) == ["mpi4py@4.1.2", "+openmpi-5.0.11, 4"]
    assert break_label("tcp@1, 2", 22) == ["tcp@1, 2"]
    assert max(map(len, break_label("x" * 50, 22))) <= 22
