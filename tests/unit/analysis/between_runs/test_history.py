"""Claims about histories: a step is found within one run, moods are none, and the gate names the first run after it."""

from __future__ import annotations

import re

import numpy as np
import pytest
from attrs import evolve
from simulated_histories import CELLS, simulate_history

from msgauge.analysis.between_runs.history import trace_history
from msgauge.analysis.between_runs.history_findings import (
    count_unseen,
    describe_changes,
    describe_history_gate,
    find_since,
    group_changes,
    judge_history,
)
from msgauge.analysis.between_runs.run_comparison import compare_runs
from msgauge.analysis.between_runs.run_levels import RunLevels
from msgauge.analysis.between_runs.wide_histories import warn_of_wide
from msgauge.analysis.verdicts.regression_gate import parse_gate
from msgauge.errors import UsageError
from msgauge.stats.dependence import locate_series
from msgauge.units import format_change

SLOWER = parse_gate("slower>2%")


@pytest.mark.parametrize("at", [6, 20, 41, 56])
def test_a_planted_step_is_found_within_one_run_in_sixty(at: int) -> None:
    history = trace_history(simulate_history(60, seed=at, steps={"openmpi": (at, 0.1)}))
    (group,) = group_changes(history)
    assert abs(group.first - at) <= 1
    assert len(group.members) == len(CELLS)
    for _, change in group.members:
        assert change.earliest <= at <= change.latest
        assert change.low <= 1.11
        assert change.high >= 1.09
        assert change.build == "changed"


def test_diff_and_history_show_levels_with_the_interval_of_an_absolute_time() -> None:
    old, new = simulate_history(2, seed=4, stacks=("openmpi", "mpich"))
    low, high = np.exp(locate_series([np.log(times) for times in old.medians_ns.values()]))
    medians = [np.median(times) for times in old.medians_ns.values()]
    levels = [one.old for one in compare_runs([old], [new]).changes]
    assert [(one.median_ns, one.low_ns, one.high_ns) for one in levels] == [
        pytest.approx(ends) for ends in zip(medians, low, high, strict=True)
    ]
    traced = trace_history([old, new]).series
    assert [one.low_ns[0] for one in traced] == [one.low_ns for one in levels]
    assert [one.high_ns[0] for one in traced] == [one.high_ns for one in levels]


def test_stacks_of_another_kind_say_nothing_of_a_pace() -> None:
    (run,) = simulate_history(1, seed=5, stacks=("openmpi", "mpich"))
    stacks = dict.fromkeys(key.stack for key in run.medians_ns)
    apart = evolve(run, kinds=tuple((stack,) for stack in stacks))
    alone = evolve(run, medians_ns={key: one for key, one in run.medians_ns.items() if key.stack == next(iter(stacks))})
    for key in alone.medians_ns:
        assert apart.locate(key) == alone.locate(key) != run.locate(key)


def test_twenty_clean_histories_have_no_change() -> None:
    for seed in range(20):
        history = trace_history(simulate_history(60, seed=seed))
        assert not group_changes(history)
        assert judge_history(SLOWER, history)[0] == "passed"
    (said,) = describe_changes(history)
    assert said == (
        "No change of level is found in 3 series over 60 runs; one that began in the last 2 runs cannot be seen yet."
    )


@pytest.mark.parametrize(("runs", "unseen"), [(12, 5), (14, 3), (17, 3), (18, 2), (60, 2)])
def test_a_history_says_how_many_of_its_last_runs_cannot_be_a_new_level_yet(runs: int, unseen: int) -> None:
    """However large the change is: so few orders of the runs are as far out."""
    history = trace_history(simulate_history(runs, seed=2, steps={"openmpi": (runs - unseen, 2.0)}))
    assert not group_changes(history) and count_unseen(history) == unseen
    said = describe_history_gate(SLOWER, history)
    assert said.endswith(f"; one that began in the last {unseen} runs cannot be seen yet (exit code 0)")
    sooner = trace_history(simulate_history(runs + 1, seed=2, steps={"openmpi": (runs - unseen - 1, 2.0)}))
    assert group_changes(sooner)


