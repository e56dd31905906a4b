"""Intervals hold at every look at a run, and of whatever is picked from many numbers."""

from __future__ import annotations

from math import isnan

import numpy as np
import pytest
from attrs import evolve
from benchmarks.truth import absolute_times, shown_intervals
from benchmarks.truth.machines import correlate
from benchmarks.truth.simulated_runs import add_round, dataset_of, make_plan, stacks
from benchmarks.truth.simulation import Figure, Simulation

from msgauge.analysis.findings.caveats import describe_caveats
from msgauge.analysis.guidance.advice import find_advice
from msgauge.analysis.run import analyse, analyse_round
from msgauge.analysis.verdicts.pair_table import Levels
from msgauge.analysis.verdicts.regression_gate import describe_gate, parse_gate
from msgauge.analysis.verdicts.verdict_family import judge_family
from msgauge.analysis.warnings.resembling_rounds import RESEMBLING
from msgauge.model import Analysis, Comparison, Plan, SlowLaunches, Stopping, StopReason
from msgauge.results.dataset import Dataset
from msgauge.stats.look_schedule import extend_looks, interval_level_after, looks_of_run
from msgauge.stats.pairwise import SLOWER
from msgauge.stats.ratio import interval_at
from msgauge.stats.signed_rank import locate_centres
from msgauge.stats.slow_launches import share_interval

TWENTY = Stopping(minimum_rounds=5, maximum_rounds=20)


def times_of(stacks: int, cells: int, rounds: int, slower: float = 1.2) -> np.ndarray:
    """Launch medians, ns, shape (stacks, cells, rounds); every stack but the first is by ``slower`` slower."""
    logs = np.random.default_rng(5).normal(0, 0.02, (stacks, cells, rounds))
    logs[1:] += np.log(slower)
    return np.asarray(1000 * np.exp(logs))


def seen_live(plan: Plan, times: np.ndarray) -> list[Analysis]:
    dataset, seen = Dataset(plan, stacks(len(plan.stacks))), []
    for number in range(times.shape[2]):
        add_round(dataset, times[:, :, number], number, tuple(cell.id for cell in plan.cells))
        seen.append(analyse_round(dataset, (), seen[-1] if seen else None))
    return seen


def draw(function: object, *arguments: object, trials: int) -> Figure:
    return Simulation(function, arguments, trials).run(seed=11)  # type: ignore[arg-type]


# --- short versions of the page of proof ------------------------------------------------------------------------------


def test_a_lead_holds_whichever_of_many_level_rivals_is_taken_for_the_nearest() -> None:
    figure = draw(shown_intervals.lead_intervals, 20, 10, 0.0, trials=20)
    assert figure.share >= 0.95 - figure.error
    assert figure.before < 0.9, "the least limits of intervals of 95 % do not"


def test_the_differences_that_were_found_have_intervals_that_hold_though_their_error_made_them_large() -> None:
    figure = draw(shown_intervals.told_intervals, (2, 40, 10), 0.02, trials=40)
    assert figure.share >= 0.95 - figure.error
    assert figure.before < 0.85, "an interval by itself does not"


def test_a_difference_that_only_just_was_found_reaches_down_to_one_and_a_clear_one_has_the_usual_limits() -> None:
    plan = make_plan(2, 20, Stopping(minimum_rounds=10, maximum_rounds=10))
    logs = np.random.default_rng(3).normal(0, 0.02, (2, 20, 10))
    logs[1, 0] += 0.5
    logs[1, 1] += np.median(logs[0, 1] - logs[1, 1]) + 0.035
    (kind,) = judge_family(dataset_of(plan, 1000 * np.exp(logs)), Levels()).kinds
    judged, (low, high) = kind.table.judged, (limit[0] for limit in kind.table.limits)
    assert judged.word[0, :2].tolist() == [SLOWER, SLOWER]
    assert (low[0], high[0]) == (judged.low[0, 0], judged.high[0, 0])
    assert 1 <= low[1] < judged.low[0, 1]
    assert high[1] == judged.high[0, 1]
    assert (low[2:] == judged.low[0, 2:]).all(), "what was not found was not picked"
    turned = kind.table.tell(plan.stacks[1], plan.stacks[0], 1)
    assert turned is not None
    assert turned.word == "faster"
    assert (turned.ratio.low, turned.ratio.high) == pytest.approx((1 / high[1], 1 / low[1]))


