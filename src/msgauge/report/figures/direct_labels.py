"""Names at the ends of lines, each behind a piece of its line with dash and mark: no legend is needed."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from math import log

from attrs import evolve, frozen

from msgauge.report import phrasing
from msgauge.report.figures.figure import Spec, compose_layers
from msgauge.report.figures.theme import Theme, colour, dash, shape

_KEY_PX = 24
_GAP_PX = 8
_MARGIN_PX = 4
LETTER_EM = 0.57
"""Width of a letter over the size of the font."""
_WIDE_EM = {"@": 1.02, "M": 0.84, "W": 0.95, "m": 0.84, "w": 0.73}
"""Letters that are wider: every name of a stack has one, and a short one has no narrow letters to make up for it."""
_NAMES_SHARE = 0.34
_LEFT_PX, _TOP_PX, _BOTTOM_PX = 42.0, 24.0, 40.0
"""For the labels and titles of the axes."""


@frozen
class EndLabel:
    """A stack's place in the list of stacks, its name in one line or more, and its middle, px from the top."""

    index: int
    lines: tuple[str, ...]
    y_px: float


def make_room(whole: Theme, names: Sequence[str], points: Sequence[Spec]) -> Theme:
    """The theme of what is between the axes: narrower by the names of the lines, where lines carry their names."""
    drawn = sorted({point["s"] for point in points})
    return _narrow_for_labels(whole, [names[index] for index in drawn]) if whole.direct else whole


def compose_labelled(
    points: list[Spec], layers: list[Spec], names: Sequence[str], y: Spec, themes: tuple[Theme, Theme]
) -> Spec:
    """The layers as one specification; with names at the ends of lines where the theme asks for them.

    ``themes``: that of the whole figure, and what ``make_room`` made of it; ``y``: the encoding of the upright axis.
    """
    whole, theme = themes
    if not theme.direct:
        return compose_layers(theme, points, layers)
    broken = [break_label(phrasing.plain(name), _most_letters(whole)) for name in names]
    labels = place_labels(points, broken, y["scale"], theme.height, theme.text_px + 2)
    return _frame(compose_layers(theme, points, [*layers, *_draw_labels(labels, theme)]), theme, whole.width)


def place_labels(
    points: Sequence[Spec], names: Sequence[Sequence[str]], scale: Spec, height_px: float, line_px: float
) -> tuple[EndLabel, ...]:
    """One label for each stack with a point, beside its last one, none over another where that fits.

    ``points`` have ``s``, ``x`` and ``y``; ``names``: the lines of each, ``line_px`` high; ``scale``: of the y axis,
    logarithmic or linear.
    """
    ends: dict[int, Spec] = {}
    for point in points:
        if point["s"] not in ends or point["x"] >= ends[point["s"]]["x"]:
            ends[point["s"]] = point
    along: Callable[[float], float] = log if scale.get("type") == "log" else float
    low, high = map(along, scale["domain"])
    wanted = sorted((height_px * (high - along(end["y"])) / (high - low), index) for index, end in ends.items())
    high_px = [line_px * len(names[index]) for _, index in wanted]
    shrink = min(1.0, height_px / max(1.0, sum(high_px)))
    steps = [shrink * (one + other) / 2 for one, other in pairwise(high_px)]
    places: list[float] = []
    for number, (place, _) in enumerate(wanted):
        places.append(max(place, places[-1] + steps[number - 1]) if places else max(place, 0.0))
    lowest = height_px
    for number in range(len(places) - 1, -1, -1):
        places[number] = min(places[number], lowest)
        lowest = places[number] - (steps[number - 1] if number else 0.0)
    return tuple(EndLabel(index, tuple(names[index]), place) for place, (_, index) in zip(places, wanted, strict=True))


def break_label(text: str, letters: int) -> list[str]:
    """A stack's name, and what follows it, in lines of at most so many letters; broken where a part begins."""
    if len(text) <= letters:
        return [text]
    lines = phrasing.fill_lines(re.split(r"(?=[@+/\[])", text), letters)
    return [short for line in lines for short in textwrap.wrap(line.strip(), letters)]


def _most_letters(whole: Theme) -> int:
    """Of a line of a name: names take a third of the figure, lines the rest."""
    return max(8, int(_NAMES_SHARE * whole.width / (LETTER_EM * whole.text_px)))


def _narrow_for_labels(theme: Theme, names: Sequence[str]) -> Theme:
    """The theme of what is between the axis and the labels, so that the whole is as wide as the figure shall be."""
    lines = [line for name in names for line in break_label(phrasing.plain(name), _most_letters(theme))]
    room = _GAP_PX + _KEY_PX + 6 + _MARGIN_PX + max(map(_measure_em, lines), default=0.0) * theme.text_px
    return evolve(theme, width=max(60, round(theme.width - _LEFT_PX - room)))


def _measure_em(line: str) -> float:
    return sum(_WIDE_EM.get(letter, LETTER_EM) for letter in line)


def _frame(spec: Spec, theme: Theme, whole_px: float) -> Spec:
    """The specification with room for axes and labels of a figure that is ``whole_px`` wide, to the pixel."""
    padding = {"left": _LEFT_PX, "top": _TOP_PX, "right": whole_px - _LEFT_PX - theme.width, "bottom": _BOTTOM_PX}
    return spec | {"autosize": "none", "padding": padding}


def _draw_labels(labels: Sequence[EndLabel], theme: Theme) -> Iterator[Spec]:
    """The layers: for each stack a piece of line, its mark, and its name."""
    left = theme.width + _GAP_PX
    for label in labels:
        ink = {"value": colour(theme, label.index)}
        y = {"value": label.y_px}
        data: Spec = {"values": [{}]}
        yield {
            "data": data,
            "mark": {"type": "rule", "strokeWidth": 1.6, "strokeDash": dash(label.index), "aria": False, "clip": False},
            "encoding": {"x": {"value": left}, "x2": {"value": left + _KEY_PX}, "y": y, "color": ink},
        }
        mark = {"type": "point", "filled": True, "size": 30, "opacity": 1, "shape": shape(label.index), "aria": False}
        yield {"data": data, "mark": mark, "encoding": {"x": {"value": left + _KEY_PX / 2}, "y": y, "color": ink}}
        text = {
            "type": "text",
            "align": "left",
            "baseline": "middle",
            "fontSize": theme.text_px,
            "text": list(label.lines),
        }
        text |= {"lineHeight": theme.text_px + 1, "dy": -(len(label.lines) - 1) * (theme.text_px + 1) / 2}
        place = {"x": {"value": left + _KEY_PX + 6}, "y": y, "color": {"value": theme.ink}}
        yield {"data": data, "mark": {**text, "aria": False, "limit": 400}, "encoding": place}