def test_runs_that_lie_far_apart_are_named_where_no_change_stands_out() -> None:
    def moody(run: RunLevels, number: int) -> RunLevels:
        pace = 5.0 if number % 3 == 0 else 1.0
        return evolve(run, medians_ns={key: pace * one for key, one in run.medians_ns.items()})

    calm = simulate_history(24, seed=2)
    assert not list(warn_of_wide(trace_history(calm)))
    (notice,) = warn_of_wide(trace_history([moody(run, number) for number, run in enumerate(calm)]))
    assert notice.code == "runs-far-apart" and "runs of 3 of 3 series lie far apart" in notice.message
    assert not list(warn_of_wide(trace_history(simulate_history(40, seed=4, steps={"openmpi": (20, 1.0)}))))


def test_only_the_stack_that_changed_is_told() -> None:
    runs = simulate_history(40, seed=3, stacks=("openmpi", "mpich"), steps={"openmpi": (25, 0.2)})
    history = trace_history(runs)
    (sentence,) = describe_changes(history)
    assert sentence.startswith(f"From run {runs[25].name} on (number 26 of 40, 2026-01-26 02:00): openmpi is slower")
    assert "in 3 of 3 series" in sentence
    assert "its build changed there" in sentence
    assert "mpich" not in sentence
    assert {one.key.stack for one in history.series} == {"openmpi", "mpich@1.0"}


@pytest.mark.parametrize(
    ("slower", "said"),
    [({"openmpi": 0.2, "mpich": 0.2}, True), ({"openmpi": 0.2, "mpich": 0.6}, False), ({"openmpi": 0.2}, False)],
)
def test_a_change_that_all_stacks_share_may_be_the_machines(slower: dict[str, float], said: bool) -> None:
    steps = {stack: (25, step) for stack, step in slower.items()}
    history = trace_history(simulate_history(40, seed=3, stacks=("openmpi", "mpich"), steps=steps))
    (sentence,) = describe_changes(history)
    assert sentence.endswith(" Both stacks changed alike, so it may be the machine.") is said
    alone = trace_history(simulate_history(40, seed=3, steps={"openmpi": (25, 0.2)}))
    assert "machine" not in describe_changes(alone)[0], "of one stack nothing tells which of both it was"


def test_the_largest_change_has_an_interval_for_all_series_that_it_was_picked_from() -> None:
    """Its own limits, which the page shows beside each series, are those of one that nobody picked."""
    history = trace_history(simulate_history(60, seed=3, steps={"openmpi": (30, 0.1)}))
    (sentence,) = describe_changes(history)
    change = max((change for one in history.series for change in one.changes), key=lambda one: one.factor)
    low, high = change.together
    assert low < change.low < change.factor < change.high < high
    assert f"({format_change(low)} to {format_change(high)})" in sentence


def test_the_gate_asks_for_limits_that_hold_for_all_series_together() -> None:
    history = trace_history(simulate_history(60, seed=30, steps={"openmpi": (30, 0.1)}))
    alone = max(change.low for one in history.series for change in one.changes)
    together = max(change.together[0] for one in history.series for change in one.changes)
    assert together < alone - 0.001
    for amount, judgement in ((alone - 0.0005, "passed"), (together - 0.0005, "regression")):
        assert judge_history(parse_gate(f"slower>{amount - 1:.6f}"), history)[0] == judgement


def test_the_gate_names_the_first_run_after_the_change_until_it_is_undone_or_accepted() -> None:
    runs = simulate_history(40, seed=4, steps={"openmpi": (20, 0.2)})
    history = trace_history(runs)
    assert judge_history(SLOWER, history)[0] == "regression"
    said = describe_history_gate(SLOWER, history)
    assert f"first run after the change: {runs[20].name}, number 21 of 40 (exit code 1)" in said
    assert judge_history(parse_gate("slower>30%"), history)[0] == "passed"
    assert judge_history(parse_gate("faster>2%"), history)[0] == "passed"
    since = find_since(history, runs[30].name)
    assert judge_history(SLOWER, history, since)[0] == "passed"
    accepted = describe_history_gate(SLOWER, history, since)
    assert (
        f"stayed so from run {runs[30].name} on (what changed before in 3 of them is accepted by --since)" in accepted
    )
    assert find_since(history, "2026-01-31") == find_since(history, "2026-02-01") == 28
    back = [evolve(run, medians_ns={k: v * 0.8 for k, v in run.medians_ns.items()}) for run in runs[30:]]
    undone = trace_history([*runs[:30], *back])
    assert len(group_changes(undone)) == 2
    assert judge_history(SLOWER, undone)[0] == "passed"


