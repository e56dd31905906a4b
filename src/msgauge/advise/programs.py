"""Programs predicted from LogGP parameters, beside their measured times.

The computing is taken from the run itself (the kernel's own series ``compute``), so what is predicted is what the
messages add. LogGP gives each rank a processor of its own; where ranks shared cores, that is said and no error counts.

Source: ``models.predict``.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, isfinite

from msgauge.advise.observed import Observed
from msgauge.advise.stack_model import Prediction
from msgauge.errors import UsageError
from msgauge.models.loggp import LogGP
from msgauge.models.predict import DOUBLE, fanout_ns, mandelbrot_ns, reduce_ns, scatter_ns

POINT = 2
"""Bytes of a point of the Mandelbrot picture."""
CROWDED = "more ranks than cores: the scheduler decides, and LogGP knows nothing of it"


def predictions(model: LogGP, mine: Sequence[Observed]) -> tuple[Prediction, ...]:
    """Every program and fan-out of a stack that was measured on two ranks or more; unknown ones are left out."""
    found = []
    for one in mine:
        if one.series != "time" or one.ranks < 2:
            continue
        predicted = _predicted(model, one, mine)
        if predicted is not None and isfinite(predicted):
            said = _said(one)
            found.append(Prediction(said, predicted, one.location()[0], CROWDED if one.oversubscribed else ""))
    return tuple(found)


def _predicted(model: LogGP, one: Observed, mine: Sequence[Observed]) -> float | None:
    options = dict(one.options)
    compute = _beside(one, "compute", mine)
    try:
        if one.kernel == "fanout" and options.get("form", "sends") == "sends":
            return fanout_ns(model, one.ranks, one.size_bytes)
        if compute is None:
            return None
        if one.kernel == "pi":
            return compute + reduce_ns(model, one.ranks, DOUBLE)
        if one.kernel == "matvec":
            return compute + _matvec_messages(model, one.ranks, int(options.get("n", "480")))
        if one.kernel == "mandelbrot":
            side = int(options.get("side", "480"))
            block = ceil(side / one.ranks) * side * POINT
            return mandelbrot_ns(model, [compute] * one.ranks, block)
    except UsageError:
        return None
    return None


def _matvec_messages(model: LogGP, ranks: int, n: int) -> float:
    """Scatter of the columns, scatter of the vector, reduction of a full-length result."""
    columns = ceil(n / ranks)
    scattered = scatter_ns(model, ranks, columns * n * DOUBLE) + scatter_ns(model, ranks, columns * DOUBLE)
    return scattered + reduce_ns(model, ranks, n * DOUBLE)


def _beside(one: Observed, series: str, mine: Sequence[Observed]) -> float | None:
    place = (one.kernel, one.size_bytes, one.ranks, one.options, series)
    fits = (o for o in mine if (o.kernel, o.size_bytes, o.ranks, o.options, o.series) == place)
    found = next(fits, None)
    return found.location()[0] if found is not None else None


def _said(one: Observed) -> str:
    options = "".join(f" {name} {value}" for name, value in one.options)
    size = f" of {one.size_bytes} B" if one.size_bytes else ""
    return f"{one.kernel}{options}{size} on {one.ranks} ranks"
