"""The exit code of a command that measured; see docs/reference/exit-codes.md."""

from __future__ import annotations

from collections.abc import Sequence

from msgauge.analysis.verdicts.regression_gate import Judgement
from msgauge.errors import BEFORE_REMEDY, INTERRUPTED, StackError
from msgauge.model import Analysis, Failure, Refusal


def exit_code(analysis: Analysis, judgement: Judgement = "passed", *, hosts_lost: bool = False) -> int:
    """What a run tells a script. ``judgement``: of its gate, where it has one. ``hosts_lost``: launches failed so.

    Raises:
        StackError: nothing at all was measured.
    """
    if analysis.stopped == "interrupted":
        return INTERRUPTED
    if not analysis.has_times:
        raise _explain_nothing(analysis, hosts_lost=hosts_lost)
    if judgement == "regression":
        return 1
    return failure_code(analysis) or judgement_code(judgement)


def judgement_code(judgement: Judgement) -> int:
    """What a gate alone tells a script."""
    return {"passed": 0, "regression": 1, "undecided": 3}[judgement]


def failure_code(analysis: Analysis) -> int:
    """4 where something that was to be measured did not deliver, else 0."""
    return 4 if analysis.failures or any(estimate.failed for estimate in analysis.estimates) else 0


def _explain_nothing(analysis: Analysis, *, hosts_lost: bool) -> StackError:
    """What failed, or where nothing did, what was refused; stacks of one reason together. One remedy is enough."""
    told: Sequence[Failure | Refusal] = analysis.failures or analysis.refusals
    stacks: dict[str, dict[str, None]] = {}
    for one in told:
        stacks.setdefault(one.reason, {})[one.stack] = None
    reasons = "; ".join(f"{', '.join(names)}: {reason}" for reason, names in stacks.items())
    remedy = "'msgauge stacks' lists and proves the stacks found here"
    if hosts_lost:
        remedy = "bring these hosts back (those of a lab: msgauge lab mend HOST), then measure again"
    elif BEFORE_REMEDY in reasons:
        remedy = ""
    elif not analysis.failures and analysis.refusals:
        remedy = "choose other kernels, sizes, ranks or stacks"
    return StackError(f"no stack could be measured: {reasons or 'no launch was begun'}", remedy=remedy)
