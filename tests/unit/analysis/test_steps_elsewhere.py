"""Steps of a clock count wherever a time is set against another: guidelines, papers, runs, histories."""

from __future__ import annotations

from math import exp, inf, log

import numpy as np
import pytest
from attrs import evolve
from benchmarks.truth import coarse_clocks
from benchmarks.truth.simulated_runs import dataset_of, make_plan
from benchmarks.truth.simulation import Simulation

from msgauge.analysis.between_runs.history import CellHistory, trace_history
from msgauge.analysis.between_runs.run_comparison import RunsCompared, compare_runs
from msgauge.analysis.between_runs.run_levels import RunLevels, SeriesKey
from msgauge.analysis.beyond_amount import find_beyond_between_runs
from msgauge.analysis.estimates.observations import Observation
from msgauge.analysis.findings.anomaly_findings import find_anomalies
from msgauge.analysis.findings.anomaly_inputs import add_anomalies
from msgauge.analysis.run import analyse
from msgauge.analysis.stack_models.stack_model import model_of
from msgauge.analysis.verdicts.regression_gate import Gate
from msgauge.model import Analysis, Estimate, Origin, Pattern, Stack, Stopping, StopReason
from msgauge.models.guidelines import Guideline, Term, judge
from msgauge.papers.claim_statement import Claim
from msgauge.papers.claims import JudgedClaim, judge_claim
from msgauge.papers.figures import Plot, make_paper_figure
from msgauge.papers.number_selection import Case, Pick, find_half_step
from msgauge.papers.tables import Column, Row, Table, Value, redraw

STEP = 42.0
TWICE = Guideline("left <= 2 right", Term("left"), (Term("right"), Term("right")), "Guideline: left is no slower.")
KEY = SeriesKey("one@1", "pingpong", 8, 2)


@pytest.mark.parametrize("what", coarse_clocks.SAID)
def test_intervals_hold_wherever_something_is_said_of_few_steps(what: str) -> None:
    figure = Simulation(coarse_clocks.read_in_steps_by, (what, 985, 41.67), 4).run(seed=5)
    assert figure.trials >= 20
    assert figure.share >= 0.93
    assert figure.before < 0.9, "scatter alone does not spread whole steps"


def test_parameters_of_loggp_hold_where_trains_were_read_in_long_steps() -> None:
    figure = Simulation(coarse_clocks.models_read_in_steps, (1000,), 10).run(seed=5)
    assert figure.share >= 0.93
    assert figure.before < 0.8


def observe_trains(half_ns: float) -> list[Observation]:
    """Trains of the study ``model`` on a machine without scatter, whose clock has such steps."""
    found = []
    for n, d in ((1, 0), (2, 0), (8, 0), (32, 0), (2, 20), (8, 20), (32, 20)):
        options = (("d", f"{d}us"), ("n", str(n)))
        for size in (1, 64, 512):
            time = 4000 + (n - 1) * max(700 + size, 300 + 1000 * d)
            one = Observation("one@1", "trains", size, 2, options, "time", (0, 1), (time, time), half_step_ns=half_ns)
            one = evolve(one, pattern=Pattern.TRAIN)
            found.append(one)
            if d:
                delay = (1000.0 * d, 1000.0 * d)
                found.append(evolve(one, series="delay", medians_ns=delay))
    return found


def test_a_model_is_told_what_steps_hide_of_its_trains_and_delays() -> None:
    """o_s is a slope over 32 messages, of which each delay was read in steps too: 31 + 1 half steps on 31 messages."""
    (exact,), (coarse,) = (
        model.model.segments
        for model in (model_of("one@1", observe_trains(half), np.random.default_rng(1)) for half in (0.0, STEP / 2))
        if model.model
    )
    assert exact.o_s.value == coarse.o_s.value == pytest.approx(300, abs=1e-6)
    assert exact.o_s.low == pytest.approx(300, abs=1e-6)
    assert STEP / 2 < coarse.o_s.value - coarse.o_s.low < 3 * STEP
    assert coarse.o_s.high - coarse.o_s.value == pytest.approx(coarse.o_s.value - coarse.o_s.low)
    assert (exact.g.low, exact.g.high) == pytest.approx((701, 701))
    assert 1.75 < coarse.g.value - coarse.g.low < 3, "two steps on 24 messages, and what the line adds to it"


