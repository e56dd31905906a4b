"""Teardown, the part of a launch that no rank can see: from the last frame of rank 0 to the launcher's end."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np

from msgauge.model import Samples
from msgauge.results.publishing import publish
from msgauge.results.wire import write_frame

_KEPT = {"kernel", "bytes", "status", "clock_error_ns"}
_END = b"cell=-1 kernel=launch series=end"


def add_teardown(samples: Path, frames: Sequence[Samples], over_ns: int) -> None:
    """Add the time of the teardown to the samples, where the launch was measured.

    ``over_ns``: when the launcher had ended, by rank 0's clock.
    """
    cells, teardown_ns = find_launch_cells(frames), over_ns - last_frame_ns(frames)
    if cells and teardown_ns > 0:
        publish(samples, with_teardown(samples.read_bytes(), cells.values(), teardown_ns))


def last_frame_ns(frames: Sequence[Samples]) -> int:
    """When rank 0 wrote its last frame, on CLOCK_MONOTONIC; 0 when it did not say."""
    for frame in reversed(frames):
        said = dict(frame.attributes).get("at_ns", "") if frame.cell == -1 and frame.series == "end" else ""
        if said.isdecimal():
            return int(said)
    return 0


def find_launch_cells(frames: Sequence[Samples]) -> dict[int, Samples]:
    """A frame of each cell in which the launch itself was the operation."""
    return {frame.cell: frame for frame in frames if frame.attribute("kind") == "launch"}


def with_teardown(content: bytes, cells: Iterable[Samples], teardown_ns: int) -> bytes:
    """The samples of a launch with the series ``teardown`` before its last frame, for each of ``find_launch_cells``."""
    added = b"".join(write_frame(_make_frame(frame, teardown_ns)) for frame in cells)
    place = content.rfind(_END)
    return content if place < 0 else content[:place] + added + content[place:]


def _make_frame(frame: Samples, teardown_ns: int) -> Samples:
    kept = tuple((name, value) for name, value in frame.attributes if name in _KEPT)
    values = np.array([teardown_ns], dtype=np.int64)
    return Samples(launch=0, cell=frame.cell, series="teardown", values=values, attributes=kept)
