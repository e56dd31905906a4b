"""Teardown, the part of kernel ``startup`` that no rank can see: from the last word of rank 0 to the launcher's end."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from msgauge.model import Cell, Samples
from msgauge.wire import write_frame

KERNEL = "startup"
_END = b"cell=-1 kernel=launch series=end"


def last_word_ns(frames: Sequence[Samples]) -> int:
    """When rank 0 wrote its last frame, on CLOCK_MONOTONIC; 0 when it did not say."""
    for frame in reversed(frames):
        said = dict(frame.attributes).get("at_ns", "") if frame.cell == -1 and frame.series == "end" else ""
        if said.isdecimal():
            return int(said)
    return 0


def with_teardown(content: bytes, cells: Sequence[Cell], teardown_ns: int) -> bytes:
    """The samples of a launch with the series ``teardown`` of its start-up cells, put before the last frame."""
    frames = b"".join(
        write_frame(
            Samples(
                launch=0,
                cell=cell.id,
                series="teardown",
                values=np.array([teardown_ns], dtype=np.int64),
                attributes=(("kernel", KERNEL), ("bytes", str(cell.size_bytes)), ("status", "ok")),
            )
        )
        for cell in cells
        if cell.kernel == KERNEL
    )
    place = content.rfind(_END)
    return content if place < 0 else content[:place] + frames + content[place:]
