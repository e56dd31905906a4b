"""Stacks that differ in one respect alone: language, transport, version, way of waiting."""

from __future__ import annotations

from markupsafe import Markup

from msgauge.report.along import paired_tables
from msgauge.report.template import fill
from msgauge.report.view import RunView

order = 45
title = "What one difference costs"


def applies(view: RunView) -> bool:
    """Whether any two stacks of the run differ in one respect alone."""
    return bool(view.analysis.along)


def render(view: RunView) -> Markup:
    """A table for each pair of stacks."""
    return fill("along.html", pairs=paired_tables(view))
