"""What LogGP parameters predict, beside what was measured: the closure test of a model.

A model that fits its own trains is not yet understood. Here the same parameters predict operations that took no part
in the fit: ping-pong, stream, fan-out, binomial scatter and reduction, and the programs pi, matrix times vector and
Mandelbrot. Not each tests each parameter: L is what o_s, o_r and G leave of a half round trip, so ping-pong, and
whatever is made of half round trips, tests their sum alone; streams test the pace, strict ones g and G; fan-out on more
than two ranks tests o_s, o_r and the gap beside each other.

All times in ns. Ranks have a processor each: where there are more ranks than cores the scheduler decides, LogGP knows
nothing of it, and these predictions do not apply.

Source: Alexandrov et al. 1995 (point to point); Culler et al. 1993, section 3 (trees); Thakur, Rabenseifner and Gropp
2005 (binomial broadcast, scatter and reduction as libraries do them).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from attrs import frozen

from msgauge.errors import UsageError
from msgauge.models.loggp import LogGP

CLOSES = 0.05
"""A segment closes when the median absolute relative error of its sizes is at most this."""


@frozen
class Costs:
    """A message of one size: what it takes of the sender, the receiver, the wire, and altogether (ns)."""

    send: float
    receive: float
    gap: float
    half: float
    """Half round trip: o_s + L + (s - 1) G + o_r."""
    pace: float
    """Between back-to-back messages to one receiver."""

    @property
    def send_pace(self) -> float:
        """Between the starts of two sends: max(o_s, gap)."""
        return float(np.fmax(self.send, self.gap))


def costs(model: LogGP, size_bytes: float) -> Costs:
    """The costs of a message of this size; nan for what is not identifiable.

    Raises:
        UsageError: when the model has no segments.
    """
    segment = model.segment_of(size_bytes)
    return Costs(
        send=segment.send.at(size_bytes),
        receive=segment.receive.at(size_bytes),
        gap=segment.gap.at(size_bytes),
        half=segment.half_round_trip.at(size_bytes),
        pace=segment.pace(size_bytes),
    )


# --- point to point ---------------------------------------------------------------------------------------------


def pingpong_ns(model: LogGP, size_bytes: float) -> float:
    """Half round trip o_s + L + (s - 1) G + o_r; where L is not identifiable, the fitted line.

    Source: Alexandrov et al. 1995, section 3.
    """
    segment, beyond = model.segment_of(size_bytes), max(size_bytes - 1.0, 0.0)
    first = max(segment.first_bytes - 1.0, 0.0)
    if not (segment.latency.known and segment.latency_per_byte.known and segment.big_g.known):
        return segment.half_round_trip.at(size_bytes)
    latency = segment.latency.value + segment.latency_per_byte.value * (beyond - first)
    return segment.send.at(size_bytes) + latency + segment.big_g.value * beyond + segment.receive.at(size_bytes)


def stream_ns(model: LogGP, size_bytes: float, window: int, *, strict: bool = False) -> float:
    """Time of one message in a window of ``window``, answered by an empty message before the next window starts.

    ((window - 1) × pace + half round trip + half round trip of nothing) / window; the pace is max(o_s, gap, o_r) where
    LogGP is exact, and so it is with ``strict``: nan where L is not identifiable, for there o_s and o_r hold waiting.
    Else it is the pace that the trains showed: on a real machine receives that follow each other are cheaper than the
    one that o_r is taken from, and no line may go through the paces.

    Raises:
        UsageError: a window below one.
    """
    if window < 1:
        raise UsageError(f"A window of {window} messages sends nothing.", remedy="give a window of 1 or more")
    message = costs(model, size_bytes)
    pace = message.pace
    if strict:
        known = model.segment_of(size_bytes).latency.known
        pace = float(np.fmax(message.send_pace, message.receive)) if known else np.nan
    return ((window - 1) * pace + message.half + costs(model, 0).half) / window


def fanout_ns(model: LogGP, ranks: int, size_bytes: float, answer_bytes: float | None = None) -> float:
    """One round: the coordinator sends to each worker in turn, each answers, the coordinator receives all answers.

    Sends leave max(o_s, gap) apart; the coordinator turns to the answers after its last send and takes them in order of
    arrival: they arrive at least a gap apart, and each costs o_r.
    """
    _check_ranks(ranks)
    out, back = costs(model, size_bytes), costs(model, size_bytes if answer_bytes is None else answer_bytes)
    starts = np.arange(ranks - 1) * out.send_pace
    arrivals = starts + out.half + back.half - back.receive
    free = float(starts[-1]) + out.send
    return _receive_all(arrivals, back, free)


def _receive_all(arrivals: np.ndarray, message: Costs, free: float) -> float:
    """When the last of these messages is received by a processor that is free from ``free`` on.

    The wire brings them at least a gap apart; those that have waited cost o_r each.
    """
    brought = -np.inf
    for arrival in np.sort(arrivals):
        brought = max(float(arrival), brought + message.gap)
        free = max(free, brought) + message.receive
    return free


# --- collectives ------------------------------------------------------------------------------------------------


def scatter_ns(model: LogGP, ranks: int, block_bytes: float) -> float:
    """Completion of a binomial scatter: each rank gets the blocks of its whole subtree and passes on the others'."""
    _check_ranks(ranks)
    return float(_down(ranks, lambda below: costs(model, below * block_bytes)).max())


