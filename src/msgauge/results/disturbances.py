"""Changes of the machine's own speed, told by the sentinel's probes before and after each launch. A fact, no verdict.

How far two probes differ with nothing run between them is known from the run itself: the probe after a launch and the
one before the next are such a pair. What they differ by sets the threshold, so its false-alarm rate is known.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from math import ceil, inf, log, nan

import numpy as np
from attrs import frozen

from msgauge.model import LaunchRecord, Pairs
from msgauge.results.launch_times import gap_s

PROBES = ("loop", "copy", "pingpong")
LEAST_SHIFT = 0.05
"""A change of less is never called one, however steady the machine."""
FALSE_ALARMS = 0.01
"""Share of launches flagged with nothing run in them that is aimed at; with fewer than 99 pairs it is larger."""
FEWEST_PAIRS = 10
"""With fewer pairs to learn from nothing is flagged."""
_LONGEST_GAP_S = 2.0
"""Further apart (an interrupted run, a pause) two probes are no pair with nothing between them."""
_LEAST_SCALE = 0.002


@frozen
class Threshold:
    """What a probe may change by: ``factor`` times its own ``scales``, ``LEAST_SHIFT`` at least."""

    factor: float
    scales: dict[str, float]
    """By probe: log change that three of four pairs with nothing between stay below."""
    pairs: int
    false_alarm_rate: float
    """Share of pairs with nothing between that exceed it."""

    def is_exceeded(self, shifts: dict[str, float]) -> bool:
        """Whether any probe changed by more."""
        least = log(1 + LEAST_SHIFT)
        return any(shift > max(least, self.factor * self.scales.get(probe, inf)) for probe, shift in shifts.items())


UNKNOWN = Threshold(inf, {}, 0, nan)
"""That of a run with too few pairs: nothing exceeds it."""


@frozen
class Disturbances:
    """The launches during which the machine's speed changed, and the threshold that told them."""

    launches: frozenset[int]
    threshold: Threshold


def find_disturbances(records: Iterable[LaunchRecord]) -> Disturbances:
    """The launches whose probes before and after differ by more than pairs with nothing between them do."""
    ordered = sorted(records, key=lambda record: record.launch.number)
    threshold = calibrate(_null_shifts(ordered))
    flagged = (
        record.launch.number
        for record in ordered
        if threshold.is_exceeded(find_shifts(record.sentinel_before, record.sentinel_after))
    )
    return Disturbances(frozenset(flagged), threshold)


def is_disturbed_before(earlier: Sequence[LaunchRecord], record: LaunchRecord) -> bool:
    """Whether the machine's speed before a launch was unlike its usual one so far: nothing later is looked at.

    ``earlier``: the launches before it, by number. Its probe is compared with the median of all their probes.
    """
    threshold = calibrate(_null_shifts(earlier))
    seen = [dict(probe) for one in earlier for probe in (one.sentinel_before, one.sentinel_after) if probe]
    usual = {name: float(np.median([float(one[name]) for one in seen if name in one])) for name in _names(seen)}
    return threshold.is_exceeded(
        find_shifts(tuple((name, repr(ns)) for name, ns in usual.items()), record.sentinel_before)
    )


def calibrate(shifts: Sequence[dict[str, float]]) -> Threshold:
    """The threshold that ``FALSE_ALARMS`` of pairs with nothing between exceed; ``shifts``: those of such pairs.

    A probe that came to no end in any of them tells nothing on this machine and is passed over.

    Source: Vovk, Gammerman and Shafer 2005, section 2.2 (one more pair is as likely at any rank among those seen).
    """
    count = len(shifts)
    if count < FEWEST_PAIRS:
        return UNKNOWN
    scales = {}
    for probe in PROBES:
        known = [one[probe] for one in shifts if probe in one]
        if known and max(known) < inf:
            scales[probe] = max(float(np.quantile(known, 0.75)), _LEAST_SCALE)
    scores = sorted(
        max((one[probe] / scales[probe] for probe in one if probe in scales), default=0.0) for one in shifts
    )
    rank = min(ceil((count + 1) * (1 - FALSE_ALARMS)), count)
    return Threshold(scores[rank - 1], scales, count, (count + 1 - rank) / (count + 1))


def find_shifts(before: Pairs, after: Pairs) -> dict[str, float]:
    """By probe how far it moved, as |log|: inf where it came to no end on one side, nothing where it did not run.

    The median alone moves with every passing interrupt and the minimum alone with luck, so the smaller change counts,
    and none where the two moved apart.
    """
    one, other = dict(before), dict(after)
    found = {}
    for probe in PROBES if one and other else ():
        median, minimum = f"{probe}_ns", f"{probe}_min_ns"
        if (median in one) != (median in other):
            found[probe] = inf
        elif {median, minimum} <= one.keys() & other.keys():
            moved = [log(float(other[name]) / float(one[name])) for name in (median, minimum)]
            found[probe] = min(map(abs, moved)) if moved[0] * moved[1] > 0 else 0.0
    return found


def _null_shifts(ordered: Sequence[LaunchRecord]) -> list[dict[str, float]]:
    """Of the probes after each launch and before the next, where nothing ran between them."""
    return [
        find_shifts(one.sentinel_after, other.sentinel_before)
        for one, other in pairwise(ordered)
        if one.sentinel_after and other.sentinel_before and gap_s(one, other) <= _LONGEST_GAP_S
    ]


def _names(seen: Sequence[dict[str, str]]) -> list[str]:
    return sorted({name for one in seen for name in one})
