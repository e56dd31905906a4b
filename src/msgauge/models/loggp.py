"""LogGP of a message-passing stack, one set of parameters for each protocol segment.

What is measured (client and server are two ranks):

* train(n, d, s): the client starts its clock, sends n messages of s bytes with d ns of work between the end of one send
  and the start of the next; the server receives all n and answers with one message of s bytes; the client stops its
  clock when it has received the answer. This is PRTT(n, d, s).
* delayed receive(d, s): the client sends s bytes, works d ns, longer than the round trip, then receives the answer,
  which lies there already.

What LogGP says of them. A send keeps the sending processor busy for o_s, a receive the receiving one for o_r. Two
messages leave at least gap(s) = g + (s - 1) G apart, the first byte of a message travels for L, and its last byte
arrives (s - 1) G later. Then

* PRTT(1, 0, s) / 2 = o_s + L + (s - 1) G + o_r: the half round trip;
* PRTT(n, d, s) = PRTT(1, 0, s) + (n - 1) max(o_s + d, gap(s), o_r): the slowest of client, wire and server decides;
* delayed(d, s) = o_s + d + o_r.

So the slope over n at d = 0 gives gap(s), the slope over n at any d > gap(s) gives o_s + d, the delayed receive gives
o_s + o_r, and what is left of the half round trip is L. Overheads may grow with the size (an eager send copies), so
each of the four is a straight line in s - 1 within a segment. Where copying is counted both in the overheads and in G,
their sum is more than the half round trip, and L is "not identifiable: overlap"; the half round trip itself is kept
for predictions.

Source: Culler et al. 1993 (LogP); Alexandrov et al. 1995 (LogGP); Hoefler et al. 2007, "Low-overhead LogGP parameter
assessment for modern interconnection networks" (PRTT); Kielmann et al. 2000 (delayed receive).
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import isfinite

import numpy as np
from attrs import evolve, field, frozen

from msgauge.errors import UsageError
from msgauge.models.estimate import ParameterEstimate, from_launches
from msgauge.models.line_fits import relative_line
from msgauge.models.message_trains import Cube, Fitted, ReceiveData, TrainData

LINEARITY = 0.10
"""Slopes over the lower and the upper half of n that differ by more than this are not one slope."""
HIDDEN = 0.02
"""A gap less than this above an overhead is hidden behind it."""
CLEARLY = 1.5
"""A gap this many times an overhead is clearly not the overhead."""
STEADY = 16
FEWEST_COUNTS = 3
DELAY_MARGIN = 1.05
"""A delay counts as above the gap when it is at least this many gaps."""


@frozen
class CostLaw:
    """A time that is a straight line in the size: ``at_one`` ns for one byte, ``per_byte`` ns for each further byte."""

    at_one: ParameterEstimate
    per_byte: ParameterEstimate

    def at(self, size_bytes: float) -> float:
        """Time in ns; sizes below one byte count as one. Nan where the law is not known."""
        per_byte = self.per_byte.value if isfinite(self.per_byte.value) else 0.0
        return self.at_one.value + per_byte * max(size_bytes - 1.0, 0.0)


@frozen
class Segment:
    """LogGP between ``first_bytes`` and ``last_bytes`` (both measured): times in ns, G in ns per byte."""

    first_bytes: int
    last_bytes: int
    send: CostLaw
    """o_s, and how it grows with the size."""
    receive: CostLaw
    """o_r, and how it grows with the size."""
    gap: CostLaw
    """g, and G as its ``per_byte``."""
    half_round_trip: CostLaw
    latency: ParameterEstimate
    """L, at the first size of the segment."""
    latency_per_byte: ParameterEstimate
    """What LogGP has no parameter for: bytes that cross stages one after the other; 0 where LogGP is exact."""
    gap_set_by: str = "gap"
    """Which of "gap", "o_s", "o_r" limits back-to-back messages; if not "gap", g is only known to be at most that."""
    nonlinear_sizes: tuple[int, ...] = ()
    """Sizes at which time is not proportional to the number of messages (a buffer filled, a window closed)."""
    paces: tuple[tuple[int, float], ...] = ()
    """Size and time between back-to-back messages (ns) as the trains showed it, whatever sets it; by size."""
    until_bytes: int | None = None
    """The breakpoint after it: the largest size that belongs to it; None: the largest that was measured."""

    @property
    def end_bytes(self) -> int:
        """The largest size that belongs to it."""
        return self.last_bytes if self.until_bytes is None else self.until_bytes

    def pace(self, size_bytes: float) -> float:
        """Time between back-to-back messages of a size, ns: between measured sizes the line that joins them.

        Without measured paces, and beyond the measured sizes, what LogGP says: max(o_s, gap, o_r).

        Source: Kielmann, Bal and Verstoep 2000 (PLogP): the gap as a table over the size.
        """
        if self.paces and self.paces[0][0] <= size_bytes <= self.paces[-1][0]:
            sizes, times = zip(*self.paces, strict=True)
            return float(np.interp(size_bytes, sizes, times))
        overhead = float(np.fmax(self.send.at(size_bytes), self.receive.at(size_bytes)))
        return float(np.fmax(self.gap.at(size_bytes), overhead))

    @property
    def g(self) -> ParameterEstimate:
        return self.gap.at_one

    @property
    def big_g(self) -> ParameterEstimate:
        return self.gap.per_byte

    @property
    def o_s(self) -> ParameterEstimate:
        return self.send.at_one

    @property
    def o_r(self) -> ParameterEstimate:
        return self.receive.at_one


@frozen
class LogGP:
    """All segments of one stack, in order of size."""

    segments: tuple[Segment, ...]
    launches: int = 0
    notes: tuple[str, ...] = field(default=())

    def segment_of(self, size_bytes: float) -> Segment:
        """The segment a size belongs to, beyond the measured ends the nearest; UsageError when there is none."""
        if not self.segments:
            raise UsageError("A LogGP model without segments predicts nothing.", remedy="fit it to trains first")
        for segment in self.segments:
            if size_bytes <= segment.end_bytes:
                return segment
        return self.segments[-1]


def fit_loggp(trains: TrainData, receives: ReceiveData, edges: Sequence[float]) -> LogGP:
    """Fit every segment; ``edges`` are breakpoints in bytes (``segments.find_segments``), in any order, maybe none.

    A size belongs to the segment below an edge when it is smaller than or equal to it.

    Args:
        trains: at least n = 1 with no delay and three counts n >= 2 with no delay for each size; a delay above the gap
            for o_s.
        receives: delays above the round trip, for o_r; may be empty.

    Raises:
        UsageError: arrays of different lengths, no rows, times or sizes that are not finite and not negative.
    """
    _check(trains, receives)
    cube = Cube.of(trains, receives)
    bounds = [-np.inf, *sorted(float(edge) for edge in edges), np.inf]
    sizes = np.unique(np.asarray(trains.size_bytes))
    groups = [sizes[(sizes > low) & (sizes <= high)] for low, high in pairwise(bounds)]
    segments = tuple(
        evolve(_fit_segment(cube, group), until_bytes=int(high) if isfinite(high) else None)
        for group, high in zip(groups, bounds[1:], strict=True)
        if group.size
    )
    return LogGP(segments, launches=cube.launches)


def _check(trains: TrainData, receives: ReceiveData) -> None:
    train_arrays = (trains.launch, trains.n, trains.delay_ns, trains.size_bytes, trains.prtt_ns)
    receive_arrays = (receives.launch, receives.delay_ns, receives.size_bytes, receives.total_ns)
    for name, arrays in (("trains", train_arrays), ("delayed receives", receive_arrays)):
        if len({np.shape(array) for array in arrays}) != 1 or np.ndim(arrays[0]) != 1:
            raise UsageError(f"The arrays of the {name} differ in shape.", remedy="give one value a row in each")
        if any(not np.all(np.isfinite(array)) or np.any(np.asarray(array) < 0) for array in arrays):
            raise UsageError(f"The {name} hold a value that is negative or not finite.", remedy="leave such rows out")
    if not np.size(trains.n):
        raise UsageError("There are no trains to fit.", remedy="measure trains of messages first")
    if np.any(np.asarray(trains.n) < 1):
        raise UsageError("A train has at least one message.", remedy="give n >= 1")


# --- one segment ------------------------------------------------------------------------------------------------


@frozen(eq=False)
class _Laws:
    """Values at each size of a segment, every array of shape (rows, sizes); rows as ``Cube.estimate`` takes them."""

    half: np.ndarray
    gap: np.ndarray
    send: np.ndarray
    receive: np.ndarray

    @classmethod
    def of(cls, *laws: Sequence[Fitted]) -> _Laws:
        """Each law with its value at each size; where steps hide something each of them is moved by it once."""
        whole = np.hstack([np.column_stack([one.values for one in law]) for law in laws])
        hidden = np.array([one.hidden_ns for law in laws for one in law])
        moved = whole[:1] + np.diag(hidden)[hidden > 0]
        return cls(*np.hsplit(np.vstack([whole, moved]), len(laws)))


def _fit_segment(cube: Cube, sizes: np.ndarray) -> Segment:
    half, gap = ([find(cube, size) for size in sizes] for find in (_half_round_trip, _gap))
    send = [_send_overhead(cube, size, float(one.values[0])) for size, one in zip(sizes, gap, strict=True)]
    receive = [_receive_overhead(cube, *places) for places in zip(sizes, send, half, strict=True)]
    laws = _Laws.of(half, gap, send, receive)
    beyond_one = np.maximum(sizes - 1.0, 0.0)
    lines = {name: relative_line(beyond_one, getattr(laws, name)) for name in ("half", "send", "receive")}
    lines["gap"] = _gap_line(beyond_one, laws)
    latency, per_byte = _latency(lines, float(sizes[0]), cube)
    return Segment(
        first_bytes=int(sizes[0]),
        last_bytes=int(sizes[-1]),
        send=_above_zero(_law(lines["send"], cube, "not identifiable: no delay longer than the gap")),
        receive=_above_zero(_law(lines["receive"], cube, "not identifiable: no receive late enough")),
        gap=_above_zero(_law(lines["gap"], cube, "not identifiable: fewer than two trains without delay")),
        half_round_trip=_law(lines["half"], cube, "not identifiable: no single message without delay"),
        latency=latency,
        latency_per_byte=per_byte,
        paces=tuple((int(size), float(pace)) for size, pace in zip(sizes, laws.gap[0], strict=True) if isfinite(pace)),
        gap_set_by=_limit(laws, cube),
        nonlinear_sizes=tuple(int(size) for size in sizes if not _is_linear(cube, size)),
    )


def _half_round_trip(cube: Cube, size: float) -> Fitted:
    """PRTT(1, 0, s) / 2; the delay does not matter when there is one message, so those with delay help where needed."""
    trains = cube.train(size, delayed=False)
    single = trains[trains.n == 1]
    return Fitted(single.medians[:, 0] / 2, float(single.hidden_ns[0]) / 2) if single.n.size else cube.unknown


def _gap(cube: Cube, size: float) -> Fitted:
    """Slope of PRTT(n, 0, s) over n: max(gap(s), o_s, o_r).

    Over n >= 16 where three such counts were measured: the first messages of a train find everybody waiting, and the
    pace is that of those that follow.
    """
    trains = cube.train(size, delayed=False)
    least = STEADY if np.sum(trains.n >= STEADY) >= FEWEST_COUNTS else 2
    return trains[trains.n >= least].slope


def _send_overhead(cube: Cube, size: float, gap_ns: float) -> Fitted:
    """Slope of PRTT(n, d, s) over n, less d, for every delay above the gap; the median over such delays.

    A train of one message has no delay in it, so n = 1 without delay is the first point of every such line.
    """
    trains, plain = cube.train(size, delayed=True), cube.train(size, delayed=False)
    delays = np.unique(trains.delay[trains.delay > DELAY_MARGIN * gap_ns])
    slopes = [trains[trains.delay == delay].join(plain[plain.n == 1]).slope for delay in delays]
    if not slopes:
        return cube.unknown
    each = np.column_stack([one.values - delay for one, delay in zip(slopes, delays, strict=True)])
    return Fitted(np.median(each, axis=1), max(one.hidden_ns for one in slopes))


def _receive_overhead(cube: Cube, size: float, send: Fitted, half: Fitted) -> Fitted:
    """delayed(d, s) - d - o_s for every delay above the round trip; the median over such delays."""
    receives = cube.receive(size)
    late = receives[receives.delay > DELAY_MARGIN * 2 * half.values[0]]
    if not late.n.size:
        return cube.unknown
    times = np.median(late.medians - late.delay, axis=1) - send.values
    return Fitted(times, float(late.hidden_ns.max()) + send.hidden_ns)


def _latency(
    lines: dict[str, tuple[np.ndarray, np.ndarray]], first: float, cube: Cube
) -> tuple[ParameterEstimate, ParameterEstimate]:
    """L = half round trip - o_s - o_r - (s - 1) G at the first size, and what is left for each further byte."""
    slope = lines["half"][1] - lines["send"][1] - lines["receive"][1] - lines["gap"][1]
    at_one = lines["half"][0] - lines["send"][0] - lines["receive"][0]
    latency = cube.estimate(at_one + slope * (first - 1.0) if first > 1 else at_one, cube.pace)
    if not isfinite(latency.value):
        missing = "not identifiable: o_s, o_r, G and the half round trip are needed, and one of them is not known"
        return ParameterEstimate(reason=missing), ParameterEstimate(reason=missing)
    per_byte = cube.estimate(slope, cube.pace)
    if latency.value < 0:
        overlap = "not identifiable: overlap (overheads and gap together exceed the half round trip)"
        return ParameterEstimate(latency.value, latency.low, latency.high, overlap), per_byte
    return latency, per_byte


def _limit(laws: _Laws, cube: Cube) -> str:
    """Which term of max(o_s, gap, o_r) the trains without delay have shown, at the smallest size that has them."""
    known = np.flatnonzero(np.isfinite(laws.gap[0]))
    for name, overhead in (("o_s", laws.send), ("o_r", laws.receive)) if known.size else ():
        first = int(known[0])
        beyond = cube.estimate(laws.gap[:, first] - overhead[:, first])
        if beyond.low <= 0 or beyond.value < HIDDEN * laws.gap[0, first]:
            return name
    return "gap"


def _gap_line(x: np.ndarray, laws: _Laws) -> tuple[np.ndarray, np.ndarray]:
    """The line of the gap through the sizes where the wire, not a processor, sets the pace, if there are two of them.

    Those where it does so clearly come first: where gap and overhead are about equal the two take turns, and the pace
    is that of neither (SimGrid's shared links show it, and so do real ones).
    """
    busy = np.fmax(np.nan_to_num(laws.send[0]), np.nan_to_num(laws.receive[0]))
    for clearly in (CLEARLY, 1 + HIDDEN):
        shown = laws.gap[0] > clearly * busy
        if shown.sum() >= 2:
            return relative_line(x[shown], laws.gap[:, shown])
    return relative_line(x, laws.gap)


def _is_linear(cube: Cube, size: float) -> bool:
    """The slope over the lower half of n agrees with that over the upper half; both halves share the middle count."""
    trains = cube.train(size, delayed=False)
    several = trains[trains.n >= 2]
    if several.n.size < 4:
        return True
    order, half = np.argsort(several.n), several.n.size // 2
    whole, lower, upper = (one.slope for one in (several, several[order[: half + 1]], several[order[half:]]))
    bend = (upper.values - lower.values) / whole.values
    hidden = (upper.hidden_ns + lower.hidden_ns + abs(bend[0]) * whole.hidden_ns) / abs(whole.values[0])
    found = from_launches(bend)
    return bool(abs(found.value) <= LINEARITY or (found.low - hidden <= 0 <= found.high + hidden))


def _law(line: tuple[np.ndarray, np.ndarray], cube: Cube, missing: str) -> CostLaw:
    at_one, per_byte = (cube.estimate(values, cube.pace) for values in line)
    if not isfinite(at_one.value):
        return CostLaw(ParameterEstimate(reason=missing), ParameterEstimate(reason=missing))
    if not isfinite(per_byte.value):
        return CostLaw(at_one, ParameterEstimate(reason="not identifiable: a segment with one size has no slope"))
    return CostLaw(at_one, per_byte)


def _above_zero(law: CostLaw) -> CostLaw:
    """A time below zero is none: far from one byte the intercept is lost in what the bytes take. The line is kept."""
    lost = "not identifiable: hidden by noise"
    at_one, per_byte = (
        evolve(one, reason=one.reason or lost) if one.value < 0 else one for one in (law.at_one, law.per_byte)
    )
    return CostLaw(at_one, per_byte)
