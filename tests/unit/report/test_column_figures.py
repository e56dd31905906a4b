"""A figure for a column of a paper: as wide as asked for, every letter large enough, every stack told apart."""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator
from functools import cache
from itertools import pairwise

import numpy as np
import pytest
from report_example import example_view

from msgauge.commands.figures import parse_width_px
from msgauge.errors import UsageError
from msgauge.report.figure_files import FigureStyle, apply_style, figures_of
from msgauge.report.figures.direct_labels import break_label, make_room, place_labels
from msgauge.report.figures.figure import Figure
from msgauge.report.figures.theme import LEAST_TEXT_PT, PAPER_COLOURS, column, dash, shape
from msgauge.report.figures.vega_render import render, render_svg

COLUMN = FigureStyle(336.0, title=False)
KINDS = ("time", "bandwidth", "ratio", "samples")


@cache
def column_figures() -> dict[str, Figure]:
    found: dict[str, Figure] = {}
    for figure in figures_of(example_view(stacks=8, hostile=False)):
        found.setdefault(figure.kind, figure)
    return found


def streams_of(pdf: bytes) -> Iterator[bytes]:
    for found in re.finditer(rb"stream\r?\n(.*?)\r?\nendstream", pdf, re.DOTALL):
        try:
            yield zlib.decompress(found[1])
        except zlib.error:
            yield found[1]


def text_sizes_pt(content: bytes) -> list[float]:
    """The size of every piece of text in points: that of its font, times all scales that hold where it is shown."""
    words = content.decode("latin-1").split()
    stack, scale, matrix, found = [], 1.0, 1.0, []
    for index, word in enumerate(words):
        if word == "q":
            stack.append(scale)
        elif word == "Q":
            scale = stack.pop()
        elif word in ("cm", "Tm"):
            a, b, c, d = map(float, words[index - 6 : index - 2])
            size = abs(a * d - b * c) ** 0.5
            scale, matrix = (scale * size, matrix) if word == "cm" else (scale, size)
        elif word == "Tf":
            found.append(float(words[index - 1]) * scale * matrix)
    return found


@pytest.mark.parametrize("kind", KINDS)
def test_text_of_a_column_figure_of_eight_stacks_is_at_least_seven_points(kind: str) -> None:
    pdf = render(apply_style(column_figures()[kind], COLUMN), column(COLUMN.width_px), "pdf")
    sizes = [size for content in streams_of(pdf) if b" Tf" in content for size in text_sizes_pt(content)]
    assert len(sizes) > 20
    assert min(sizes) >= LEAST_TEXT_PT


@pytest.mark.parametrize("kind", ["time", "bandwidth", "ratio"])
def test_a_column_figure_is_as_wide_as_the_column(kind: str) -> None:
    pdf = render(apply_style(column_figures()[kind], COLUMN), column(COLUMN.width_px), "pdf")
    box = re.search(rb"/MediaBox\s*\[0 0 ([\d.]+) [\d.]+\]", pdf)
    assert box is not None
    assert float(box[1]) == pytest.approx(3.5 * 72, abs=1.5)


def test_the_sizes_of_text_are_read_through_every_scale() -> None:
    assert text_sizes_pt(b"q .5 0 0 .5 0 0 cm q 2 0 0 2 0 0 cm BT 1 0 0 -1 0 0 Tm /f 10 Tf ET Q /f 10 Tf Q") == [10, 5]


def test_every_line_is_named_where_it_ends_with_its_dash_and_mark() -> None:
    figure = column_figures()["time"]
    drawing = render_svg(apply_style(figure, COLUMN), column(COLUMN.width_px))
    for index, name in enumerate(figure.stacks):
        assert name in "".join(re.findall(r"<(?:text|tspan)[^>]*>([^<]+)<", drawing))
        if dash(index) != [1, 0]:
            assert f'stroke-dasharray="{",".join(map(str, dash(index)))}"' in drawing
    assert "Time per event (" in drawing
    assert "Message size (bytes)" in drawing


def test_labels_do_not_lie_over_each_other_and_stay_beside_their_lines() -> None:
    points = [{"s": index, "x": 8.0, "y": 100.0 + index} for index in range(14)]
    scale = {"type": "log", "domain": [1.0, 1000.0]}
    labels = place_labels(points, [[f"stack@{index}"] for index in range(14)], scale, 220.0, 12.0)
    heights = sorted(label.y_px for label in labels)
    assert min(after - before for before, after in pairwise(heights)) >= 12.0 - 1e-9
    assert heights[0] >= 0
    assert heights[-1] <= 220.0


def test_long_names_take_two_lines_and_leave_the_lines_more_than_a_third_of_a_column() -> None:
    names = [f"mpi4py@4.1.2+intelmpi-2021.18.{index}" for index in range(14)]
    points = [{"s": index, "x": 8.0, "y": 100.0 + index} for index in range(14)]
    whole = column(COLUMN.width_px)
    assert make_room(whole, names, points).width >= 0.38 * COLUMN.width_px
    broken = [break_label(name, 20) for name in names]
    assert {len(lines) for lines in broken} == {2}
    labels = place_labels(points, broken, {"type": "log", "domain": [1.0, 1000.0]}, 400.0, 12.0)
    heights = sorted(label.y_px for label in labels)
    assert min(after - before for before, after in pairwise(heights)) >= 24.0 - 1e-9


def test_sixteen_stacks_share_no_colour_no_shape_and_no_dash() -> None:
    assert len({*PAPER_COLOURS}) == 16
    assert len({shape(index) for index in range(16)}) == 16
    assert len({tuple(dash(index)) for index in range(16)}) == 16


def test_every_colour_stands_out_from_white_and_from_the_others() -> None:
    """WCAG asks for 3 : 1 of graphics; between two colours at least a step that a person sees."""

    def linear(colour: str) -> np.ndarray:
        parts = np.array([int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)])
        return np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)

    for colour in PAPER_COLOURS:
        luminance = float(linear(colour) @ [0.2126, 0.7152, 0.0722])
        assert 1.05 / (luminance + 0.05) >= 2.9, colour
    apart = [
        float(np.linalg.norm(linear(one) ** (1 / 2.2) - linear(two) ** (1 / 2.2)))
        for number, one in enumerate(PAPER_COLOURS)
        for two in PAPER_COLOURS[:number]
    ]
    assert min(apart) > 0.12


@pytest.mark.parametrize(("text", "px"), [("3.5in", 336), ("8.89cm", 336), ("252pt", 336), ("88.9 mm", 336)])
def test_widths_are_read_in_the_units_of_journals(text: str, px: float) -> None:
    assert parse_width_px(text) == pytest.approx(px)


@pytest.mark.parametrize("text", ["", "3.5", "wide", "1in", "99in", "-3in"])
def test_a_width_that_makes_no_figure_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match="wide"):
        parse_width_px(text)


@pytest.mark.parametrize(("name", "wide_em"), [("shm@1", 3.46), ("pvm@3.4.6", 5.14), ("mmm@1", 4.07), ("tcp@1", 2.90)])
def test_a_short_name_of_wide_letters_is_not_cut_off_by_the_edge(name: str, wide_em: float) -> None:
    """``wide_em``: the sum of the widths of its letters in Liberation Sans, as in Arial."""
    whole = column(336.0)
    narrowed = make_room(whole, [name], [{"s": 0, "x": 1.0, "y": 1.0}])
    axis, before_the_name = 42, 8 + 24 + 6
    assert axis + narrowed.width + before_the_name + wide_em * whole.text_px <= whole.width
