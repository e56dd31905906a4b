"""Claims about what is foretold of undecided claims: it comes true in four of five runs, or it is not said."""

from __future__ import annotations

from math import nan

import numpy as np
import pytest
from benchmarks.truth import documents
from benchmarks.truth.documents import SYSTEMS

from msgauge.analysis.estimates.observations import Observation
from msgauge.papers.claim_cases import find_cases
from msgauge.papers.claim_forecast import ClaimForecast, tell_forecast
from msgauge.papers.claim_prospects import foretell_claim
from msgauge.papers.claim_statement import Claim
from msgauge.papers.claims import judge_claim
from msgauge.papers.number_selection import Pick
from msgauge.stats.launch_ranges import RANGES, estimate_range

LEFT, RIGHT = (Pick(role, "pingpong") for role in SYSTEMS)


def observe(stack: str, logs: np.ndarray, size: int = 1) -> Observation:
    return Observation(stack, "pingpong", size, 2, (), "time", tuple(range(logs.size)), tuple(np.exp(logs)))


def scattered(rounds: int, centre: float, scatter: float) -> np.ndarray:
    """Values that scatter evenly about their centre, as exactly as they are told to."""
    ranks = np.argsort(np.random.default_rng(3).random(rounds))
    values = np.linspace(-1, 1, rounds)[ranks]
    return centre + scatter * values / values.std(ddof=1)


def foretell(claim: Claim, *seen: Observation) -> ClaimForecast | None:
    judged = judge_claim(claim, seen, SYSTEMS)
    assert judged.verdict == "undecided"
    return foretell_claim(claim, find_cases(claim, seen, SYSTEMS), judged.evidence)


def foretell_ratio(ratio: float, scatter: float, rounds: int = 10) -> ClaimForecast | None:
    claim = Claim("slower", left=LEFT, right=RIGHT, sizes=(1,), low=1.0)
    left = observe("tcp@1", scattered(rounds, np.log(ratio), scatter))
    return foretell(claim, left, observe("mpich@5", np.zeros(rounds)))


def test_what_scatters_more_needs_more_rounds() -> None:
    quiet, loud = foretell_ratio(1.05, 0.06), foretell_ratio(1.05, 0.07)
    assert quiet and loud and quiet.word == loud.word != "never"
    assert 1 <= quiet.rounds < loud.rounds <= 90
    assert quiet.distance == pytest.approx(0.05, abs=0.01)


def test_where_no_number_is_sure_an_even_chance_is_said_to_be_one() -> None:
    found = foretell_ratio(1.05, 0.09)
    assert found and found.word == "may"
    assert "would decide it in one run of two" in tell_forecast(found)


def test_of_an_estimate_at_its_bound_no_number_of_rounds_is_promised() -> None:
    found = foretell_ratio(1.002, 0.1)
    assert found and found.word == "never"
    assert found.distance < 0.02
    assert tell_forecast(found).startswith("not in any reasonable time: ")


def test_below_five_rounds_those_come_first() -> None:
    found = foretell_ratio(3.0, 0.1, rounds=2)
    assert found and (found.word, found.rounds) == ("begins", 3)
    assert tell_forecast(found) == "3 more rounds of its tests, come first, as no claim is decided before round 5"


def test_a_claim_about_any_of_its_cases_waits_for_none_that_lies_at_its_bound() -> None:
    seen = []
    for size, ratio in ((1, 1.001), (2, 1.0), (3, 1.06)):
        logs = scattered(10, np.log(ratio), 0.1)
        seen += [observe("tcp@1", np.roll(logs, size), size), observe("mpich@5", np.zeros(10), size)]
    claims = {
        hold: Claim("slower", left=LEFT, right=RIGHT, sizes=(1, 2, 3), low=1.0, hold=hold) for hold in ("any", "all")
    }  # type: ignore[misc]
    anyone, every = (foretell(claims[hold], *seen) for hold in ("any", "all"))
    assert every and every.word == "never" and every.distance < 0.03
    assert anyone and anyone.distance == pytest.approx(0.06, abs=0.02)


def test_no_number_of_rounds_is_promised_to_decide_a_spread() -> None:
    """Launches hide most of how they scatter: what was said so came true in a third of runs."""
    claim = Claim("varies", kind="spread", left=LEFT, sizes=(1,), low=2.0)
    deviation = np.log(2.0) / RANGES[0]
    for more in (1.4, 1.02):
        logs = scattered(10, 0, more * deviation)
        found = foretell(claim, observe("tcp@1", logs))
        assert found and (found.word, found.rounds) == ("never", 84)
        assert found.distance == pytest.approx(abs(np.exp(estimate_range(logs)) / 2 - 1), rel=0.4)


def test_so_many_rounds_more_decide_in_one_run_of_two() -> None:
    """With few trials; the page of proof has more of them."""
    assert documents.claim_forecasts("may", ("all", 1), 10, "two modes, launch by launch", 30).share >= 0.4


def test_the_sentence_names_rounds_time_and_command() -> None:
    found = ClaimForecast("may", 14, 138.0, 0.02, "--rounds 24 --budget 17min")
    assert tell_forecast(found, "a-run") == (
        "2 % from its bound; about 14 more rounds of its tests, 2 min 18 s, would decide it in one run of two: "
        "msgauge paper --resume a-run --rounds 24 --budget 17min"
    )
    assert tell_forecast(None) == ""
    assert "90 more rounds of its tests, would not be sure" in tell_forecast(ClaimForecast("never", 90, nan, nan))
