"""Simulated time is the platform's, limits are this computer's."""

from __future__ import annotations

from pathlib import Path

import pytest
from stack_bench import NATIVE, Bench

from msgauge.build import build
from msgauge.model import Cell
from msgauge.results import wire

SMPI = next((stack for stack in NATIVE if stack.family == "smpi"), None)


@pytest.mark.skipif(SMPI is None, reason="SMPI is not here")
def test_simulated_seconds_are_not_held_against_the_limit_of_a_launch(tmp_path: Path) -> None:
    """64 messages of 1 MiB take 5.7 simulated seconds on Ethernet of 100 Mbit/s, and hardly a real one."""
    assert SMPI is not None
    (tmp_path / "build").mkdir()
    built = build(SMPI, keep=tmp_path / "build", kernels={"stream"})
    cells = [Cell(number, "stream", 1 << 20, 2) for number in range(3)]
    with Bench(SMPI, tmp_path) as bench:
        record = bench.launched(built, 2, cells, limit_s=5.0)
        frames, _ = wire.read_frames(bench.now / "samples.bin")
    assert record.status == "ok", record.reason
    told = {frame.cell: dict(frame.attributes).get("status") for frame in frames if frame.cell >= 0}
    assert told == {cell.id: "ok" for cell in cells}
    shortest_s = min(min(frame.values) for frame in frames if frame.cell >= 0) / 1e9
    assert shortest_s * len(cells) > 5.0, "the cells are too short for this test"
