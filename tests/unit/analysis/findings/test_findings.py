"""Sentences of comparisons, how neighbouring sizes are merged into them, and in which order they stand."""

from __future__ import annotations

from collections.abc import Sequence
from math import nan

import pytest
from attrs import evolve

from msgauge.analysis.findings.comparison_findings import findings
from msgauge.model import Comparison, Estimate, Finding, Place, Word
from msgauge.stats.ratio import Ratio

SLOWER = Comparison(
    "openmpi@5.0.11", "mpich@5.0.2", 0, "pingpong", 8, 2, (), 1.8, 1.71, 1.93, "slower", rounds=10, p_adjusted=0.001
)


def a_row(words: Sequence[Word], ratios: Sequence[float], first: int = 8) -> tuple[Comparison, ...]:
    """Comparisons at doubling sizes, intervals ±5 %."""
    return tuple(
        evolve(
            SLOWER,
            cell=number,
            size_bytes=first * 2**number,
            verdict=word,
            ratio=ratio,
            ratio_low=ratio / 1.05,
            ratio_high=ratio * 1.05,
            reason="too noisy; more rounds would tell" if word == "undecided" else "",
        )
        for number, (word, ratio) in enumerate(zip(words, ratios, strict=True))
    )


def said(comparisons: Sequence[Comparison], kind: str | None = None) -> list[str]:
    return [one.sentence for one in findings((), comparisons) if kind in {None, one.kind}]


def test_one_cell_is_one_sentence_with_ratio_interval_rounds_size_and_processes() -> None:
    assert said([SLOWER]) == [
        "mpich@5.0.2 is 1.8 × slower than openmpi@5.0.11 in pingpong at 8 B "
        "(ratio 1.80, 95 % interval 1.71 to 1.93, 10 rounds, 2 processes)."
    ]


@pytest.mark.parametrize(
    ("ratio", "factor"),
    [(12.3, "12 ×"), (999.0, "999 ×"), (9957.0, "9960 ×"), (995717.0, "996000 ×"), (1.02e6, "1.02e+06 ×")],
)
def test_a_factor_has_no_more_digits_than_its_ratio(ratio: float, factor: str) -> None:
    (sentence,) = said(a_row(["slower"], [ratio]))
    assert f" is {factor} slower than " in sentence


def test_what_one_round_of_a_simulated_clock_says_has_no_interval() -> None:
    exact = [evolve(one, ratio_low=nan, ratio_high=nan, rounds=1) for one in a_row(["slower"] * 2, [1.8, 1.8])]
    (sentence,) = said(exact)
    assert sentence.endswith("from 8 B to 16 B (ratio 1.80, no interval, 1 round, 2 processes).")


def test_the_same_size_timed_in_another_way_is_another_row_and_is_said_so() -> None:
    single = [evolve(one, mode="single", cell=9 + one.cell) for one in a_row(["slower"] * 2, [1.4, 1.4])]
    found = said([*a_row(["slower"] * 3, [1.8, 1.8, 1.8]), *single])
    assert any("in pingpong from 8 B to 32 B (" in sentence for sentence in found)
    assert any("in pingpong, every operation timed from 8 B to 16 B (" in sentence for sentence in found)


def test_a_crossover_names_the_options_of_its_row() -> None:
    row = a_row(["faster", "slower"], [0.5, 1.5])
    (sentence,) = said([evolve(one, options=(("root", "last"),)) for one in row], "crossover")
    assert sentence.startswith("In pingpong, root last on 2 processes, ")


def test_neighbouring_sizes_with_one_verdict_are_one_sentence() -> None:
    (sentence,) = said(a_row(["slower"] * 8, [1.8, 1.75, 1.82, 1.9, 1.8, 1.7, 1.8, 1.85]))
    assert "1.8 × slower" in sentence
    assert "from 8 B to 1 KiB" in sentence
    assert "ratio 1.70 to 1.90" in sentence


def test_factors_that_differ_much_are_given_as_a_range() -> None:
    (sentence,) = said(a_row(["slower"] * 3, [1.4, 2.0, 3.1]))
    assert "is between 1.4 × and 3.1 × slower" in sentence


def test_a_leap_between_neighbouring_sizes_parts_the_sentences() -> None:
    small, large = sorted(said(a_row(["slower"] * 4, [7.1, 3.9, 1.42, 1.08])), key=lambda one: "1.4 ×" not in one)
    assert "is between 8 % and 1.4 × slower" in small
    assert "is between 3.9 × and 7.1 × slower" in large
    assert said(a_row(["slower"] * 2, [7.1, 1.1]), "crossover") == []


def test_small_differences_are_said_in_percent() -> None:
    (sentence,) = said(a_row(["faster"], [0.95]))
    assert "is 5.3 % faster than" in sentence