def still(kernel: str, steps: float, half_ns: float) -> Estimate:
    times = tuple(STEP * steps * (1 + 1e-6 * place) for place in range(10))
    return Estimate("one@1", 0, kernel, 8, 2, launch_medians_ns=times, half_step_ns=half_ns)


@pytest.mark.parametrize(("half_ns", "verdict"), [(0.0, "violated"), (STEP / 2, "undecided")])
def test_a_guideline_is_violated_only_by_more_than_steps_may_hide(half_ns: float, verdict: str) -> None:
    """11 steps against twice 5: from 10.5 against 11 to 11.5 against 9."""
    (found,) = judge([still("left", 11, half_ns), still("right", 5, half_ns)], (TWICE,))
    assert found.verdict == verdict
    low, high = (10 / 11 * 10.5 / 11, 11 / 9 * 11 / 10.5) if half_ns else (1.1, 1.1)
    assert found.ratio.low <= max(low, 1.03 if verdict == "violated" else 0) * 1.1
    assert found.ratio.high >= high * 0.99
    if half_ns:
        assert found.ratio.low <= 10.5 / 11 and found.ratio.high >= 11.5 / 9


def test_a_guideline_on_times_below_one_step_says_nothing() -> None:
    (found,) = judge([still("left", 0.4, STEP / 2), still("right", 0.1, STEP / 2)], (TWICE,))
    assert (found.verdict, found.p_value, found.ratio.low, found.ratio.high) == ("undecided", 1.0, 0.0, inf)


def observe(
    stack: str, steps: float, *, half_ns: float = STEP / 2, ranks: int = 2, kernel: str = "send"
) -> Observation:
    times = tuple(STEP * steps * (1 + 1e-6 * place) for place in range(10))
    return Observation(stack, kernel, 8, ranks, (), "time", tuple(range(10)), times, half_step_ns=half_ns)


def ask(observed: list[Observation], **how: object) -> JudgedClaim:
    left, right = Pick("one", "send"), Pick("two", "send")
    claim = Claim("a claim", **{"left": left, "right": right, "sizes": (8,), **how})  # type: ignore[arg-type]
    return judge_claim(claim, observed, {"one": ("one@1",), "two": ("two@1",)})


@pytest.mark.parametrize(("half_ns", "verdict"), [(0.0, "holds"), (STEP / 2, "undecided")])
def test_a_claim_holds_only_where_it_holds_for_all_times_that_read_alike(half_ns: float, verdict: str) -> None:
    pair = [observe("one@1", 10, half_ns=half_ns), observe("two@1", 10, half_ns=half_ns)]
    assert ask(pair, low=0.95, high=1.05).verdict == verdict
    assert ask(pair[:1], right=Pick(constant_ns=STEP * 10), low=0.96, high=1.04).verdict == verdict
    assert ask(pair, kind="spread", low=1.0, high=1.08).verdict == verdict


def test_limits_of_a_claim_reach_as_far_as_steps_of_both_sides() -> None:
    (ratio,) = ask([observe("one@1", 10), observe("two@1", 20)], question=True).evidence
    assert (ratio.low, ratio.high) == pytest.approx((0.5 * 9.5 / 10 * 19.5 / 20, 0.5 / 0.95 / 0.975), rel=1e-4)
    (apart,) = ask([observe("one@1", 10), observe("two@1", 20)], kind="difference", question=True).evidence
    assert (apart.low, apart.high) == pytest.approx((-11 * STEP, -9 * STEP), rel=1e-4)
    (below,) = ask([observe("one@1", 0.3), observe("two@1", 20)], question=True).evidence
    assert (below.low, below.high, below.outcome) == (0.0, inf, "open")


