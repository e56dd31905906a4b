"""The result of a paper: what needs systems that the user left out is neither missing nor undecided."""

from __future__ import annotations

from msgauge.papers.claims import JudgedClaim
from msgauge.papers.result import PaperResult

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
