"""How to read the page: what the numbers mean and what they do not."""

from __future__ import annotations

from markupsafe import Markup

from msgauge import units
from msgauge.report.template import fill
from msgauge.report.view import RunView

order = 90
title = "How to read this"


def applies(view: RunView) -> bool:  # noqa: ARG001 - the interface of a section
    """Every page has it."""
    return True


def render(view: RunView) -> Markup:
    """The explanation, with the numbers of this run where they help."""
    return fill(
        "how_to_read.html",
        plan=view.plan,
        analysis=view.analysis,
        level=units.format_level(view.analysis.interval_level),
    )
