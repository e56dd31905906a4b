"""Which rounds the test of differences leaves out as outliers: what is said of its reach rests on the others too."""

from __future__ import annotations

import numpy as np

from msgauge.stats.scatter_groups import part_by_scatter

OUTLYING = 5.0
"""A round this many times the median size of its series, and as many typical scatters, counts as an outlier."""
_FAR_APART = 81.0
"""Times in variance, nine times in scatter, by which calm series and wilder ones are apart if either have a typical
scatter of their own. By medians, halves of series of one law are apart by 10 times in five rounds, by 6 in seven."""


def mark_usual(differences: np.ndarray) -> np.ndarray:
    """The rounds that the test keeps, bool (series, rounds): half of those of a series at least.

    ``differences``: log ratios, shape (series, rounds), nan where a round has none; all series that are judged
    together, for what is usual among them is no outlier in one that happens to scatter less.
    """
    sizes = np.abs(differences)
    limit = OUTLYING * np.maximum(find_medians(sizes), _typical_scatters(differences))
    return np.asarray(np.isfinite(differences) & (np.nan_to_num(sizes) <= limit[:, None] + 1e-12))


def find_medians(values: np.ndarray) -> np.ndarray:
    """Median along the last axis without nan; nan where nothing is there."""
    ordered = np.sort(values, axis=-1)
    count = np.isfinite(ordered).sum(axis=-1)
    rows = np.arange(ordered.shape[0])
    lower, upper = np.maximum((count - 1) // 2, 0), np.maximum(np.minimum(count // 2, ordered.shape[1] - 1), 0)
    return np.asarray(np.where(count > 0, (ordered[rows, lower] + ordered[rows, upper]) / 2, np.nan))


def _typical_scatters(differences: np.ndarray) -> np.ndarray:
    """Of each series the median, over those that scatter as it does, of robust scatters about their own median.

    Of one without a scatter the median over all. Shape (series,).
    """
    spreads = 1.4826 * find_medians(np.abs(differences - find_medians(differences)[:, None]))
    known = np.isfinite(spreads)
    typical = np.full(spreads.shape, np.median(spreads[known]) if known.any() else 0.0)
    groups = part_by_scatter(2 * np.log(np.where(spreads > 0, spreads, np.nan)), _FAR_APART)
    for group in np.unique(groups[groups >= 0]):
        typical[groups == group] = np.median(spreads[groups == group])
    return typical
