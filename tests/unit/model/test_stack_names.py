"""Specs without their version: whatever stands in it, the rest of the name stays as it is."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from msgauge.model.stack_names import leave_out_origin, leave_out_version, name_family, name_library, name_lowest


@pytest.mark.parametrize(
    ("spec", "without_version", "without_origin", "library"),
    [
        ("mpich@5.0.2[shm]", "mpich[shm]", "mpich[shm]", "mpich"),
        ("mpich@4.0.2/system[shm]", "mpich/system[shm]", "mpich[shm]", "mpich"),
        ("openmpi@5.0.11-rc1", "openmpi", "openmpi", "openmpi"),
        ("mpi4py@4.1.2+openmpi-5.0.11", "mpi4py+openmpi", "mpi4py+openmpi", "mpi4py+openmpi"),
        ("mpi4py@4.1.2+openmpi-5.0.11-rc1/managed[tcp]", "mpi4py+openmpi/managed[tcp]", "mpi4py+openmpi[tcp]", None),
        ("pvm@3.4.6+dfsg[encoding=raw,route=a/b@1]", "pvm[encoding=raw,route=a/b@1]", None, "pvm"),
        ("pvm@3.4.6+dfsg-4", "pvm", None, "pvm"),
        ("mpich@4.0.2+git-20240101[shm]", "mpich[shm]", None, "mpich"),
        ("mpi4py@4.1.2+dfsg+openmpi-5.0.1", "mpi4py+openmpi", None, None),
        ("fake", "fake", "fake", "fake"),
    ],
)
def test_a_spec_without_its_version(
    spec: str, without_version: str, without_origin: str | None, library: str | None
) -> None:
    assert leave_out_version(spec) == without_version
    assert leave_out_origin(spec) == (without_origin or without_version)
    assert name_library(spec) == (library or "mpi4py+openmpi")
    assert name_family(spec) == name_library(spec).partition("+")[0]
    assert name_lowest(spec) == name_library(spec).rpartition("+")[2]


@given(st.from_regex(r"[0-9][0-9A-Za-z._-]{0,9}", fullmatch=True), st.sampled_from(["", "/system", "[shm]", "/a[b=1]"]))
def test_no_version_leaves_a_trace(version: str, rest: str) -> None:
    assert leave_out_version(f"mpich@{version}{rest}") == f"mpich{rest}"
    assert leave_out_version(f"mpi4py@4+mpich-{version}{rest}") == f"mpi4py+mpich{rest}"
