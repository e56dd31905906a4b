"""What stacks cost besides time: processor time, switches, memory, what waiting burns."""

from __future__ import annotations

from markupsafe import Markup

from msgauge.report.costs import COSTS, MEANING, sheets
from msgauge.report.template import fill
from msgauge.report.view import RunView

order = 55
_SHORT_DETAIL = 5
"""From this level of detail on what each message costs is left out."""
title = "What it costs besides time"


def applies(view: RunView) -> bool:
    """Whether any worker counted."""
    return bool(view.analysis.costs or view.analysis.upkeep)


def render(view: RunView) -> Markup:
    """Of each stack, and of each message."""
    shown = [one for one in sheets(view) if view.detail < _SHORT_DETAIL or one.columns != COSTS]
    return fill("costs.html", meaning=MEANING, sheets=shown)
