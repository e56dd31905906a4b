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
    """One sentence for each stack whose own timer is coarse, the coarsest first, one for all whose step is longer than
    one look takes, and one for all that are finer."""
    seen = {one.stack: (one, dict(one.series).get("step", 0.0)) for one in estimates if one.kernel_kind == "timer"}
    known = {stack: found for stack, found in seen.items() if not found[0].failed and found[1] > 0}
    coarse = [(stack, one, step) for stack, (one, step) in known.items() if step >= COARSE_NS]
    tests = len({one.cell for one in estimates if not one.failed})
    ordered = sorted(coarse, key=lambda found: -found[2])
    rest = [(one, step) for one, step in known.values() if step < COARSE_NS]
    longer = [(one, step) for one, step in rest if step > one.median_ns]
    fine = [one for one, step in rest if step <= one.median_ns]
    return (*_describe_coarse(ordered, tests), *_describe_longer(longer), *_describe_fine(fine))


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


def _describe_longer(found: Sequence[tuple[Estimate, float]]) -> Iterable[Finding]:
    """Of timers with their step in ns."""
    if found:
        stacks, several = [one for one, _ in found], len(found) > 1
        steps = list(dict.fromkeys(format_time(step) for step in sorted(step for _, step in found)))
        span = " to ".join(dict.fromkeys((steps[0], steps[-1])))
        yield Finding(
            f"{_name_timers(stacks)} {'have' if several else 'has'} a resolution of {span}, longer than "
            f"{'their' if several else 'its'} own clock-read overhead, {_bound_cost(stacks)}.",
            kind="timer",
        )


def _describe_fine(fine: Sequence[Estimate]) -> Iterable[Finding]:
    if fine:
        resolve = "resolve their" if len(fine) > 1 else "resolves its"
        yield Finding(f"{_name_timers(fine)} {resolve} own clock-read overhead, {_bound_cost(fine)}.", kind="timer")


def _name_timers(of: Sequence[Estimate]) -> str:
    return f"The own timer{'s' if len(of) > 1 else ''} of {', '.join(one.stack for one in of)}"


def _bound_cost(of: Sequence[Estimate]) -> str:
    """What one look takes; "at most" is said of upper limits alone, not of estimates."""
    limits = [one.high_ns for one in of]
    is_known = bool(np.isfinite(limits).all())
    cost = format_time(max(limits if is_known else [one.median_ns for one in of]))
    return f"{'at most' if is_known else 'about'} {cost}"
