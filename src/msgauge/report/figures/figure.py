"""What a figure is, and the parts of a Vega-Lite specification that all figures share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from attrs import frozen

from msgauge.report.figures.theme import Theme

Spec = dict[str, Any]


@frozen
class Figure:
    """One figure: ``make(theme)`` gives its Vega-Lite specification; ``text`` says in words what it shows.

    ``title`` stands alone (files), ``short`` below the heading of its kernel (page). ``drawn``: indexes of the stacks
    that have a mark in it, where that is not all of them.
    """

    key: str
    kind: str
    title: str
    short: str
    text: str
    stacks: tuple[str, ...]
    make: Callable[[Theme], Spec]
    drawn: tuple[int, ...] | None = None


def compose_layers(theme: Theme, points: list[Spec], layers: list[Spec]) -> Spec:
    """Layers over shared data, in the inks and fonts of the theme."""
    size = theme.text_px or (11 if theme.narrow else 12)
    axis = {
        "domainColor": theme.rule,
        "tickColor": theme.rule,
        "gridColor": theme.rule,
        "labelColor": theme.faint,
        "titleColor": theme.ink,
        "labelFontSize": size,
        "titleFontSize": size,
        "titleFontWeight": "normal",
        "labelPadding": 6,
    }
    legend = {"labelColor": theme.ink, "labelFontSize": size, "orient": "bottom", "columns": 2, "symbolSize": 60}
    legend |= {"aria": False}  # it would be read as "values: 0, 1, 2": the names stand beside the symbols as text
    return {
        "$schema": "https://vega.github.io/schema/vega-lite/v5.json",
        "width": theme.width,
        "height": theme.height,
        "padding": 4,
        "background": None if not theme.legend else theme.paper,
        "data": {"values": points},
        "layer": layers,
        "config": {"font": theme.font, "view": {"stroke": None}, "axis": axis, "legend": legend},
    }


def make_axis(title: str, label: str, values: Sequence[float]) -> Spec:
    """An axis with these values labelled by the Vega expression ``label``."""
    return {"title": title, "labelExpr": label, "values": list(values), "labelOverlap": True, "labelSeparation": 8}


def encode_by_stack(values: list[Any], legend: Spec | None) -> Spec:
    """An encoding that gives the stack at each index its own value (colour, dash, shape).

    A legend that names none is left out: the renderer makes it infinitely high.
    """
    domain = list(range(len(values)))
    shown = legend if legend is None or legend.get("values", domain) else None
    return {"field": "s", "type": "nominal", "scale": {"domain": domain, "range": values}, "legend": shown}


def make_name_lookup(names: Sequence[str]) -> str:
    """An expression that gives the name for an index; the names are string literals in it, fully escaped."""
    literals = ",".join("'" + "".join(_literal(c) for c in name) + "'" for name in names)
    return f"[{literals}][datum.value]"


def _literal(character: str) -> str:
    if character.isascii() and (character.isalnum() or character in " @.-_/[]=,+:"):
        return character
    return "".join(f"\\u{unit:04x}" for unit in _utf16(character))


def _utf16(character: str) -> list[int]:
    raw = character.encode("utf-16-be", "surrogatepass")
    return [raw[i] << 8 | raw[i + 1] for i in range(0, len(raw), 2)]