@pytest.mark.parametrize("machine", ["lognormal", "two modes, cell by cell"])
def test_no_look_at_an_interval_breaks_it_and_the_report_is_no_wider_than_the_looks_need(machine: str) -> None:
    looks = draw(shown_intervals.interval_at_looks, machine, 20, trials=4000)
    assert looks.share <= 0.05 + looks.error
    assert looks.before > 0.1, "intervals of 95 % at every look do not hold"
    whole = draw(shown_intervals.interval_of_whole_run, machine, 20, trials=4000)
    assert 0.93 <= whole.share <= 0.97
    resumed = draw(shown_intervals.interval_when_resumed, machine, (10, 20, 30, 40), trials=4000)
    assert resumed.share <= 0.07
    assert resumed.before > 0.09


def test_the_largest_of_many_gains_and_shares_holds() -> None:
    gains = draw(shown_intervals.largest_gains, 5, trials=15)
    assert gains.share >= 0.95 - gains.error
    shares = draw(shown_intervals.largest_shares, 20, 0.1, trials=60)
    assert shares.share >= 0.95 - shares.error
    assert max(gains.before, shares.before) < 0.95


def test_absolute_times_hold_where_modes_hide_the_pace_of_the_machine() -> None:
    figure = draw(absolute_times.absolute_in_modes, 0.8, 20, False, trials=25)
    assert figure.share >= 0.93 - figure.error
    assert figure.before < 0.85


# --- looks -----------------------------------------------------------------------------------------------------------


def test_all_levels_of_a_run_make_five_percent_and_the_report_has_four_fifths_of_them() -> None:
    looks = looks_of_run(TWENTY)
    live = [interval_level_after(TWENTY, look) for look in looks[:-1]]
    end = interval_level_after(TWENTY, 20, is_end=True)
    assert sum(live) + end == pytest.approx(0.05)
    assert end >= 0.04
    assert sum(live) + interval_level_after(TWENTY, 12) + end <= 0.0526, "and one interruption between two looks"
    assert interval_level_after(TWENTY, 12, is_end=True) == pytest.approx(0.05 - live[0] - live[1]), "its budget ended"
    once = Stopping(minimum_rounds=10, maximum_rounds=10)
    assert interval_level_after(once, 10, is_end=True) == 0.05, "nothing was shown before"


def test_however_often_a_run_is_resumed_its_reports_miss_in_seven_percent() -> None:
    stopping, ended = Stopping(minimum_rounds=10, maximum_rounds=10), 10
    levels = [interval_level_after(stopping, ended, is_end=True)]
    for more in (20, 30, 40):
        stopping = extend_looks(stopping, Stopping(minimum_rounds=more, maximum_rounds=more), ended)
        assert [interval_level_after(stopping, look) for look in stopping.looked] == levels, "what was shown was shown"
        levels.append(interval_level_after(stopping, more, is_end=True))
        ended = more
    assert levels == pytest.approx([0.05, 0.01, 0.005, 0.0025])
    former = evolve(stopping, shown=())
    assert interval_level_after(former, 40, is_end=True) == pytest.approx(0.01), "a plan of before had one report"


def test_a_run_that_was_interrupted_early_keeps_what_it_has_not_spent() -> None:
    early = evolve(TWENTY, looked=(7,), spent=(0.0158,), shown=(0.0025,), maximum_rounds=30)
    assert sum((0.0025, interval_level_after(early, 30, is_end=True))) >= 0.04


