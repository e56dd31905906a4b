"""A warning where the runs of a history lie so far apart that a change of level hides among them."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from msgauge.analysis.between_runs.cell_names import describe_cell
from msgauge.analysis.between_runs.history import CellHistory, History
from msgauge.model import Notice
from msgauge.units import format_count, format_ratio

_WIDE = 1.5
"""Slow runs over fast ones from which on it is said."""
_NAMED = 20


def warn_of_wide(history: History) -> Iterator[Notice]:
    """One notice with the series in which no change was found, and whose slow tenth is far from the fast one."""
    calm = [one for one in history.tested if not one.changes]
    wide = sorted((one for one in calm if _reach(one) > _WIDE), key=_reach, reverse=True)
    if wide:
        most = wide[0]
        yield Notice(
            "runs-far-apart",
            f"runs of {len(wide)} of {format_count(len(history.tested), 'series')} lie far "
            f"apart without a change of level that stands out, most of {most.key.stack} in "
            f"{describe_cell(most.key)}: slow runs take {format_ratio(_reach(most))} × as long as fast ones. A change "
            "that is smaller than that may go unseen",
            "look for what makes runs differ ('msgauge doctor'); two builds are told apart by compare --against",
            tuple((f"{one.key.stack} in {describe_cell(one.key)}", f"{format_ratio(_reach(one))} ×") for one in wide)[
                :_NAMED
            ],
        )


def _reach(one: CellHistory) -> float:
    """The slow runs over the fast ones: the ninth tenth of the medians over the first."""
    fast, slow = np.quantile(one.median_ns, [0.1, 0.9])
    return float(slow / fast) if fast > 0 else 1.0
