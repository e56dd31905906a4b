"""Rounds behind a barrier and rounds from an agreed start are times of different things: nothing is said of the two."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest

from msgauge.analysis.estimates.observations import make_observations
from msgauge.analysis.guidance.advice import find_advice
from msgauge.analysis.run import analyse
from msgauge.analysis.verdicts.regression_gate import Gate, apply_gate
from msgauge.analysis.verdicts.round_starts import describe_unlike
from msgauge.kernels import load_kernels
from msgauge.model import Analysis, Cell, Launch, LaunchRecord, Origin, Plan, Samples, Stack
from msgauge.results.dataset import Dataset
from msgauge.rounds.resolution import warn_undecided

STACKS = ("agrees@1", "fenced@1", "third@1")
CELLS = tuple(Cell(number, "gather", size, 4) for number, size in enumerate((8, 64, 512, 4096)))
PLAN = Plan("unit", 1, STACKS, CELLS, (4,))
ROUNDS = 9

Starts = Callable[[str, Cell, int], str]


def measured(starts: Starts) -> tuple[Dataset, Analysis]:
    """The second stack takes 1.7 times, the third twice as long as the first, within 0.2 %."""
    records, samples = [], []
    for number in range(ROUNDS * len(STACKS)):
        round_, place = divmod(number, len(STACKS))
        launch = Launch(number, round_, STACKS[place], 4, tuple(cell.id for cell in CELLS), 1)
        records.append(LaunchRecord(launch, "ok", timer_resolution_ns=1.0))
        for cell in CELLS:
            centre = (1.0, 1.7, 2.0)[place] * 1e5 * (1 + (round_ * (place + 2) % 5 - 2) / 1000)
            said = (("kernel", cell.kernel), ("bytes", str(cell.size_bytes)), ("late", "2"))
            start = starts(STACKS[place], cell, round_)
            values = np.round(centre * np.linspace(0.9, 1.1, 11)).astype(np.int64)
            samples.append(Samples(number, cell.id, "completion", values, attributes=(*said, ("start", start))))
    stacks = [Stack(*spec.split("@"), Origin("builtin")) for spec in STACKS]
    dataset = Dataset.of(PLAN, stacks, records, samples)
    return dataset, analyse(dataset, run="unit", stopped="rounds", kernels=tuple(load_kernels().values()))


def fenced_at_8_bytes(stack: str, cell: Cell, round_: int) -> str:
    return "barrier" if stack == "fenced@1" and cell.id == 0 else "agreed"


def test_stacks_that_were_started_in_the_same_way_are_compared() -> None:
    for word in ("agreed", "barrier", ""):
        _, found = measured(lambda stack, cell, round_: word)  # noqa: B023
        assert {one.verdict for one in found.comparisons} == {"slower"}
        assert "starts-differ" not in {one.code for one in found.warnings}


def test_stacks_that_were_started_in_different_ways_are_undecided_and_nothing_rests_on_it() -> None:
    dataset, found = measured(fenced_at_8_bytes)
    told = {(one.other, one.cell): one for one in found.comparisons}
    withdrawn = told["fenced@1", 0]
    assert withdrawn.verdict == "undecided" and math.isnan(withdrawn.ratio_low) and math.isnan(withdrawn.ratio_high)
    assert withdrawn.reason == (
        "fenced@1 was started behind a barrier, agrees@1 from an agreed start: the times are of different things"
    )
    assert all(one.verdict == "slower" for key, one in told.items() if key != ("fenced@1", 0))
    (warning,) = (one for one in found.warnings if one.code == "starts-differ")
    assert "in 1 test, rounds of fenced@1 began behind a barrier" in warning.message and warning.remedy
    assert [name for name, _ in warning.evidence] == ["gather, 8 B, 4 ranks"]
    places = {(one.stack, one.cell): one.place for one in found.estimates}
    mine = places["fenced@1", 0]
    assert mine is not None and (mine.best_rank, mine.worst_rank) == (1, 3)
    assert apply_gate(Gate("slower", 3.0), [withdrawn], [True])[0] == "undecided"
    assert warn_undecided(dataset, found) == []


def test_no_advice_and_no_mean_takes_in_what_was_started_in_different_ways() -> None:
    def all_fenced(stack: str, cell: Cell, round_: int) -> str:
        return "barrier" if stack == "fenced@1" else "agreed"

    _, found = measured(all_fenced)
    assert {one.verdict for one in found.comparisons if one.other == "fenced@1"} == {"undecided"}
    advised = find_advice("unit", PLAN, found, (), ((), ()))
    assert advised and not any("fenced@1" in one.what for one in advised)
    sentences = [one.sentence for one in found.findings if one.kind == "comparison"]
    assert sentences and not any("slower" in one and "fenced@1" in one for one in sentences)
    assert not any("fenced@1" in one.sentence for one in found.findings if one.kind == "convergence")
    assert found.summary is not None
    means = {one.stack: one.mean for one in found.summary.stacks}
    assert means["third@1"] is not None
    assert means["fenced@1"] is None or math.isnan(means["fenced@1"].ratio)


def test_models_and_guidelines_are_told_how_rounds_began() -> None:
    dataset, found = measured(fenced_at_8_bytes)
    mine = {(one.stack, one.cell): dict(one.starts) for one in found.estimates}
    seen = {(one.stack, one.size_bytes): dict(one.starts) for one in make_observations(dataset, ())}
    for starts in (mine["fenced@1", 0], seen["fenced@1", 8]):
        assert starts == dict.fromkeys(range(ROUNDS), "barrier")
    assert mine["agrees@1", 0] == seen["agrees@1", 8] == dict.fromkeys(range(ROUNDS), "agreed")


def test_one_launch_that_was_started_otherwise_is_enough() -> None:
    _, found = measured(lambda stack, cell, round_: "barrier" if (stack, round_) == ("fenced@1", 4) else "agreed")
    (withdrawn,) = (one for one in found.comparisons if one.other == "fenced@1" and one.cell == 0)
    assert withdrawn.verdict == "undecided" and withdrawn.reason.startswith("in 1 of 9 rounds fenced@1 was started")
    (late,) = (one for one in found.warnings if one.code == "late-rounds" and "fenced@1" in one.message)
    assert "began behind a barrier in 1 of 9 launches" in late.message


@pytest.mark.parametrize("both", [True, False])
def test_rounds_are_held_against_each_other_one_by_one(both: bool) -> None:
    _, found = measured(lambda stack, cell, round_: "barrier" if round_ == 3 and both else "agreed")
    assert {one.verdict for one in found.comparisons} == {"slower"}


def test_a_reason_names_no_stack_where_each_was_behind_a_barrier_once() -> None:
    said = describe_unlike("a", "b", ({0: "barrier", 1: "agreed", 2: "agreed"}, {0: "agreed", 1: "barrier"}))
    assert said.startswith("one was started behind a barrier, the other from an agreed start")