def test_half_steps_follow_what_a_pick_makes_of_its_times() -> None:
    seen = [observe("one@1", 10, ranks=4), observe("one@1", 20, ranks=1), observe("one@1", 3, ranks=4, kernel="o")]
    case, half = Case(8, 4), STEP / 2
    assert find_half_step(Pick("one", "send"), case, seen, "one@1") == half
    assert find_half_step(Pick("one", "send", times=2.0), case, seen, "one@1") == 2 * half
    assert find_half_step(Pick("one", "send", less=(Pick("one", "o"),)), case, seen, "one@1") == 2 * half
    assert find_half_step(Pick("one", "absent"), case, seen, "one@1") == 0
    share = find_half_step(Pick("one", "send", alone=True), case, seen, "one@1")
    assert share == pytest.approx(2 * (1 / 0.95 / 0.975 - 1), rel=1e-4), "2, of 10 steps × 4 over 20"


def value_of(form: str, half_ns: float, steps: float = 10) -> Value:
    rows = (Row("", Pick(kernel="send", size_bytes=8, ranks=2), form=form, unit="ns" if form == "time" else "B/s"),)  # type: ignore[arg-type]
    drawn = redraw(
        Table("", (Column("", "one"),), rows), [observe("one@1", steps, half_ns=half_ns)], {"one": ("one@1",)}
    )
    ((_, found),) = drawn.values[0][0].measured
    return found


def test_times_and_rates_of_a_table_reach_half_a_step_further() -> None:
    time, rate, unknown = value_of("time", STEP / 2), value_of("rate", STEP / 2), value_of("rate", STEP / 2, 0.4)
    assert (time.low, time.high) == pytest.approx((9.5 * STEP, 10.5 * STEP), rel=1e-4)
    assert (rate.low, rate.high) == pytest.approx((8e9 / (10.5 * STEP), 8e9 / (9.5 * STEP)), rel=1e-4)
    assert np.isnan([unknown.low, unknown.high]).all()


def draw_line(observed: list[Observation], *, efficiency: bool = False) -> np.ndarray:
    """Value, low and high of each point, by processes."""
    plot = Plot("", (Pick(kernel="send"),), "ranks", systems=("one",), efficiency=efficiency)
    (line,) = make_paper_figure(plot, observed, (), {"one": ("one@1",)}).lines
    return np.array(line.points)[:, 1:]


def test_figures_of_a_paper_reach_half_a_step_further() -> None:
    seen = [observe("one@1", 10, ranks=2), observe("one@1", 16, ranks=1)]
    assert draw_line(seen) == pytest.approx(STEP * np.array([[16, 15.5, 16.5], [10, 9.5, 10.5]]), rel=1e-4)
    value, low, high = draw_line(seen, efficiency=True)[-1]
    reach = 1 / (0.95 * (1 - 0.5 / 16))
    assert (low, value, high) == pytest.approx((0.8 / reach, 0.8, 0.8 * reach), rel=1e-4)


def make_run(steps: float, half_ns: float, number: int = 0) -> RunLevels:
    times = STEP * steps * (1 + 1e-4 * np.sin(1.7 * number + np.arange(10.0)))
    stack = Stack("one", "1", Origin("builtin"))
    name = f"2026-01-{number + 1:02}"
    return RunLevels(name, name, stacks=(stack,), medians_ns={KEY: times}, half_steps_ns={KEY: half_ns})


def compare(old: float, new: float, half_ns: float = STEP / 2) -> RunsCompared:
    before, after = (
        [make_run(steps, half_ns, 3 * side + n) for n in range(3)] for side, steps in enumerate((old, new))
    )
    return compare_runs(before, after)


def test_what_reads_alike_in_two_runs_is_not_equivalent_and_a_change_ends_at_one() -> None:
    (alike,), (slower,), (fine,) = (one.judged for one in (compare(10, 10), compare(10, 11), compare(10, 10, 0.0)))
    assert fine.verdict == "equivalent"
    assert alike.verdict == "undecided" and "clock's steps are so long" in alike.reason
    assert alike.ratio_low < 0.91 and alike.ratio_high > 1.1
    assert (slower.verdict, slower.ratio_low) == ("slower", 1.0)
    assert slower.ratio_high > 11.5 / 9.5
    (faster,) = compare(11, 10).judged
    assert (faster.verdict, faster.ratio_high) == ("faster", 1.0)


