"""Claims about the course of a burst: a transient before the equilibrium, a rate that changes with the bytes sent.

A burst is a row of messages of one size sent one after the other from rest; its trace is the time of each step. What is
found in it is found by ``models.anomalies``: in most launches, beyond chance, and large enough to matter.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from attrs import frozen

from msgauge.advise.claims import Claim, Evidence, Judged, Says, Verdict, concluded, decided
from msgauge.advise.observed import Pick, called
from msgauge.model import Cell, Pairs, Samples
from msgauge.models.anomalies import MINIMUM_LAUNCHES, Anomaly, rate_changes, start_up
from msgauge.units import format_size

KERNEL = "burst"
SERIES = ("sent", "received")
USUAL_STEPS = 100
FEWEST_STEPS = 20


@frozen(eq=False)
class Trace:
    """``steps_ns``: time of each message in order, shape (launches, steps), positive."""

    stack: str
    size_bytes: int
    ranks: int
    options: Pairs
    steps_ns: np.ndarray
    series: str = "sent"


def traces_of_cell(stack: str, cell: Cell, frames: Sequence[Samples]) -> tuple[Trace, ...]:
    """The traces of a cell out of the frames of its launches, one a series; none when shorter than 20 steps.

    A frame holds one burst after the other, each the time since its first send at which message 1, 2, ... had left (or
    had come); the median step over the bursts of a launch is its row.
    """
    points = int(dict(cell.options).get("messages", str(USUAL_STEPS)))
    found = []
    for series in SERIES:
        mine = [frame for frame in frames if frame.series == series]
        rows = [row for frame in mine if (row := _row(frame, points)).size >= FEWEST_STEPS]
        if rows:
            shortest = min(row.size for row in rows)
            steps = np.vstack([np.maximum(row[:shortest], 1.0) for row in rows])
            found.append(Trace(stack, cell.size_bytes, cell.ranks, cell.options, steps, series))
    return tuple(found)


def judge_trace(claim: Claim, traces: Sequence[Trace], systems: Mapping[str, Sequence[str]]) -> Judged:
    """Judge a claim of kind start-up or rate-change on the bursts of its system.

    ``low`` is the least effect (slow over fast) that the claim means, ``sizes`` the sizes of a message. A rate change
    counts where its cumulative bytes lie between the claim's ``right`` size and ``left`` size, when those are stated.
    A claim that is not ``expected`` says that there is none.
    """
    specs = systems.get(claim.left.system, ())
    series = claim.left.series or SERIES[0]
    fits = [one for spec in specs for size in claim.sizes if (one := meant(traces, (spec, size, series), claim.left))]
    enough = [one for one in fits if one.steps_ns.shape[0] >= MINIMUM_LAUNCHES]
    if not enough:
        few = f"fewer than {MINIMUM_LAUNCHES} launches" if fits else "no bursts of these sizes"
        return concluded(claim, "undecided", f"not measured: {few}", ())
    evidence = tuple(_evidence(one, claim) for one in enough)
    verdict: Verdict = "answered" if claim.question else decided([one.says for one in evidence], claim.hold)
    return concluded(claim, verdict, "; ".join(one.what for one in evidence) + ".", evidence)


def meant(traces: Iterable[Trace], place: tuple[str, int, str], pick: Pick) -> Trace | None:
    """The trace of a (stack, size, series) that a pick means: of those with its options the one with the fewest."""
    fits = [
        one
        for one in traces
        if (one.stack, one.size_bytes, one.series) == place and set(pick.options) <= set(one.options)
    ]
    return min(fits, key=lambda one: len(one.options), default=None)


def _evidence(one: Trace, claim: Claim) -> Evidence:
    found = _found(one, claim)
    launches = one.steps_ns.shape[0]
    name = f"{called(one.stack, claim.left.system)}, bursts of {format_size(one.size_bytes)}"
    name += "".join(f", {option} {value}" for option, value in claim.left.options)
    absent: Says = "contradicts" if claim.expected else "fits"
    if found is None:
        return Evidence(f"{name}: nothing of the kind in {launches} launches", 1.0, 1.0, 1.0, launches, absent, "said")
    effect = found.effect
    there = max(effect.value, 1 / effect.value) >= max(claim.low, 1.0)
    says: Says = "fits" if there == claim.expected else "contradicts"
    numbers = f"{effect.value:.2f} × ({effect.low:.2f} to {effect.high:.2f})"
    what = f"{name}: {found.what.replace('batches', 'messages')}, {numbers}"
    return Evidence(what, effect.value, effect.low, effect.high, launches, says, "said")


def _found(one: Trace, claim: Claim) -> Anomaly | None:
    """The strongest anomaly of the claimed kind."""
    if claim.kind == "start-up":
        return start_up(one.steps_ns)
    sent = np.arange(1, one.steps_ns.shape[1] + 1) * float(max(one.size_bytes, 1))
    least, most = claim.right.size_bytes or 0, claim.left.size_bytes or float("inf")
    changes = [
        change for change in rate_changes(sent, np.cumsum(one.steps_ns, axis=1)) if least <= change.where <= most
    ]
    return max(changes, key=lambda change: abs(np.log(change.effect.value)), default=None)


def _row(frame: Samples, points: int) -> np.ndarray:
    bursts = frame.per_event[: frame.values.size // points * points].reshape(-1, points)
    if not bursts.size:
        return np.array([])
    return np.asarray(np.median(np.diff(bursts, axis=1, prepend=0.0), axis=0))
