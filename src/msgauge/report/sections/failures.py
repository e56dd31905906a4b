"""What failed, what was refused, and why."""

from __future__ import annotations

from markupsafe import Markup

from msgauge.report import words
from msgauge.report.template import fill
from msgauge.report.view import RunView

order = 55
title = "What did not run"


def applies(view: RunView) -> bool:
    """Whether a stack or a cell failed or was refused."""
    return bool(view.analysis.failures or view.analysis.refusals or view.plan.refusals)


def render(view: RunView) -> Markup:
    """Failures with the end of their log, then refusals by stack and reason."""
    sizes = {cell.id: cell for cell in view.plan.cells}
    refused = words.refusal_groups((*view.plan.refusals, *view.analysis.refusals))
    return fill(
        "failures.html",
        failures=[(failure, sizes.get(failure.cell)) for failure in view.analysis.failures],
        refusals=[(stack, reason, words.counted(cells, "cell")) for stack, reason, cells in refused],
    )