@pytest.mark.parametrize(
    ("since", "number"),
    [
        ("2026-01-21T02:00", 20),
        ("2026-01-21T02:00:00.000Z", 20),
        ("2026-01-21T04:00+02:00", 20),  # as text it follows 02:00
        ("2026-01-21 04:01 +02:00", 21),
        ("2026-01-20T23:00-03:00", 20),  # as text it comes before 2026-01-21
        ("2026-01-20T23:01-03:00", 21),
        ("2026-01", 0),
        ("2026", 0),
    ],
)
def test_a_time_is_utc_unless_it_has_an_offset(since: str, number: int) -> None:
    runs = simulate_history(30, seed=1)
    assert runs[20].started.startswith("2026-01-21T02:00")
    assert find_since(trace_history(runs), since) == number


def test_what_is_no_time_is_refused() -> None:
    with pytest.raises(UsageError, match="no run of this history") as caught:
        find_since(trace_history(simulate_history(12, seed=1)), "2026-01-41")
    assert "in UTC" in caught.value.remedy


def test_the_gate_is_sure_of_what_later_changes_left() -> None:
    """A step of 10 % of which 5 % are left failed a gate of 5 % in a third of histories, by the estimate alone."""
    gate, failed = parse_gate("slower>5%"), 0
    for seed in range(6):
        runs = simulate_history(60, seed=seed, steps={"openmpi": (20, 0.13)}, heavy=False)
        less = [evolve(run, medians_ns={k: v * 0.922 for k, v in run.medians_ns.items()}) for run in runs[40:]]
        history = trace_history([*runs[:40], *less])
        assert len(group_changes(history)) >= 2
        failed += judge_history(gate, history)[0] == "regression"
        assert judge_history(parse_gate("slower>1%"), history)[0] == "regression"
    assert failed == 0


def test_runs_are_ordered_by_their_start_and_odd_runs_are_no_change() -> None:
    runs = simulate_history(30, seed=5)
    odd = evolve(runs[12], medians_ns={key: 2 * values for key, values in runs[12].medians_ns.items()})
    history = trace_history([*reversed(runs[13:]), odd, *runs[:12]])
    assert [one.name for one in history.runs] == [run.name for run in runs]
    assert not group_changes(history)


def test_series_that_some_runs_lack_are_searched_with_the_others() -> None:
    runs = simulate_history(40, seed=6, steps={"openmpi": (20, 0.2)})
    thinner = [
        evolve(run, medians_ns={k: v for k, v in run.medians_ns.items() if k.kernel != "bcast"})
        if number % 3 == 0
        else run
        for number, run in enumerate(runs)
    ]
    history = trace_history(thinner)
    (group,) = group_changes(history)
    assert {one.key.kernel for one, _ in group.members} == {"pingpong", "bcast"}
    assert {len(one.runs) for one in history.series} == {40, 26}
    assert abs(group.first - 20) <= 1


def leave_tests_out(runs: list[RunLevels], share: float, seed: int) -> list[RunLevels]:
    """Each test is missing in so many of the runs, each by itself."""
    dice = np.random.default_rng(seed)
    return [evolve(one, medians_ns={k: v for k, v in one.medians_ns.items() if dice.random() > share}) for one in runs]


def test_many_series_that_lack_runs_of_their_own_hide_no_step() -> None:
    """Each by itself at its share of the level, thirty of them could not show a step of any size, and a gate passed."""
    cells = [("pingpong", 8 << number) for number in range(30)]
    runs = simulate_history(40, seed=11, steps={"openmpi": (20, 0.3)}, cells=cells)
    history = trace_history(leave_tests_out(runs, 0.1, 12))
    assert len({one.runs for one in history.series}) > 25
    (group,) = group_changes(history)
    assert len(group.members) == 30
    assert group.first == 20
    assert all(change.earliest <= 20 <= change.latest for _, change in group.members)
    assert judge_history(SLOWER, history)[0] == "regression"


