"""How a test is named in the rows of two runs, of their tails and of a history: without its stack, with its ranks."""

from __future__ import annotations

from msgauge.analysis.between_runs.run_levels import SeriesKey
from msgauge.model import Comparison
from msgauge.model.measured_way import name_marks
from msgauge.units import format_size


def describe_cell(one: Comparison | SeriesKey) -> str:
    """``bcast 1 KiB, 4 ranks, root=1``."""
    return ", ".join([f"{one.kernel} {format_size(one.size_bytes)}", f"{one.ranks} ranks", *name_marks(one)])
