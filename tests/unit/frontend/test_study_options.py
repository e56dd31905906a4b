"""Claims about what a command line changes in a study, and when measuring ends."""

from __future__ import annotations

from pathlib import Path

import pytest
from attrs import evolve

from msgauge.errors import UsageError
from msgauge.frontend.study_options import StudyOptions, make_limits, make_study
from msgauge.kernels import load_kernels
from msgauge.model import Stopping

KERNELS = load_kernels()
USUAL = Stopping(budget_s=60.0, minimum_rounds=7, maximum_rounds=50, deadline_s=90.0)


@pytest.fixture(autouse=True)
def no_budget_of_tests(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("MSGAUGE_BUDGET_S", raising=False)


def test_rounds_mean_exactly_so_many_without_any_other_limit() -> None:
    limits = make_limits(USUAL, StudyOptions(rounds=12))
    assert (limits.minimum_rounds, limits.maximum_rounds, limits.deadline_s) == (12, 12, 0.0)
    assert limits.budget_s > 86400


def test_a_budget_ends_sooner_and_replaces_the_deadline() -> None:
    limits = make_limits(USUAL, StudyOptions(budget="2min"))
    assert limits == evolve(USUAL, budget_s=120.0, deadline_s=0.0)
    assert make_limits(USUAL, StudyOptions()) == USUAL


def test_the_budget_of_tests_is_the_least(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MSGAUGE_BUDGET_S", "3")
    assert make_limits(USUAL, StudyOptions(budget="2min")).budget_s == 3.0
    assert make_limits(USUAL, StudyOptions(rounds=5)).budget_s == 3.0


@pytest.mark.parametrize(
    "asked",
    [
        StudyOptions(rounds=0),
        StudyOptions(rounds=10_001),
        StudyOptions(budget="0s"),
        StudyOptions(budget="soon"),
        StudyOptions(ranks="2,x"),
        StudyOptions(ranks="0"),
        StudyOptions(clock="sundial"),
        StudyOptions(by="colour"),
        StudyOptions(kernels="pingpnog"),
        StudyOptions(sizes="8.."),
        StudyOptions(seed=-1),
    ],
)
def test_an_option_that_makes_no_sense_is_refused_with_a_remedy(asked: StudyOptions) -> None:
    with pytest.raises(UsageError) as caught:
        make_study("quick", asked, KERNELS)
    assert caught.value.remedy


def test_kernels_and_sizes_that_are_asked_for_are_all_that_is_measured() -> None:
    study = make_study("quick", StudyOptions(kernels="osu_latency,allreduce", sizes="8,1KiB", ranks="3,2"), KERNELS)
    assert {measure.kernel for measure in study.measures} == {"pingpong", "allreduce"}
    assert all(measure.ranks == () for measure in study.measures)
    assert {(one.mode, one.sizes) for one in study.measures} == {("batch", (8, 1024)), ("single", (8,))}
    assert study.ranks == (2, 3)


def test_single_operations_beside_batches_keep_their_own_sizes_and_alone_take_those_asked_for(tmp_path: Path) -> None:
    without = make_study("quick", StudyOptions(kernels="pingpong", sizes="1KiB"), KERNELS)
    assert [(one.mode, one.sizes) for one in without.measures] == [("batch", (1024,))]
    alone = tmp_path / "tails.toml"
    alone.write_text('stacks = ["fake"]\n[[measure]]\nkernel = "pingpong"\nsizes = "8"\nmode = "single"\n')
    (one,) = make_study(str(alone), StudyOptions(sizes="1KiB"), KERNELS).measures
    assert (one.mode, one.sizes) == ("single", (1024,))
