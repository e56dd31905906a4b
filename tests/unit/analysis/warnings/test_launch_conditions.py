"""Stacks that ran under unequal conditions are warned of, on invented launches."""

from __future__ import annotations

from attrs import evolve

from msgauge.analysis.warnings.launch_conditions import find_beside_compilers, find_differences
from msgauge.model import (
    BESIDE_COMPILERS,
    Launch,
    LaunchRecord,
)


def launched(stack: str, condition: dict[str, str], ranks: int = 2) -> LaunchRecord:
    return LaunchRecord(Launch(0, 0, stack, ranks, (0,), 1), "ok", condition=tuple(condition.items()))


def test_unequal_conditions_are_said_and_equal_ones_are_not() -> None:
    bound, free = {"binding": "one core each", "nice": "0"}, {"binding": "none", "nice": "0"}
    assert list(find_differences([launched("a", bound), launched("b", bound)])) == []
    assert list(find_differences([launched("a", bound), launched("b", free, ranks=8)])) == [], "other numbers of ranks"
    (warning,) = find_differences([launched("a", bound), launched("b", free)])
    assert warning.code == "unequal-condition"
    assert "one core each: a; none: b" in warning.message


def test_launches_beside_compilers_are_said_once_with_their_numbers() -> None:
    beside, later = launched("a", dict([BESIDE_COMPILERS])), Launch(4, 0, "a", 8, (0,), 1)
    assert list(find_beside_compilers([launched("a", {"nice": "0"})])) == []
    (warning,) = find_beside_compilers([beside, launched("b", {"nice": "0"}), evolve(beside, launch=later)])
    assert warning.code == "beside-compilers"
    assert "2 launches of round 1 (a) ran while workers were compiled" in warning.message
    assert warning.evidence == (("launches", "0, 4"),)


def test_scheduling_by_session_and_unverified_variants_are_warned_of() -> None:
    by_session = {"groups": "one for each session", "binding": "none"}
    codes = [warning.code for warning in find_differences([launched("a", {**by_session, "variant": "not verified"})])]
    assert codes == ["scheduled-by-session", "variant-not-verified"]
