"""Claims about the course of a burst: a transient before the equilibrium, a rate that changes with the bytes sent.

A burst is a row of messages of one size sent one after the other from rest; its trace is the time of each step. What is
found in it is found by ``models.anomalies``: in most launches, beyond chance, and large enough to matter. What is not
found is absent only where ``advise.bursts`` says that it could have been seen.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import nan

import numpy as np
from attrs import frozen

from msgauge.advise.bursts import Shown, Window, changes_shown, start_up_shown
from msgauge.advise.claims import Claim, Evidence, Judged, Says, Verdict, concluded, decided, level_of
from msgauge.advise.observed import Pick, called
from msgauge.model import Cell, Pairs, Samples
from msgauge.models.anomalies import MINIMUM_LAUNCHES, SMALLEST_EXCESS
from msgauge.units import format_size

KERNEL = "burst"
SERIES = ("sent", "received")
USUAL_STEPS = 100
FEWEST_STEPS = 20
DIRECTIONS = {"either": (True, False), "slower": (True,), "faster": (False,)}


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
    counts after the start-up is over, into the claim's ``direction``, and where its cumulative bytes lie between the
    claim's ``right`` size and ``left`` size, when those are stated. A claim that is not ``expected`` says that there is
    none. A case is open where its interval holds ``low``, or where such an effect could hide.
    """
    specs = systems.get(claim.left.system, ())
    series = claim.left.series or SERIES[0]
    fits = [one for spec in specs for size in claim.sizes if (one := meant(traces, (spec, size, series), claim.left))]
    enough = [one for one in fits if one.steps_ns.shape[0] >= MINIMUM_LAUNCHES]
    if not enough:
        few = f"fewer than {MINIMUM_LAUNCHES} launches" if fits else "no bursts of these sizes"
        return concluded(claim, "undecided", f"not measured: {few}", ())
    evidence = tuple(_evidence(one, claim, level_of(len(enough))) for one in enough)
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


def _evidence(one: Trace, claim: Claim, level: float) -> Evidence:
    shown = _shown(one, claim, level)
    least = max(claim.low, 1 + SMALLEST_EXCESS)
    there = shown.has(least)
    says: Says = "open" if there is None else "fits" if there == claim.expected else "contradicts"
    launches = one.steps_ns.shape[0]
    name = f"{called(one.stack, claim.left.system)}, bursts of {format_size(one.size_bytes)}"
    name += "".join(f", {option} {value}" for option, value in claim.left.options)
    effect = shown.found[0] if shown.found else shown.most
    what = f"{name}: {_told(shown, claim, launches)}"
    if there is None and shown.unseen:
        what += f"; {shown.unseen}"
    if effect is None:
        return Evidence(what, nan, nan, nan, launches, says, "said")
    return Evidence(what, effect.value, effect.low, effect.high, launches, says, "said")


def _shown(one: Trace, claim: Claim, level: float) -> Shown:
    if claim.kind == "start-up":
        return start_up_shown(one.steps_ns, level)
    window = Window(claim.right.size_bytes, claim.left.size_bytes, DIRECTIONS[claim.direction])
    return changes_shown(one.steps_ns, one.size_bytes, window, level)


def _told(shown: Shown, claim: Claim, launches: int) -> str:
    """The clearest of what was found, or how much may hide."""
    if shown.found:
        found = shown.found[0]
        numbers = f"{found.value:.2f} × ({found.low:.2f} to {found.high:.2f}) in {launches} launches"
        if claim.kind == "start-up":
            return f"the first {found.after} messages are slower than the rest, {numbers}"
        return f"{'slower' if found.slower else 'faster'} after {found.after} messages, {numbers}"
    way = "" if claim.kind == "start-up" or claim.direction == "either" else f" to a {claim.direction} rate"
    nothing = f"no {'start-up' if claim.kind == 'start-up' else 'change'}{way} found in {launches} launches"
    return f"{nothing}, at most {shown.most.high:.2f} × can hide" if shown.most else nothing


def _row(frame: Samples, points: int) -> np.ndarray:
    bursts = frame.per_event[: frame.values.size // points * points].reshape(-1, points)
    if not bursts.size:
        return np.array([])
    return np.asarray(np.median(np.diff(bursts, axis=1, prepend=0.0), axis=0))
