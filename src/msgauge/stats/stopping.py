"""When enough is enough: whether further rounds would add anything that matters."""

from __future__ import annotations

import numpy as np

from msgauge.stats.pairwise import MARGIN


def is_settled(low: np.ndarray, high: np.ndarray, precision: float, margin: float = MARGIN) -> np.ndarray:
    """Whether further rounds would add nothing that matters; limits of ratios, any shape, nan where not known.

    True when the ratio is known to ``precision``, or lies wholly inside the margin, or wholly outside of it. A mere p
    below 5 % is no reason to stop: stopping at the first such look finds differences between identical stacks.
    """
    outside = (low > 1 + margin) | (high < 1 / (1 + margin))
    inside = (low >= 1 / (1 + margin)) & (high <= 1 + margin)
    known = high <= low * np.exp(2 * precision)
    return np.asarray((low > 0) & (outside | inside | known))
