"""The result of a paper: what needs systems that the user left out is neither missing nor undecided."""

from __future__ import annotations

from pathlib import Path

import pytest
from attrs import evolve

from msgauge.papers.claim_forecast import ClaimForecast, tell_forecast
from msgauge.papers.claims import JudgedClaim
from msgauge.papers.result import PaperResult
from msgauge.report.terminal.paper_terminal import print_paper

BOTH = JudgedClaim("MPI is faster", "p. 1", "undecided", "not measured", lacking=("openmpi",))
ASKED = JudgedClaim("What does it cost?", "p. 2", "undecided", "not measured", question=True, lacking=("mpich",))
HERE = JudgedClaim("PVM varies", "p. 3", "undecided", "too few rounds")
GONE = JudgedClaim("LAM is slower", "p. 4", "undecided", "not measured", lacking=("lam", "openmpi"))


def result(*left_out: str) -> PaperResult:
    return PaperResult(
        "p", "P", "s", "a", (("pvm", ("pvm@3.4.6",)),), claims=(BOTH, ASKED, HERE, GONE), left_out=left_out
    )


def test_claims_about_systems_left_out_on_purpose_are_not_undecided() -> None:
    found = result("openmpi", "mpich")
    assert found.statements == (HERE, GONE)
    assert found.questions == ()
    assert found.count("undecided") == 2
    assert found.describe_not_asked() == "1 claim and 1 question need systems that were left out: openmpi, mpich."


def test_a_claim_that_lacks_a_system_nobody_left_out_stays_undecided() -> None:
    assert GONE in result("openmpi").statements


def test_where_nothing_was_left_out_all_claims_are_asked() -> None:
    found = result()
    assert found.statements == (BOTH, HERE, GONE)
    assert found.questions == (ASKED,)
    assert found.describe_not_asked() == ""


@pytest.mark.parametrize("columns", ["40", "80", "200"])
def test_a_terminal_of_any_width_shows_what_would_decide_a_claim_and_its_command_whole(
    columns: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    near = ClaimForecast("may", 14, 138.0, 0.02, "--budget 4min --ranks 10")
    far = ClaimForecast("never", 41, 363.0, 1.49)
    claims = (evolve(HERE, forecast=near), evolve(HERE, forecast=far))
    print_paper(evolve(result(), claims=claims), Path("runs/of a paper"))
    lines = capsys.readouterr().out.splitlines()
    assert "    msgauge paper --resume 'runs/of a paper' --budget 4min --ranks 10" in lines
    text = " ".join(" ".join(lines).split())
    assert "about 14 more rounds of its tests, 2 min 18 s, would decide it in one run of two:" in text
    assert tell_forecast(far) in text
