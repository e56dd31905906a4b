"""Where the warm-up of a launch ends."""

from __future__ import annotations

import numpy as np

GROUP = 5


def warm_up_length(samples: np.ndarray) -> int:
    """How many samples to drop from the front of a series in order of time; 0 to about half of it.

    ``samples``: float, shape (n,), any unit. MSER-5: average groups of five, then cut where the standard error of the
    mean of the rest is smallest. At least half is kept; a cut at that border means: not stationary, extend.

    Source: White 1997, "An effective truncation heuristic for bias reduction"; White, Cobb and Spratt 2000 (MSER-5).
    """
    groups = samples.size // GROUP
    if groups < 4:
        return 0
    means = samples[: groups * GROUP].reshape(groups, GROUP).mean(axis=1)
    kept = np.arange(groups, 0, -1)
    centred = means - means.mean()
    sums, squares = np.cumsum(centred[::-1])[::-1], np.cumsum(centred[::-1] ** 2)[::-1]
    error = (squares - sums**2 / kept) / kept**2
    candidates = error[: groups // 2 + 1]
    return int(np.argmin(candidates)) * GROUP
