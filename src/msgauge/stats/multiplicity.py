"""Many comparisons shown together: p values adjusted for their number."""

from __future__ import annotations

import numpy as np


def holm(p_values: np.ndarray) -> np.ndarray:
    """Adjusted p, so that calling all below 0.05 different errs once or more in at most 5 % of families.

    ``p_values``: shape (m,); nan (nothing could be tested) stays nan and does not count. Holds under any dependence.

    Source: Holm 1979, "A simple sequentially rejective multiple test procedure".
    """
    tested = ~np.isnan(p_values)
    result = np.full(p_values.shape, np.nan)
    known = p_values[tested]
    order = np.argsort(known, kind="stable")
    adjusted = np.empty(known.size)
    adjusted[order] = np.minimum(1.0, np.maximum.accumulate(known[order] * np.arange(known.size, 0, -1)))
    result[tested] = adjusted
    return result
