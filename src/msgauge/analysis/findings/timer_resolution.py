"""Resolution of the stacks' own timers (kernels of kind ``timer``) as sentences. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from msgauge.analysis.findings.ranking import weigh
from msgauge.model import Estimate, Finding
from msgauge.units import format_time

COARSE_NS = 100.0
"""A timer with longer steps cannot time one message in shared memory."""


def timer_findings(estimates: Sequence[Estimate]) -> tuple[Finding, ...]:
    """One sentence for each stack whose own timer is coarse, the coarsest first, and one for all that are fine."""
    seen = {one.stack: (one, dict(one.series).get("step", 0.0)) for one in estimates if one.kernel_kind == "timer"}
    known = {stack: found for stack, found in seen.items() if not found[0].failed and found[1] > 0}
    coarse = [(stack, one, step) for stack, (one, step) in known.items() if step >= COARSE_NS]
    tests = len({one.cell for one in estimates if not one.failed})
    ordered = sorted(coarse, key=lambda found: -found[2])
    return (*_describe_coarse(ordered, tests), *_describe_fine(known, {stack for stack, *_ in coarse}))


def _describe_coarse(found: Iterable[tuple[str, Estimate, float]], tests: int) -> Iterable[Finding]:
    for stack, one, step in found:
        claim = dict(one.series).get("tick", 0.0)
        claimed = f" (it claims {format_time(claim)})" if claim > 0 else ""
        yield Finding(
            f"The own timer of {stack} has a resolution of {format_time(step)}{claimed}: too coarse to time one "
            f"message. Its clock-read overhead is {format_time(one.median_ns)}.",
            weight=weigh([(step / COARSE_NS, 1.0)], tests),
            kind="timer",
            evidence=(("step_ns", f"{step:.6g}"), ("cost_ns", f"{one.median_ns:.6g}")),
        )


def _describe_fine(known: dict[str, tuple[Estimate, float]], coarse: set[str]) -> Iterable[Finding]:
    """``known``: with the step of each timer in ns. "At most" is said of upper limits alone, not of estimates."""
    fine = [one for stack, (one, _) in known.items() if stack not in coarse]
    if fine:
        limits = [one.high_ns for one in fine]
        is_known = bool(np.isfinite(limits).all())
        cost = format_time(max(limits if is_known else [one.median_ns for one in fine]))
        bound = "at most" if is_known else "about"
        named = ", ".join(one.stack for one in fine)
        yield Finding(
            f"The own timers of {named} resolve their own clock-read overhead, {bound} {cost}.",
            kind="timer",
        )
