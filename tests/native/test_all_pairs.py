"""Every pair of ranks is measured once a pass, whatever the schedule, and costs what the model says."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from frames import cell, plan_text
from running import Runner, of_cell

LOGGP = "L=1000,o_s=200,o_r=300,g=400,G=1"
SCHEDULES = ("rounds", "sequence")


@pytest.mark.parametrize("ranks", [2, 5, 6])
def test_every_pair_costs_half_a_round_trip_in_both_directions(runner: Runner, ranks: int) -> None:
    cells = [cell("all-pairs", 8, ranks=ranks, options=f"opt.schedule={way}") for way in SCHEDULES]
    frames = runner.measure("fake", plan_text(cells, ranks=ranks), ranks=ranks, MSGAUGE_FAKE=LOGGP)
    pairs = len(list(combinations(range(ranks), 2)))
    for number in range(len(cells)):
        for series in ("forward", "backward"):
            frame = of_cell(frames, number, series)
            assert frame.header["points"] == str(pairs + 1)
            passes = frame.values.reshape(-1, pairs + 1)
            assert np.abs(passes[:, :-1] - 1517).max() <= 1, "L + o_s + o_r + 7 G, and half a read of the clock"
            assert (passes[:, -1] > 2 * 6 * 1500).all(), "a pair takes six round trips each way"


def test_one_after_another_takes_as_long_as_all_pairs_and_rounds_as_their_number(runner: Runner) -> None:
    cells = [cell("all-pairs", 8, ranks=6, options=f"opt.schedule={way}") for way in SCHEDULES]
    frames = runner.measure("fake", plan_text(cells, ranks=6), ranks=6, MSGAUGE_FAKE=LOGGP)
    rounds, sequence = (float(of_cell(frames, number, "forward").values.reshape(-1, 16)[0, -1]) for number in (0, 1))
    assert 2.0 < sequence / rounds < 3.2, "15 pairs against 5 rounds with a barrier each"


def test_a_short_answer_counts_in_whole(runner: Runner) -> None:
    plan = plan_text([cell("all-pairs", 1001, ranks=3, options="opt.answer=short")], ranks=3)
    frame = of_cell(runner.measure("fake", plan, ranks=3, MSGAUGE_FAKE=LOGGP), 0, "backward")
    assert np.abs(frame.values.reshape(-1, 4)[:, :-1] - (2 * 1500 + 1000 + 20)).max() <= 1


def test_the_whole_network_at_once_is_one_value(runner: Runner) -> None:
    cells = [cell("all-pairs", 8, ranks=5, options=f"opt.schedule={way}") for way in ("together", "bisection")]
    frames = runner.measure("fake", plan_text(cells, ranks=5), ranks=5, MSGAUGE_FAKE=LOGGP)
    assert all("points" not in of_cell(frames, number, "forward").header for number in range(2))
    assert (of_cell(frames, 0, "forward").values >= 4 * 1500).all(), "four messages in turn to four others"


@pytest.mark.parametrize("way", [*SCHEDULES, "together", "bisection"])
def test_wrong_bytes_between_any_two_are_noticed(runner: Runner, way: str) -> None:
    plan = plan_text([cell("all-pairs", 8, ranks=4, options=f"opt.schedule={way}")], ranks=4)
    frames = runner.measure("fake", plan, ranks=4, MSGAUGE_FAKE=f"{LOGGP},wrong_bytes=1")
    assert of_cell(frames, 0).header["status"] == "wrong-bytes"
