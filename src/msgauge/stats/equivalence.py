"""Alike within a margin: many comparisons at once, so that a table holds no false "equivalent" at the level set."""

from __future__ import annotations

import numpy as np

from msgauge.stats.sign_flips import Factor, step_down


def equivalence_p(differences: np.ndarray, margin: float, seed: int = 1, factor: Factor = 1.0) -> np.ndarray:
    """Adjusted p of "apart by the margin or more", shape (series,); small where the two stacks are alike within it.

    ``differences``: log ratios, shape (series, rounds), nan where missing; ``margin``: relative, 0.03 for ±3 %. Each
    series is held against both ends of the margin, one-sided; the worse of the two counts, and all ends of all series
    are one family of sign flips. Five rounds are the fewest that can fall below 5 %. ``factor``: as ``step_down``.

    Source: Schuirmann 1987 (two one-sided tests); Westfall and Young 1993 (step-down max-T).
    """
    reach = float(np.log1p(margin))
    ends = np.concatenate([reach - differences, reach + differences])
    both = np.tile(np.broadcast_to(factor, differences.shape[:1]), 2)
    below, above = np.split(step_down(ends, one_sided=True, seed=seed, factor=both).p_adjusted, 2)
    return np.asarray(np.maximum(below, above))
