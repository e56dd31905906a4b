"""How much launches differ from each other, and which samples lie far away? For warnings, never for deleting."""

from __future__ import annotations

import numpy as np


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
