"""Rounds behind a barrier are another test than those at an agreed time: runs are not compared, nor joined, by both."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from attrs import evolve
from simulated_runs import measure_once

from msgauge.cli import main
from msgauge.results import wire

STACKS = "fake[launch_noise=0.01],fake[launch_noise=0.012],fake[launch_noise=0.014]"
ROUNDS = 6


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return measure_once(tmp_path_factory, "run", STACKS, rounds=ROUNDS)


def start_behind(run: Path, place: Path, launches: int, *, times: int = 2) -> Path:
    """A copy of a run whose first launches of each stack began a broadcast behind a barrier and took so many times as
    long, and the others at an agreed time."""
    copy = Path(shutil.copytree(run, place))
    for path in (copy / "launches").glob("*/record.json"):
        record = json.loads(path.read_text())
        behind = record["value"]["launch"]["round"] < launches
        frames = wire.intact_frames((path.parent / "samples.bin").read_bytes(), where=str(path))
        for at, frame in enumerate(frames):
            if frame.attribute("kernel") == "bcast":
                said = (*frame.attributes, ("start", "barrier" if behind else "agreed"))
                values = frame.values * (times if behind else 1)
                frames[at] = evolve(frame, attributes=said, values=values.astype(np.int64))
        (path.parent / "samples.bin").write_bytes(b"".join(map(wire.write_frame, frames)))
        path.write_text(json.dumps({**record, "value": {**record["value"], "samples_digest": ""}}))
    return copy


def printed(capsys: pytest.CaptureFixture[str], *words: object) -> Any:
    assert main([*map(str, words), "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_versions_are_not_compared_where_one_began_behind_a_barrier(
    run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    agreed, behind = start_behind(run, tmp_path / "agreed", 0), start_behind(run, tmp_path / "behind", ROUNDS)
    alike = printed(capsys, "diff", agreed, start_behind(run, tmp_path / "again", 0))
    assert {one["kernel"] for one in alike["comparisons"]} == {"pingpong", "bcast"}
    assert "tests-differ" not in {one["code"] for one in alike["warnings"]}
    unlike = printed(capsys, "diff", agreed, behind)
    assert {one["kernel"] for one in unlike["comparisons"]} == {"pingpong"}
    (told,) = (one for one in unlike["warnings"] if one["code"] == "tests-differ")
    old, new = told["message"].split("; ")
    assert old.endswith("the old one has bcast 1 KiB on 2 ranks")
    assert new == "the new one has bcast 1 KiB on 2 ranks start=barrier"


def test_a_history_has_a_series_of_each_way_to_begin(
    run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for number, launches in enumerate((0, 0, 2, ROUNDS)):
        start_behind(run, tmp_path / "runs" / str(number), launches, times=2 + number)
    told = printed(capsys, "history", tmp_path / "runs")
    series = [one for one in told["series"] if one["kernel"] == "bcast" and one["stack"] == told["series"][0]["stack"]]
    agreed, behind = sorted(series, key=lambda one: len(one["options"]))
    assert (agreed["options"], behind["options"]) == ({}, {"start": "barrier"})
    assert [point["run"] for point in agreed["points"]] == ["0", "1", "2"]
    assert [point["run"] for point in behind["points"]] == ["2", "3"]
    assert max(point["median_ns"] for point in agreed["points"]) < min(point["median_ns"] for point in behind["points"])
