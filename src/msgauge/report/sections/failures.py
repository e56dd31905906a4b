"""What failed, what was refused, and why."""

from __future__ import annotations

from markupsafe import Markup

from msgauge.report import failures, phrasing
from msgauge.report.template import fill
from msgauge.report.view import RunView

order = 55
title = "Failures and refusals"


def applies(view: RunView) -> bool:
    """Whether a stack or a cell failed or was refused."""
    return bool(view.analysis.failures or view.analysis.refusals or view.plan.refusals)


def render(view: RunView) -> Markup:
    """Failures with the end of their log, then refusals, once for each reason and its cells."""
    groups = [("failed", one) for one in failures.failures(view)] + [("", one) for one in failures.refusals(view)]
    cards = [(kind, one, phrasing.counted(len(one.cells), "cell")) for kind, one in groups]
    return fill("failures.html", cards=cards)
