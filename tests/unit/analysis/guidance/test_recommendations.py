"""What is advised is not contradicted by a verdict of the same run, and says what speaks against it."""

from __future__ import annotations

import numpy as np
from attrs import evolve
from benchmarks.truth.simulated_runs import dataset_of, make_plan, stacks

from msgauge.analysis.findings.caveats import describe_beyond_gate, turn
from msgauge.analysis.findings.comparison_findings import findings
from msgauge.analysis.findings.size_ranges import Intervals
from msgauge.analysis.guidance.advice import Advice, find_advice
from msgauge.analysis.guidance.guidance_caveats import add_guidance_caveats
from msgauge.analysis.run import analyse
from msgauge.analysis.verdicts.regression_gate import parse_gate
from msgauge.model import (
    Analysis,
    Comparison,
    HostSet,
    Launch,
    LaunchRecord,
    Plan,
    Samples,
    Stopping,
    StopReason,
    TailComparison,
)
from msgauge.models.estimate import ParameterEstimate
from msgauge.models.guideline_terms import GUIDELINES
from msgauge.models.guidelines import Judgement, NotJudged
from msgauge.report.decision_table import explain_numbers, list_headings
from msgauge.results.dataset import Dataset

FIRST, SECOND = STACKS = ("stack0@1", "stack1@1")
PLAN = make_plan(2, 5, Stopping(minimum_rounds=20, maximum_rounds=20))


def measured(factors: list[float], slow_launches: int = 0) -> Analysis:
    """The second stack against the first at five sizes; so many of its 20 launches are 2.8 times slower."""
    logs = np.random.default_rng(3).normal(0, 0.01, (2, 5, 20)) + np.log([[1.0] * 5, factors])[:, :, None]
    logs[1, :, :slow_launches] += np.log(2.8)
    return analyse(dataset_of(PLAN, 1000 * np.exp(logs)), run="", stopped=StopReason.ROUNDS)


def advised(analysis: Analysis, plan: Plan = PLAN) -> list[Advice]:
    return [one for one in find_advice("run", plan, analysis, (), ((), ())) if one.cells]


def test_a_stack_is_advised_for_the_sizes_at_which_it_is_faster_and_not_for_those_at_which_it_is_slower() -> None:
    found = {one.what: one for one in advised(measured([0.5, 0.5, 1.0, 1.5, 1.5]))}
    assert list(found) == [
        f"use {SECOND} instead of {FIRST} in kernel0 at 8 B and 16 B",
        f"use {FIRST} instead of {SECOND} in kernel0 at 64 B and 128 B",
    ]
    first, second = found.values()
    assert (first.cells, second.cells) == ((0, 1), (3, 4))
    assert first.evidence == f"Resolved in 2 of 5 tests of kernel0, 20 rounds; in 2 of them {FIRST} is faster."


def test_a_test_counts_once_whether_the_base_or_another_stack_is_the_fastest() -> None:
    (only,) = advised(measured([1.5] * 5))
    assert only.what == f"use {FIRST} instead of {SECOND} where kernel0 matters"
    assert only.evidence == "Resolved in 5 of 5 tests of kernel0, 20 rounds."
    assert only.cells == (0, 1, 2, 3, 4)


def test_advice_names_the_rounds_of_all_tests_that_it_rests_on() -> None:
    analysis = measured([1.5] * 5)
    first, *rest = analysis.comparisons
    (only,) = advised(evolve(analysis, comparisons=(evolve(first, rounds=7), *rest)))
    assert "5 tests of kernel0, 7 to 20 rounds." in only.evidence


def test_nothing_is_advised_from_a_violation_of_what_msgauge_built_itself() -> None:
    ratio = ParameterEstimate(2.4, 2.3, 2.5)
    own = Judgement(GUIDELINES[0], "a@1", "bcast of 8 B", "pingpong of 8 B", 8, 2, ratio, 0.001, 0.01, 10, "violated")

    def told(one: Judgement) -> list[str]:
        return [each.what for each in find_advice("run", PLAN, measured([1.0] * 5), (one,), ((), ()))]

    assert any("in place of bcast" in what for what in told(own))
    assert not any("in place of bcast" in what for what in told(evolve(own, emulated=True)))


def test_advice_for_a_stack_says_which_of_its_launches_are_slow() -> None:
    (only,) = advised(measured([0.5] * 5, slow_launches=3))
    assert f"{SECOND} is faster there, but 15 % of its launches are 2." in only.evidence
    (other,) = advised(measured([1.5] * 5, slow_launches=3))
    assert "launches" not in other.evidence, "those of the stack that is advised against"


