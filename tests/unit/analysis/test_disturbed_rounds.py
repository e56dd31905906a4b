"""Claims about disturbed rounds: they count, are told, and what would change without them is counted."""

from __future__ import annotations

from collections.abc import Collection
from datetime import UTC, datetime, timedelta

import numpy as np

from msgauge.analysis.disturbed_rounds import add_disturbances
from msgauge.analysis.run import analyse
from msgauge.model import Analysis, Cell, Launch, LaunchRecord, Notice, Origin, Pairs, Plan, Samples, Stack
from msgauge.results.dataset import Dataset

STACKS = (Stack("a", "1", Origin("builtin")), Stack("b", "1", Origin("builtin")))
PLAN = Plan("unit", 1, ("a@1", "b@1"), (Cell(0, "pingpong", 8, 2),), (2,), base="a@1")
START = datetime(2026, 1, 1, tzinfo=UTC)
ROUNDS = 16


def probe(pace: float) -> Pairs:
    return (("loop_ns", str(100 * pace)), ("loop_min_ns", str(99 * pace)))


def a_run(disturbed: Collection[int], slow: Collection[int]) -> Dataset:
    """Two stacks, b 20 % slower; in the ``slow`` rounds a takes twice as long.

    In the ``disturbed`` rounds the machine slows down during the launch of a and recovers during that of b.
    """
    random = np.random.default_rng(1)
    records, samples = [], []
    for number in range(2 * ROUNDS):
        round_, place = divmod(number, 2)
        before, after = (1.5, 1.0) if place else (1.0, 1.5)
        records.append(
            LaunchRecord(
                Launch(number, round_, PLAN.stacks[place], 2, (0,), 1),
                "ok",  # type: ignore[arg-type]
                started=(START + timedelta(seconds=number)).isoformat(),
                seconds=0.9,
                sentinel_before=probe(before if round_ in disturbed else 1.0),
                sentinel_after=probe((after if round_ in disturbed else 1.0) * float(np.exp(random.normal(0, 0.002)))),
            )
        )
        time_ns = (1000 if not place else 1200) * (2 if round_ in slow and not place else 1)
        values = np.round(time_ns * (1 + 0.002 * random.standard_normal(11))).astype(np.int64)
        samples.append(Samples(number, 0, "time", values, attributes=(("kernel", "pingpong"),)))
    return Dataset.of(PLAN, STACKS, records, samples)


def analysed(dataset: Dataset) -> tuple[Analysis, list[Notice]]:
    found = add_disturbances(dataset, analyse(dataset, run="unit", stopped="rounds"), ())
    return found, [one for one in found.warnings if one.code == "disturbed"]


def test_a_disturbed_round_counts_and_is_told_with_the_rate_of_false_alarms() -> None:
    found, (notice,) = analysed(a_run(disturbed=(4,), slow=()))
    assert [one.launches for one in found.estimates] == [ROUNDS, ROUNDS]
    evidence = dict(notice.evidence)
    assert (evidence["rounds"], evidence["launches"], evidence["verdicts that change without them"]) == (
        "5",
        "8, 9",
        "0",
    )
    assert "by 31 pairs" in evidence["false alarms"]
    assert "no verdict of 1 would change" in notice.message


def test_verdicts_that_rest_on_disturbed_rounds_are_counted() -> None:
    disturbed = (0, 3, 5, 7, 9, 11)
    found, (notice,) = analysed(a_run(disturbed, slow=disturbed))
    assert [one.verdict for one in found.comparisons] == ["undecided"]
    assert "1 of 1 verdict would change" in notice.message


def test_a_steady_run_says_nothing() -> None:
    assert analysed(a_run((), ()))[1] == []
