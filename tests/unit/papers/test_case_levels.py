"""How sure each case of a claim has to be: false verdicts stay rare, and claims about all cases can be decided."""

from __future__ import annotations

from math import isclose

import pytest
from benchmarks.truth import documents

from msgauge.papers.case_levels import (
    CaseLevels,
    Hold,
    Outcome,
    combine_verdicts,
    count_against,
    count_enough,
    decide_case,
    find_levels,
)

HOLDS: tuple[Hold, ...] = ("all", "most", "any")


@pytest.mark.parametrize("hold", HOLDS)
@pytest.mark.parametrize("cases", [1, 2, 3, 6, 26])
def test_so_many_cases_decide_and_one_fewer_does_not(hold: Hold, cases: int) -> None:
    for outcome, enough, verdict in (
        ("fits", count_enough(cases, hold), "holds"),
        ("contradicts", count_against(cases, hold), "does not hold"),
    ):
        assert combine_verdicts([outcome] * enough + ["open"] * (cases - enough), hold) == verdict
        assert combine_verdicts([outcome] * (enough - 1) + ["open"] * (cases - enough + 1), hold) == "undecided"


def test_a_case_that_decides_alone_has_to_be_surer() -> None:
    alone, one_of_six, one_of_three = 0.95, 1 - 0.05 / 6, 1 - 0.05 / 3
    for hold, fits, contradicts in (
        ("all", alone, one_of_six),
        ("any", one_of_six, alone),
        ("most", one_of_three, 1 - 0.05 / 4),
    ):
        levels = find_levels(6, 6, hold)
        assert isclose(levels.fits, fits) and isclose(levels.contradicts, contradicts)


def test_cases_that_were_not_measured_cannot_fit_by_mistake() -> None:
    assert find_levels(6, 4, "most").fits == 0.95
    assert find_levels(6, 1, "any") == CaseLevels(0.95, 0.95)


def test_a_case_shows_the_interval_that_decides_it_or_the_wider_one() -> None:
    def judge(limits: tuple[float, float]) -> Outcome:
        return "fits" if limits[0] >= 1 else "contradicts" if limits[1] < 1 else "open"

    levels = CaseLevels(fits=0.95, contradicts=0.99)
    for middle, shown, outcome in ((3.0, 0.95, "fits"), (-3.0, 0.99, "contradicts"), (1.0, 0.99, "open")):
        limits, told = decide_case(lambda level, m=middle: (m - level, m + level), judge, levels)  # type: ignore[misc]
        assert (limits, told) == ((middle - shown, middle + shown), outcome)


@pytest.mark.parametrize("machine", ["lognormal", "two modes, cell by cell"])
@pytest.mark.parametrize(("hold", "cases"), [("all", 10), ("most", 6), ("any", 6)])
def test_claims_are_rarely_called_true_or_false_by_mistake(hold: Hold, cases: int, machine: str) -> None:
    assert documents.false_claims(hold, cases, 6, machine, 120).share <= 0.05 + 0.05


def test_a_true_claim_about_many_cases_is_found_in_few_rounds() -> None:
    figure = documents.claims_decided("all", 26, 7, 1.5, 20)
    assert figure.share >= 0.9 > figure.before


def test_looks_at_a_claim_leave_its_last_word_as_good_as_promised() -> None:
    figure = documents.false_claims_at_looks("all", 1, "lognormal", 60)
    assert figure.share <= 0.05 + 0.03
    assert figure.before > figure.share, "who stops at the first look that tells errs more often"