def test_runs_that_lack_a_test_may_have_brought_its_change() -> None:
    runs = simulate_history(40, seed=6, steps={"openmpi": (20, 0.3)})
    bare = {k: v for k, v in runs[20].medians_ns.items() if k.kernel != "bcast"}
    history = trace_history([*runs[:20], evolve(runs[20], medians_ns=bare), *runs[21:]])
    changes = {one.key.kernel: one.changes for one in history.series}
    assert [(one.first, one.earliest) for one in changes["bcast"]] == [(21, 20)]
    (group,) = group_changes(history)
    assert group.first == 20


def test_clean_series_that_lack_runs_have_no_change() -> None:
    for seed in range(20):
        history = trace_history(leave_tests_out(simulate_history(40, seed=seed), 0.2, seed))
        assert len({one.runs for one in history.series}) == 3
        assert not group_changes(history)


def test_a_stack_that_the_newest_runs_lack_is_told() -> None:
    """A gate passes on what was measured; that nothing was of late has to be seen."""
    runs = simulate_history(30, seed=13, stacks=("openmpi", "mpich"))
    for gone, codes in ((2, []), (3, ["history-ended"])):
        late = [evolve(one, medians_ns={k: v for k, v in one.medians_ns.items() if "mpich" in k.stack}) for one in runs]
        history = trace_history([*runs[:-gone], *late[-gone:]])
        assert [one.code for one in history.warnings] == codes
    assert history.warnings[0].message.startswith("3 of 6 series are in none of the last 3 runs (openmpi@1.0): of ")


def test_tests_that_only_one_version_has_are_told() -> None:
    old, new = simulate_history(2, seed=14, stacks=("openmpi", "mpich"))
    fewer = evolve(new, medians_ns={k: v for k, v in new.medians_ns.items() if k.kernel != "bcast"})
    (warning,) = [one for one in compare_runs([old], [fewer]).warnings if one.code == "tests-differ"]
    assert warning.message.endswith("are not compared: the old one has bcast 1 KiB on 2 ranks")
    assert "tests-differ" not in {one.code for one in compare_runs([old], [new]).warnings}


def test_too_few_runs_are_told_and_decide_nothing() -> None:
    history = trace_history(simulate_history(11, seed=7))
    assert judge_history(SLOWER, history) == ("undecided", ())
    assert "needs 12 of the same stack" in describe_changes(history)[0]
    assert "exit code 3" in describe_history_gate(SLOWER, history)
    assert [one.code for one in history.warnings] == ["history-short"]
    with pytest.raises(UsageError, match="one run is no history"):
        trace_history(simulate_history(1, seed=8))
    first, second = simulate_history(2, seed=9)
    other = evolve(second, medians_ns={evolve(key, kernel="barrier"): v for key, v in second.medians_ns.items()})
    with pytest.raises(UsageError, match="in common"):
        trace_history([first, other])
    with pytest.raises(UsageError, match="no run of this history"):
        find_since(history, "2027")


@pytest.mark.parametrize(
    ("others", "said"),
    [
        ({3}, ": {3} is unlike the others"),
        ({2, 9}, ": {2}, {9} are unlike the others"),
        (set(range(5, 10)), ""),
        ({1, 2, 3, 4}, ": {1}, {2}, {3} and 1 more are unlike the others"),
    ],
)
def test_of_runs_under_other_conditions_the_fewer_are_named(others: set[int], said: str) -> None:
    runs = simulate_history(10, seed=1)
    machines = [
        {"cpu_model": "B" if number in others else "A"} | ({"smt": "on"} if number > 4 else {}) for number in range(10)
    ]
    history = trace_history([evolve(run, machine=machine) for run, machine in zip(runs, machines, strict=True)])
    (warning,) = (one for one in history.warnings if one.code == "machines-differ")
    names = {str(number): run.name for number, run in enumerate(runs)}
    told = re.sub(r"\{(\d+)\}", lambda number: names[number[1]], said)
    assert warning.remedy == f"name only runs of one machine in one state{told}"
