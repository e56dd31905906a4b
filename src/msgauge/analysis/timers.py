"""What kernel ``wtime`` found out about the stacks' own timers, as sentences. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgauge.model import Estimate, Finding
from msgauge.units import format_time

KERNEL = "wtime"
COARSE_NS = 100.0
"""A timer with longer steps cannot time one message in shared memory."""


def timer_findings(estimates: Sequence[Estimate]) -> tuple[Finding, ...]:
    """One sentence for each stack whose own timer is coarse, the coarsest first, and one for all that are fine."""
    seen = {one.stack: (one, dict(one.series).get("step", 0.0)) for one in estimates if one.kernel == KERNEL}
    known = {stack: found for stack, found in seen.items() if not found[0].failed and found[1] > 0}
    coarse = [(stack, one, step) for stack, (one, step) in known.items() if step >= COARSE_NS]
    return (*_coarse(sorted(coarse, key=lambda found: -found[2])), *_fine(known, {stack for stack, *_ in coarse}))


def _coarse(found: Iterable[tuple[str, Estimate, float]]) -> Iterable[Finding]:
    for stack, one, step in found:
        claim = dict(one.series).get("tick", 0.0)
        claimed = f", and claims {format_time(claim)}" if claim > 0 else ""
        yield Finding(
            f"The own timer of {stack} steps by {format_time(step)}{claimed}: too coarse to time one message; a look "
            f"at it costs {format_time(one.median_ns)}.",
            weight=3.0,
            kind="timer",
            evidence=(("step_ns", f"{step:.6g}"), ("cost_ns", f"{one.median_ns:.6g}")),
        )


def _fine(known: dict[str, tuple[Estimate, float]], coarse: set[str]) -> Iterable[Finding]:
    fine = [one for stack, (one, _) in known.items() if stack not in coarse]
    if fine:
        cost = max(one.median_ns for one in fine)
        named = ", ".join(one.stack for one in fine)
        yield Finding(
            f"The own timers of {named} are as fine as a look at them takes, at most {format_time(cost)}.",
            weight=0.6,
            kind="timer",
        )
