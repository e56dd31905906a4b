"""Versions of a stack that follow each other are one series, also where some runs hold two of them side by side."""

from __future__ import annotations

import pytest
from attrs import evolve
from simulated_histories import simulate_history

from msgauge.analysis.between_runs.history import trace_history
from msgauge.analysis.between_runs.history_findings import group_changes, judge_history
from msgauge.analysis.between_runs.run_levels import RunLevels
from msgauge.analysis.between_runs.version_series import name_series
from msgauge.analysis.verdicts.regression_gate import parse_gate

OLD, NEW = "openmpi@1.0", "openmpi@1.1"
AT = 20


def upgrade(*beside: int) -> list[RunLevels]:
    """Forty runs with an upgrade to a slower version before number 20; those ``beside`` measured both versions."""
    olds, news = (simulate_history(40, seed=5, steps={"openmpi": (at, 0.3)}) for at in (40, 0))
    return [
        _join(old, new) if number in beside else (old if number < AT else new)
        for number, (old, new) in enumerate(zip(olds, news, strict=True))
    ]


def _join(one: RunLevels, other: RunLevels) -> RunLevels:
    return evolve(
        one, stacks=(*one.stacks, *other.stacks), medians_ns={**one.medians_ns, **other.medians_ns}, identities={}
    )


@pytest.mark.parametrize("beside", [(), (1,), (0,), (AT,), (AT - 1,), (30,), (1, AT - 1, AT, AT + 1, 39)])
def test_runs_of_two_versions_do_not_hide_an_upgrade(beside: tuple[int, ...]) -> None:
    history = trace_history(upgrade(*beside))
    assert {one.key.stack for one in history.series} == {"openmpi"}
    assert {len(one.runs) for one in history.series} == {40}
    (group,) = group_changes(history)
    first = max((number + 1 for number in beside if number in (AT, AT + 1)), default=AT)
    assert group.first == first
    assert judge_history(parse_gate("slower>5%"), history)[0] == "regression"
    warnings = [one for one in history.warnings if one.code == "versions-beside"]
    assert [len(one.evidence) for one in warnings] == ([len(beside)] if beside else [])


def test_that_version_counts_which_the_run_before_has() -> None:
    runs = upgrade(0, 1, AT, 30)
    names = name_series(runs)
    chosen = [next(spec for spec, name in run.items() if name == "openmpi") for run in names.of_runs]
    assert chosen == [OLD] * (AT + 1) + [NEW] * (39 - AT)
    (warning,) = names.warnings
    assert warning.message == (
        "4 of 40 runs of openmpi hold several of its versions, of which one counts: "
        f"{OLD} in {runs[0].name}; {OLD} in {runs[1].name}; {OLD} in {runs[AT].name}; and 1 more"
    )
    assert warning.evidence[-1] == (runs[30].name, NEW)


def test_versions_side_by_side_in_most_runs_are_apart_and_that_is_told() -> None:
    history = trace_history(upgrade(*range(10, 31)))
    assert {one.key.stack for one in history.series} == {OLD, NEW}
    (warning,) = [one for one in history.warnings if one.code == "versions-apart"]
    assert warning.message.startswith("21 of 40 runs of openmpi hold several of its versions, so each version is a")
    assert "msgauge diff OLD NEW" in warning.remedy
    always = name_series(upgrade(*range(40)))
    assert always.of_runs == ({OLD: OLD, NEW: NEW},) * 40
    assert not always.warnings


def test_a_version_beside_in_as_many_runs_as_a_change_needs_is_a_series_too() -> None:
    for runs, stacks in ((11, {"openmpi"}), (12, {"openmpi", NEW})):
        history = trace_history(upgrade(*range(runs)))
        assert {one.key.stack for one in history.series} == stacks
