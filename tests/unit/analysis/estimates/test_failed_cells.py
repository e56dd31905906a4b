"""How often a cell failed is said with the first round in which it did."""

from __future__ import annotations

import numpy as np

from msgauge.analysis.estimates.failures import find_failures
from msgauge.model import Cell, Failure, Launch, LaunchRecord, Plan, Samples
from msgauge.results.dataset import Dataset

PLAN = Plan("s", 1, ("a",), (Cell(0, "pingpong", 8, 2),), (2,))


def failure(*frames: tuple[int, str]) -> Failure:
    """Of one cell in four rounds; ``frames``: the round and what the worker reported."""
    records = [LaunchRecord(Launch(number, number, "a", 2, (0,), 1), "ok") for number in range(4)]
    made = [
        Samples(number, 0, "completion", np.array([], np.int64), attributes=(("status", status), ("reason", status)))
        for number, status in frames
    ]
    (found,) = find_failures(Dataset.of(PLAN, [], records, made))
    return found


def test_wrong_bytes_are_told_of_the_first_round_and_how_many_more() -> None:
    """They were told of the last round, as if all before it had been well."""
    found = failure((1, "wrong-bytes"), (2, "wrong-bytes"), (3, "wrong-bytes"))
    assert found.reason == "wrong bytes arrived in round 2 and 2 later ones: wrong-bytes"
    assert found.log == "launches/0001"
    assert failure((3, "wrong-bytes")).reason == "wrong bytes arrived in round 4: wrong-bytes"


def test_wrong_bytes_weigh_more_than_an_error_before_them() -> None:
    assert failure((0, "error"), (2, "wrong-bytes")).reason == "wrong bytes arrived in round 3: wrong-bytes"
    assert failure((0, "error"), (2, "error")).reason == "the worker reported error in round 1 and 1 later one: error"


def test_rounds_are_counted_from_one_as_they_are_while_measuring() -> None:
    record = LaunchRecord(Launch(1, 0, "a", 2, (0,), 1), "failed", reason="it crashed")
    assert find_failures(Dataset.of(PLAN, [], [record], []))[0].reason == "round 1, 2 processes: it crashed"


def broken(*reasons: str, ranks: int = 2) -> list[LaunchRecord]:
    """A launch in each round; those without a reason went well."""
    return [
        LaunchRecord(Launch(number, number, "a", ranks, (0,), 1), "failed" if reason else "ok", reason=reason)
        for number, reason in enumerate(reasons)
    ]


def test_every_reason_for_which_launches_broke_off_is_told_with_its_rounds() -> None:
    """The later ones were told nowhere, though a warning sent its readers to look for them."""
    (found,) = find_failures(Dataset.of(PLAN, [], broken("", "hung", "", "hung", "cut off"), []))
    assert found.reason == "rounds 2 and 4, 2 processes: hung; round 5, 2 processes: cut off"
    assert found.log == "launches/0001"
    (many,) = find_failures(Dataset.of(PLAN, [], broken(*["hung"] * 6, "b", "c", "d", "e"), []))
    assert many.reason == (
        "rounds 1, 2, 3 and 3 more, 2 processes: hung; round 7, 2 processes: b; round 8, 2 processes: c; "
        "and 2 more launches for other reasons"
    )