@pytest.mark.parametrize(
    ("ratio", "low", "high", "said_as"),
    [
        (1.0523, 1.0521, 1.0526, "5.23 % slower"),
        (1.0003, 1.0002, 1.0004, "0.03 % slower"),
        (1.0523, 1.04, 1.06, "5.2 % slower"),
        (1.46, 1.46, 1.47, "1.46 × slower"),
        (1.46, 1.4, 1.5, "1.5 × slower"),
    ],
)
def test_a_factor_has_as_many_digits_as_keep_it_inside_its_limits(
    ratio: float, low: float, high: float, said_as: str
) -> None:
    (sentence,) = said([evolve(SLOWER, ratio=ratio, ratio_low=low, ratio_high=high)])
    assert f"is {said_as} than" in sentence


def test_a_stack_that_is_faster_is_so_by_the_inverse_of_the_ratio() -> None:
    (sentence,) = said(a_row(["faster"], [0.5]))
    assert "is 2 × faster than" in sentence


def test_a_crossover_is_a_finding_with_its_size() -> None:
    found = findings((), a_row(["slower", "slower", "undecided", "faster", "faster"], [1.5, 1.3, 1.0, 0.7, 0.7], 8192))
    (crossover,) = [one for one in found if one.kind == "crossover"]
    assert crossover.sentence == (
        "In pingpong on 2 processes, openmpi@5.0.11 is faster from 8 KiB to 16 KiB "
        "and mpich@5.0.2 from 64 KiB to 128 KiB."
    )
    assert {("after", "16384"), ("at", "65536")} <= set(crossover.evidence)


def test_a_crossover_towards_the_base_names_the_base() -> None:
    (sentence,) = said(a_row(["faster", "slower"], [0.9, 1.11]), "crossover")
    assert "mpich@5.0.2 is faster at 8 B and openmpi@5.0.11 at 16 B." in sentence


def test_no_crossover_without_a_change_of_the_faster_one() -> None:
    assert said(a_row(["slower", "equivalent", "slower"], [1.5, 1.0, 1.3]), "crossover") == []


def test_of_comparisons_between_two_that_are_not_the_base_only_crossovers_are_told() -> None:
    row = a_row(["slower", "slower", "faster"], [1.5, 1.3, 0.5])
    (finding,) = findings((), (), row)
    assert finding.kind == "crossover"
    assert "mpich@5.0.2 at 32 B." in finding.sentence


def test_how_a_stack_stands_over_several_kernels_is_one_sentence() -> None:
    cells = a_row(["slower", "slower", "undecided"], [1.5, 1.3, 1.0]) + tuple(
        evolve(one, kernel="bcast") for one in a_row(["faster"], [0.8])
    )
    (sentence,) = said(cells, "pair")
    told = "mpich@5.0.2 vs openmpi@5.0.11 on 2 processes: faster in 1 of 4 tests, slower in 2, undecided in 1"
    assert sentence == f"{told}."
    assert said(a_row(["slower"] * 3, [1.5, 1.3, 1.2]), "pair") == []
    usual = {("openmpi@5.0.11", "mpich@5.0.2", 2): Ratio(1.12, 1.1, 1.15, 0.001, 10)}
    (sentence, *_) = [one.sentence for one in findings((), cells, (), usual) if one.kind == "pair"]
    assert sentence == f"{told}; geometric mean of the ratios 1.12, 95 % interval 1.10 to 1.15."


def test_cells_that_were_never_paired_are_counted_as_undecided() -> None:
    lost = evolve(SLOWER, kernel="bcast", ratio=float("nan"), verdict="undecided", reason="only 0 rounds")
    (sentence,) = said([lost, SLOWER], "pair")
    assert "slower in 1 of 2 tests, undecided in 1" in sentence
    assert said([lost, evolve(lost, kernel="scan")], "pair") == []


def test_one_process_is_one_process() -> None:
    rows = [evolve(one, ranks=1) for one in a_row(["slower", "faster"], [1.5, 0.5])]
    table = [evolve(one, ranks=1) for one in a_table({"openmpi@5.0.11": [100, 100], "mpich@5.0.2": [150, 50]})]
    sentences = [one.sentence for one in findings(table, rows)]
    assert len(sentences) == 4
    assert [one for one in sentences if "1 processes" in one] == []
    assert all("1 process" in one for one in sentences)


def test_a_close_rival_comes_before_one_far_behind_and_both_before_single_differences() -> None:
    def both_kernels(other: str, ratio: float) -> list[Comparison]:
        cells = a_row(["slower"], [ratio])
        return [evolve(one, other=other, kernel=kernel) for one in cells for kernel in ("pingpong", "bcast")]

    found = findings((), both_kernels("lam@7.1.4", 800.0) + both_kernels("mpich@5.0.2", 1.2))
    assert [one.kind for one in found[:3]] == ["pair", "pair", "comparison"]
    assert found[0].sentence.startswith("mpich@5.0.2 vs")


def test_equivalence_is_a_finding() -> None:
    (sentence,) = said(a_row(["equivalent"] * 2, [1.0, 1.01]))
    assert "are equivalent within ±3 % in pingpong from 8 B to 16 B" in sentence


def test_what_is_undecided_says_why() -> None:
    (sentence,) = said(a_row(["undecided"] * 2, [1.0, 1.1]))
    assert "is undecided in pingpong from 8 B to 16 B" in sentence
    assert "too noisy" in sentence


