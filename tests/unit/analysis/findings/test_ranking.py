"""One scale for all findings: effect on a decision, share of the tests, certainty."""

from __future__ import annotations

import pytest
from attrs import evolve

from msgauge.analysis.findings.ranking import effect, outcome_of, rank, weigh, weigh_summary
from msgauge.model import Comparison, Finding

SLOWER = Comparison("a", "b", 0, "pingpong", 8, 2, (), 1.8, 1.7, 1.9, "slower", rounds=10, p_adjusted=0.01)


@pytest.mark.parametrize("ratio", [1.01, 1.3, 2.0, 30.0, 1e6])
def test_it_does_not_matter_which_of_two_stacks_is_the_base(ratio: float) -> None:
    assert effect(ratio) == pytest.approx(effect(1 / ratio))
    assert 0 < effect(ratio) <= 0.5


def test_a_close_rival_matters_more_than_equal_times_and_than_one_far_behind() -> None:
    assert effect(1.0) == 0 == effect(float("nan"))
    assert effect(1.2) > effect(1.1) > effect(1.0)
    assert effect(1.2) > effect(1000.0)


def test_a_weight_grows_with_the_share_of_tests_and_with_the_certainty() -> None:
    assert weigh([(1.5, 1.0)] * 2, 4) == pytest.approx(2 * weigh([(1.5, 1.0)], 4))
    assert weigh([(1.5, 1.0)], 4) == pytest.approx(2 * weigh([(1.5, 0.5)], 4))
    assert weigh([], 0) == 0


def test_what_is_undecided_weighs_less_than_the_same_ratio_decided_and_an_equivalence_weighs_something() -> None:
    undecided, equal = evolve(SLOWER, verdict="undecided"), evolve(SLOWER, verdict="equivalent", ratio=1.0)
    decided = weigh([outcome_of(SLOWER)], 1)
    assert decided > weigh([outcome_of(equal)], 1) > weigh([outcome_of(evolve(undecided, ratio=1.0))], 1) == 0
    assert decided > 10 * weigh([outcome_of(undecided)], 1) > 0


def test_a_summary_stands_above_everything_and_the_one_of_more_tests_first() -> None:
    assert weigh_summary(12, 12) == 1.0
    assert weigh_summary(12, 12) > weigh_summary(3, 12) > weigh([(2.718, 1.0)] * 12, 12)


def test_findings_of_one_weight_stay_in_their_order() -> None:
    found = [Finding("first", 0.1), Finding("second", 0.1), Finding("third", 0.2)]
    assert [one.sentence for one in rank(found)] == ["third", "first", "second"]
