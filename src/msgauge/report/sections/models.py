"""Why each stack is fast or slow: its LogGP parameters, the fit over the data, residuals, breakpoints and closure."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from attrs import frozen
from markupsafe import Markup

from msgauge import units
from msgauge.advise.stack_model import StackModel
from msgauge.models.predict import pingpong_ns
from msgauge.report.drawn import Drawn, drawn
from msgauge.report.figure import Figure
from msgauge.report.model_terminal import closures, missing, predictions, rows, sentences, strictly
from msgauge.report.plain_figure import Axes, Trail, plain_figure
from msgauge.report.template import fill
from msgauge.report.view import RunView

order = 50
title = "Models"
_WIDEST = 1.5
_DRAWN_DETAIL = 3
"""From this level of detail on the figures are left out."""


@frozen
class Block:
    """One stack on the page."""

    model: StackModel
    rows: list[tuple[tuple[str, str], ...]]
    sentences: list[str]
    closures: list[tuple[str, ...]]
    predictions: list[tuple[str, ...]]
    figures: tuple[Drawn, ...]


def applies(view: RunView) -> bool:
    """Whether the run measured what models are made from."""
    return bool(view.models)


def figures(view: RunView) -> Iterator[Figure]:
    """For each stack the fit over the data and the residuals."""
    for one in view.models:
        if one.model is not None and one.points:
            yield _fit(one)
            yield _residuals(one)


def render(view: RunView) -> Markup:
    """Parameters, figures and sentences of every stack."""
    blocks = [_block(one, view.detail < _DRAWN_DETAIL) for one in view.models]
    return fill("models.html", blocks=blocks)


def _block(one: StackModel, draw: bool) -> Block:
    shown = (_fit(one), _residuals(one)) if draw and one.model is not None and one.points else ()
    told = [*missing(one), *(sentence.replace("; those that are not:", ".") for sentence in sentences(one))]
    told += strictly(one)
    return Block(one, rows(one), told, closures(one), predictions(one), tuple(drawn(figure) for figure in shown))


def _fit(one: StackModel) -> Figure:
    """Measured ping-pong as points, the model as lines, breakpoints as dashed rules."""
    measured = Trail(
        "measured", tuple((p.size_bytes, p.median_ns, p.low_ns, p.high_ns) for p in one.points), line=False
    )
    sizes = np.geomspace(max(one.points[0].size_bytes, 1), one.points[-1].size_bytes, 120)
    fitted = tuple((float(s), t, t, t) for s in sizes if (t := _time(one, float(s))) > 0)
    edges = tuple(p.size_bytes.value for p in one.segmentation.breakpoints) if one.segmentation else ()
    return plain_figure(
        f"model-{one.stack}-fit",
        f"{one.stack}: half round trip, measured and by the model",
        f"Half round trips of {one.stack} as points, the model as a line, breakpoints as dashed lines.",
        (measured, Trail("model", fitted, dots=False)),
        Axes("size", "time", edges),
    )


def _residuals(one: StackModel) -> Figure:
    """Predicted over measured at each size, as closures have it. One wild interval must not flatten all: it is cut."""
    places = []
    for point in one.points:
        predicted = _time(one, point.size_bytes)
        if predicted > 0:
            ratio, low, high = (predicted / time for time in (point.median_ns, point.high_ns, point.low_ns))
            limits = max(low, min(ratio, 1 / _WIDEST)), min(high, max(ratio, _WIDEST))
            places.append((float(point.size_bytes), ratio, *limits))
    edges = tuple(p.size_bytes.value for p in one.segmentation.breakpoints) if one.segmentation else ()
    farthest = max((abs(ratio - 1) for _, ratio, _, _ in places), default=0.0)
    return plain_figure(
        f"model-{one.stack}-residuals",
        f"{one.stack}: error of the model, half round trip",
        f"Predicted over measured half round trip of {one.stack}, less one, at each size: at most "
        f"{units.format_percent(farthest)} off; the band is 5 % either way; bars end at a factor of 1.5.",
        (Trail("predicted / measured", tuple(places)),),
        Axes("size", "error", edges, "Predicted over measured, less one (band: 5 %)"),
    )


def _time(one: StackModel, size: float) -> float:
    return pingpong_ns(one.model, size) if one.model is not None else float("nan")
