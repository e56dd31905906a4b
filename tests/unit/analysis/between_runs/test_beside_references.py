"""Histories beside references: what the machine did is taken out, what a stack did is left, and what lacks is told."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from attrs import evolve
from simulated_histories import in_rounds, simulate_history

from msgauge.analysis.between_runs.beside_references import divide_by_references
from msgauge.analysis.between_runs.history import History, trace_history
from msgauge.analysis.between_runs.history_findings import describe_references
from msgauge.analysis.between_runs.measured_runs import LaunchTimes, MeasuredRun
from msgauge.analysis.between_runs.run_levels import RunLevels, SeriesKey
from msgauge.errors import UsageError

STACKS = ("openmpi", "mpich", "tcp")
TEST = SeriesKey("", "pingpong", 8, 2)


def slow_down(runs: Sequence[RunLevels], slow: range, factor: float) -> list[MeasuredRun]:
    """The same with the machine slower in some runs."""
    pace = [factor if number in slow else 1.0 for number in range(len(runs))]
    return [
        in_rounds(evolve(run, medians_ns={key: one * by for key, one in run.medians_ns.items()}))
        for run, by in zip(runs, pace, strict=True)
    ]


def trace(runs: Sequence[MeasuredRun], *names: str) -> History:
    return trace_history([one["p50"] for one in divide_by_references(runs, names).runs])


def run_of(times: dict[str, Sequence[float]], rounds: dict[str, Sequence[int]] | None = None) -> MeasuredRun:
    """One test, 8 bytes; by spec the times of the launches, and their rounds where these are not 0, 1, 2 ..."""
    launches = {
        TEST.of(spec): LaunchTimes(np.array((rounds or {}).get(spec, range(len(some)))), np.array(some, dtype=float))
        for spec, some in times.items()
    }
    levels = RunLevels("run", "", medians_ns={key: one.times_ns for key, one in launches.items()})
    return MeasuredRun(levels, {"p50": launches, "p95": {}, "p99": {}})


def test_a_machine_that_is_slower_for_a_week_changes_every_stack_but_none_beside_a_reference() -> None:
    runs = slow_down(simulate_history(40, seed=3, stacks=STACKS), range(15, 25), 1.2)
    alone = trace_history([run.levels for run in runs])
    assert {one.key.stack.split("@")[0] for one in alone.series if one.changes} == set(STACKS)
    beside = trace(runs, "tcp")
    assert {one.key.stack for one in beside.series} == {"openmpi@1.0", "mpich@1.0"}, "a reference is followed no more"
    assert not any(one.changes for one in beside.series)


def test_a_step_that_the_moods_of_the_machine_hide_is_found_beside_references() -> None:
    runs = simulate_history(40, seed=4, stacks=STACKS, steps={"openmpi": (22, 0.05)})
    dice = np.random.default_rng(5)
    moody = [slow_down([run], range(1), float(np.exp(0.1 * dice.normal())))[0] for run in runs]
    assert not any(one.changes for one in trace_history([run.levels for run in moody]).series)
    found = {one.key.stack: [change.first for change in one.changes] for one in trace(moody, "tcp", "mpich").series}
    assert set(found) == {"openmpi"}
    assert found["openmpi"] == [22]


def test_times_are_ratios_of_the_same_rounds_at_the_pace_of_the_median_run() -> None:
    first = run_of({"a@1": [10, 22, 30], "b@1": [100, 200, 300]})
    second = run_of({"a@1": [21, 90], "b@1": [200, 400]}, {"a@1": [2, 0], "b@1": [0, 2]})
    third = run_of({"a@1": [31], "b@1": [300, 9]}, {"b@1": [0, 7]})
    put = divide_by_references([first, second, third], ["b"])
    usual = np.exp(np.median(np.log([200, np.sqrt(200 * 400), 300])))
    told = [one["p50"].medians_ns[TEST.of("a@1")] for one in put.runs]
    assert told[0] == pytest.approx(usual * np.array([0.1, 0.11, 0.1]))
    assert told[1] == pytest.approx(usual * np.array([90 / 200, 21 / 400]))
    assert told[2] == pytest.approx(usual * np.array([31 / 300]))


def test_stacks_of_other_runs_are_told_at_one_pace() -> None:
    """Each was told at the pace of the runs that it was in, so that one slower by a tenth seemed as fast."""
    runs = [run_of({"a@1": [10.0], "b@1": [100.0]}), run_of({"c@1": [22.0], "b@1": [200.0]})]
    (first, second) = (one["p50"].medians_ns for one in divide_by_references(runs, ["b"]).runs)
    assert second[TEST.of("c@1")] / first[TEST.of("a@1")] == pytest.approx(1.1)


def test_of_several_references_the_geometric_mean_counts() -> None:
    runs = [
        run_of({"a@1": [10.0], "b@1": [100.0], "c@1": [400.0]}),
        run_of({"a@1": [20.0], "b@1": [100.0], "c@1": [400.0]}),
    ]
    told = [one["p50"].medians_ns[TEST.of("a@1")] for one in divide_by_references(runs, ["b@1", "c"]).runs]
    assert [float(one[0]) for one in told] == pytest.approx([10, 20])


def test_a_run_that_lacks_a_reference_does_not_count_and_is_named() -> None:
    whole, lacking = run_of({"a@1": [10.0], "b@1": [100.0]}), run_of({"a@1": [10.0]})
    put = divide_by_references([whole, whole, lacking], ["b"])
    assert [len(one["p50"].medians_ns) for one in put.runs] == [1, 1, 0]
    (notice,) = put.warnings
    assert notice.code == "runs-without-reference"
    assert notice.message.startswith("1 of 3 runs lack a reference")


def test_series_without_a_reference_and_references_that_were_rebuilt_are_named() -> None:
    apart = evolve(run_of({"a@1": [10.0], "b@1": [100.0], "s@1": [1.0]}).levels, kinds=(("a@1", "b@1"), ("s@1",)))
    runs = [evolve(in_rounds(apart), levels=evolve(apart, identities={"b@1": name})) for name in ("old", "new")]
    put = divide_by_references(runs, ["b"])
    assert {key.stack for one in put.runs for key in one["p50"].medians_ns} == {"a@1"}, (
        "simulated times have a pace of their own"
    )
    assert [(one.code, one.message) for one in put.warnings] == [
        (
            "references-changed",
            "not one build in all runs: b; a change of a reference looks like one of all stacks beside it",
        ),
        ("references-missing", "1 of 2 series have no reference beside them and are left out (s)"),
    ]


@pytest.mark.parametrize(
    ("names", "said"),
    [
        (["nobody"], "no run has a stack 'nobody'"),
        (["a", "b"], "every stack of these runs is named as a reference"),
        (["c"], "no test has c and another stack in the same rounds"),
    ],
)
def test_names_that_leave_nothing_are_refused(names: list[str], said: str) -> None:
    run = run_of({"a@1": [10.0, 11.0], "b@1": [1.0, 2.0]})
    if names == ["c"]:
        run = run_of({"a@1": [10.0], "c@1": [1.0]}, {"c@1": [5]})
    with pytest.raises(UsageError, match=said):
        divide_by_references([run, run], names)


def test_steps_of_the_clock_of_both_are_allowed_for() -> None:
    run = run_of({"a@1": [100.0, 100.0], "b@1": [200.0, 200.0]})
    coarse = evolve(run, levels=evolve(run.levels, half_steps_ns={TEST.of("a@1"): 10.0, TEST.of("b@1"): 40.0}))
    (level, _) = (one["p50"] for one in divide_by_references([coarse, coarse], ["b"]).runs)
    assert level.step_log(TEST.of("a@1")) == pytest.approx(-np.log(0.9) - np.log(0.8))


def test_what_times_are_is_told_only_beside_references() -> None:
    history = trace_history([run_of({"a@1": [10.0]}).levels] * 2)
    assert describe_references(history) == ()
    (said,) = describe_references(evolve(history, references=("tcp", "mpich")))
    assert said.startswith("Times are those at the pace of the median run: what tcp and mpich took")


def test_a_version_that_is_named_leaves_the_others_to_be_followed_and_versions_of_one_name_count_as_one() -> None:
    run = run_of({"a@1": [100.0], "a@2": [400.0], "b@1": [20.0], "c@1": [50.0]})
    one = divide_by_references([run, run], ["a@1"])
    assert one.references == ("a@1",)
    assert {key.stack for key in one.runs[0]["p50"].medians_ns} == {"a@2", "b@1", "c@1"}
    both = divide_by_references([run, evolve(run)], ["a", "b"])
    assert both.references == ("a", "b")
    (told,) = both.runs[0]["p50"].medians_ns.values()
    assert told == pytest.approx([50.0])
    twice = run_of({"a@1": [200.0], "a@2": [800.0], "b@1": [20.0], "c@1": [50.0]})
    slower = divide_by_references([run, twice], ["a", "b"]).runs
    ratio = slower[0]["p50"].medians_ns[TEST.of("c@1")] / slower[1]["p50"].medians_ns[TEST.of("c@1")]
    assert ratio == pytest.approx(np.sqrt(2)), "a has twice, b as much: a counts once for both of its versions"


def test_runs_that_do_not_tell_the_build_of_a_reference_are_not_of_another() -> None:
    run = run_of({"a@1": [10.0], "b@1": [100.0]})
    known = evolve(run, levels=evolve(run.levels, identities={"b@1": "digest"}))
    assert divide_by_references([run, known, known], ["b"]).warnings == ()


def test_tails_are_divided_by_tails_and_what_lacks_one_is_named() -> None:
    tails = run_of({"a@1": [10.0, 20.0], "b@1": [100.0, 100.0], "c@1": [5.0, 5.0]})
    p99 = {key: one for key, one in tails.launches["p50"].items() if key.stack != "c@1"}
    run = evolve(tails, launches={**tails.launches, "p99": p99})
    beside = divide_by_references([run, run], ["b"], "p99")
    assert {key.stack: one.tolist() for key, one in beside.runs[0]["p99"].medians_ns.items()} == {
        "a@1": pytest.approx([10.0, 20.0])
    }
    with pytest.raises(UsageError, match="no test has c and another stack in the same rounds"):
        divide_by_references([run, run], ["c"], "p99")


def test_many_series_take_no_longer_than_they_are_many() -> None:
    """Each series looked for its references among all of them: 600 took seconds."""
    keys = [SeriesKey(stack, f"kernel{number}", 8, 2) for number in range(600) for stack in ("a@1", "b@1")]
    launches = {key: LaunchTimes(np.arange(3), np.ones(3)) for key in keys}
    levels = RunLevels("run", "", medians_ns={key: np.ones(3) for key in keys})
    run = MeasuredRun(levels, {"p50": launches, "p95": {}, "p99": {}})
    looked = 0
    of = SeriesKey.of

    def count(key: SeriesKey, stack: str) -> SeriesKey:
        nonlocal looked
        looked += 1
        return of(key, stack)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(SeriesKey, "of", count)
        divide_by_references([run], ["b"])
    assert looked < 20 * len(keys)
