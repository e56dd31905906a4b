"""References that changed against each other: none of them shows what the machine did between repeated runs."""

from __future__ import annotations

import re

import numpy as np
import pytest

from msgauge.analysis.between_runs.run_comparison import compare_runs
from msgauge.analysis.between_runs.run_levels import RunLevels, SeriesKey
from msgauge.analysis.between_runs.run_references import tell_apart

STACKS = ("judged@1", "first@1", "second@1", "third@1")
REFERENCES = ["first", "second", "third"]


def one_run(random: np.random.Generator, spike: float = 0.0) -> RunLevels:
    """Of forty tests, of which the last reference has 28; the machine is slower in the seventh one by ``spike``."""
    mood = random.normal(0, 0.03)
    return RunLevels(
        "run",
        "",
        medians_ns={
            SeriesKey(stack, f"kernel{cell // 10}", 8 << cell % 10, 2): 1000
            * np.exp(mood + spike * (cell == 7) + random.normal(0, 0.01, 10))
            for stack in STACKS
            for cell in (range(40) if stack != "third@1" else range(28))
        },
    )


def test_a_machine_that_changed_in_one_test_is_no_change_of_a_stack() -> None:
    random = np.random.default_rng(4)
    found = compare_runs([one_run(random)], [one_run(random, np.log(1.3))], REFERENCES)
    assert found.basis == "reference stacks"
    (there,) = (one for one in found.judged if one.kernel == "kernel0" and one.size_bytes == 8 << 7)
    assert there.verdict == "undecided"
    assert there.ratio_low < 1.03
    assert there.ratio_high > 1.2
    assert re.match(r"here the references changed by \+2\d\.\d % beyond", there.reason)
    assert {one.verdict for one in found.judged if one is not there} <= {"equivalent", "undecided"}


def runs_of(random: np.random.Generator, *, changed: float = 0.0) -> list[RunLevels]:
    """Five runs in moods of 2 %; the first reference is slower by ``changed``, a logarithm."""
    return [
        RunLevels(
            f"run{number}",
            "",
            medians_ns={
                SeriesKey(stack, "pingpong", 8 << cell, 2): 1000
                * np.exp(mood + changed * (stack == "first@1") + random.normal(0, 0.01, 10))
                for stack in STACKS
                for cell in range(3)
            },
        )
        for number, mood in enumerate(random.normal(0, 0.02, 5))
    ]


def test_a_reference_that_changed_does_not_make_others_look_changed() -> None:
    random = np.random.default_rng(1)
    found = compare_runs(runs_of(random), runs_of(random, changed=0.1), REFERENCES)
    assert found.basis == "repeated runs"
    assert not {one.verdict for one in found.judged} & {"faster", "slower"}
    assert "references-disagree" in {one.code for one in found.warnings}


def test_references_that_agree_take_the_mood_of_the_machine_away() -> None:
    random = np.random.default_rng(2)
    found = compare_runs(runs_of(random), runs_of(random), REFERENCES)
    assert {one.verdict for one in found.judged} == {"equivalent"}
    assert "references-disagree" not in {one.code for one in found.warnings}


def test_one_reference_or_single_runs_part_from_nothing() -> None:
    one_only, levels = np.array([0.0, 1.0]), np.random.default_rng(3).normal(0, 0.01, (5, 2))
    assert tell_apart(levels, levels + 1, ["one", "one"]) == ()
    assert tell_apart(levels[:1], levels[:1] + one_only, ["one", "other"]) == ()
    assert set(tell_apart(levels, levels + one_only, ["one", "other"])) == {"one", "other"}


@pytest.mark.parametrize(
    ("stacks", "named", "told"),
    [
        (("openmpi@5", "mpich@4[shm]", "mpich@4[tcp]", "mpich@4"), 3, ["openmpi@5"]),
        (("mpich@5", "mpich@4[shm]", "mpich@4[tcp]", "mpich@4"), 3, []),
        (("openmpi@5", "mpich@4[shm]", "tcp@1", "mpich@4"), 3, []),
        (("openmpi@5", "mpich@4", "lam@7"), 1, []),
        (("mpi4py@4+openmpi-5", "openmpi@5", "openmpi@5[tcp]"), 2, []),
        (("mpich@4", "openmpi@5", "mpi4py@4+openmpi-5"), 2, ["mpich@4"]),
        (("lam@7", "mpi4py@4+mpich-5", "mpi4py@4+openmpi-5"), 2, []),
    ],
)
def test_references_of_one_library_are_told_where_another_is_judged(
    stacks: tuple[str, ...], named: int, told: list[str]
) -> None:
    """They shift together, which hides how far a run shifts single stacks."""
    random = np.random.default_rng(3)
    old, new = (
        RunLevels(
            name,
            "",
            medians_ns={
                SeriesKey(stack, "pingpong", 8 << cell, 2): 1000 * np.exp(random.normal(0, 0.01, 7))
                for stack in stacks
                for cell in range(5)
            },
        )
        for name in ("old", "new")
    )
    found = [
        one for one in compare_runs([old], [new], stacks[1 : 1 + named]).warnings if one.code == "references-alike"
    ]
    assert [one.message.rpartition("change of ")[2] for one in found] == told
