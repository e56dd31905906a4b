"""Claims about the exit code of a command that measured."""

from __future__ import annotations

import pytest
from attrs import evolve

from msgauge.analysis.verdicts.regression_gate import Judgement
from msgauge.errors import StackError
from msgauge.frontend.exit_status import exit_code
from msgauge.model import Analysis, Estimate, Failure, Refusal, StopReason

MEASURED = Estimate("a@1", 0, "pingpong", 8, 2)
WHOLE = Analysis("run", "study", StopReason.PRECISION, 7, estimates=(MEASURED,))


def test_a_whole_run_is_a_success() -> None:
    assert exit_code(WHOLE) == 0


def test_what_failed_is_told_even_when_the_rest_was_measured() -> None:
    assert exit_code(evolve(WHOLE, failures=(Failure("b@1", "it crashed"),))) == 4
    assert exit_code(evolve(WHOLE, estimates=(MEASURED, evolve(MEASURED, stack="b@1", failed="wrong bytes")))) == 4


@pytest.mark.parametrize(("judgement", "whole", "torn"), [("passed", 0, 4), ("undecided", 3, 4), ("regression", 1, 1)])
def test_a_regression_outdoes_what_failed_and_that_outdoes_a_gate_that_cannot_tell(
    judgement: Judgement, whole: int, torn: int
) -> None:
    assert exit_code(WHOLE, judgement) == whole
    assert exit_code(evolve(WHOLE, failures=(Failure("b@1", "it crashed"),)), judgement) == torn


def test_an_interrupted_run_is_told_as_such_whatever_it_measured() -> None:
    assert exit_code(evolve(WHOLE, stopped=StopReason.INTERRUPTED)) == 130


def test_a_run_that_measured_nothing_is_an_error_with_the_reasons_of_all_stacks() -> None:
    failures = (Failure("a@1", "no compiler"), Failure("b@1", "it crashed"))
    with pytest.raises(StackError, match="a@1: no compiler; b@1: it crashed"):
        exit_code(evolve(WHOLE, estimates=(), failures=failures))
    alike = (Failure("a@1", "no disk"), Failure("b@1", "it crashed"), Failure("c@1", "no disk"))
    with pytest.raises(StackError, match="measured: a@1, c@1: no disk; b@1: it crashed"):
        exit_code(evolve(WHOLE, estimates=(), failures=alike))


@pytest.mark.parametrize(
    ("reason", "hosts_lost", "remedy"),
    [
        ("it crashed", False, "'msgauge stacks' lists"),
        ("not started: n2 has died", True, "bring these hosts back"),
        ("its session did not start: n1 has no python3\n  remedy: install python3 there", False, ""),
    ],
)
def test_the_remedy_for_a_run_that_measured_nothing_is_one_and_for_its_reason(
    reason: str, hosts_lost: bool, remedy: str
) -> None:
    nothing = evolve(WHOLE, estimates=(), failures=(Failure("a@1", reason),))
    with pytest.raises(StackError) as caught:
        exit_code(nothing, hosts_lost=hosts_lost)
    assert caught.value.remedy.startswith(remedy) and str(caught.value).count("remedy: ") == 1


def test_a_run_of_which_all_was_refused_says_what_kept_it() -> None:
    refusals = (Refusal("a@1", 0, "too long for it"), Refusal("b@1", 0, "no such operation"))
    with pytest.raises(StackError, match="a@1: too long for it; b@1: no such operation") as caught:
        exit_code(evolve(WHOLE, estimates=(), refusals=refusals))
    assert caught.value.remedy == "choose other kernels, sizes, ranks or stacks"
    with pytest.raises(StackError, match="no launch was begun"):
        exit_code(evolve(WHOLE, estimates=()))
