"""Claims about --fail-on: it fails on what is sure, asks for more when it cannot tell, and passes otherwise."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from attrs import evolve
from benchmarks.truth.simulated_runs import PRECISE, dataset_of, make_plan, stacks
from hypothesis import given
from hypothesis import strategies as st

from msgauge.analysis.beyond_amount import find_beyond, find_beyond_between_runs
from msgauge.analysis.run import analyse
from msgauge.analysis.verdicts.regression_gate import Gate, apply_gate, parse_gate
from msgauge.errors import UsageError
from msgauge.model import Analysis, Comparison, Stopping, StopReason, Word
from msgauge.results.dataset import Dataset
from msgauge.stats.between_runs import Changes

SLOWER = Gate("slower", 0.05)


def one(low: float, high: float, verdict: Word) -> Comparison:
    return Comparison("a", "b", 0, "pingpong", 8, 2, (), (low + high) / 2, low, high, verdict)


@pytest.mark.parametrize(
    ("low", "high", "verdict", "expected"),
    [
        (1.08, 1.12, "slower", "regression"),
        (1.03, 1.12, "slower", "undecided"),
        (1.08, 1.12, "undecided", "undecided"),
        (1.01, 1.04, "slower", "passed"),
        (0.99, 1.01, "equivalent", "passed"),
        (0.5, 0.6, "faster", "passed"),
        (float("nan"), float("nan"), "undecided", "undecided"),
    ],
)
def test_slower_by_five_percent(low: float, high: float, verdict: Word, expected: str) -> None:
    assert apply_gate(SLOWER, [one(low, high, verdict)], [True])[0] == expected


def test_one_regression_outweighs_what_is_undecided() -> None:
    judgement, which = apply_gate(SLOWER, [one(0.5, 2, "undecided"), one(1.2, 1.3, "slower")], [False, True])
    assert (judgement, [each.ratio_low for each in which]) == ("regression", [1.2])


def test_nothing_compared_is_not_a_pass() -> None:
    assert apply_gate(SLOWER, [], [])[0] == "undecided"


def test_faster_and_different() -> None:
    faster = one(0.5, 0.6, "faster")
    assert apply_gate(Gate("faster", 0.05), [faster], [True])[0] == "regression"
    assert apply_gate(Gate("different", 0.05), [faster], [True])[0] == "regression"
    assert apply_gate(Gate("faster", 0.05), [one(0.99, 1.01, "equivalent")], [False])[0] == "passed"


def test_what_is_beyond_the_amount_by_its_own_interval_alone_is_left_undecided() -> None:
    alone = one(1.08, 1.12, "slower")
    assert apply_gate(SLOWER, [alone], [False]) == ("undecided", (alone,))


def reports_of_runs(difference: float, runs: int, scatter: float = 0.02) -> Iterator[tuple[Dataset, Analysis]]:
    """Two stacks in forty tests, the second one slower in all; launches scatter by ``scatter``."""
    random = np.random.default_rng(5)
    plan = make_plan(2, 40, Stopping(minimum_rounds=14, maximum_rounds=14))
    for _ in range(runs):
        logs = random.normal(0, scatter, (2, 40, 14)) + np.log1p([0, difference])[:, None, None]
        dataset = dataset_of(plan, 1000 * np.exp(logs))
        yield dataset, analyse(dataset, run="", stopped=StopReason.ROUNDS)


def test_differences_of_the_amount_itself_do_not_fail_though_single_intervals_lie_beyond() -> None:
    reports = list(reports_of_runs(0.05, 10))
    assert sum(any(two.ratio_low > 1.05 for two in report.comparisons) for _, report in reports) >= 5
    assert not any(any(find_beyond(SLOWER, dataset, report)) for dataset, report in reports)


def test_differences_of_twice_the_amount_fail() -> None:
    for dataset, report in reports_of_runs(0.1, 3):
        judgement, which = apply_gate(SLOWER, report.comparisons, find_beyond(SLOWER, dataset, report))
        assert judgement == "regression"
        assert len(which) > 20


@pytest.mark.parametrize(
    ("condition", "expected"),
    [("slower>1%", "regression"), ("different>1%", "regression"), ("slower>2.5%", "passed"), ("faster>1%", "passed")],
)
def test_amounts_below_the_margin_are_decided_by_the_interval_of_what_is_equivalent(
    condition: str, expected: str
) -> None:
    gate = parse_gate(condition)
    for dataset, report in reports_of_runs(0.019, 2, scatter=0.001):
        assert {two.verdict for two in report.comparisons} == {"equivalent"}
        judgement, which = apply_gate(gate, report.comparisons, find_beyond(gate, dataset, report))
        assert (judgement, len(which)) == (expected, 40 if expected == "regression" else 0)


def test_equivalent_differences_of_the_amount_itself_do_not_fail_though_single_intervals_lie_beyond() -> None:
    gate, reports = parse_gate("slower>1%"), list(reports_of_runs(0.01, 10, scatter=0.002))
    assert sum(any(two.ratio_low > 1.01 for two in report.comparisons) for _, report in reports) >= 5
    assert not any(any(find_beyond(gate, dataset, report)) for dataset, report in reports)


@pytest.mark.parametrize(("error_ns", "expected"), [(3, "regression"), (5, "undecided")])
def test_what_the_clocks_of_hosts_may_hide_is_no_sure_difference_beyond_the_amount(
    error_ns: int, expected: str
) -> None:
    gate = parse_gate("slower>1%")
    ((known, _),) = reports_of_runs(0.018, 1, scatter=0.001)
    said = (("clock_error_ns", str(error_ns * PRECISE)),)
    frames = [evolve(frame, attributes=said) for one in known.cells.values() for frame in one.frames]
    dataset = Dataset.of(known.plan, known.stacks, known.records, frames)
    report = analyse(dataset, run="", stopped=StopReason.ROUNDS)
    assert {two.verdict for two in report.comparisons} == {"equivalent"}
    assert apply_gate(gate, report.comparisons, find_beyond(gate, dataset, report))[0] == expected


def test_a_difference_of_a_simulated_clock_is_what_it_is_in_two_rounds() -> None:
    plan = make_plan(2, 1, Stopping(minimum_rounds=2, maximum_rounds=2))
    exact = tuple(evolve(stack, simulated=True) for stack in stacks(2))
    for factor, expected in ((1.06, "regression"), (1.04, "passed")):
        dataset = dataset_of(plan, 1000 * np.array([[[1.0, 1.0]], [[factor, factor]]]), exact)
        report = analyse(dataset, run="", stopped=StopReason.ROUNDS)
        assert apply_gate(SLOWER, report.comparisons, find_beyond(SLOWER, dataset, report))[0] == expected


def test_changes_between_runs_beyond_the_amount_are_told_for_all_cells_together() -> None:
    error, freedom = np.full(40, 0.01), np.full(40, 30.0)
    alone = Changes(np.log(1.05) + np.linspace(-0.02, 0.025, 40), error, freedom)
    assert (alone.interval()[0] > 1.05).any()
    assert not any(find_beyond_between_runs(SLOWER, alone))
    found = find_beyond_between_runs(SLOWER, Changes(np.log([1.05, 1.2, 1 / 1.2]), error[:3], freedom[:3]))
    assert found == (False, True, True)


def test_changes_between_runs_beyond_an_amount_below_the_margin_fail_too() -> None:
    gate, changes = parse_gate("slower>1%"), Changes(np.log([1.019, 1.002]), np.full(2, 5e-4), np.full(2, 30.0))
    compared = [one(*limits, "equivalent") for limits in zip(*changes.interval(), strict=True)]
    assert apply_gate(gate, compared, find_beyond_between_runs(gate, changes)) == ("regression", (compared[0],))
    assert apply_gate(gate, compared[1:], (False,)) == ("passed", ())


def test_conditions_are_read_as_people_write_them() -> None:
    assert parse_gate("slower>5%") == parse_gate(" slower > 0.05 ") == SLOWER


def test_at_least_is_refused_and_not_taken_as_more_than() -> None:
    with pytest.raises(UsageError, match="at least") as refused:
        parse_gate("slower >= 5 %")
    assert refused.value.remedy.startswith("write --fail-on 'slower>5 %'")


@given(st.text(max_size=15))
def test_no_text_does_anything_but_parse_or_be_refused(text: str) -> None:
    for condition in (text, f"slower>{text}"):
        try:
            assert parse_gate(condition).amount >= 0
        except UsageError as error:
            assert error.remedy
