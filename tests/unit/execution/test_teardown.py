"""The end of a launch as a sample: it stands in its file before the last frame."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from msgauge.execution import teardown
from msgauge.model import (
    Samples,
)
from msgauge.results import wire


def test_a_launcher_that_ended_before_the_last_frame_by_the_clocks_adds_no_teardown(tmp_path: Path) -> None:
    """Clocks of other hosts are known to some microseconds only; a negative time would spoil all ratios."""
    none = np.array([], dtype=np.int64)
    frames = [Samples(0, 3, "ready", none, attributes=(("kind", "launch"),))]
    frames.append(Samples(0, -1, "end", none, attributes=(("at_ns", "500"),)))
    path = tmp_path / "samples.bin"
    before = wire.write_frame(frames[0]) + b"cell=-1 kernel=launch series=end at_ns=500 count=0\n"
    path.write_bytes(before)
    teardown.add_teardown(path, frames, 499)
    assert path.read_bytes() == before
    teardown.add_teardown(path, frames, 542)
    added = wire.read_frames(path)[0][1]
    assert (added.series, added.values.tolist()) == ("teardown", [42])


def test_teardown_stands_before_the_last_frame_and_the_file_stays_whole(tmp_path: Path) -> None:
    word = Samples(0, -1, "end", np.array([], dtype=np.int64), attributes=(("at_ns", "500"),))
    end = b"cell=-1 kernel=launch series=end at_ns=500 count=0\n"
    said = (("kernel", "any"), ("bytes", "0"), ("status", "ok"))
    one = np.array([1], dtype=np.int64)
    measured = [Samples(0, 3, name, one, attributes=(*said, ("kind", "launch"))) for name in ("ready", "first")]
    measured.append(Samples(0, 4, "time", one, attributes=said))
    cells = teardown.find_launch_cells(measured).values()
    path = tmp_path / "samples.bin"
    path.write_bytes(teardown.with_teardown(end, cells, 42))
    frames, whole = wire.read_frames(path)
    assert whole
    assert [(one.cell, one.series, one.values.tolist()) for one in frames[:-1]] == [(3, "teardown", [42])]
    assert frames[0].attributes == said
    assert teardown.last_frame_ns([word]) == teardown.last_frame_ns(frames) == 500
