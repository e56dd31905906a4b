"""Claims about disturbances: the threshold comes from pairs with nothing between, and its false alarms are known."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from math import inf, log

import numpy as np
import pytest
from attrs import evolve

from msgauge.model import Block, Cell, Launch, LaunchRecord, Pairs, Plan
from msgauge.results.dataset import Dataset
from msgauge.results.disturbances import FEWEST_PAIRS, calibrate, find_disturbances, find_shifts
from msgauge.results.launch_selection import find_left_out

STEADY = (("loop_ns", "100"), ("loop_min_ns", "99"), ("copy_ns", "200"), ("copy_min_ns", "198"))
START = datetime(2026, 1, 1, tzinfo=UTC)


def changed(**factors: float) -> Pairs:
    return tuple((name, str(float(value) * factors.get(name, 1.0))) for name, value in STEADY)


def probe(random: np.random.Generator, scatter: float, pace: float = 1.0) -> Pairs:
    """A probe whose readings scatter by this much, as median and minimum move together on a shared machine."""
    slow = {name: pace * float(np.exp(random.normal(0, scatter))) for name in ("loop", "copy")}
    return changed(loop_ns=slow["loop"], loop_min_ns=slow["loop"], copy_ns=slow["copy"], copy_min_ns=slow["copy"])


def a_run(launches: int, scatter: float, seed: int = 1) -> list[LaunchRecord]:
    """Two stacks on two ranks, a launch a second; the probes scatter, and nothing is there that disturbs."""
    random = np.random.default_rng(seed)
    return [
        LaunchRecord(
            Launch(number, number // 2, f"s{number % 2}@1", 2, (0,), 1),
            "ok",  # type: ignore[arg-type]
            started=(START + timedelta(seconds=number)).isoformat(timespec="milliseconds"),
            seconds=0.9,
            sentinel_before=probe(random, scatter),
            sentinel_after=probe(random, scatter),
        )
        for number in range(launches)
    ]


@pytest.mark.parametrize("scatter", [0.001, 0.05, 0.3])
def test_false_alarms_are_as_rare_as_stated_however_much_the_probes_scatter(scatter: float) -> None:
    flagged = launches = 0
    stated = []
    for seed in range(20):
        found = find_disturbances(a_run(120, scatter, seed))
        flagged, launches = flagged + len(found.launches), launches + 120
        stated.append(found.threshold.false_alarm_rate)
    assert flagged / launches <= 1.5 * max(stated)
    assert max(stated) <= 0.02


def test_a_machine_that_slows_down_during_a_launch_is_noticed() -> None:
    records = a_run(40, 0.02)
    slow = evolve(records[20], sentinel_after=probe(np.random.default_rng(2), 0.02, pace=1.5))
    assert 20 in find_disturbances([*records[:20], slow, *records[21:]]).launches


def test_a_steady_machine_is_not_called_disturbed_by_less_than_five_percent() -> None:
    records = a_run(40, 0.0)
    assert (
        find_disturbances(
            [evolve(records[0], sentinel_after=changed(loop_ns=1.04, loop_min_ns=1.04)), *records[1:]]
        ).launches
        == set()
    )


def test_with_few_launches_nothing_is_flagged() -> None:
    assert find_disturbances(a_run(FEWEST_PAIRS, 0.3)).launches == set()


def test_probes_before_and_after_a_pause_are_no_pair() -> None:
    late = [evolve(one, started=one.started.replace("2026", "2027")) for one in a_run(15, 0.0)[8:]]
    records = [*a_run(15, 0.0)[:8], *late]
    assert find_disturbances(records).threshold.pairs == 13


def test_a_simulated_launch_has_no_probe_and_is_never_flagged() -> None:
    records = [evolve(one, sentinel_before=(), sentinel_after=()) for one in a_run(30, 0.1)]
    assert find_disturbances(records).threshold.pairs == 0


def test_a_passing_interrupt_is_no_shift() -> None:
    assert find_shifts(STEADY, changed(loop_ns=1.5))["loop"] == 0.0
    assert find_shifts(STEADY, changed(copy_min_ns=0.8))["copy"] == 0.0


def test_a_shift_is_that_of_the_smaller_of_median_and_minimum() -> None:
    assert find_shifts(STEADY, changed(copy_ns=1.5, copy_min_ns=1.2)) == pytest.approx({"loop": 0.0, "copy": log(1.2)})


def test_a_probe_that_came_to_no_end_is_a_shift_and_one_that_did_not_run_says_nothing() -> None:
    with_pingpong = (*STEADY, ("pingpong_ns", "90"), ("pingpong_min_ns", "88"))
    assert find_shifts(with_pingpong, STEADY)["pingpong"] == find_shifts(STEADY, with_pingpong)["pingpong"] == inf
    assert find_shifts((), STEADY) == find_shifts(STEADY, ()) == {}


def test_the_threshold_is_the_rank_that_its_rate_asks_for() -> None:
    threshold = calibrate([{"loop": float(size)} for size in range(1, 200)])
    assert (threshold.pairs, threshold.false_alarm_rate) == (199, pytest.approx(0.01))
    assert threshold.factor * threshold.scales["loop"] == pytest.approx(198)


def test_a_probe_that_comes_to_no_end_by_itself_does_not_hide_what_the_others_say() -> None:
    threshold = calibrate([{"loop": 0.01, "pingpong": inf if size == 7 else 0.02} for size in range(30)])
    assert threshold.is_exceeded({"loop": 0.4, "pingpong": 0.0})
    assert not threshold.is_exceeded({"loop": 0.0, "pingpong": inf})


# --- which launches count ------------------------------------------------------------------------------------


def slowed(records: Sequence[LaunchRecord], number: int, *, before: bool) -> list[LaunchRecord]:
    slow = probe(np.random.default_rng(3), 0.0, pace=2.0)
    found = list(records)
    found[number] = evolve(found[number], **{"sentinel_before" if before else "sentinel_after": slow})
    return found


def test_nothing_is_left_out_unless_asked() -> None:
    assert find_left_out(slowed(a_run(30, 0.01), 20, before=True), quiet_start=False) == frozenset()


def test_a_quiet_start_leaves_out_by_the_probe_before_the_block_alone() -> None:
    records = a_run(30, 0.01)
    assert find_left_out(records, quiet_start=True) == frozenset()
    assert find_left_out(slowed(records, 20, before=True), quiet_start=True) == {Block(10, 2)}
    assert find_left_out(slowed(records, 20, before=False), quiet_start=True) == frozenset()
    assert find_left_out(slowed(records, 21, before=True), quiet_start=True) == frozenset()


def test_a_launch_that_is_made_up_for_later_changes_what_is_left_out_as_if_it_had_come_in_its_turn() -> None:
    """What was judged before it came is judged again."""
    records = slowed(a_run(30, 0.01), 20, before=True)
    plan = Plan("quick", 1, ("s0@1", "s1@1"), (Cell(0, "pingpong", 8, 2),), (2,), quiet_start=True)
    dataset = Dataset(plan, ())
    for record in records[18:]:
        dataset.add(record, ())
    assert not dataset.left_out
    for record in records[:18]:
        dataset.add(record, ())
    assert dataset.left_out == {Block(10, 2)}


def test_what_comes_later_never_changes_what_is_left_out() -> None:
    records = slowed(a_run(60, 0.05), 20, before=True)
    whole = find_left_out(records, quiet_start=True)
    for count in range(1, 60):
        known = {one.launch.in_block for one in records[:count]}
        assert find_left_out(records[:count], quiet_start=True) == whole & known
