"""Stacks of two versions find each other by all that is not their version; copies of a run count once, the fullest."""

from __future__ import annotations

import numpy as np
import pytest
from attrs import evolve

from msgauge.analysis.between_runs.run_levels import RunLevels, SeriesKey
from msgauge.analysis.between_runs.run_quantiles import leave_out_copies
from msgauge.analysis.between_runs.run_references import match_stacks


def run_of(*specs: str, path: str = "run", launches: int = 5) -> RunLevels:
    return RunLevels(path, "", medians_ns={SeriesKey(spec, "pingpong", 8, 2): np.ones(launches) for spec in specs})


@pytest.mark.parametrize(
    ("old", "new", "pairs"),
    [
        (["mpich@4.0.2", "tcp@1"], ["mpich@5.0.2", "tcp@1"], ["mpich@4.0.2 -> mpich@5.0.2", "tcp@1"]),
        (
            ["mpich@4.0.2", "mpich@4.0.2[shm]"],
            ["mpich@5.0.2", "mpich@5.0.2[shm]"],
            ["mpich@4.0.2 -> mpich@5.0.2", "mpich@4.0.2[shm] -> mpich@5.0.2[shm]"],
        ),
        (["fake@1[L=2us]"], ["fake@1[L=3us]"], ["fake@1[L=2us] -> fake@1[L=3us]"]),
        (["mpich@4.0.2", "mpich@4.1"], ["mpich@5.0.2"], []),
        (
            ["mpi4py@4.1+openmpi-4.1.4", "mpi4py@4.1+mpich-4.0.2"],
            ["mpi4py@4.1+openmpi-5.0.11", "mpi4py@4.1+mpich-4.0.2"],
            ["mpi4py@4.1+openmpi-4.1.4 -> mpi4py@4.1+openmpi-5.0.11", "mpi4py@4.1+mpich-4.0.2"],
        ),
        (["mpi4py@4.1+mpich-4.0.2"], ["mpi4py@4.1+openmpi-4.1.4"], []),
        (
            ["mpi4py@4.1+openmpi-5.0.0", "mpi4py@4.1+openmpi-5.0.0[tcp]"],
            ["mpi4py@4.1+openmpi-5.1.0-rc1", "mpi4py@4.1+openmpi-5.1.0-rc1[tcp]"],
            [
                "mpi4py@4.1+openmpi-5.0.0 -> mpi4py@4.1+openmpi-5.1.0-rc1",
                "mpi4py@4.1+openmpi-5.0.0[tcp] -> mpi4py@4.1+openmpi-5.1.0-rc1[tcp]",
            ],
        ),
        (
            ["mpich@4.0.2/system[shm]", "mpich@4.0.2/system"],
            ["mpich@5.0.2", "mpich@5.0.2[shm]"],
            ["mpich@4.0.2/system -> mpich@5.0.2", "mpich@4.0.2/system[shm] -> mpich@5.0.2[shm]"],
        ),
        (
            ["mpich@4.0.2/system", "mpich@4.0.2/managed"],
            ["mpich@5.0.2/managed", "mpich@5.0.2/system"],
            ["mpich@4.0.2/managed -> mpich@5.0.2/managed", "mpich@4.0.2/system -> mpich@5.0.2/system"],
        ),
    ],
)
def test_stacks_match_by_all_but_their_version(old: list[str], new: list[str], pairs: list[str]) -> None:
    assert [pair.title for pair in match_stacks([run_of(*old)], [run_of(*new)])] == pairs


def test_of_copies_the_one_with_most_launches_counts() -> None:
    part, whole, other = (
        evolve(run_of("tcp@1", path=path, launches=launches), origin=origin)
        for path, launches, origin in (("0-part", 2, "a"), ("whole", 5, "a"), ("other", 3, "b"))
    )
    kept = leave_out_copies([{"p50": one} for one in (part, other, whole, whole)])
    assert [one["p50"].path for one in kept] == ["other", "whole"]
