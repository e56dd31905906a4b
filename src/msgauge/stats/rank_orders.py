"""Whether one of several ranks is slower than the others: by all orders of the ranks within each launch.

Where ranks are alike, any order of a launch's times is as likely as any other, whatever law they have and however much
launches differ. So p is the share of such orders in which any rank is as slow on average as the one that is judged.

Source: Westfall and Young 1993 (max-T of permutations); Phipson and Smyth 2010 (the p of random ones is never 0).
"""

from __future__ import annotations

import numpy as np

ORDERS = 1999
FENCE = 6.0
"""A deviation counts as at most so many typical ones, so that one wild launch hides nothing."""
_SEED = 1


def order_p(logs: np.ndarray) -> np.ndarray:
    """Of each rank that it is slower than the others, corrected for all ranks, shape (ranks,).

    ``logs``: logarithms of times, shape (launches, ranks).
    """
    apart = logs - np.median(logs, axis=1, keepdims=True)
    fence = FENCE * float(np.median(np.abs(apart)))
    bounded = np.clip(apart, -fence, fence) if fence > 0 else apart
    random, found = np.random.default_rng(_SEED), bounded.mean(axis=0)
    reached = np.ones(found.size)
    for _ in range(ORDERS):
        reached += random.permuted(bounded, axis=1).mean(axis=0).max() >= found - 1e-12
    return np.asarray(reached / (ORDERS + 1))
