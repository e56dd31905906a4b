"""Many comparisons shown together: p values adjusted for their number."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np


def holm(p_values: np.ndarray) -> np.ndarray:
    """Adjusted p, so that calling all below 0.05 different errs once or more in at most 5 % of families.

    ``p_values``: shape (m,); nan (nothing could be tested) stays nan and does not count. Holds under any dependence.

    Source: Holm 1979, "A simple sequentially rejective multiple test procedure".
    """
    return _adjust(p_values, _step_down)


def benjamini_hochberg(p_values: np.ndarray) -> np.ndarray:
    """Adjusted p, so that of all called different at most 5 % are not, on average.

    ``p_values``: shape (m,); nan stays nan and does not count. Holds for independent or positively dependent cells.

    Source: Benjamini and Hochberg 1995, "Controlling the false discovery rate".
    """
    return _adjust(p_values, _step_up)


def _adjust(p_values: np.ndarray, rule: Callable[[np.ndarray], np.ndarray]) -> np.ndarray:
    tested = ~np.isnan(p_values)
    result = np.full(p_values.shape, np.nan)
    known = p_values[tested]
    order = np.argsort(known, kind="stable")
    adjusted = np.empty(known.size)
    adjusted[order] = np.minimum(1.0, rule(known[order]))
    result[tested] = adjusted
    return result


def _step_down(ordered: np.ndarray) -> np.ndarray:
    return np.maximum.accumulate(ordered * np.arange(ordered.size, 0, -1))


def _step_up(ordered: np.ndarray) -> np.ndarray:
    m = ordered.size
    return np.minimum.accumulate((ordered * m / np.arange(1, m + 1))[::-1])[::-1]
