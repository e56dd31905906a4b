"""Warnings: limits of what the numbers show, each with its remedy."""

from __future__ import annotations

from markupsafe import Markup

from msgauge.report import phrasing
from msgauge.report.template import fill
from msgauge.report.view import RunView

order = 50
title = "Warnings"


def applies(view: RunView) -> bool:
    """Whether there are any."""
    return bool(view.analysis.warnings)


def render(view: RunView) -> Markup:
    """Warnings of one kind together."""
    return fill("warnings.html", groups=phrasing.group_warnings(view))
