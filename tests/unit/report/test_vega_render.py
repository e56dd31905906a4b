"""Drawings on the page are smaller than those in files, and say the same."""

from __future__ import annotations

import re
import resource
import threading
from html import unescape

import pytest
import vl_convert
from report_example import example_view

from msgauge.errors import ToolError
from msgauge.report.figure_files import figures_of
from msgauge.report.figures.figure import make_axis
from msgauge.report.figures.theme import screen
from msgauge.report.figures.vega_render import _require_threads, _svg, minify, render_svg

LABEL = re.compile(r'aria-label="([^"]*)"')
TEXT = re.compile(r"<text[^>]*>(.*?)</text>|<title>(.*?)</title>", re.DOTALL)


def said(drawing: str) -> list[str]:
    """All that a person can read or hear of a drawing, but for the labels of axes, which their ticks repeat."""
    labels = [text for text in LABEL.findall(drawing) if "-axis" not in text]
    return [unescape(text) for text in (*labels, *("".join(found) for found in TEXT.findall(drawing)))]


def test_a_limit_of_the_address_space_is_told_before_the_renderer_dies_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    _svg.cache_clear()
    figure = next(figures_of(example_view(hostile=False)))
    monkeypatch.setattr(resource, "getrlimit", lambda which: (40 << 30, 40 << 30))
    with pytest.raises(ToolError, match=r"(?s)64 GiB of address space, and .* are allowed.*ulimit -v unlimited"):
        render_svg(figure, screen(narrow=True))
    monkeypatch.setattr(resource, "getrlimit", lambda which: (80 << 30, 80 << 30))
    assert "<svg" in render_svg(figure, screen(narrow=True))


def test_threads_that_cannot_be_started_are_told_before_the_renderer_dies_of_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It ended msgauge by SIGABRT, or by a panic with exit code 1, which is that of a regression."""
    figure = next(figures_of(example_view(hostile=False)))
    start, left = threading.Thread.start, [2]

    def start_few(thread: threading.Thread) -> None:
        left[0] -= 1
        if left[0] < 0:
            raise RuntimeError("can't start new thread")
        start(thread)

    _svg.cache_clear()
    _require_threads.cache_clear()
    alive = threading.active_count()
    with monkeypatch.context() as patch:
        patch.setattr(threading.Thread, "start", start_few)
        with pytest.raises(ToolError, match=r"(?s)starts \d+ threads, and no more than 2 are.*ulimit -u"):
            render_svg(figure, screen(narrow=True))
    assert threading.active_count() == alive
    assert "<svg" in render_svg(figure, screen(narrow=True))


def test_what_a_drawing_says_is_left_to_the_letter() -> None:
    figures = figures_of(example_view(hostile=False))
    assert figures
    for figure in figures:
        whole = render_svg(figure, screen(narrow=True))
        assert said(minify(whole)) == said(whole)


def test_a_version_and_an_interval_in_a_label_are_not_rounded() -> None:
    label = "intelmpi@2021.18.1\n8 B: 0.979 × (0.873 to 1.016)"
    drawing = f'<g aria-label="{label}"><path d="M1.2345,6.7890L-0.12345,2" opacity="1"/><text>1.2345</text></g>'
    assert minify(drawing) == f'<g aria-label="{label}"><path d="M1.2,6.8L-0.1,2"/><text>1.2345</text></g>'


def test_text_that_looks_like_an_attribute_stays() -> None:
    drawing = '<text x="1.2345">opacity="1" x="1.2345"</text>'
    assert minify(drawing) == '<text x="1.2">opacity="1" x="1.2345"</text>'


def test_labels_that_would_nearly_touch_are_thinned() -> None:
    """They stood together as one number, as in 2.38 KiB19 KiB."""
    values = range(1, 11)
    axis = make_axis("Message size", "'00000000'", list(values))
    field = {"field": "x", "type": "quantitative", "scale": {"domain": [0, 11]}, "axis": axis}

    def seen(step_px: int) -> int:
        spec = {"width": 11 * step_px, "data": {"values": [{"x": 1}]}, "mark": "point", "encoding": {"x": field}}
        drawing = vl_convert.vegalite_to_svg(spec | {"config": {"axis": {"labelFontSize": 10}}})
        return len(re.findall(r'<text(?![^>]* opacity="0")[^>]*>00000000</text>', drawing))

    assert seen(step_px=100) == len(values)
    assert seen(step_px=50) == len(values) // 2
