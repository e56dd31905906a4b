"""What a burst shows of a start-up or of a change of rate, and what it could have shown.

That nothing was found says little by itself: the messages may scatter too much, the burst may end too early, or a
start-up may cover the place. So every place where a change can lie is looked at, with the interval of its effect: a
change of a size is *absent* only where all intervals end below it. If there were one, the interval at its place would
hold it, so this errs no more often than one interval does, however many places there are.
"""

from __future__ import annotations

from itertools import pairwise
from math import ceil, inf

import numpy as np
from attrs import field, frozen

from msgauge.models.anomalies import FEWEST_FOR_MEAN, MOST_STEPS, Anomaly, rate_changes, start_up
from msgauge.stats.ratio import interval_at
from msgauge.stats.signed_rank import locate_centres

SETTLED = 1.5
"""So many times the length of a start-up it is surely over."""
SHORTEST = 5
"""A level that lasts for fewer messages is none."""


@frozen
class Effect:
    """Slow over fast at one place: ``after`` so many messages; ``slower``: what comes then takes longer."""

    after: int
    slower: bool
    value: float
    low: float
    high: float


@frozen
class MeasuredEffect:
    """``found`` beyond chance, the clearest first; ``most``: of all that may hide, the effect that reaches furthest.

    ``unseen``: why a part of what was asked for could not be seen; empty when all of it could.
    """

    found: tuple[Effect, ...] = ()
    most: Effect | None = None
    unseen: str = ""

    def has(self, least: float) -> bool | None:
        """Whether there is an effect of at least ``least``; None where the messages do not tell."""
        if any(one.low >= least for one in self.found):
            return True
        hidden = self.most is None or self.most.high >= least or any(one.high >= least for one in self.found)
        return None if hidden or self.unseen else False


@frozen
class Window:
    """Where a change of rate is looked for, in bytes so far (None: anywhere), and into which directions."""

    least: float | None = None
    most: float | None = None
    directions: tuple[bool, ...] = field(default=(True, False))
    """True: slower; False: faster."""


def find_rate_changes(steps_ns: np.ndarray, size_bytes: int) -> tuple[Anomaly | None, tuple[Anomaly, ...]]:
    """The start-up, and the changes of rate after it: its end is no change of its own.

    ``steps_ns``: time of each message, shape (launches, steps), positive.
    """
    sent = np.arange(1, steps_ns.shape[1] + 1) * float(max(size_bytes, 1))
    start = start_up(steps_ns)
    begun = SETTLED * start.where * sent[0] if start else 0.0
    changes = rate_changes(sent, np.cumsum(steps_ns, axis=1))
    return start, tuple(one for one in changes if one.where > begun)


def measure_start_up(steps_ns: np.ndarray, level: float, reach: float = 0.0) -> MeasuredEffect:
    """The first messages over the last half, as ``start_up`` compares them, for every length a start-up can have.

    ``steps_ns``: shape (launches, steps); ``level`` of the intervals, which are wider by ``reach`` (``Trace.reach``).
    """
    half = steps_ns.shape[1] // 2
    logs = np.log(steps_ns)
    rest = logs[:, half:]
    rows = (np.cumsum(logs[:, :half], axis=1) / np.arange(1, half + 1)).T - rest.mean(axis=1)
    for length in range(1, min(FEWEST_FOR_MEAN - 1, half) + 1):
        rows[length - 1] = np.median(logs[:, :length], axis=1) - np.median(rest, axis=1)
    effects = _effects(rows, np.arange(1, half + 1), level, reach, slower=True)
    start = start_up(steps_ns)
    return MeasuredEffect((effects[int(start.where) - 1],) if start else (), _furthest(effects))


