"""What stacks cost besides time: processor time, switches, memory, what waiting burns."""

from __future__ import annotations

from markupsafe import Markup

from msgauge.report.costs import MEANING, sheets
from msgauge.report.template import fill
from msgauge.report.view import RunView

order = 55
title = "What it costs besides time"


def applies(view: RunView) -> bool:
    """Whether any worker counted."""
    return bool(view.analysis.costs or view.analysis.upkeep)


def render(view: RunView) -> Markup:
    """Of each stack, and of each message."""
    return fill("costs.html", meaning=MEANING, sheets=sheets(view))
