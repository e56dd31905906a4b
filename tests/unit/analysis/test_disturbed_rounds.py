"""Claims about disturbed rounds: they count, are told, and what would change without them is counted."""

from __future__ import annotations

from collections.abc import Callable, Collection
from datetime import UTC, datetime, timedelta

import numpy as np

from msgauge.analysis.disturbed_rounds import add_disturbances
from msgauge.analysis.run import analyse
from msgauge.model import Analysis, Cell, Launch, LaunchRecord, Mode, Notice, Origin, Pairs, Plan, Samples, Stack
from msgauge.results.dataset import Dataset

STACKS = tuple(Stack(name, "1", Origin("builtin")) for name in "abc")
START = datetime(2026, 1, 1, tzinfo=UTC)
ROUNDS = 16


def probe(pace: float) -> Pairs:
    return (("loop_ns", str(100 * pace)), ("loop_min_ns", str(99 * pace)))


def plan_of(stacks: int, mode: Mode = "batch") -> Plan:
    names = tuple(stack.spec for stack in STACKS[:stacks])
    return Plan("unit", 1, names, (Cell(0, "pingpong", 8, 2, mode=mode),), (2,), base="a@1")


def a_run(disturbed: Collection[int], plan: Plan, draw: Callable[[str, int], np.ndarray]) -> Dataset:
    """``draw``: the times of a stack in a round, ns.

    In the ``disturbed`` rounds the machine slows down during the first launch and recovers during the second.
    """
    random = np.random.default_rng(1)
    records, samples = [], []
    for number in range(len(plan.stacks) * ROUNDS):
        round_, place = divmod(number, len(plan.stacks))
        before, after = {0: (1.0, 1.5), 1: (1.5, 1.0)}.get(place, (1.0, 1.0)) if round_ in disturbed else (1.0, 1.0)
        records.append(
            LaunchRecord(
                Launch(number, round_, plan.stacks[place], 2, (0,), 1),
                "ok",  # type: ignore[arg-type]
                started=(START + timedelta(seconds=number)).isoformat(),
                seconds=0.9,
                sentinel_before=probe(before),
                sentinel_after=probe(after * float(np.exp(random.normal(0, 0.002)))),
            )
        )
        values = draw(STACKS[place].family, round_)
        values = np.round(values * (1 + 0.002 * random.standard_normal(values.size))).astype(np.int64)
        samples.append(Samples(number, 0, "time", values, attributes=(("kernel", "pingpong"),)))
    return Dataset.of(plan, STACKS[: len(plan.stacks)], records, samples)


def two_stacks(disturbed: Collection[int], slow: Collection[int]) -> Dataset:
    """b 20 % slower than a; in the ``slow`` rounds a takes twice as long."""

    def draw(stack: str, round_: int) -> np.ndarray:
        return np.full(11, 1200.0 if stack == "b" else 2000.0 if round_ in slow else 1000.0)

    return a_run(disturbed, plan_of(2), draw)


def analysed(dataset: Dataset) -> tuple[Analysis, list[Notice]]:
    found = add_disturbances(dataset, analyse(dataset, run="unit", stopped="rounds"))
    return found, [one for one in found.warnings if one.code == "disturbed"]


def test_a_disturbed_round_counts_and_is_told_with_the_rate_of_false_alarms() -> None:
    found, (notice,) = analysed(two_stacks(disturbed=(4,), slow=()))
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
    found, (notice,) = analysed(two_stacks(disturbed, slow=disturbed))
    assert [one.verdict for one in found.comparisons] == ["undecided"]
    assert "1 of 1 verdict would change" in notice.message


def test_verdicts_between_stacks_that_are_no_base_are_counted() -> None:
    """a is far ahead of both whatever happens; b and c are told apart in calm rounds only."""
    disturbed = (0, 3, 5, 7, 9, 11)

    def draw(stack: str, round_: int) -> np.ndarray:
        return np.full(11, {"a": 1000.0, "b": 10000.0 if round_ in disturbed else 5000.0, "c": 6000.0}[stack])

    found, (notice,) = analysed(a_run(disturbed, plan_of(3), draw))
    assert [one.verdict for one in found.comparisons] == ["slower", "slower"]
    assert "1 of 3 verdicts would change" in notice.message


def test_verdicts_on_tails_are_counted() -> None:
    """Three of a hundred operations take twice as long, those of a in disturbed rounds five times: P99 alone."""
    disturbed = (0, 3, 5, 7, 9, 11)

    def draw(stack: str, round_: int) -> np.ndarray:
        values = np.full(2000, 1000.0 if stack == "a" else 1200.0)
        values[:60] *= 5 if stack == "a" and round_ in disturbed else 2
        return values

    found, (notice,) = analysed(a_run(disturbed, plan_of(2, "single"), draw))
    (one,) = found.comparisons
    assert [one.verdict, *(tail.verdict for tail in one.tails)] == ["slower", "slower", "undecided"]
    assert "1 of 3 verdicts would change" in notice.message


def test_a_steady_run_says_nothing() -> None:
    assert analysed(two_stacks((), ()))[1] == []


def test_where_fewer_rounds_are_calm_no_others_stand_for_the_disturbed_ones() -> None:
    for disturbed, told in ((ROUNDS // 2, "0"), (ROUNDS // 2 + 1, None)):
        _, (notice,) = analysed(two_stacks(tuple(range(disturbed)), slow=()))
        assert dict(notice.evidence).get("verdicts that change without as many others") == told


def test_verdicts_that_any_rounds_carry_change_without_others_too() -> None:
    """Four of eight rounds decide nothing, be they disturbed or not."""

    def draw(stack: str, round_: int) -> np.ndarray:
        return np.full(11, 1200.0 if stack == "b" else 1000.0)

    dataset = a_run((0, 2, 4, 6), plan_of(2), draw).select(lambda record: record.launch.round < 8)
    _, (notice,) = analysed(dataset)
    assert "Without these rounds 1 of 1 verdict would change, without as many others 1." in notice.message
