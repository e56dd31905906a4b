"""CPU and memory use of the stacks: CPU time, context switches, memory, CPU use while waiting."""

from __future__ import annotations

from markupsafe import Markup

from msgauge.report.detail import Omission
from msgauge.report.resource_usage import MEANING, MESSAGE_COLUMNS, make_tables
from msgauge.report.template import fill
from msgauge.report.view import RunView

order = 55
_NO_MESSAGE_COSTS = 5
"""The level of detail from which on the costs per message are left out."""
title = "CPU and memory use"


def applies(view: RunView) -> bool:
    """Whether any worker counted."""
    return bool(view.analysis.costs or view.analysis.stack_costs)


def omissions(view: RunView) -> tuple[Omission, ...]:
    """The costs per message, on the largest pages."""
    return (Omission("the costs per message", _NO_MESSAGE_COSTS),) if view.analysis.costs else ()


def render(view: RunView) -> Markup:
    """Of each stack, and of each message."""
    shown = [one for one in make_tables(view) if view.detail < _NO_MESSAGE_COSTS or one.columns != MESSAGE_COLUMNS]
    return fill("resource_usage.html", meaning=MEANING, sheets=shown)