def test_levels_of_runs_and_a_gate_between_them_allow_for_steps() -> None:
    level = make_run(10, STEP / 2).locate(KEY)
    assert (level.low, level.high) == pytest.approx((9.5 * STEP, 10.5 * STEP), rel=1e-3)
    (several,) = (change.old for change in compare(10, 11).changes)
    assert several.low_ns < 9.6 * STEP and several.high_ns > 10.4 * STEP
    gate = Gate("slower", 0.05)
    assert find_beyond_between_runs(gate, compare(10, 11, 0.0).found) == (True,)
    assert find_beyond_between_runs(gate, compare(10, 11).found) == (False,)
    assert find_beyond_between_runs(gate, compare(10, 13).found) == (True,)


def test_a_change_in_a_history_is_as_large_as_steps_leave_it() -> None:
    def trace(half_ns: float) -> CellHistory:
        runs = [make_run(10 + (number >= 12), half_ns, number) for number in range(24)]
        (found,) = trace_history(runs).series
        return found

    (sure,), (blurred,) = trace(0.0).changes, trace(STEP / 2).changes
    reach = -log(1 - 0.05) - log(1 - 0.5 / 11)
    assert blurred.factor == sure.factor and blurred.first == 12
    assert (blurred.low, blurred.high) == pytest.approx((sure.low * exp(-reach), sure.high * exp(reach)), rel=1e-3)
    assert blurred.together[0] < sure.together[0] * 0.95
    assert evolve(blurred, low=sure.low, high=sure.high, together=sure.together) == sure


# --- launches in two modes -----------------------------------------------------------------------------------------


def report_modes(step_ns: float) -> Analysis:
    """Two stacks in twenty rounds, five launches of the second one read as 2700 ns, all others as 1000."""
    plan = make_plan(2, 2, Stopping(minimum_rounds=20, maximum_rounds=20))
    times = np.full((2, 2, 20), 1000.0)
    times[1, :, [2, 7, 8, 13, 17]] = 2700.0
    dataset = dataset_of(plan, times, resolution_ns=step_ns)
    return add_anomalies(dataset, analyse(dataset, run="", stopped=StopReason.ROUNDS), ())


def test_the_factor_of_slow_launches_reaches_as_far_as_steps_leave_it_open() -> None:
    read = {step: report_modes(step) for step in (0.0, 100.0)}
    told = {step: " ".join(one.sentence for one in report.findings) for step, report in read.items()}
    assert "factor 2.70 to 2.70" in told[0.0]
    assert "factor 2.52 to 2.90" in told[100.0]
    (slow,) = {one.slow_launches for one in read[100.0].estimates if one.slow_launches}
    assert slow.factor_low < 2650 / 1050 < 2750 / 950 < slow.factor_high


def test_the_factor_of_two_groups_of_launches_reaches_as_far_as_steps_leave_it_open() -> None:
    for step, limits in ((0.0, "2.70 to 2.70"), (100.0, "2.52 to 2.90")):
        (told,) = (one.sentence for one in report_modes(step).findings if one.kind == "bimodal-launches")
        assert f"2.70 × ({limits})" in told


# --- sizes off the powers of two -----------------------------------------------------------------------------------


def tell_odd_sizes(read_ns: list[float], step_ns: float) -> list[str]:
    """What is said of 64, 96 and 128 bytes, which are read as the same times in ten launches."""
    row = [
        Estimate("one@1", n, "pingpong", size, 2, median_ns=ns, launch_medians_ns=(ns,) * 10, rounds=tuple(range(10)))
        for n, (size, ns) in enumerate(zip((64, 96, 128), read_ns, strict=True))
    ]
    row = [evolve(one, half_step_ns=step_ns / 2) for one in row]
    return [one.sentence for one in find_anomalies(row, [], []) if one.kind == "off-power-of-two"]


def test_an_odd_size_has_an_interval_that_allows_for_steps() -> None:
    (told,) = tell_odd_sizes([1000.0, 1500.0, 1000.0], 100.0)
    assert "1.50 × (1.38 to 1.63)" in told
    assert 1.38 < 1450 / 1050 < 1550 / 950 < 1.64


def test_a_size_is_not_odd_where_one_step_of_the_clock_makes_it_so() -> None:
    assert "1.33 ×" in tell_odd_sizes([300.0, 400.0, 300.0], 1.0)[0]
    assert not tell_odd_sizes([300.0, 400.0, 300.0], 100.0)
