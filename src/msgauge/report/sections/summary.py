"""The decision: the table of the stacks, what to use when, the findings that change it; the rest behind a click."""

from __future__ import annotations

from markupsafe import Markup

from msgauge.analysis.findings.topics import arrange_findings
from msgauge.report import failures, phrasing
from msgauge.report.decision_table import explain_numbers, list_headings, list_rows
from msgauge.report.template import fill
from msgauge.report.view import RunView

order = 10
title = "Summary"
brief = True
_MOST = 500
"""Sentences on the page; a large run has thousands."""
_MOST_IN_TOPIC = 60
_FIRST = 5
"""Findings in sight; on paper there are no others."""
_MOST_WARNED = 8
"""Warnings on paper."""


def applies(view: RunView) -> bool:  # noqa: ARG001 - the interface of a section
    """Every page has it."""
    return True


def render(view: RunView) -> Markup:
    """The decision first, with links to warnings and failures."""
    warned = phrasing.group_warnings(view)
    problems = [
        (len(warned), "warning", "warnings"),
        (len(failures.failures(view)), "failure", "failures"),
        (len(failures.refusals(view)), "refusal", "failures"),
    ]
    arranged, decision = arrange_findings(view.analysis.findings), view.analysis.summary
    further = len(view.analysis.findings) - min(_FIRST, len(arranged.decisive))
    columns = max(2, len(decision.key_tests)) if decision else 2
    return fill(
        "summary.html",
        rows=list_rows(decision) if decision else (),
        headings=list_headings(decision) if decision else (),
        columns=columns,
        half=(columns + 1) // 2 + 1,
        meaning=explain_numbers(decision, view.analysis.interval_level) if decision else "",
        has_means=decision is not None and any(row.mean for row in decision.stacks),
        guidance=decision.guidance if decision else (),
        findings=arranged.decisive[:_MOST],
        first=_FIRST,
        left_out=max(0, len(arranged.decisive) - _MOST),
        topics=arranged.topics,
        most=_MOST_IN_TOPIC,
        nothing=_describe_nothing(view),
        problems=[(phrasing.counted(number, noun), place) for number, noun, place in problems if number],
        more=phrasing.counted(further, "more finding") if further > 0 else "",
        warned=[group.messages[0] for group in warned],
        most_warned=_MOST_WARNED,
    )


def _describe_nothing(view: RunView) -> str:
    """Why there is no finding: one stack has no rival, which is no failure."""
    if not any(one.median_ns > 0 for one in view.analysis.estimates):
        return "No comparable measurements."
    if view.maps:
        return "The map is the result; this is the time of a whole pass over all pairs."
    return "Its numbers are below; measure another stack beside it to compare: msgauge compare --stacks NAME,NAME."
