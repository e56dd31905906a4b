"""The figures of a document drawn again: lines of our data by size, processes, option or message, and published ones.

Bursts are drawn message by message: the time of each (``message``), or the bytes so far against time (``bytes``).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import isfinite, nan
from typing import Literal

import numpy as np
from attrs import evolve, field, frozen

from msgauge.analysis.estimates.burst_traces import SERIES, Trace
from msgauge.analysis.estimates.observations import Observation, find_paces
from msgauge.analysis.verdicts.clock_steps import reach_further
from msgauge.papers.burst_claims import find_trace
from msgauge.papers.case_levels import level_of
from msgauge.papers.number_selection import Pick, display_name, per_share, prefer
from msgauge.papers.tables import Form
from msgauge.stats.dependence import Pace
from msgauge.stats.error_bounds import bound_ratio, widen
from msgauge.stats.location import LEAST_FOR_ORDER
from msgauge.stats.ratio import estimate_ratios

Across = Literal["size", "ranks", "n", "message", "bytes"]
"""What x is; ``n`` is the option of a kernel that has this name, the size of the problem."""
Point = tuple[float, float, float, float]
Systems = Mapping[str, Sequence[str]]
MOST_PLACES = 200
EXACT_PLACES = 20


@frozen
class Line:
    """One line of a redrawn figure: points (x, value, low, high); value in ns, in bytes per second, or a ratio."""

    name: str
    points: tuple[Point, ...]
    published: bool = False
    simulated: bool = False


@frozen
class Plot:
    """A figure of the document to draw from our data: for each pick one line for each stack of the systems."""

    title: str
    picks: tuple[Pick, ...]
    across: Across
    form: Form = "time"
    systems: tuple[str, ...] = ()
    efficiency: bool = False
    published: tuple[Line, ...] = ()


@frozen
class PaperFigure:
    """A figure drawn again; ``x_axis`` is what x is."""

    title: str
    x_axis: Across
    form: str
    lines: tuple[Line, ...] = field(default=())


def make_paper_figure(
    wanted: Plot,
    observed: Iterable[Observation],
    traces: Iterable[Trace],
    systems: Systems,
    places: Mapping[str, str] | None = None,
) -> PaperFigure:
    """The points of a figure; ``traces`` are what figures of bursts are drawn from.

    ``places``: by stack where its messages went, where that is to be told.
    """
    known, bursts = tuple(observed), tuple(traces)
    lines = [
        evolve(line, name=f"{line.name}, {place}") if (place := (places or {}).get(spec)) else line
        for pick in wanted.picks
        for spec, line in _lines(wanted, pick, known, bursts, systems)
    ]
    form = "efficiency" if wanted.efficiency else wanted.form
    return PaperFigure(wanted.title, wanted.across, form, (*wanted.published, *lines))


def _lines(
    wanted: Plot, pick: Pick, observed: Sequence[Observation], traces: Sequence[Trace], systems: Systems
) -> Iterator[tuple[str, Line]]:
    """Each with its stack."""
    roles = (pick.system,) if pick.system else wanted.systems
    named = [(role, spec) for role in roles for spec in systems.get(role, ())]
    simulated = {one.stack for one in observed if one.simulated}
    for spec in dict.fromkeys(spec for _, spec in named):
        role = next(role for role, one in named if one == spec)
        points = _of_trace(wanted, pick, traces, spec) if _is_trace(wanted) else _points(wanted, pick, observed, spec)
        if points:
            name = ", ".join(
                filter(None, (display_name(spec, role), pick.name, "simulated" if spec in simulated else ""))
            )
            yield spec, Line(name, points, simulated=spec in simulated)


def _is_trace(wanted: Plot) -> bool:
    return wanted.across in {"message", "bytes"}


def _points(wanted: Plot, pick: Pick, observed: Sequence[Observation], spec: str) -> tuple[Point, ...]:
    there = [
        one
        for one in observed
        if (one.stack, one.kernel) == (spec, pick.kernel)
        and set(pick.options) <= set(one.options)
        and (not pick.series or one.series == pick.series)
        and pick.size_bytes in (None, one.size_bytes)
    ]
    mine = [one for one in there if pick.ranks in (None, one.ranks)]
    if not mine:
        return ()
    pace = find_paces(observed)[spec]
    found: dict[float, Point] = {}
    for one in sorted(mine, key=prefer):
        x = _abscissa(wanted.across, one)
        if wanted.efficiency:
            y = _find_efficiency(one, _find_serial(one, there), pace)
        else:
            y = _ordinate(wanted, pick, one, pace)
        found.setdefault(x, (x, *y))
    return tuple(point for _, point in sorted(found.items()) if isfinite(point[1]))


def _find_serial(one: Observation, there: Iterable[Observation]) -> Observation | None:
    """The same measurement on one process: a problem of another size says nothing of this one."""
    alone = evolve(one, ranks=1)
    return next((other for other in there if _place(other) == _place(alone)), None)


def _place(one: Observation) -> tuple[object, ...]:
    return one.size_bytes, one.ranks, one.options, one.series, one.mode, one.cache


def _abscissa(across: Across, one: Observation) -> float:
    if across == "n":
        return float(dict(one.options).get("n", "nan"))
    return float(one.size_bytes if across == "size" else one.ranks)


def _ordinate(wanted: Plot, pick: Pick, one: Observation, pace: Pace) -> tuple[float, float, float]:
    where = reach_further(pace.locate(np.array(one.medians_ns)), one.half_step_ns)
    middle, low, high = (pick.times * time for time in (where.median, where.low, where.high))
    if wanted.form == "rate":
        moved = one.size_bytes * 1e9
        return (moved / middle, moved / high, moved / low) if low > 0 else (moved / middle, nan, nan)
    return middle, low, high


def _find_efficiency(one: Observation, alone: Observation | None, pace: Pace) -> tuple[float, float, float]:
    """Serial time over processes x time with its interval; nan where there is no serial time.

    The ratio of each round, in which the pace of the machine cancels; where too few rounds have both times, of their
    medians, with the intervals of both at a level at which they hold together.
    """
    if alone is None:
        return nan, nan, nan
    middle, low, high = _divide_shares(one, alone, pace)
    reach = bound_ratio(*((side.half_step_ns, side.median_ns) for side in (one, alone)))
    return middle, *widen(low, high, reach)


def _divide_shares(one: Observation, alone: Observation, pace: Pace) -> tuple[float, float, float]:
    rounds = dict(zip(one.rounds, one.medians_ns, strict=True))
    shared = per_share(rounds, alone, one.ranks)
    if len(shared) >= min(LEAST_FOR_ORDER, len(one.rounds), len(alone.rounds)):
        middle, low, high, _ = map(float, estimate_ratios(-np.log(list(shared.values()))))
        return middle, low, high
    single, many = (pace.locate(np.array(side.medians_ns), level_of(2)) for side in (alone, one))
    ends = ((single.median, many.median), (single.low, many.high), (single.high, many.low))
    middle, low, high = (time / (one.ranks * other) for time, other in ends)
    return middle, low, high


def _of_trace(wanted: Plot, pick: Pick, traces: Sequence[Trace], spec: str) -> tuple[Point, ...]:
    """Median over launches of each step, or of the time so far; neighbours joined where there are very many."""
    mine = find_trace(traces, (spec, pick.size_bytes or 0, pick.series or SERIES[0]), pick)
    if mine is None:
        return ()
    rows, size = mine.steps_ns, max(mine.size_bytes, 1)
    counts = np.arange(1, rows.shape[1] + 1)
    if wanted.across == "bytes":
        stamps = np.median(np.cumsum(rows, axis=1), axis=0)
        return tuple(map(_exact, *_downsample(counts * size, stamps)))
    return tuple(map(_exact, *_downsample(counts, np.median(rows, axis=0))))


def _downsample(x: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The first 20 places as they are, then the median of each few neighbours, so that about 200 places are drawn."""
    step = max(1, x.size // MOST_PLACES)
    whole = (x.size - EXACT_PLACES) // step * step
    if step == 1 or whole <= 0:
        return x, y
    parts = [part[EXACT_PLACES : EXACT_PLACES + whole].reshape(-1, step) for part in (x, y)]
    return tuple(  # type: ignore[return-value]
        np.concatenate([head[:EXACT_PLACES], np.median(part, axis=1)]) for head, part in zip((x, y), parts, strict=True)
    )


def _exact(x: float, y: float) -> Point:
    return float(x), float(y), float(y), float(y)
