"""Programs predicted from LogGP parameters, beside their measured times.

The computing is taken from the run itself (the kernel's own series ``compute``, the mean over the ranks), so what is
predicted is what the messages add, and what waiting for the slowest block adds. LogGP gives each rank a processor of
its own; where ranks shared cores, that is said and no error counts.

Source: ``models.predict``.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from math import ceil, isfinite
from operator import attrgetter

import numpy as np

from msgauge.analysis.estimates.observations import Observation
from msgauge.analysis.stack_models.stack_model import Prediction
from msgauge.errors import UsageError
from msgauge.model import Pattern
from msgauge.model.measured_way import note_marks
from msgauge.models.loggp import LogGP
from msgauge.models.predict import fanout_ns, mandelbrot_ns, reduce_ns, scatter_ns
from msgauge.units import format_size

DOUBLE = 8
"""Bytes of a number."""
POINT = 2
"""Bytes of a point of the Mandelbrot picture."""
FINEST = 240
"""The work of the blocks of a picture is counted on one of this side at most; their shares hardly change above it."""
STEPS = 256
"""Most steps of a point, as in native/kernels/mandelbrot.hpp."""
TIMELESS = "computing takes no time in this simulation, and how the ranks start decides"
CROWDED = "more ranks than cores: the scheduler decides, and LogGP knows nothing of it"


def predictions(model: LogGP, mine: Sequence[Observation]) -> tuple[Prediction, ...]:
    """Every program and fan-out of a stack that was measured on two ranks or more; unknown ones are left out."""
    found = []
    for one in sorted(mine, key=lambda one: (one.kernel, one.ranks, one.size_bytes, one.options)):
        if one.series != "time" or one.ranks < 2:
            continue
        predicted = _predict_ns(model, one, mine)
        if predicted is not None and isfinite(predicted):
            found.append(
                Prediction(
                    one.kernel, one.pattern, one.ranks, _describe(one), predicted, one.median_ns, _objection(one)
                )
            )
    return tuple(found)


def _objection(one: Observation) -> str:
    """Why LogGP does not speak of this measurement; empty when it does."""
    if one.oversubscribed:
        return CROWDED
    return TIMELESS if one.simulated and one.pattern is not Pattern.FAN_OUT else ""


def _predict_ns(model: LogGP, one: Observation, mine: Sequence[Observation]) -> float | None:
    options = dict(one.options)
    compute = _beside(one, "compute", mine)
    try:
        if one.pattern is Pattern.FAN_OUT and options.get("form", "sends") == "sends":
            return fanout_ns(model, one.ranks, one.size_bytes)
        if compute is None:
            return None
        if one.pattern is Pattern.REDUCE:
            return compute + reduce_ns(model, one.ranks, DOUBLE)
        if one.pattern is Pattern.SCATTER_REDUCE:
            return compute + _matvec_messages(model, one.ranks, int(options.get("n", "480")))
        if one.pattern is Pattern.GATHER_BLOCKS:
            side = int(options.get("side", "480"))
            block = ceil(side / one.ranks) * side * POINT
            shares = mandelbrot_shares(min(side, FINEST), one.ranks)
            return mandelbrot_ns(model, [compute * one.ranks * share for share in shares], block)
    except UsageError:
        return None
    return None


def _matvec_messages(model: LogGP, ranks: int, n: int) -> float:
    """Scatter of the columns, scatter of the vector, reduction of a full-length result."""
    columns = ceil(n / ranks)
    scattered = scatter_ns(model, ranks, columns * n * DOUBLE) + scatter_ns(model, ranks, columns * DOUBLE)
    return scattered + reduce_ns(model, ranks, n * DOUBLE)


@lru_cache(maxsize=64)
def mandelbrot_shares(side: int, ranks: int) -> tuple[float, ...]:
    """Which share of the work of the picture falls on each rank: its columns are dealt in blocks, and some are empty.

    Source: the iteration of native/kernels/mandelbrot.hpp; the work of a point is its steps and one more.
    """
    place = 3.0 * np.arange(side) / side
    point = (place - 2.25)[:, None] + 1j * (place - 1.5)[None, :]
    value, steps = np.zeros_like(point), np.zeros(point.shape)
    inside = np.ones(point.shape, bool)
    for _ in range(STEPS):
        steps += inside
        value[inside] = value[inside] ** 2 + point[inside]
        inside &= np.abs(value) <= 2.0
    work = (steps + 1).sum(axis=1)
    begins = [side * rank // ranks for rank in range(ranks + 1)]
    return tuple(float(work[first:last].sum() / work.sum()) for first, last in pairwise(begins))


def _beside(one: Observation, series: str, mine: Sequence[Observation]) -> float | None:
    test = attrgetter("kernel", "size_bytes", "ranks", "options", "mode", "cache")
    found = next((other for other in mine if other.series == series and test(other) == test(one)), None)
    return found.median_ns if found is not None else None


def _describe(one: Observation) -> str:
    marks = "".join(f" {mark}" for mark in note_marks(one))
    size = f" of {format_size(one.size_bytes)}" if one.size_bytes else ""
    return f"{one.kernel}{marks}{size} on {one.ranks} ranks"
