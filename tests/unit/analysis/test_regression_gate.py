"""Claims about --fail-on: it fails on what is sure, asks for more when it cannot tell, and passes otherwise."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from msgauge.analysis.regression_gate import Gate, apply_gate, parse_gate
from msgauge.errors import UsageError
from msgauge.model import Comparison, Word

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
    assert apply_gate(SLOWER, [one(low, high, verdict)])[0] == expected


def test_one_regression_outweighs_what_is_undecided() -> None:
    judgement, which = apply_gate(SLOWER, [one(0.5, 2, "undecided"), one(1.2, 1.3, "slower")])
    assert (judgement, [each.ratio_low for each in which]) == ("regression", [1.2])


def test_nothing_compared_is_not_a_pass() -> None:
    assert apply_gate(SLOWER, [])[0] == "undecided"


def test_faster_and_different() -> None:
    faster = one(0.5, 0.6, "faster")
    assert apply_gate(Gate("faster", 0.05), [faster])[0] == "regression"
    assert apply_gate(Gate("different", 0.05), [faster])[0] == "regression"
    assert apply_gate(Gate("faster", 0.05), [one(0.99, 1.01, "equivalent")])[0] == "passed"


def test_conditions_are_read_as_people_write_them() -> None:
    assert parse_gate("slower>5%") == parse_gate(" slower > 0.05 ") == SLOWER


@given(st.text(max_size=15))
def test_no_text_does_anything_but_parse_or_be_refused(text: str) -> None:
    for condition in (text, f"slower>{text}"):
        try:
            assert parse_gate(condition).amount >= 0
        except UsageError as error:
            assert error.remedy
