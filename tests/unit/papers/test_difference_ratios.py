"""A claim about what is left of a time loses no round because the rest is zero or less there."""

from __future__ import annotations

from math import inf, nan

import numpy as np
import pytest

from msgauge.analysis.estimates.observations import Observation
from msgauge.errors import StudyError
from msgauge.papers.claim_cases import find_cases
from msgauge.papers.claim_prospects import foretell_claim
from msgauge.papers.claim_statement import Claim
from msgauge.papers.claims import JudgedClaim, judge_claim
from msgauge.papers.difference_ratios import DifferenceRatio
from msgauge.papers.file import parse_paper
from msgauge.papers.number_selection import Pick
from msgauge.stats.dependence import STEADY

SYSTEMS = {"lam": ("lam@7",), "mpich": ("mpich@5",)}
ROUNDS = 20
TEN_NS = Pick(constant_ns=10.0)


def barrier(system: str) -> Pick:
    """What a barrier of four costs more than one of two."""
    return Pick(system, "barrier", ranks=4, less=(Pick(system, "barrier", ranks=2),))


def launches(stack: str, more: float, seed: int, scatter: float = 0.015) -> list[Observation]:
    """Barriers of 1000 ns on two processes and so much more on four."""
    rng = np.random.default_rng(seed)
    times = np.array([[1000.0 + more], [1000.0]]) * np.exp(scatter * rng.normal(size=(2, ROUNDS)))
    return [
        Observation(stack, "barrier", 0, ranks, (), "time", tuple(range(ROUNDS)), tuple(row.tolist()))
        for ranks, row in zip((4, 2), times, strict=True)
    ]


def judge(right: Pick, observed: list[Observation], low: float = 0.0, high: float = inf) -> JudgedClaim:
    return judge_claim(Claim("", left=barrier("lam"), right=right, low=low, high=high), observed, SYSTEMS)


def test_a_difference_below_zero_refutes_at_least_and_supports_at_most() -> None:
    """By the log of what is above zero, -10 ns were at least 3 ns in 56 % of runs, and 0 ns at least 10."""
    below = launches("lam@7", -40.0, 1)
    assert judge(TEN_NS, below, low=1.0).verdict == "does not hold"
    found = judge(TEN_NS, below, high=1.0)
    assert found.verdict == "holds"
    (one,) = found.evidence
    assert one.rounds == ROUNDS and one.low < one.value < one.high < 0
    assert not any(judge(TEN_NS, launches("lam@7", 0.0, seed), low=1.0).verdict == "holds" for seed in range(10))


def test_the_evidence_names_what_was_subtracted() -> None:
    against = judge(TEN_NS, launches("lam@7", -40.0, 1), low=1.0)
    assert "lam@7, barrier, 4 processes less barrier, 2 processes vs the published number: -" in against.reason
    both = [*launches("lam@7", 100.0, 1), *launches("mpich@5", 100.0, 2)]
    told = judge(barrier("mpich"), both, low=1.0).reason
    assert "barrier, 2 processes vs mpich@5, barrier, 4 processes less barrier, 2 processes: " in told
    assert f", {ROUNDS} rounds; claimed" in told


def test_a_ratio_of_differences_is_judged_without_a_division() -> None:
    """100 ns over 10 is no 8 at most, whichever rounds of the 10 lie below zero; nor is a ratio shown that is not."""
    for seed in range(20):
        observed = [*launches("lam@7", 100.0, seed), *launches("mpich@5", 10.0, 100 + seed)]
        found = judge(barrier("mpich"), observed, high=8.0)
        (one,) = found.evidence
        assert found.verdict != "holds" and one.rounds == ROUNDS
        assert one.unit == "text" or one.low > 0
    assert one.unit == "text" and np.isnan([one.value, one.low, one.high]).all()
    assert "no ratio, as what it is divided by may be zero or less; left - 8.00 × right is " in one.what
    assert f"{ROUNDS} rounds; claimed at most 8.00" in found.reason
    far = [*launches("lam@7", 200.0, 3), *launches("mpich@5", 10.0, 4)]
    assert judge(barrier("mpich"), far, high=1.5).verdict == "does not hold"
    assert judge(barrier("mpich"), far, low=1.5).verdict == "holds"


def test_the_ratio_that_is_shown_ends_where_the_margins_do() -> None:
    rng = np.random.default_rng(1)
    left, right = 30 + rng.normal(size=ROUNDS), 10 + rng.normal(size=ROUNDS)
    sides = DifferenceRatio(left, right, (0.5, 0.1), (STEADY,))
    low, high = sides.limits(0.95)
    assert low < sides.value < high
    assert np.median(left - sides.value * right) == pytest.approx(0, abs=1e-9)
    assert sides.subtract_times(low, 0.95)[1] == pytest.approx(0, abs=1e-9)
    assert sides.subtract_times(high, 0.95)[2] == pytest.approx(0, abs=1e-9)
    number = DifferenceRatio(left, np.full(ROUNDS, 10.0), (0.5, 0.0), (STEADY,))
    _, least, most = number.subtract_times(0.0, 0.95)
    assert number.limits(0.95) == pytest.approx((least / 10, most / 10))


def test_what_divides_or_cannot_be_read_has_no_limits() -> None:
    left, right = np.arange(10.0), np.arange(-5.0, 5.0)
    none = DifferenceRatio(left, right, (0.0, 0.0), (STEADY,))
    assert np.isnan([none.value, *none.limits(0.95)]).all()
    assert DifferenceRatio(left, right + 20, (inf, 0.0), (STEADY,)).limits(0.95) == (-inf, inf)
    assert np.isnan(DifferenceRatio(left, right + 20, (0.0, inf), (STEADY,)).limits(0.95)).all()
    assert DifferenceRatio(left[:4], right[:4] + 9, (0.0, 0.0), (STEADY,)).limits(0.95) == pytest.approx(
        (nan, nan), nan_ok=True
    )


def test_of_differences_nothing_is_foretold() -> None:
    observed = launches("lam@7", 10.0, 1)
    claim = Claim("", left=barrier("lam"), right=TEN_NS, low=1.0)
    judged = judge_claim(claim, observed, SYSTEMS)
    assert judged.verdict == "undecided"
    assert foretell_claim(claim, find_cases(claim, observed, SYSTEMS), judged.evidence) is None


def test_a_spread_of_a_difference_is_refused_with_what_helps() -> None:
    text = """\
title = "T"
[systems]
one = ["fake"]
[[claim]]
text = "steady"
kind = "spread"
left = { system = "one", kernel = "barrier", less = [{ kernel = "reduce" }] }
high = 2.0
"""
    with pytest.raises(StudyError, match="leave out less"):
        parse_paper(text, "t")
