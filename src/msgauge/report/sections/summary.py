"""The findings in sentences, those that matter most first."""

from __future__ import annotations

from markupsafe import Markup

from msgauge.report import failures, phrasing
from msgauge.report.template import fill
from msgauge.report.view import RunView

order = 10
title = "Findings"
_MOST = 500
"""Sentences on the page; a large run has thousands."""


def applies(view: RunView) -> bool:  # noqa: ARG001 - the interface of a section
    """Every page has it."""
    return True


def render(view: RunView) -> Markup:
    """The findings, with links to warnings and failures."""
    problems = [
        (len(phrasing.group_warnings(view.analysis.warnings)), "warning", "warnings"),
        (len(failures.failures(view)), "failure", "failures"),
        (len(failures.refusals(view)), "refusal", "failures"),
    ]
    found = phrasing.rank_findings(view)
    return fill(
        "summary.html",
        findings=found[:_MOST],
        left_out=max(0, len(found) - _MOST),
        problems=[(phrasing.counted(number, noun), place) for number, noun, place in problems if number],
    )