def test_before_the_first_look_a_median_has_no_interval_and_after_it_one_that_holds_at_all_looks() -> None:
    plan, times = make_plan(2, 1, TWENTY), times_of(2, 1, 12)
    seen = seen_live(plan, times)
    assert [isnan(one.estimates[0].low_ns) for one in seen] == [True] * 6 + [False] * 6
    apart = np.log(times[1] / times[0])[0]
    for rounds in (7, 10):
        shown = seen[rounds - 1].comparisons[0]
        expected = interval_at(apart[:rounds], 1 - interval_level_after(TWENTY, rounds))
        assert shown.ratio_high == pytest.approx(expected[1], rel=1e-4)
        assert 1 <= shown.ratio_low <= expected[0] * (1 + 1e-4), "the limit towards 1 allows for that it was found"
    assert seen[11].estimates[0].low_ns == seen[9].estimates[0].low_ns, (
        "until the next look that of the last one stands"
    )


def test_the_report_of_an_interrupted_run_has_the_intervals_of_a_look_and_one_that_ended_has_its_own() -> None:
    plan, times = make_plan(2, 1, TWENTY), times_of(2, 1, 20)
    apart = np.log(times[1] / times[0])[0]
    for reason, level in ((StopReason.INTERRUPTED, 0.0025), (StopReason.ROUNDS, 0.0425)):
        told = analyse(dataset_of(plan, times), run="", stopped=reason).comparisons[0]
        assert (told.ratio_low, told.ratio_high) == pytest.approx(interval_at(apart, 1 - level), rel=1e-4)


# --- what is picked from many ----------------------------------------------------------------------------------------


def test_each_rival_has_its_share_of_the_upper_limit_of_a_lead() -> None:
    plan, times = make_plan(6, 1, Stopping(minimum_rounds=10, maximum_rounds=10)), times_of(6, 1, 10)
    family = judge_family(dataset_of(plan, times), Levels())
    ((key, lead),) = ((key, place) for key, place in family.places.items() if place.lead > 0)
    apart = np.log(times[1:, 0] / times[0, 0])
    told = [family.compare(key.stack, other, plan.cells[0]) for other in plan.stacks if other != key.stack]
    assert lead.lead_low == min(one.ratio_low for one in told if one) < interval_at(apart, 0.95)[0].min()
    assert lead.lead == min(one.ratio for one in told if one)
    assert lead.lead_high == pytest.approx(interval_at(apart, 1 - 0.05 / 5)[1].min(), rel=1e-4)
    assert lead.lead_high > interval_at(apart, 0.95)[1].min()


def test_the_interval_of_the_largest_gain_is_as_wide_as_so_many_comparisons_ask() -> None:
    plan, times = make_plan(2, 8, Stopping(minimum_rounds=10, maximum_rounds=10)), times_of(2, 8, 10)
    report = analyse(dataset_of(plan, times), run="", stopped=StopReason.ROUNDS)
    largest = max(report.comparisons, key=lambda one: one.ratio)
    low, high = interval_at(np.log(times[1] / times[0])[largest.cell], 1 - 0.05 / 8)
    gain = find_advice("run", plan, report, (), ((), ()))[0].gain
    assert f"95 % interval {low:.2f} to {high:.2f}, picked from 8 comparisons" in gain
    assert low < largest.ratio_low
    assert largest.ratio_high < high


def test_the_largest_share_of_slow_launches_has_an_interval_for_all_sizes_it_was_picked_from() -> None:
    two, one = (SlowLaunches(n, 20, n / 20, *share_interval(n, 20), 2.8, 2.8 - n / 5, 2.8 + n / 5) for n in (2, 1))
    row = [Comparison("base@1", "mpich@5", cell, "pingpong", 8, 2, (), 0.9, 0.8, 0.95, "faster") for cell in range(4)]
    told = describe_caveats(row, {row[0].other_key: two, row[2].other_key: one})
    low, high = share_interval(2, 20, 1 - 0.05 / 4)
    assert "up to 10 % of its launches are 2.80 × slower at 2 of 4 sizes" in told
    assert f"95 % interval {100 * low:.1f} % to {100 * high:.1f} %; factor 2.40 to 3.20)" in told
    alike = describe_caveats(row, {each.other_key: two for each in row})
    assert "95 % interval 1.2 % to 31.7 %" in alike, "where it is the same everywhere, nothing was picked"


