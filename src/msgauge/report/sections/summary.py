"""What was found, in sentences, the most important first."""

from __future__ import annotations

from markupsafe import Markup

from msgauge.report import not_run, words
from msgauge.report.template import fill
from msgauge.report.view import RunView

order = 10
title = "What was found"
_MOST = 500
"""Sentences on the page: nobody reads more, and a large run has thousands."""


def applies(view: RunView) -> bool:  # noqa: ARG001 - the interface of a section
    """Every page has it."""
    return True


def render(view: RunView) -> Markup:
    """The findings, and where to look for what went wrong."""
    troubles = [
        (len(words.warning_groups(view.analysis.warnings)), "warning", "warnings"),
        (len(not_run.failures(view)), "failure", "failures"),
        (len(not_run.refusals(view)), "refusal", "failures"),
    ]
    found = words.findings(view)
    return fill(
        "summary.html",
        findings=found[:_MOST],
        left_out=max(0, len(found) - _MOST),
        troubles=[(words.counted(number, noun), place) for number, noun, place in troubles if number],
    )
