"""LogGP models of the stacks: parameters, fit, residuals, breakpoints and closure."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from attrs import frozen
from markupsafe import Markup

from msgauge import units
from msgauge.analysis.stack_models.stack_model import StackModel
from msgauge.models.predict import pingpong_ns
from msgauge.report.detail import Omission
from msgauge.report.figures.figure import Figure
from msgauge.report.figures.line_chart import Axes, PlottedLine, plot_lines
from msgauge.report.page_figure import PageFigure, draw
from msgauge.report.template import fill
from msgauge.report.terminal.model_terminal import (
    closures,
    describe_missing,
    describe_strict_closure,
    predictions,
    rows,
    sentences,
)
from msgauge.report.view import RunView

order = 8
title = "Models"
brief = True
_WIDEST = 1.5
_NO_FIGURES = 3
"""The level of detail from which on the figures are left out."""


@frozen
class ModelBlock:
    """One stack on the page."""

    model: StackModel
    rows: list[tuple[tuple[str, str], ...]]
    sentences: list[str]
    closures: list[tuple[str, ...]]
    predictions: list[tuple[str, ...]]
    figures: tuple[PageFigure, ...]


def applies(view: RunView) -> bool:
    """Whether the run measured what models are made from."""
    return bool(view.models)


def omissions(view: RunView) -> tuple[Omission, ...]:
    """The figures, with those of later kernels."""
    return (Omission("the figures of models", _NO_FIGURES),) if view.models else ()


def figures(view: RunView) -> Iterator[Figure]:
    """For each stack the fit over the data and the residuals."""
    for one in view.models:
        if one.model is not None and one.points:
            yield _fit(one)
            yield _residuals(one)


def render(view: RunView) -> Markup:
    """Parameters, figures and sentences of every stack."""
    blocks = [_block(one, view.detail < _NO_FIGURES) for one in view.models]
    return fill("models.html", blocks=blocks)


def _block(one: StackModel, is_drawn: bool) -> ModelBlock:
    shown = (_fit(one), _residuals(one)) if is_drawn and one.model is not None and one.points else ()
    statements = [*describe_missing(one), *sentences(one), *describe_strict_closure(one)]
    return ModelBlock(
        one, rows(one), statements, closures(one), predictions(one), tuple(draw(figure) for figure in shown)
    )


def _fit(one: StackModel) -> Figure:
    """Measured ping-pong as points, the model as lines, breakpoints as dashed rules."""
    measured = PlottedLine(
        "measured", tuple((p.size_bytes, p.median_ns, p.low_ns, p.high_ns) for p in one.points), line=False
    )
    sizes = np.geomspace(max(one.points[0].size_bytes, 1), one.points[-1].size_bytes, 120)
    fitted = tuple((float(s), t, t, t) for s in sizes if (t := _time(one, float(s))) > 0)
    edges = tuple(p.size_bytes.value for p in one.segmentation.breakpoints) if one.segmentation else ()
    return plot_lines(
        f"model-{one.stack}-fit",
        f"{one.stack}: half round trip, measured and predicted",
        f"Half round trips of {one.stack} as points, the model as a line, breakpoints as dashed lines.",
        (measured, PlottedLine("model", fitted, dots=False)),
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
    return plot_lines(
        f"model-{one.stack}-residuals",
        f"{one.stack}: error of the model, half round trip",
        f"Relative error of the predicted half round trip of {one.stack} at each size: at most "
        f"{units.format_percent(farthest)}; the band is ±5 %; error bars are cut at a factor of 1.5.",
        (PlottedLine("predicted / measured", tuple(places)),),
        Axes("size", "error", edges, "Predicted / measured - 1 (band: ±5 %)"),
    )


def _time(one: StackModel, size: float) -> float:
    return pingpong_ns(one.model, size) if one.model is not None else float("nan")
