"""Stacks that differ in one factor alone: language, transport, version, wait policy."""

from __future__ import annotations

from markupsafe import Markup

from msgauge import units
from msgauge.report.factor_effects import make_tables
from msgauge.report.template import fill
from msgauge.report.view import RunView

order = 45
title = "Factor effects"


def applies(view: RunView) -> bool:
    """Whether any two stacks of the run differ in one factor alone."""
    return bool(view.analysis.factor_effects)


def render(view: RunView) -> Markup:
    """A table for each pair of stacks."""
    return fill("factor_effects.html", pairs=make_tables(view), level=units.format_level(view.analysis.interval_level))
