"""How a warning names a test."""

from __future__ import annotations

from msgauge.model import Cell, Estimate
from msgauge.model.measured_way import note_marks
from msgauge.units import format_count, format_size


def name_test(one: Cell | Estimate) -> str:
    """``bcast, 1 KiB, 4 ranks, root 1``: without its stack."""
    return ", ".join([one.kernel, format_size(one.size_bytes), format_count(one.ranks, "rank"), *note_marks(one)])