def test_what_to_use_when_says_what_speaks_against_the_stack_it_names() -> None:
    plain = measured([0.5] * 5)
    assert add_guidance_caveats(plain, PLAN) == plain
    (line, but) = lines_of(measured([0.5] * 5, slow_launches=3))
    assert f"{SECOND} at every size" in line
    assert but.startswith(f"But 15 % of the launches of {SECOND} are 2.")
    assert "in 5 of 5 tests in which it may be the fastest (3 of 20, 95 % interval" in but
    assert len(lines_of(measured([1.5] * 5, slow_launches=3))) == 1


def test_what_to_use_when_names_the_tails_that_are_longer_whichever_stack_is_the_base() -> None:
    for factors, ratio, words in (([0.5] * 5, 2.0, (SECOND, FIRST)), ([1.5] * 5, 0.5, (FIRST, SECOND))):
        analysis = measured(factors)
        word = "slower" if ratio > 1 else "faster"
        tail = TailComparison("p99", ratio, 0.9 * ratio, 1.1 * ratio, word, 0.01, 20)
        first, *rest = analysis.comparisons
        (_, but) = lines_of(evolve(analysis, comparisons=(evolve(first, tails=(tail,)), *rest)))
        assert but.startswith(
            f"But {words[0]} is slower than {words[1]} at P99 in 1 of 5 tests in which it may be the fastest"
        )
        assert "ratio 2.00, 95 % interval 1.8" in but


def test_what_speaks_against_a_stack_is_said_where_any_of_those_named_will_do() -> None:
    """ "Equivalent: A or B" had no line on B, of which 15 % of the launches are 2.8 times slower."""
    (line, but) = lines_of(measured([1.0] * 5, slow_launches=3))
    assert f"{FIRST} or {SECOND}" in line
    assert but.startswith(f"But 15 % of the launches of {SECOND} are 2.")
    assert "in 5 of 5 tests in which it may be the fastest" in but
    analysis = measured([1.0] * 5)
    tail = TailComparison("p99", 2.0, 1.8, 2.2, "slower", 0.01, 20)
    first, *rest = analysis.comparisons
    (_, but) = lines_of(evolve(analysis, comparisons=(evolve(first, tails=(tail,)), *rest)))
    assert but.startswith(f"But {SECOND} is slower than {FIRST} at P99 in 1 of 5 tests in which it may be the fastest")


def test_a_comparison_turned_twice_is_the_same() -> None:
    tail = TailComparison("p99", 2.0, 1.0, 4.0, "slower", 0.01, 20, "faster")
    one = Comparison(FIRST, SECOND, 0, "kernel0", 8, 2, (), 0.5, 0.25, 1.0, "faster", "", 0.1, 0.1, 20, tails=(tail,))
    turned = turn(one)
    assert (turned.base, turned.other, turned.verdict, turned.ratio_low) == (SECOND, FIRST, "slower", 1.0)
    assert (turned.tails[0].verdict, turned.tails[0].stretch, turned.tails[0].ratio_low) == ("faster", "slower", 0.25)
    assert turn(turned) == one


def lines_of(analysis: Analysis) -> tuple[str, ...]:
    summary = add_guidance_caveats(analysis, PLAN).summary
    assert summary is not None
    return summary.guidance


def measured_with_few_rounds_in_common() -> tuple[Plan, Analysis]:
    """The fastest shares five rounds with the slowest, which are too few for a verdict; the one between has all."""
    plan = make_plan(3, 1, Stopping(minimum_rounds=14, maximum_rounds=14))
    times = 1000 * np.exp(np.random.default_rng(4).normal(0, 0.01, (3, 14))) * np.array([[1.5], [1.0], [3.0]])
    there = (range(14), range(9), range(4, 14))
    dataset = Dataset(plan, stacks(3))
    for round, row in ((round, row) for round in range(14) for row in range(3) if round in there[row]):
        launch = Launch(3 * round + row, round, plan.stacks[row], 2, (0,), 1)
        record = LaunchRecord(launch, "ok", started="2026-01-01T00:00:00.000", seconds=1.0)
        dataset.add(record, [Samples(launch.number, 0, "time", np.array([times[row, round]], dtype=np.int64))])
    return plan, analyse(dataset, run="", stopped=StopReason.ROUNDS)


def test_nothing_is_advised_against_a_stack_that_only_a_third_one_is_said_to_be_faster_than() -> None:
    plan, report = measured_with_few_rounds_in_common()
    marks = [one.place.may_be_fastest for one in report.estimates if one.place]
    assert marks == [False, True, False]
    assert {one.what for one in advised(report, plan)} == {
        "use stack0@1 instead of stack2@1 where kernel0 matters",
        "use stack1@1 instead of stack0@1 where kernel0 matters",
    }