def test_a_gate_tells_the_limits_of_all_that_fail_and_not_of_the_largest_alone() -> None:
    first = Comparison("old", "new", 0, "pingpong", 8, 2, (), 1.2, 1.15, 1.25, "slower")
    second = evolve(first, cell=1, size_bytes=64, ratio=1.18, ratio_low=1.1, ratio_high=1.3)
    gate = parse_gate("slower>5%")
    told = describe_gate(gate, ("regression", (first, second)), 4)
    assert "the largest: new in pingpong 8 B on 2 ranks, +20.0 % (intervals within +10.0 % to +30.0 %)" in told
    assert "+20.0 % (+15.0 % to +25.0 %)" in describe_gate(gate, ("regression", (first,)), 4)
    assert describe_gate(gate, ("undecided", ()), 0).endswith("(exit code 3)")
    assert describe_gate(gate, ("undecided", ()), 0, 4).endswith("(exit code 4)"), "a stack failed: the code says so"


def test_advice_names_the_stack_that_is_the_fastest_where_it_is_not_the_base() -> None:
    plan = make_plan(4, 3, Stopping(minimum_rounds=10, maximum_rounds=10))
    logs = np.random.default_rng(8).normal(0, 0.02, (4, 3, 10)) + np.log([1.5, 1.0, 2.0, 3.0])[:, None, None]
    report = analyse(dataset_of(plan, 1000 * np.exp(logs)), run="", stopped=StopReason.ROUNDS)
    assert {one.base for one in report.comparisons} == {"stack0@1"}
    found = [one for one in find_advice("run", plan, report, (), ((), ())) if one.what.startswith("use ")]
    assert [" ".join(one.what.split()[:5]) for one in found] == [
        "use stack1@1 instead of stack3@1",
        "use stack1@1 instead of stack2@1",
        "use stack1@1 instead of stack0@1",
    ]
    cell = int(np.argmax(np.median(logs[3] - logs[1], axis=1)))
    low, high = interval_at((logs[3] - logs[1])[cell], 1 - 0.05 / 18)
    assert f"95 % interval {low:.2f} to {high:.2f}, picked from 18 comparisons" in found[0].gain


def test_a_gain_over_a_stack_that_is_not_the_base_allows_for_steps_of_the_clock() -> None:
    plan = make_plan(3, 4, Stopping(minimum_rounds=10, maximum_rounds=10))
    read = np.broadcast_to(np.array([700.0, 500.0, 300.0])[:, None, None], (3, 4, 10))
    report = analyse(dataset_of(plan, read, resolution_ns=100.0), run="", stopped=StopReason.ROUNDS)
    advised = [one for one in find_advice("run", plan, report, (), ((), ())) if one.cells]
    limits = {one.what.split()[4]: one.gain.split("interval ")[1].split(",")[0] for one in advised}
    known = {time: 1 - 50 / time for time in (700, 500, 300)}
    wide = {time: (time / 300 * known[time] * known[300], time / 300 / known[time] / known[300]) for time in (700, 500)}
    told = ["{:.2f} to {:.2f}".format(*wide[time]) for time in (700, 500)]
    assert limits == dict(zip(("stack0@1", "stack1@1"), told, strict=True))


def test_a_gain_over_a_stack_that_is_not_the_base_allows_for_rounds_that_resemble_each_other() -> None:
    plan = make_plan(3, 4, Stopping(minimum_rounds=20, maximum_rounds=20))
    random = np.random.default_rng(3)
    logs = random.normal(0, 0.01, (3, 4, 20)) + np.log([1.5, 1.3, 1.0])[:, None, None]
    logs += correlate(random.normal(0, 0.03, (3, 1, 20)), 0.9)
    report = analyse(dataset_of(plan, 1000 * np.exp(logs)), run="", stopped=StopReason.ROUNDS)
    assert any(one.code == RESEMBLING for one in report.warnings)
    (gain,) = (one.gain for one in find_advice("run", plan, report, (), ((), ())) if "of stack1@1" in one.what)
    cell = int(np.argmax(locate_centres(logs[1] - logs[2])))
    alone = interval_at((logs[1] - logs[2])[cell], 1 - 0.05 / 12)
    told = [float(word) for word in gain.split("interval ")[1].split(",")[0].split(" to ")]
    assert np.log(told[1] / told[0]) > 1.5 * np.log(alone[1] / alone[0])