def measure_rate_changes(
    steps_ns: np.ndarray, size_bytes: int, window: Window, level: float, reach: float = 0.0
) -> MeasuredEffect:
    """Changes of the rate after the start-up, inside the window; ``steps_ns``: shape (launches, steps).

    ``level`` of the intervals, which are wider by ``reach`` (``Trace.reach``). As any of the changes that are found may
    be the one asked for, theirs hold together (Dunn 1961).
    """
    step, steps = float(max(size_bytes, 1)), steps_ns.shape[1]
    start, changes = find_rate_changes(steps_ns, size_bytes)
    begun = ceil(SETTLED * start.where) if start else 0
    first = max(begun + SHORTEST if begun else 0, ceil((window.least or 0.0) / step))
    last = min(steps - SHORTEST, int(min((window.most or inf) / step, steps)))
    found = [round(change.where / step) for change in changes]
    cuts, rows = _places(np.log(steps_ns), [begun, *found, steps], first, last)
    changed = np.isin(cuts, found)
    together = 1 - (1 - level) / max(1, int(changed.sum()))
    at_changes, elsewhere = (
        [
            effect
            for slower in window.directions
            for effect in _effects(rows[where] * (1 if slower else -1), cuts[where], by, reach, slower=slower)
        ]
        for where, by in ((changed, together), (~changed, level))
    )
    return MeasuredEffect(
        tuple(sorted((one for one in at_changes if one.value > 1), key=lambda one: -one.low)),
        _furthest(elsewhere),
        _unseen(window, step, steps, begun),
    )


def _unseen(window: Window, step: float, steps: int, begun: int) -> str:
    """Why the window is not wholly inside what the burst shows."""
    if begun >= SETTLED * (steps // 2):
        return "the start-up lasts half of the burst or longer"
    if begun and window.least is not None and begun + SHORTEST > ceil(window.least / step):
        return f"the start-up reaches to message {begun}, into the range asked for"
    if window.most is not None and (steps - SHORTEST) * step < window.most - step:
        return f"the burst ends after {steps * step:.0f} B, inside the range asked for"
    return ""


def _places(logs: np.ndarray, ends: list[int], first: int, last: int) -> tuple[np.ndarray, np.ndarray]:
    """Where the level can change from ``first`` to ``last``, and by how much (log, after - before), (places, launches).

    ``ends``: where the levels found begin and end. Inside a level its two parts are compared, in one of thousands of
    messages at about ``MOST_STEPS`` places, as finely as changes are sought. About a level's end, which may be found a
    few messages beside its true place, it is compared with the next.
    """
    cuts, rows = [], []
    single = logs.astype(np.float32)  # the medians of a hundred bursts take half as long
    for k, (start, end) in enumerate(pairwise(ends)):
        far = ends[min(k + 2, len(ends) - 1)]
        stride = max(1, (end - start) // MOST_STEPS)
        inside = [(cut, end) for cut in range(start + SHORTEST, end - SHORTEST + 1, stride)]
        about = range(max(start, end - SHORTEST) + 1, min(far, end + SHORTEST)) if far > end else ()
        about_end = [(cut, far) for cut in about if min(cut - start, far - cut) >= SHORTEST]
        for cut, until in inside + about_end:
            if first <= cut <= last:
                cuts.append(cut)
                rows.append(np.median(single[:, cut:until], axis=1) - np.median(single[:, start:cut], axis=1))
    return np.array(cuts, int), np.array(rows, float).reshape(len(rows), logs.shape[0])


def _effects(rows: np.ndarray, places: np.ndarray, level: float, reach: float, *, slower: bool) -> list[Effect]:
    """The effect of each row of log ratios (places, launches), with intervals that are wider by ``reach``."""
    if not rows.size:
        return []
    ratio, (low, high) = np.exp(locate_centres(rows)), interval_at(rows, level)
    low, high = low * np.exp(-reach), high * np.exp(reach)
    return [
        Effect(int(place), slower, float(value), float(a), float(b))
        for place, value, a, b in zip(places, ratio, low, high, strict=True)
    ]


def _furthest(effects: list[Effect]) -> Effect | None:
    return max(effects, key=lambda one: one.high, default=None)