def test_a_stack_has_no_lead_over_one_that_only_a_third_one_is_said_to_be_faster_than() -> None:
    _, report = measured_with_few_rounds_in_common()
    place = report.estimates[1].place
    assert place and (place.best_rank, place.worst_rank) == (1, 2)
    assert np.isnan([place.lead, place.lead_low, place.lead_high]).all()


def measured_with_a_gap() -> tuple[Plan, Analysis]:
    """The second stack is 1.5 times slower at five sizes; the first one, the base, has no result at the third."""
    logs = np.random.default_rng(3).normal(0, 0.01, (2, 5, 20)) + np.log([[1.0], [1.5]])[:, :, None]
    dataset = Dataset(PLAN, stacks(2))
    for round, row in ((round, row) for round in range(20) for row in range(2)):
        cells = (0, 1, 3, 4) if row == 0 else (0, 1, 2, 3, 4)
        launch = Launch(2 * round + row, round, STACKS[row], 2, cells, 1)
        record = LaunchRecord(launch, "ok", started="2026-01-01T00:00:00.000", seconds=1.0)
        times = (1000 * np.exp(logs[row, :, round])).astype(np.int64)
        dataset.add(record, [Samples(launch.number, cell, "time", times[cell : cell + 1]) for cell in cells])
    return PLAN, analyse(dataset, run="", stopped=StopReason.ROUNDS)


def test_a_size_that_was_not_compared_is_named_where_a_sentence_reaches_over_it() -> None:
    plan, report = measured_with_a_gap()
    (told,) = [one.sentence for one in report.findings if one.kind == "comparison"]
    assert "slower than stack0@1 in kernel0 from 8 B to 128 B without 32 B, not compared (ratio 1." in told
    (only,) = advised(report, plan)
    assert only.what == f"use {FIRST} instead of {SECOND} in kernel0 at 8 B, 16 B, 64 B and 128 B"
    assert only.evidence == "Resolved in 4 of 4 tests of kernel0 with both stacks, 20 rounds."


def test_a_mean_counts_the_tests_of_which_the_base_has_a_result_and_says_that_there_are_more() -> None:
    _, report = measured_with_a_gap()
    assert report.summary is not None
    assert (report.summary.tests, report.summary.left_out) == (4, 1)
    assert "mean of 4 tests" in [title for title, _ in list_headings(report.summary)]
    assert "without 1 test of which the base has no result" in explain_numbers(report.summary)
    (whole,) = (measured([1.5] * 5).summary,)
    assert whole is not None
    assert (whole.tests, whole.left_out) == (5, 0)
    assert "without" not in explain_numbers(whole)


def test_a_tail_has_the_level_of_the_other_intervals_of_its_run() -> None:
    analysis = evolve(measured([0.5] * 5), interval_level=0.9975)
    tail = TailComparison("p99", 2.0, 1.8, 2.2, "slower", 0.01, 20)
    one = evolve(analysis.comparisons[0], tails=(tail,))
    (_, but) = lines_of(evolve(analysis, comparisons=(one, *analysis.comparisons[1:])))
    told = [each.sentence for each in findings((), (one,), intervals=Intervals(level=0.9975))]
    for said in (but, *told, *describe_beyond_gate(parse_gate("slower>5%"), (), (one,), 0.9975)):
        assert "ratio 2.00, 99.75 % interval 1.80 to 2.20" in said


def test_commands_name_the_study_and_the_hosts_of_the_run_whatever_they_came_from() -> None:
    ratio = ParameterEstimate(2.4, 2.3, 2.5)
    one = Judgement(GUIDELINES[0], "a@1", "bcast of 8 B", "pingpong of 8 B", 8, 2, ratio, 0.001, 0.01, 10, "violated")
    lacking = (NotJudged(GUIDELINES[0], "a@1", 2, "no pingpong"),)

    def commands(plan: Plan) -> list[str]:
        advice = find_advice("runs/R", plan, measured([1.5] * 5), (one,), (lacking, ()))
        return sorted(each.command for each in advice if each.command != "msgauge doctor")

    stacks = f"--stacks {SECOND},{FIRST} --kernels kernel0"
    all_stacks = f"--stacks {','.join(PLAN.stacks)}"
    assert commands(PLAN) == [
        f"msgauge compare collectives {all_stacks}",
        f"msgauge compare runs/R/study.toml {stacks}",
        "msgauge model --stacks a@1",
    ]
    on_hosts = evolve(PLAN, hosts=HostSet("n1,n2", names=("n1", "n2"), map="core", config="my ssh"))
    where = "--hosts n1,n2 --map core --ssh-config 'my ssh'"
    assert commands(on_hosts) == [
        f"msgauge compare collectives {all_stacks} {where}",
        f"msgauge compare model --stacks a@1 {where}",
        f"msgauge compare runs/R/study.toml {stacks}",
    ]