@pytest.mark.parametrize("field", ["ranks", "kernel", "options", "other"])
def test_what_differs_in_more_than_size_is_not_merged(field: str) -> None:
    other = {"ranks": 4, "kernel": "stream", "options": (("window", "8"),), "other": "lam@7.1.4"}[field]
    assert len(said([SLOWER, evolve(SLOWER, size_bytes=16, **{field: other})], "comparison")) == 2


def test_options_are_named() -> None:
    (sentence,) = said([evolve(SLOWER, options=(("send", "nonblocking"),))])
    assert "in pingpong, send nonblocking at 8 B" in sentence


def test_larger_differences_weigh_more_than_smaller_and_these_more_than_equivalence() -> None:
    large, small = a_row(["slower"], [3.0])[0], evolve(a_row(["slower"], [1.2])[0], kernel="stream")
    same = evolve(a_row(["equivalent"], [1.0])[0], kernel="bcast")
    doubt = evolve(a_row(["undecided"], [1.0])[0], kernel="exchange")
    found = [one for one in findings((), [doubt, same, small, large]) if one.kind != "pair"]
    assert [dict(one.evidence)["kernel"] for one in found] == ["pingpong", "stream", "bcast", "exchange"]


def test_a_comparison_without_any_pair_can_be_told() -> None:
    nan = float("nan")
    lost = evolve(
        SLOWER, ratio=nan, ratio_low=nan, ratio_high=nan, rounds=0, verdict="undecided", reason="only 0 rounds"
    )
    (sentence,) = said([lost, evolve(lost, size_bytes=16)])
    assert "only 0 rounds" in sentence


def a_table(medians: dict[str, Sequence[float]], may_be: dict[str, Sequence[bool]] | None = None) -> list[Estimate]:
    """Estimates at doubling sizes; where nothing else is said, the shortest median alone may be the fastest."""
    fastest = [min(row) for row in zip(*medians.values(), strict=True)]
    return [
        Estimate(stack, number, "pingpong", 8 * 2**number, 2, median_ns=median, place=Place(first, 1, 2))
        for stack, row in medians.items()
        for number, median in enumerate(row)
        for first in [may_be[stack][number] if may_be else median == fastest[number]]
    ]


def test_the_summary_names_all_that_win_so_that_none_stands_out_by_order() -> None:
    tied = a_table({"a@1": [1, 2, 1, 2], "b@1": [2, 1, 2, 1]})
    assert findings(tied, ())[0].sentence == (
        "a@1 is the fastest in 2 of 4 tests on 2 processes (pingpong 2 of 4), b@1 in 2."
    )
    many = a_table({f"s{row}@1": [1 if row == column else 2 for column in range(9)] for row in range(9)})
    assert "), s1@1 in 1, " in findings(many, ())[0].sentence
    assert findings(many, ())[0].sentence.endswith(" more stacks in 5.")


def test_the_summary_counts_resolved_wins_only() -> None:
    table = a_table({"openmpi@5.0.11": [100, 100, 900], "mpich@5.0.2": [150, 150, 800]})
    first: Finding = findings(table, [SLOWER])[0]
    assert first.kind == "summary"
    assert first.sentence == (
        "openmpi@5.0.11 is the fastest in 2 of 3 tests on 2 processes (pingpong 2 of 3), mpich@5.0.2 in 1."
    )
    may_be = {"openmpi@5.0.11": [True, True, True], "mpich@5.0.2": [False, True, True]}
    open_ = a_table({"openmpi@5.0.11": [100, 100, 900], "mpich@5.0.2": [150, 150, 800]}, may_be)
    assert findings(open_, [SLOWER])[0].sentence == (
        "openmpi@5.0.11 is the fastest in 1 of 3 tests on 2 processes (pingpong 1 of 3); "
        "in 2 no single one is resolved as the fastest."
    )
    none = a_table({"a@1": [1, 2], "b@1": [2, 1]}, {"a@1": [True, True], "b@1": [True, True]})
    assert findings(none, ())[0].sentence == "No stack is resolved as the fastest in any of 2 tests on 2 processes."


@pytest.mark.parametrize("count", [8, 9])
def test_a_summary_names_few_kernels_and_counts_many(count: int) -> None:
    row = a_table({"openmpi@5.0.11": [100], "mpich@5.0.2": [150]})
    cells = [evolve(one, cell=number, kernel=f"k{number}") for number in range(count) for one in row]
    sentence = findings(cells, [SLOWER])[0].sentence
    assert ("k0 1 of 1" in sentence) == (count == 8)
    assert ("(9 kernels; at every size of 9 of them)" in sentence) == (count == 9)


def test_nothing_compared_is_nothing_said() -> None:
    table = a_table({"openmpi@5.0.11": [100.0, 100]})
    assert findings([evolve(one, place=None) for one in table], ()) == ()


def test_processes_beyond_the_cores_are_named() -> None:
    table = [evolve(one, oversubscribed=True) for one in a_table({"openmpi@5.0.11": [100.0]})]
    (finding,) = findings(table, [SLOWER])
    assert finding.sentence.endswith("Oversubscribed: 2 processes on fewer cores.")
