"""What is the same everywhere is not said to differ: tails as long as their medians, one factor at all sizes."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from attrs import evolve
from benchmarks.truth.simulated_runs import dataset_of, make_plan

from msgauge.analysis.findings.caveats import describe_caveats
from msgauge.analysis.findings.comparison_findings import findings
from msgauge.analysis.findings.size_ranges import Intervals
from msgauge.analysis.verdicts.pair_table import Levels, PairTable
from msgauge.analysis.verdicts.tails import TailTable
from msgauge.analysis.verdicts.verdict_family import judge_family
from msgauge.model import Comparison, Stopping, Word

BASE, OTHER = STACKS = ("base@1", "other@1")
ROUNDS = 10


def tables_of_tails(
    cells: int, factor: float, longer: float, random: np.random.Generator
) -> tuple[PairTable, TailTable]:
    """Launches whose median scatters by 2 %, and P95 and P99 by 15 %; the second stack takes ``factor`` times as long.

    ``longer``: by how much its tails are longer than that, in the first cell.
    """
    medians = 1000 * np.exp(random.normal(0, 0.02, (2, cells, ROUNDS)))
    medians[1] *= factor
    lengths = 2 * np.exp(random.normal(0, 0.15, (2, 2 * cells, ROUNDS)))
    lengths[1, [0, cells]] *= longer
    column = {(cell, name): cell + at * cells for at, name in enumerate(("p95", "p99")) for cell in range(cells)}
    values = np.concatenate((medians, medians), axis=1) * lengths, lengths
    tails = (PairTable.of(STACKS, one, Levels(), exact_clock=False) for one in values)
    return PairTable.of(STACKS, medians, Levels(), exact_clock=False), TailTable(column, *tails)


def tails_said(medians: PairTable, tails: TailTable, cell: int) -> str:
    told = medians.tell(BASE, OTHER, cell)
    assert told is not None
    limits = told.ratio.ratio, told.ratio.low, told.ratio.high
    one = Comparison(
        BASE, OTHER, cell, "pingpong", 8, 2, (), *limits, told.word, tails=tails.compare(BASE, OTHER, cell)
    )
    return describe_caveats([one], {})


def test_a_stack_that_is_slower_at_every_quantile_alike_has_no_tail_of_its_own() -> None:
    random, runs, wrong = np.random.default_rng(1), 24, 0
    for _ in range(runs):
        medians, tails = tables_of_tails(48, 1.7, 1.0, random)
        wrong += any(tails_said(medians, tails, cell) for cell in range(48))
    assert wrong <= 2


def test_a_tail_that_is_twice_as_long_is_told_in_ten_rounds_beside_an_equal_and_a_slower_median() -> None:
    random = np.random.default_rng(2)
    for factor, word in ((1.0, "slower"), (1.2, "even slower")):
        found = [tails_said(*tables_of_tails(48, factor, 2.0, random), 0) for _ in range(5)]
        assert all(f"at P95 it is {word}" in said and f"at P99 it is {word}" in said for said in found)


def test_the_stretch_of_a_tail_is_in_multiples_of_the_medians_of_its_launches() -> None:
    plan = make_plan(2, 1, Stopping(minimum_rounds=ROUNDS, maximum_rounds=ROUNDS), mode="single")
    times = 1000 * np.exp(np.random.default_rng(3).normal(0, 0.05, (2, 1, ROUNDS, 1000)))
    luck = np.exp(np.random.default_rng(4).normal(0, 0.2, (2, 1, ROUNDS, 1)))

    def stretches(changed: Callable[[np.ndarray], np.ndarray]) -> list[tuple[str, Word, Word]]:
        first, second = plan.stacks
        told = times * luck
        told[1] = changed(told[1])
        tails = TailTable.of(plan.stacks, dataset_of(plan, told), Levels(), exact_clock=False)
        assert tails is not None
        return [(one.quantile, one.verdict, one.stretch) for one in tails.compare(first, second, 0)]

    def late(operations: np.ndarray) -> np.ndarray:
        every_fiftieth = 1 + 2 * (np.arange(1000) % 50 == 0)
        return np.asarray(3 * operations * every_fiftieth)

    assert [one[:2] for one in stretches(lambda one: 3 * one)] == [("p95", "slower"), ("p99", "slower")]
    assert {one[2] for one in stretches(lambda one: 3 * one)} <= {"equivalent", "undecided"}
    assert stretches(late)[1] == ("p99", "slower", "slower")


def sentence_of_sizes(factors: np.ndarray, random: np.random.Generator) -> str:
    """What is said of a stack that takes ``factors`` times as long at as many sizes; launches scatter by 15 %."""
    plan = make_plan(2, len(factors), Stopping(minimum_rounds=ROUNDS, maximum_rounds=ROUNDS))
    times = 1000 * np.exp(random.normal(0, 0.15, (2, len(factors), ROUNDS)))
    times[1] *= factors[:, None]
    family = judge_family(dataset_of(plan, times), Levels())
    first, second = plan.stacks
    compared = [family.compare(first, second, cell) for cell in plan.cells]
    found = findings((), [one for one in compared if one is not None], intervals=Intervals(family.widen))
    return "\n".join(one.sentence for one in found if one.kind == "comparison")


def test_one_factor_at_all_sizes_is_not_said_to_be_several() -> None:
    random, runs = np.random.default_rng(5), 24
    said = [sentence_of_sizes(np.full(16, 3.0), random) for _ in range(runs)]
    assert sum("between" in one for one in said) <= 1
    assert any("is 3 × slower" in one for one in said)


def test_factors_that_grow_with_size_are_said_to_lie_between() -> None:
    random = np.random.default_rng(6)
    said = [sentence_of_sizes(np.geomspace(1.5, 3.0, 16), random) for _ in range(5)]
    assert all("between" in one for one in said)


def test_the_word_between_takes_intervals_without_a_common_ratio() -> None:
    small = Comparison(BASE, OTHER, 0, "pingpong", 8, 2, (), 2.5, 2.2, 2.9, "slower", rounds=10)
    large = evolve(small, cell=1, size_bytes=16, ratio=3.3, ratio_low=2.95, ratio_high=3.6)
    (apart,) = (one.sentence for one in findings((), [small, large]))
    assert "is between 2.5 × and 3.3 × slower" in apart
    (shared,) = (one.sentence for one in findings((), [small, evolve(large, ratio_low=2.85)]))
    assert "is 2.9 × slower" in shared
    levels: list[float] = []

    def widen(cells: object, level: float) -> tuple[Comparison, ...]:
        levels.append(level)
        return small, evolve(large, ratio_low=2.85)

    (wide,) = (one.sentence for one in findings((), [small, large], intervals=Intervals(widen)))
    assert "is 2.9 × slower" in wide
    assert levels == [0.025]