def reduce_ns(model: LogGP, ranks: int, size_bytes: float, combine_ns: float = 0.0) -> float:
    """Completion at rank 0 of a binomial reduction; ``combine_ns`` is what adding one received vector takes."""
    _check_ranks(ranks)
    return _up(ranks, costs(model, size_bytes), combine_ns)


def _down(ranks: int, message_to: Callable[[int], Costs]) -> np.ndarray:
    """When each rank has its message in a binomial tree from rank 0, of shape (ranks,); largest subtree first.

    ``message_to(n)`` are the costs of a message towards a subtree of n ranks.
    """
    have = np.zeros(ranks)
    for rank in range(ranks):
        step = (rank & -rank if rank else 1 << (ranks - 1).bit_length()) >> 1
        start = have[rank]
        while step:
            if rank + step < ranks:
                message = message_to(min(step, ranks - rank - step))
                have[rank + step] = start + message.half
                start += message.send_pace
            step >>= 1
    return have


def _up(ranks: int, message: Costs, combine_ns: float) -> float:
    """When rank 0 holds the sum in a binomial tree.

    Each rank receives from its children, the nearest first, then sends to its parent.
    """
    done = [0.0] * ranks
    for rank in range(len(done) - 1, -1, -1):
        step, brought = 1, -np.inf
        while rank + step < len(done) and not rank & step:
            brought = max(done[rank + step] + message.half - message.receive, brought + message.gap)
            done[rank] = max(done[rank], brought) + message.receive + combine_ns
            step <<= 1
    return done[0]


def _check_ranks(ranks: int) -> None:
    if ranks < 2:
        raise UsageError(f"{ranks} ranks do not exchange messages.", remedy="predict for two ranks or more")


# --- programs ---------------------------------------------------------------------------------------------------


def mandelbrot_ns(model: LogGP, compute_ns: Sequence[float], block_bytes: float) -> float:
    """Column blocks computed in ``compute_ns`` (one per rank, they differ), then sent to rank 0, which has its own."""
    _check_ranks(len(compute_ns))
    message = costs(model, block_bytes)
    arrivals = np.asarray(compute_ns[1:], float) + message.half - message.receive
    return _receive_all(arrivals, message, float(compute_ns[0]))


# --- closure ----------------------------------------------------------------------------------------------------


@frozen
class Closure:
    """Predicted against measured over the sizes of one segment: errors are predicted / measured - 1."""

    kernel: str
    first_bytes: int
    last_bytes: int
    sizes: tuple[int, ...]
    predicted_ns: tuple[float, ...]
    measured_ns: tuple[float, ...]
    median_error: float
    """Median of the absolute errors."""
    worst_error: float
    """The error that is largest in size, with its sign."""
    strict: bool = False
    """Predicted from o_s, o_r, L, g and G alone, though the trains have shown the pace itself."""

    @property
    def closes(self) -> bool:
        return self.median_error <= CLOSES


def closure(
    model: LogGP, kernel: str, sizes: Sequence[int], predicted_ns: Sequence[float], measured_ns: Sequence[float]
) -> tuple[Closure, ...]:
    """Group sizes by segment and compare; sizes whose prediction is not known are left out.

    Raises:
        UsageError: sequences of different lengths, or measured times that are not positive.
    """
    if not len(sizes) == len(predicted_ns) == len(measured_ns):
        raise UsageError("Sizes, predictions and measurements differ in number.", remedy="give one of each per size")
    if any(not time > 0 for time in measured_ns):
        raise UsageError("A measured time is not positive.", remedy="leave out cells that failed")
    rows = [row for row in zip(sizes, predicted_ns, measured_ns, strict=True) if np.isfinite(row[1])]
    found = []
    for segment in model.segments:
        mine = [row for row in rows if model.segment_of(row[0]) is segment]
        if mine:
            found.append(_closure(kernel, (segment.first_bytes, segment.end_bytes), sorted(mine)))
    return tuple(found)


def _closure(kernel: str, ends: tuple[int, int], rows: list[tuple[int, float, float]]) -> Closure:
    sizes, predicted, measured = zip(*rows, strict=True)
    errors = np.array(predicted) / np.array(measured) - 1.0
    return Closure(
        kernel=kernel,
        first_bytes=ends[0],
        last_bytes=ends[1],
        sizes=tuple(sizes),
        predicted_ns=tuple(predicted),
        measured_ns=tuple(measured),
        median_error=float(np.median(np.abs(errors))),
        worst_error=float(errors[np.argmax(np.abs(errors))]),
    )
