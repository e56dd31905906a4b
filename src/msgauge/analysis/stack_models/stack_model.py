"""The LogGP model of one stack out of a run: segments from its ping-pong, parameters from its trains, closure.

Everything is fitted to round trips and trains of messages; streams, fan-out and the programs take no part in the fit
and are predicted. Which kernel measures what its facts state (``Kernel.pattern``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise

import numpy as np
from attrs import evolve, frozen

from msgauge.analysis.estimates.observations import Observation, find_paces
from msgauge.errors import UsageError
from msgauge.model import Pattern
from msgauge.model.measured_way import name_way
from msgauge.models.breakpoint_causes import Cause
from msgauge.models.loggp import LogGP, fit_loggp
from msgauge.models.message_trains import ReceiveData, TrainData
from msgauge.models.predict import Closure, closure, fanout_ns, pingpong_ns, stream_ns
from msgauge.models.segments import FLOOR, Breakpoint, Segmentation, find_segments
from msgauge.units import parse_duration_s

WINDOW = 64
"""Messages of one window of a stream."""
FEWEST_SIZES = 6
SMALLEST_EAGER = 1024
SIMULATED_FLOOR = 0.002
"""Simulated times repeat to the last digit, so that smaller steps than on a real machine are steps."""
ABOVE_GAP = 1.2
"""The delay that o_s is taken from is the smallest at least this many gaps long."""
ABOVE_ROUND_TRIP = 1.2


@frozen
class Point:
    """A measured time with its interval, ns, at a size in bytes."""

    size_bytes: int
    median_ns: float
    low_ns: float
    high_ns: float


@frozen
class BreakpointExplanation:
    """What each breakpoint was seen to follow when a setting was moved to these values.

    No causes: there is no breakpoint, or ``reason`` says why the values tried cannot tell.
    """

    setting: str
    values_bytes: tuple[float, ...]
    causes: tuple[Cause, ...]
    reason: str = ""


@frozen
class Prediction:
    """A program or collective predicted from the parameters beside its measured time; error = predicted / measured - 1.

    ``applies`` is empty, or says why LogGP does not.
    """

    kernel: str
    pattern: Pattern
    ranks: int
    what: str
    predicted_ns: float
    measured_ns: float
    applies: str = ""

    @property
    def error(self) -> float:
        return self.predicted_ns / self.measured_ns - 1.0


@frozen
class StackModel:
    """All that is known of why a stack is as fast as it is; ``reason`` says why there is no model."""

    stack: str
    model: LogGP | None = None
    segmentation: Segmentation | None = None
    points: tuple[Point, ...] = ()
    closures: tuple[Closure, ...] = ()
    explained: tuple[BreakpointExplanation, ...] = ()
    predictions: tuple[Prediction, ...] = ()
    reason: str = ""
    simulated: bool = False

    @property
    def eager_limit(self) -> int | None:
        """The last size before the largest upward jump beyond 1 KiB: where sends begin to wait; None without one."""
        points = self.segmentation.breakpoints if self.segmentation else ()
        jumps = [one for one in points if one.kind == "jump" and one.jump.low > 0 and one.after_bytes >= SMALLEST_EAGER]
        return int(max(jumps, key=lambda one: one.jump.value).after_bytes) if jumps else None

    @property
    def closing(self) -> tuple[int, int]:
        """How many closures are within 5 %, of how many; those from the five parameters alone not counted."""
        return self._count_closures(strict=False)

    @property
    def strictly_closing(self) -> tuple[int, int]:
        """The same of the streams that are predicted from the five parameters alone."""
        return self._count_closures(strict=True)

    def _count_closures(self, *, strict: bool) -> tuple[int, int]:
        chosen = [one.closes for one in self.closures if one.strict is strict]
        return sum(chosen), len(chosen)


@frozen
class Models:
    """The models of a run, as its folder keeps them."""

    models: tuple[StackModel, ...]


def model_of(stack: str, observed: Iterable[Observation], rng: np.random.Generator) -> StackModel:
    """Segment, fit and close one stack; ``observed``: all of the run, in any order.

    Raises:
        Nothing: what is missing is said in ``reason``.
    """
    every = tuple(observed)
    mine = [one for one in every if one.stack == stack]
    simulated = any(one.simulated for one in mine)
    trains = [one for one in mine if one.pattern is Pattern.TRAIN]
    if not trains:
        return StackModel(stack, reason="its trains of messages were not measured", simulated=simulated)
    pings = pingpongs(mine)
    try:
        found = segments(pings, rng)
        data = train_data(trains)
        edges = usable_edges(found.breakpoints, np.unique(data.size_bytes[data.n > 1])) if found else ()
        model = fit_loggp(data, receive_data(trains, data), edges)
    except UsageError as error:
        return StackModel(stack, reason=error.what, simulated=simulated)
    pace = find_paces(every)[stack]
    places = [(one.size_bytes, pace.locate(np.array(one.medians_ns))) for one in pings]
    points = tuple(Point(size, where.median, where.low, where.high) for size, where in places)
    return StackModel(stack, model, found, points, closures(model, mine), simulated=simulated)


def closures(model: LogGP, mine: Sequence[Observation]) -> tuple[Closure, ...]:
    """Predicted against measured ping-pong, stream and, where every rank has a processor, fan-out."""
    found = _close_kernels(model, pingpongs(mine), lambda one: pingpong_ns(model, one.size_bytes))
    streams = [one for one in mine if one.pattern is Pattern.STREAM and one.series == "time"]
    found += _close_kernels(model, streams, lambda one: stream_ns(model, one.size_bytes, WINDOW))
    found += _close_kernels(
        model, streams, lambda one: stream_ns(model, one.size_bytes, WINDOW, strict=True), strict=True
    )
    fans = [one for one in mine if one.pattern is Pattern.FAN_OUT and one.series == "time" and _is_plain(one)]
    for ranks in sorted({one.ranks for one in fans if not one.oversubscribed}):
        rounds = [one for one in fans if one.ranks == ranks]
        found += _close_kernels(
            model, rounds, lambda one: fanout_ns(model, one.ranks, one.size_bytes), f" on {ranks} ranks"
        )
    return found


def _close_kernels(
    model: LogGP,
    cells: Sequence[Observation],
    predict: Callable[[Observation], float],
    where: str = "",
    *,
    strict: bool = False,
) -> tuple[Closure, ...]:
    """The closure of each kernel among ``cells``; ``where`` follows its name."""
    return tuple(
        evolve(closed, strict=strict)
        for kernel in sorted({one.kernel for one in cells})
        for closed in _close_kernel(model, kernel + where, [one for one in cells if one.kernel == kernel], predict)
    )


def _close_kernel(
    model: LogGP, kernel: str, cells: Iterable[Observation], predict: Callable[[Observation], float]
) -> Sequence[Closure]:
    usable = sorted((one for one in cells if one.size_bytes > 0), key=lambda one: one.size_bytes)
    sizes = [one.size_bytes for one in usable]
    measured = [one.median_ns for one in usable]
    return closure(model, kernel, sizes, [predict(one) for one in usable], measured)


# --- from cells to tables ---------------------------------------------------------------------------------------


def _is_plain(one: Observation) -> bool:
    return dict(one.options).get("form", "sends") == "sends"


def pingpongs(mine: Sequence[Observation]) -> list[Observation]:
    """Plain ping-pong between two ranks, by size, 0 B left out; of a size in several ways that measured as usual."""
    plain = [one for one in mine if one.pattern is Pattern.ROUND_TRIP and one.series == "time" and one.ranks == 2]
    usual = {("send", "standard"), ("receive", "late")}
    plain.sort(key=lambda one: not name_way(one))  # the last one of a size is kept
    best = {one.size_bytes: one for one in plain if set(one.options) <= usual and one.size_bytes > 0}
    return [best[size] for size in sorted(best)]


def segments(pings: Sequence[Observation], rng: np.random.Generator) -> Segmentation | None:
    """The segments of the ping-pong; None with too few sizes or no launch that holds them all.

    Half a step of the clock is the least noise of a size: steps make stairs of a line, and no stair is a protocol.
    """
    if len(pings) < FEWEST_SIZES:
        return None
    shared = sorted(set.intersection(*(set(one.rounds) for one in pings)))
    if not shared:
        return None
    columns = [dict(zip(one.rounds, one.medians_ns, strict=True)) for one in pings]
    times = np.array([[column[number] for column in columns] for number in shared])
    least = SIMULATED_FLOOR if all(one.simulated for one in pings) else FLOOR
    floor = np.array([max(least, one.half_step_ns / max(one.median_ns, 1e-9)) for one in pings])
    return find_segments(np.array([one.size_bytes for one in pings], float), times, rng, floor=floor)


def usable_edges(points: Sequence[Breakpoint], sizes: np.ndarray) -> tuple[float, ...]:
    """Edges such that every segment has two sizes of trains at least; where one has not, its weaker end is dropped.

    Bends are weaker than jumps, and small jumps than large ones.
    """
    kept = sorted(points, key=lambda one: one.after_bytes)
    while kept:
        bounds = [-np.inf, *(one.after_bytes for one in kept), np.inf]
        counts = [int(np.sum((sizes > low) & (sizes <= high))) for low, high in pairwise(bounds)]
        poor = next((place for place, count in enumerate(counts) if count < 2), None)
        if poor is None:
            break
        ends = [kept[place] for place in (poor - 1, poor) if 0 <= place < len(kept)]
        kept.remove(min(ends, key=lambda one: (one.kind == "jump", abs(one.jump.value))))
    return tuple(one.after_bytes for one in kept)


def train_data(cells: Sequence[Observation]) -> TrainData:
    """Rows of all trains; of the delays of a size only the smallest that is clearly above its gap is kept.

    Where a size was also sent by non-blocking trains, these give the gap: nothing but the wire and the calls themselves
    sets their pace, and streams are sent so.

    A delay longer than asked for (they are counted) is taken off again, so that all launches have the same delays.

    Raises:
        UsageError: there are no trains.
    """
    trains = [one for one in cells if _says(one, "what", "train") and one.series == "time"]
    rows = [row for one in trains if not _is_replaced(one, trains) for row in _rows(one, cells)]
    if not rows:
        raise UsageError("There are no trains to fit.", remedy="measure the study model")
    table = np.array(rows)
    keep = np.ones(len(rows), bool)
    for size in np.unique(table[:, 3]):
        of_size = table[:, 3] == size
        delays = np.unique(table[of_size & (table[:, 2] > 0), 2])
        long_enough = delays[delays >= ABOVE_GAP * _pace(table[of_size & (table[:, 2] == 0)])]
        chosen = long_enough[0] if long_enough.size else delays[-1] if delays.size else 0.0
        keep &= ~of_size | (table[:, 2] == 0) | (table[:, 2] == chosen)
    return TrainData(*table[keep].T)


def receive_data(cells: Sequence[Observation], trains: TrainData) -> ReceiveData:
    """Rows of all delayed receives; of the delays of a size the smallest that is clearly above its round trip."""
    late = [one for one in cells if _says(one, "what", "delayed") and one.series == "time"]
    rows = np.array([(a, d, s, t, h) for one in late for a, _, d, s, t, h in _rows(one, cells)]).reshape(-1, 5)
    keep = np.ones(len(rows), bool)
    single = (np.asarray(trains.n) == 1) & (np.asarray(trains.delay_ns) == 0)
    for size in np.unique(rows[:, 2]):
        trips = np.asarray(trains.prtt_ns)[single & (np.asarray(trains.size_bytes) == size)]
        delays = np.unique(rows[rows[:, 2] == size, 1])
        least = ABOVE_ROUND_TRIP * float(np.median(trips)) if trips.size else 0.0
        enough = delays[delays >= least]
        chosen = enough[0] if enough.size else delays[-1]
        keep &= (rows[:, 2] != size) | (rows[:, 1] == chosen)
    return ReceiveData(*rows[keep].T)


def _is_replaced(one: Observation, trains: Sequence[Observation]) -> bool:
    """A blocking train of several messages without delay, of a size that was sent at once too."""
    plain = _says(one, "how", "blocking") and _says(one, "d", "0") and not _says(one, "n", "1")
    return plain and any(_says(other, "how", "nonblocking") and other.size_bytes == one.size_bytes for other in trains)


def _says(one: Observation, option: str, choice: str) -> bool:
    usual = {"what": "train", "how": "blocking", "d": "0", "n": "1"}
    return dict(one.options).get(option, usual.get(option, "")) == choice


def _rows(one: Observation, cells: Sequence[Observation]) -> list[tuple[float, float, float, float, float, float]]:
    """(launch, n, delay asked for, size, time with that delay and without the read of the clock, and what steps of the
    clock hide of it) of each launch."""
    options = dict(one.options)
    n, asked = int(options.get("n", "1")), 1e9 * parse_duration_s(options.get("d", "0"))
    late = options.get("what") == "delayed"
    if n == 1 and asked > 0 and not late:
        return []
    reached = next((other for other in cells if _is_delay_of(other, one)), None)
    delays = dict(zip(reached.rounds, reached.medians_ns, strict=True)) if reached and asked > 0 else {}
    times, size = 1 if late else n - 1, float(one.size_bytes)
    hidden = one.half_step_ns + (times * reached.half_step_ns if reached and asked > 0 else 0.0)
    longer = {launch: times * (delay - asked) for launch, delay in delays.items()}
    return [
        (float(launch), float(n), asked, size, time - one.timer_ns - longer.get(launch, 0.0), hidden)
        for launch, time in zip(one.rounds, one.medians_ns, strict=True)
    ]


def _is_delay_of(other: Observation, one: Observation) -> bool:
    return other.series == "delay" and (other.size_bytes, other.options) == (one.size_bytes, one.options)


def _pace(table: np.ndarray) -> float:
    """Time between messages of the longest train without delay against the single message, ns."""
    single, longest = table[table[:, 1] == 1], table[table[:, 1] == table[:, 1].max(initial=1)]
    if not single.size or longest[0, 1] <= 1:
        return 0.0
    return float((np.median(longest[:, 4]) - np.median(single[:, 4])) / (longest[0, 1] - 1))


def with_causes(model: StackModel, explained: Sequence[BreakpointExplanation]) -> StackModel:
    """The model with what trying settings has shown."""
    return evolve(model, explained=tuple(explained))
