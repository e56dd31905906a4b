"""Times of ranks whose clocks differ are those of one clock; without the synchronisation they are not."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from frames import Frame, cell, plan_text, read_frames
from running import Runner, of_cell

from msgauge.paths import native_folder

PLAN = plan_text([cell("bcast", 8, ranks=4), cell("burst", 8, ranks=4), cell("pi", 0, ranks=4)], ranks=4, cores=4)
APART = "L=20000,clock_offset=1500000,clock_drift=20"
TIMES = ((0, "completion"), (1, "received"), (2, "time"))


def is_right(frames: list[Frame], truth: list[Frame], times: tuple[tuple[int, str], ...] = TIMES) -> bool:
    """Within 5 µs and 2 % of what one clock says, and within what the worker says that it may be wrong by."""
    for number, series in times:
        found, right = of_cell(frames, number, series), of_cell(truth, number, series)
        error = abs(found.per_event - right.per_event)
        if found.header["status"] != "ok" or error > min(
            5_000 + 0.02 * right.per_event, int(found.header["clock_error_ns"])
        ):
            return False
    return True


def test_ranks_with_clocks_of_their_own_tell_the_times_of_one_clock(runner: Runner) -> None:
    truth = runner.measure("fake", PLAN, ranks=4, MSGAUGE_FAKE="L=20000")
    assert all("clock_error_ns" not in frame.header for frame in truth)
    assert not [frame for frame in truth if frame.header["series"] == "clock_sync"]
    for offset, drift in ((1_500_000, 20), (-7_000_000_000, -35)):
        frames = runner.measure(
            "fake", PLAN, ranks=4, MSGAUGE_FAKE=f"L=20000,clock_offset={offset},clock_drift={drift}"
        )
        assert is_right(frames, truth)
        for frame in frames:
            if frame.header["series"] in ("root", "mean_rank", "sent"):
                assert "clock_error_ns" not in frame.header, "a rank's own time needs no other clock"
        clocks = [frame.header for frame in frames if frame.header["series"] == "clock_sync"]
        assert [int(one["rank"]) for one in clocks] == [0, 1, 2, 3]
        for one in clocks:
            ahead = int(one["rank"]) * (offset + 1e-6 * drift * int(one["at_ns"]))
            assert abs(int(one["offset_ns"]) - ahead) <= int(one["offset_error_ns"]) + 1
            assert abs(float(one["drift_ppm"]) - int(one["rank"]) * drift) <= float(one["drift_error_ppm"]) + 0.01


def test_a_long_series_is_synchronised_on_its_way(runner: Runner) -> None:
    """Over two seconds a drift of 20 to 60 ppm adds up to 120 µs: more than all that may be wrong."""
    text = plan_text([cell("bcast", 8, ranks=4)], ranks=4, cores=4, budget_ms="2000").replace(
        "precision=0.01", "precision=0"
    )
    truth = runner.measure("fake", text, ranks=4, MSGAUGE_FAKE="L=20000,noise=0.1")
    frames = runner.measure("fake", text, ranks=4, MSGAUGE_FAKE=f"{APART},noise=0.1")
    found, right = of_cell(frames, 0, "completion"), of_cell(truth, 0, "completion")
    assert abs(found.per_event - right.per_event) < 5_000
    assert int(found.header["clock_error_ns"]) < 60_000
    (clock,) = (f.header for f in frames if f.header["series"] == "clock_sync" and f.header["rank"] == "1")
    assert abs(float(clock["drift_ppm"]) - 20) <= min(float(clock["drift_error_ppm"]), 10)


LEFT_OUT = {
    "nobody adopts it": ("clock_sync.hpp", "clock_.adopt(known_.line);", ""),
    "ends are not translated": ("rounds.hpp", "clock.reference_ns(clock.point_ns(stamps_[i].end))", "stamps_[i].end"),
}


@pytest.mark.parametrize("left_out", LEFT_OUT.values(), ids=LEFT_OUT.keys())
def test_without_the_synchronisation_the_times_are_wrong(
    runner: Runner, tmp_path: Path, left_out: tuple[str, str, str]
) -> None:
    native = tmp_path / "native"
    shutil.copytree(native_folder(), native)
    header, words, instead = left_out
    text = (native / header).read_text()
    assert text.count(words) == 1
    (native / header).write_text(text.replace(words, instead))
    (tmp_path / "kernels.inc").write_text(
        '#include "kernels/bcast.hpp"\n#define MSGAUGE_KERNELS(KERNEL) KERNEL(bcast)\n'
    )
    worker = tmp_path / "mutant"
    flags = ["-std=c++20", "-O0", "-pthread", "-DMSGAUGE_TRANSPORT=fake", f"-I{tmp_path}", f"-I{native}"]
    subprocess.run(
        ["g++", *flags, "-include", str(native / "worker.cpp"), str(native / "kernels.cpp"), "-o", str(worker)],
        check=True,
        timeout=300,
    )
    plan = plan_text([cell("bcast", 8, ranks=4)], ranks=4, cores=4)
    (tmp_path / "mutant.txt").write_text(plan)
    samples = tmp_path / "mutant.bin"
    subprocess.run(
        [worker, "--ranks", "4", "--plan", str(tmp_path / "mutant.txt"), "--samples", str(samples)],
        env={"MSGAUGE_FAKE": APART},
        check=True,
        timeout=60,
    )
    truth = runner.measure("fake", plan, ranks=4, MSGAUGE_FAKE="L=20000")
    apart = runner.measure("fake", plan, ranks=4, MSGAUGE_FAKE=APART)
    frames = read_frames(samples)
    assert is_right(apart, truth, TIMES[:1]) and not is_right(frames, truth, TIMES[:1])
    wrong = of_cell(frames, 0, "completion").per_event - of_cell(truth, 0, "completion").per_event
    assert abs(wrong) > 1_000_000, "by about the planted offset"


def test_a_worker_tells_its_clock_to_whoever_asks(runner: Runner) -> None:
    done = subprocess.run(
        [runner.argv("fake", 2)[0], "--clock"], input="\n\n", capture_output=True, text=True, timeout=60, check=True
    )
    first, second = map(int, done.stdout.split())
    assert 0 < first <= second
