"""What a breakpoint is due to, as far as an experiment shows: does it move when a setting of the library is moved?

The same sizes are measured under two or more values of a setting that is a size, the eager limit for instance. A
breakpoint that is at the setting each time, and at its old place no more, is its doing; one that stays where it is has
another cause; one that does neither is left unexplained. A library may have protocols of its own at both values.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Literal

from attrs import frozen

from msgauge.errors import UsageError
from msgauge.models.segments import Breakpoint, Segmentation

TOLERANCE = 0.10


@frozen
class SettingTrial:
    """The breakpoints found under one value of a setting, in bytes."""

    setting_bytes: float
    found: Segmentation


@frozen
class Cause:
    """One breakpoint of the first trial, and what the other trials say of it."""

    breakpoint: Breakpoint
    follows: Literal["setting", "nothing", "unexplained"]
    places: tuple[float, ...] = ()
    """Where it was in each trial, bytes; empty when unexplained."""


def explain(trials: Sequence[SettingTrial], tolerance: float = TOLERANCE) -> tuple[Cause, ...]:
    """Judge each breakpoint of the first trial: with the setting in all trials, at one place in all trials, or neither.

    A breakpoint is at a size when its value is within ``tolerance`` of it or its interval, widened so, covers it: an
    eager limit counts the header of the library, so the jump comes some bytes before it.

    Raises:
        UsageError: fewer than two trials, or settings closer to each other than twice the tolerance.
    """
    settings = sorted(trial.setting_bytes for trial in trials)
    close = any(b <= a * (1 + tolerance) ** 2 for a, b in pairwise(settings))
    if len(trials) < 2 or close:
        raise UsageError(
            "Whether a breakpoint follows a setting cannot be told from these values of it.",
            remedy="try at least two values that lie a factor of two apart",
        )
    return tuple(_cause(point, trials, tolerance) for point in trials[0].found.breakpoints)


def _cause(point: Breakpoint, trials: Sequence[SettingTrial], tolerance: float) -> Cause:
    moved = [_at(trial.found, trial.setting_bytes, tolerance) for trial in trials]
    stayed = [_at(trial.found, point.size_bytes.value, tolerance) for trial in trials]
    if moved[0] is point and all(moved) and not any(stayed[1:]):
        return Cause(point, "setting", tuple(one.size_bytes.value for one in moved if one))
    if all(stayed) and not (moved[0] is point and _any_same(moved[1:], stayed[1:])):
        return Cause(point, "nothing", tuple(one.size_bytes.value for one in stayed if one))
    return Cause(point, "unexplained")


def _any_same(moved: Sequence[Breakpoint | None], stayed: Sequence[Breakpoint | None]) -> bool:
    """Whether a breakpoint is known so roughly that it may have moved as well as stayed."""
    return any(one is not None and one is other for one, other in zip(moved, stayed, strict=True))


def _at(found: Segmentation, size: float, tolerance: float) -> Breakpoint | None:
    """The breakpoint nearest to a size, if it is there."""
    near = min(found.breakpoints, key=lambda one: abs(one.size_bytes.value - size), default=None)
    if near is None:
        return None
    low = min(near.size_bytes.low, near.size_bytes.value) * (1 - tolerance)
    high = max(near.size_bytes.high, near.size_bytes.value) * (1 + tolerance)
    return near if low <= size <= high else None
