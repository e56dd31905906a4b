"""Tails of all samples of a cell, where there are enough of them to speak of a tail."""

from __future__ import annotations

import numpy as np
from attrs import frozen

LEAST_FOR_P99 = 1_000
LEAST_FOR_P999 = 10_000


@frozen
class Tails:
    """Summary of all samples of a cell, ns per event; nan where they are too few to tell."""

    mean: float
    minimum: float
    p5: float
    p95: float
    p99: float
    p999: float


def tails(values: np.ndarray, *, single: bool) -> Tails:
    """Mean, minimum, P5, P95, and P99 and P99.9 where n allows; nothing is trimmed.

    ``values``: float, shape (n,), ns per event; partially sorted in place to save memory. ``single``: every operation
    was stamped; batch samples average many operations, so they have no P99 or P99.9 of operations, however many.
    P99 needs 1,000 singles, P99.9 needs 10,000: ten samples beyond the quantile.

    Raises:
        ValueError: when there are no samples.

    Source: Hyndman and Fan 1996, definition 1 (the inverse of the empirical distribution; always a real sample).
    """
    n = values.size
    if n == 0:
        raise ValueError("no samples, no tails")
    mean = float(values.mean())
    shares = {"p5": 0.05, "p95": 0.95}
    if single and n >= LEAST_FOR_P99:
        shares["p99"] = 0.99
    if single and n >= LEAST_FOR_P999:
        shares["p999"] = 0.999
    places = {name: max(0, int(np.ceil(round(share * n, 9))) - 1) for name, share in shares.items()}
    values.partition(sorted({0, *places.values()}))
    found = {name: float(values[place]) for name, place in places.items()}
    nan = float("nan")
    return Tails(mean, float(values[0]), found["p5"], found["p95"], found.get("p99", nan), found.get("p999", nan))
