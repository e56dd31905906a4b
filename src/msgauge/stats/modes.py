"""Do launches fall into two groups, and how much do they differ from each other? For warnings, never for deleting."""

from __future__ import annotations

import numpy as np
from attrs import frozen

LEAST_GAP = 0.05
LEAST_LAUNCHES = 6


@frozen
class Modes:
    """Two groups of launches: their medians in the unit of the values, and how many launches are in each."""

    lower: float
    upper: float
    in_lower: int
    in_upper: int


def two_modes(launch_medians: np.ndarray) -> Modes | None:
    """The two groups when launches fall into two, else None.

    ``launch_medians``: positive, shape (launches,), ns; at least six. The widest gap between neighbours splits them;
    there are two modes when both sides hold two launches or more, and the gap is at least 5 % and wider than either
    side (twice as wide below ten launches). A rule of thumb of our own, tested for few false alarms. Tried and left:
    Ashman's D above 3, which saw two modes in seven of ten normal samples, because the split narrows both sides.
    """
    if launch_medians.size < LEAST_LAUNCHES:
        return None
    logs = np.sort(np.log(launch_medians))
    gaps = np.diff(logs)[1:-1]
    split = int(np.argmax(gaps)) + 2
    lower, upper = logs[:split], logs[split:]
    apart = 2 if launch_medians.size < 10 else 1
    if gaps[split - 2] < max(np.log1p(LEAST_GAP), apart * np.ptp(lower), apart * np.ptp(upper)):
        return None
    return Modes(float(np.exp(np.median(lower))), float(np.exp(np.median(upper))), lower.size, upper.size)


def spread(launch_medians: np.ndarray) -> float:
    """Robust relative scatter between launches: 1.4826 x median absolute deviation of the logarithms; 0.03 is ±3 %.

    ``launch_medians``: positive, shape (launches,). Source: Rousseeuw and Croux 1993, eq. 1.2.
    """
    logs = np.log(launch_medians)
    return float(1.4826 * np.median(np.abs(logs - np.median(logs))))


def outliers(values: np.ndarray) -> int:
    """How many samples lie more than three quartile ranges above the upper quartile; shape (n,), any unit.

    Source: Tukey 1977, "Exploratory Data Analysis", outer fence.
    """
    if values.size < 4:
        return 0
    lower, upper = np.quantile(values, [0.25, 0.75])
    return int((values > upper + 3 * (upper - lower)).sum())
