"""Bars of shares of a time: each part is named inside a bar where its name fits, the others in a legend."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import ceil

from msgauge.report.figures import axis_labels
from msgauge.report.figures.direct_labels import LETTER_EM, break_label
from msgauge.report.figures.figure import Spec, compose_layers, make_axis, make_name_lookup
from msgauge.report.figures.theme import Theme, colour

PARTS = ("computing", "calls of the stack", "other")
"""The parts by their numbers."""
_MARGINS_PX = 26
"""Left and right of names and bars together."""


def draw_shares(bars: Sequence[Spec], theme: Theme) -> Spec:
    """One bar a row; ``bars`` have ``row``, ``part``, ``from``, ``to`` in [0, 1] and a description ``d``."""
    text_px = theme.text_px or (11 if theme.narrow else 12)
    rows = list(dict.fromkeys(bar["row"] for bar in bars))
    letters = int(0.42 * theme.width / (LETTER_EM * text_px)) if theme.direct else 24 if theme.narrow else 40
    lines = {row: break_label(row, letters) for row in rows}
    label_px = ceil(LETTER_EM * text_px * max(len(line) for some in lines.values() for line in some)) + 6
    plot_px = theme.width - label_px - _MARGINS_PX if theme.direct else 240 if theme.narrow else 460
    named = place_names(bars, plot_px, text_px)
    unnamed = sorted({bar["part"] for bar in bars if bar["to"] > bar["from"]} - named.keys())
    row_px = max(22, ceil(1.25 * text_px * max(map(len, lines.values()))) + 6)
    layers = [_draw_bars(lines, unnamed, theme, label_px), *_draw_names(named, rows, text_px, theme)]
    return compose_layers(theme, list(bars), layers) | {"height": row_px * len(rows), "width": plot_px}


def place_names(bars: Sequence[Spec], plot_px: float, text_px: float) -> dict[int, Spec]:
    """For each part the first bar in which its name fits; parts whose name fits in none are left out."""
    found: dict[int, Spec] = {}
    for bar in bars:
        room = (bar["to"] - bar["from"]) * plot_px
        if bar["part"] not in found and room >= LETTER_EM * text_px * len(PARTS[bar["part"]]) + 6:
            found[bar["part"]] = bar
    return found


def _draw_bars(lines: dict[str, list[str]], unnamed: Sequence[int], theme: Theme, label_px: int) -> Spec:
    legend: Spec = {"title": None, "values": list(unnamed), "labelExpr": make_name_lookup(PARTS)}
    legend |= {"symbolOpacity": 1, "symbolStrokeWidth": 0}
    broken = ",".join(f"[{','.join(map(_quote, some))}]" for some in lines.values())
    label = f"[{broken}][indexof([{','.join(map(_quote, lines))}],datum.value)]"
    inks = [colour(theme, 0), colour(theme, 1), theme.rule]
    return {
        "mark": {"type": "bar", "height": 15},
        "encoding": {
            "x": {"field": "from", "type": "quantitative", "scale": {"domain": [0, 1]}}
            | {"axis": make_axis("Share of the time", axis_labels.SHARE, [0, 0.25, 0.5, 0.75, 1])},
            "x2": {"field": "to"},
            "y": {"field": "row", "type": "nominal", "sort": list(lines)}
            | {"axis": {"title": None, "ticks": False, "labelExpr": label, "labelLimit": 0, "minExtent": label_px}},
            "color": {
                "field": "part",
                "type": "nominal",
                "scale": {"domain": list(range(len(PARTS))), "range": inks},
                "legend": legend if unnamed else None,
            },
            "description": {"field": "d"},
        },
    }


def _draw_names(named: dict[int, Spec], rows: Sequence[str], text_px: float, theme: Theme) -> Iterator[Spec]:
    """The names in the middle of their segments."""
    for part, bar in named.items():
        ink = theme.ink if part == len(PARTS) - 1 else theme.paper
        yield {
            "data": {"values": [{"row": bar["row"], "middle": (bar["from"] + bar["to"]) / 2}]},
            "mark": {"type": "text", "text": PARTS[part], "fontSize": text_px, "color": ink, "aria": False, "dy": 0.5},
            "encoding": {
                "x": {"field": "middle", "type": "quantitative"},
                "y": {"field": "row", "type": "nominal", "sort": list(rows)},
            },
        }


def _quote(text: str) -> str:
    """A string literal of Vega's expressions; whatever is no plain letter is written as its number."""
    return make_name_lookup([text]).removesuffix("[datum.value]")[1:-1]
