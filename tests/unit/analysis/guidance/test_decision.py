"""The decision says what the verdicts say and no more: standings, means, guidance, purposes, topics, advice."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from attrs import evolve
from benchmarks.truth.simulated_runs import dataset_of, make_plan
from planted_runs import study_run

from msgauge import evaluation
from msgauge.analysis.findings.topics import arrange_findings
from msgauge.analysis.guidance.advice import find_advice
from msgauge.analysis.guidance.decision import check_purpose, list_possible
from msgauge.analysis.guidance.use_by_size import MOST_LINES, SizeChoice, advise_by_size, describe_choices
from msgauge.analysis.run import analyse
from msgauge.errors import UsageError
from msgauge.frontend.purposes import PURPOSES, add_measures, read_purpose
from msgauge.kernels import load_kernels
from msgauge.model import (
    Analysis,
    CellKey,
    CellWeight,
    Estimate,
    Finding,
    Place,
    Purpose,
    Refusal,
    Stopping,
    StopReason,
    Summary,
)
from msgauge.models import guidelines
from msgauge.results.run_folder import RunFolder


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> RunFolder:
    return study_run(tmp_path_factory.mktemp("run"), "quick", ("intelmpi", "openmpi", "mpich", "lam"), rounds=8)


@pytest.fixture(scope="module")
def analysis(folder: RunFolder) -> Analysis:
    return evaluation.analyse_folder(folder, "rounds")


def decision(analysis: Analysis) -> Summary:
    assert analysis.summary is not None
    return analysis.summary


def test_the_table_has_latency_bandwidth_message_rate_and_broadcast(analysis: Analysis) -> None:
    tests = {test.title: test for test in decision(analysis).key_tests}
    assert {(title, test.kernel, test.size_bytes) for title, test in tests.items()} == {
        ("latency", "pingpong", 8),
        ("bandwidth", "stream", 2**20),
        ("message rate", "stream", 8),
        ("broadcast", "bcast", 8),
    }


def test_a_test_that_no_stack_can_run_stands_for_nothing() -> None:
    """Of ranks 1 and 2 the table was that of one rank: no result in any column."""
    plan = make_plan(2, 2, Stopping(minimum_rounds=7, maximum_rounds=7))
    never = tuple(Refusal(stack, 0, "needs two ranks") for stack in plan.stacks)
    plan = evolve(plan, refusals=(*never, Refusal(plan.stacks[0], 1, "has no such option")))
    assert [cell.id for cell in list_possible(plan)] == [1]
    left_out = evolve(plan, refusals=never[:1], left_out=(CellKey(plan.stacks[1], 0),))
    assert [cell.id for cell in list_possible(left_out)] == [1]
    logs = np.random.default_rng(1).normal(0, 0.01, (2, 2, 7))
    logs[:, 0] = np.nan
    with np.errstate(invalid="ignore"):  # of what was not measured
        measured = dataset_of(evolve(plan, refusals=never), 1000 * np.exp(logs))
    told = analyse(measured, run="", stopped=StopReason.ROUNDS)
    assert {test.cell for test in decision(told).key_tests} == {1}
    assert (decision(told).tests, decision(told).left_out) == (1, 0)


def test_every_number_and_standing_is_that_of_its_estimate(analysis: Analysis) -> None:
    estimates = {one.key: one for one in analysis.estimates}
    for row in decision(analysis).stacks:
        for test, result in zip(decision(analysis).key_tests, row.results, strict=True):
            (one,) = (each for key, each in estimates.items() if (key.stack, key.cell) == (row.stack, test.cell))
            assert result is not None
            assert one.place is not None
            assert (result.standing == "slower") is not one.place.may_be_fastest
            if test.shown == "time":
                assert (result.median, result.low, result.high) == (one.median_ns, one.low_ns, one.high_ns)
            else:
                assert result.low <= result.median <= result.high


def test_a_star_alone_in_its_column_is_called_the_fastest(analysis: Analysis) -> None:
    for column in range(len(decision(analysis).key_tests)):
        words = [row.results[column].standing for row in decision(analysis).stacks if row.results[column]]
        assert words.count("fastest") in (0, 1)
        assert ("fastest" in words) != ("may be fastest" in words)


def test_a_planted_factor_is_within_the_interval_of_its_mean(analysis: Analysis) -> None:
    means = {row.stack: row.mean for row in decision(analysis).stacks}
    base = decision(analysis).stacks[0].base
    slow = means["lam@7.1.5"]
    assert slow is not None
    assert slow.verdict == "slower"
    assert 1 < slow.ratio_low < slow.ratio < slow.ratio_high
    assert means[base] is None
    assert slow.tests == decision(analysis).tests == 13


def test_no_mean_is_judged_against_its_interval(analysis: Analysis) -> None:
    for row in decision(analysis).stacks:
        if row.mean and row.mean.verdict in ("slower", "faster"):
            assert row.mean.ratio_low >= 1 or row.mean.ratio_high <= 1
            assert (row.mean.ratio > 1) == (row.mean.verdict == "slower")


def test_a_mean_without_all_tests_is_shown_and_not_judged(folder: RunFolder) -> None:
    dataset = folder.dataset
    plan = folder.plan
    lacking = next(key for key in dataset.cells if key.stack.startswith("lam"))
    held = dataset._cells
    assert held is not None
    kept = dict(held)
    del held[lacking]
    try:
        found = evaluation.analyse_folder(folder, "rounds").summary
    finally:
        held.update(kept)
    assert found is not None
    mean = next(row.mean for row in found.stacks if row.stack == lacking.stack)
    assert mean is not None
    assert (mean.verdict, mean.tests) == ("", len(plan.cells) - 1)


# --- what to use when ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("choices", "said"),
    [
        ([(8, "a"), (1024, "a"), (2**20, "b")], "a up to 1 KiB, b at 1 MiB"),
        ([(8, "a"), (1024, "a"), (16384, "ab"), (65536, "b"), (2**20, "b")],
         "a up to 1 KiB, b from 64 KiB; not resolved at 16 KiB (a or b)"),
        ([(8, "a"), (1024, "ab"), (2**20, "a")], "a at 8 B and at 1 MiB; not resolved at 1 KiB (a or b)"),
        ([(8, "a"), (1024, "a")], "a at every size"),
        ([(0, "a")], "a"),
        ([(1024, "b")], "b at 1 KiB"),
        ([(8, "ab"), (1024, "ab")], "not resolved: a or b"),
        ([(8, "ab"), (64, "bc"), (1024, "ab")], "not resolved at 8 B, 1 KiB (a or b), 64 B (b or c)"),
        ([(8, "a"), (64, "ab"), (1024, "abc"), (2048, "ab"), (4096, "c")],
         "a at 8 B, c at 4 KiB; not resolved at 64 B, 2 KiB (a or b), 1 KiB (a, b or c)"),
        ([(8, "ab"), (64, "bc"), (512, "ac"), (1024, "abc")],
         "not resolved: up to 3 stacks may be the fastest"),
        ([(8, "ab"), (64, "bc"), (512, "ac"), (1024, "abc"), (2048, "c")],
         "c at 2 KiB; not resolved at 8 B, 64 B, 512 B, 1 KiB (up to 3 stacks may be the fastest)"),
        ([(8, "abcd")], "not resolved: 4 stacks may be the fastest"),
        ([(8, "ab"), (64, "abcd")], "not resolved at 8 B (a or b), 64 B (4 stacks may be the fastest)"),
        ([(8, "ab"), (64, "cd"), (512, "bc"), (1024, "ad")],
         "not resolved: up to 2 of 4 stacks may be the fastest"),
        ([(8, "a"), (64, "b"), (512, "b"), (1024, "a")], "a at 8 B, b from 64 B to 512 B, a at 1 KiB"),
        ([(8, "a"), (64, "a"), (512, "bc"), (1024, "a"), (2048, "a"), (4096, "ab"), (8192, "a"), (16384, "c")],
         "a up to 64 B and from 1 KiB to 2 KiB and at 8 KiB, c at 16 KiB; "
         "not resolved at 512 B (b or c), 4 KiB (a or b)"),
    ],
)  # fmt: skip
def test_what_to_use_is_said_from_size_to_size(choices: list[tuple[int, str]], said: str) -> None:
    assert describe_choices([SizeChoice(size, tuple(stacks)) for size, stacks in choices]) == said


@pytest.mark.parametrize(
    ("choices", "said"),
    [
        ([(8, "ab")], "equivalent: a or b"),
        ([(8, "ab"), (64, "a")], "a at 64 B; equivalent at 8 B (a or b)"),
        ([(8, "ab"), (64, "ac"), (512, "ab")], "equivalent at 8 B, 512 B (a or b), 64 B (a or c)"),
        ([(8, "abc"), (64, "ab")], "equivalent at 8 B (a, b or c), 64 B (a or b)"),
        ([(8, "abcd")], "equivalent: those that may be the fastest, 4 stacks"),
    ],
)
def test_of_those_that_are_equivalent_any_will_do(choices: list[tuple[int, str]], said: str) -> None:
    made = [SizeChoice(size, tuple(stacks), len(stacks) > 1) for size, stacks in choices]
    assert describe_choices(made) == said
    assert describe_choices([*made, SizeChoice(4096, ("b", "c"))]).endswith("; not resolved at 4 KiB (b or c)")


@pytest.mark.parametrize(
    ("ratios", "scatter", "said"),
    [
        ((1.0, 1.001), 0.01, "equivalent: stack0@1 or stack1@1"),
        ((1.0, 1.001, 1.0), 0.01, "equivalent: stack0@1, stack1@1 or stack2@1"),
        ((1.2, 1.001, 1.0), 0.01, "equivalent: stack1@1 or stack2@1"),
        ((1.0, 1.001, 1.0, 1.001), 0.01, "equivalent: those that may be the fastest, 4 stacks"),
        ((1.0, 1.001, 1.0), 0.05, "not resolved: stack0@1, stack1@1 or stack2@1"),
        ((1.0, 1.1), 0.01, "stack0@1 at 8 B"),
    ],
)
def test_the_word_equivalent_rests_on_the_verdicts_about_every_two(
    ratios: tuple[float, ...], scatter: float, said: str
) -> None:
    """Of three, and of two that are not the base, "not resolved" was said where all were equivalent."""
    plan = make_plan(len(ratios), 1, Stopping(minimum_rounds=10, maximum_rounds=10))
    logs = np.log(ratios)[:, None, None] + scatter * np.random.default_rng(5).standard_normal((len(ratios), 1, 10))
    told = analyse(dataset_of(plan, 1000 * np.exp(logs)), run="", stopped=StopReason.ROUNDS)
    assert decision(told).guidance == (f"kernel0 (2 processes): {said}.",)


def test_advice_by_size_has_at_most_five_lines_and_names_only_who_alone_may_be_fastest(analysis: Analysis) -> None:
    lines = decision(analysis).guidance
    assert 0 < len(lines) <= MOST_LINES
    alone = {row.stack for row in decision(analysis).stacks} & {
        one.stack for one in analysis.estimates if one.place and one.place.may_be_fastest
    }
    assert all(any(stack in line for stack in alone) or "stacks may be" in line for line in lines)


# --- purposes --------------------------------------------------------------------------------------------------------


def test_a_purpose_counts_its_own_tests_alone(folder: RunFolder, analysis: Analysis) -> None:
    small = read_purpose("latency", load_kernels())
    found = evaluation.analyse_folder(folder, "rounds", small)
    assert decision(found).purpose == "latency"
    assert decision(found).tests == 3
    assert all(line.startswith("pingpong") for line in decision(found).guidance)
    assert found.comparisons == analysis.comparisons


def test_what_to_use_for_a_purpose_names_the_sizes_that_it_speaks_of(folder: RunFolder) -> None:
    """``at every size`` was said of sizes from 64 KiB on, where another stack was the fastest at 8 B."""
    cells = [cell for cell in folder.plan.cells if cell.kernel == "stream"]
    found = [Estimate(stack, cell.id, "stream", cell.size_bytes, 2, ()) for cell in cells for stack in "ab"]
    found = [evolve(one, place=Place((one.stack == "a") == (one.size_bytes > 8), 1, 1)) for one in found]
    large = cells[1:]

    def none_alike(_stacks: Sequence[str], _cell: int) -> bool:
        return False

    assert advise_by_size(large, found, cells, none_alike) == (
        "stream (2 processes, 64 KiB to 1 MiB): a at every size.",
    )
    assert advise_by_size(large[:1], found, cells, none_alike) == ("stream (2 processes, 64 KiB): a at 64 KiB.",)
    assert advise_by_size([cells[0], cells[2]], found, cells, none_alike) == (
        "stream (2 processes, 2 of 3 sizes): b at 8 B, a at 1 MiB.",
    )
    assert advise_by_size(cells, found, cells, none_alike) == ("stream (2 processes): b at 8 B, a from 64 KiB.",)


def test_weights_move_the_mean_towards_the_heavier_tests(folder: RunFolder) -> None:
    def mean(*weights: CellWeight) -> float:
        summary = decision(evaluation.analyse_folder(folder, "rounds", Purpose("mine", weights)))
        row = next(one.mean for one in summary.stacks if one.stack.startswith("lam"))
        assert row is not None
        return row.ratio

    small, large = CellWeight("pingpong", 0, 1024), CellWeight("pingpong", 65536)
    low, high = sorted((mean(small), mean(large)))
    assert low < mean(small, evolve(large, weight=1.0)) < high
    assert mean(evolve(small, weight=9.0), large) == pytest.approx(mean(small), rel=0.15)


@pytest.mark.parametrize("name", PURPOSES)
def test_a_named_purpose_measures_what_it_needs(name: str) -> None:
    kernels = load_kernels()
    purpose = read_purpose(name, kernels)
    measured = add_measures((), purpose, kernels)
    assert {one.kernel for one in purpose.weights} == {one.kernel for one in measured}


def test_a_file_of_weights_takes_the_names_that_people_type(tmp_path: Path) -> None:
    path = tmp_path / "solver.toml"
    path.write_text('[[weight]]\nkernel = "osu_latency"\nsizes = "8..1KiB x2"\nweight = 3\n')
    purpose = read_purpose(str(path), load_kernels())
    assert purpose == Purpose("solver", (CellWeight("pingpong", 8, 1024, 3.0),))


def test_a_misspelt_purpose_and_one_without_tests_are_answered(folder: RunFolder) -> None:
    with pytest.raises(UsageError, match="bandwith") as wrong:
        read_purpose("bandwith", load_kernels())
    assert "did you mean bandwidth" in wrong.value.remedy
    with pytest.raises(UsageError, match="no test that counts"):
        check_purpose(folder.plan, read_purpose("rate", load_kernels()))


# --- findings and advice ---------------------------------------------------------------------------------------------


def test_scatter_and_modes_are_one_line_each_and_nothing_is_lost() -> None:
    kinds = ["between-launches"] * 17 + ["slow-launches", "bimodal-launches", "crossover", "comparison", "undecided"]
    found = [Finding(f"{kind} {number}.", number, kind) for number, kind in enumerate(kinds)]
    arranged = arrange_findings(found)
    assert [one.kind for one in arranged.decisive] == ["comparison", "crossover"]
    assert len(arranged.topics) == 3
    told = [*arranged.decisive, *(one for topic in arranged.topics for one in topic.findings)]
    assert sorted(told, key=lambda one: one.weight) == found


def test_advice_is_commands_best_first_and_none_twice(folder: RunFolder, analysis: Analysis) -> None:
    judged = guidelines.judge(analysis.estimates)
    missing = guidelines.find_unjudged(analysis.estimates, judged)
    found = find_advice("runs/R", folder.plan, analysis, judged, (missing, ()))
    assert [one.factor for one in found] == sorted((one.factor for one in found), reverse=True)
    assert len({one.command for one in found}) == len(found)
    assert all(one.command.startswith("msgauge ") and one.gain and one.evidence for one in found)
    assert "instead of lam@7.1.5" in found[0].what
    resolved = [one for one in analysis.comparisons if one.verdict in ("slower", "faster")]
    assert found[0].factor >= max(max(one.ratio, 1 / one.ratio) for one in resolved) * (1 - 1e-9)


def test_no_advice_rests_on_what_is_undecided(folder: RunFolder, analysis: Analysis) -> None:
    level = tuple(evolve(one, place=one.place and evolve(one.place, may_be_fastest=True)) for one in analysis.estimates)
    words = tuple(evolve(one, verdict="undecided") for one in analysis.comparisons)
    doubtful = evolve(analysis, estimates=level, comparisons=words)
    assert all(one.factor == 1.0 for one in find_advice("R", folder.plan, doubtful, (), ((), ())))


def test_the_line_on_slow_launches_says_the_strongest_and_comes_before_counts() -> None:
    """A count of findings told no reader that 25 % of the launches of a stack are 3.8 times slower."""
    slow = [Finding(f"{share} % of the launches of a are slow.", share / 100, "slow-launches") for share in (10, 25)]
    tail = Finding("b vs a: slower at P99.", 0.1, "tail")
    topics = arrange_findings([Finding("a vs b.", 0.9, "pair", (("other", "b"),)), *slow, tail]).topics
    assert [one.sentence for one in topics] == [
        "Slow launches, launches in two modes: 25 % of the launches of a are slow. 1 finding more.",
        "Tails (P95, P99) that say more than the medians: b vs a: slower at P99.",
        "Counts of verdicts and mean ratios: 1 finding (b).",
    ]
