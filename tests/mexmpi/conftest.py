"""Fixtures of these tests; what they give is made in mexmpi_jobs.py."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest
from leftovers import leftovers_removed
from mexmpi_jobs import FAMILIES, OCTAVE, Mpi, build_all, wrappers


@pytest.fixture(scope="session", autouse=True)
def _leftovers_removed() -> Iterator[None]:
    with leftovers_removed():
        yield


@pytest.fixture(scope="session")
def builds() -> list[Mpi]:
    """All builds."""
    if OCTAVE is None or not wrappers():
        assert os.environ.get("CI") != "true", "octave-cli and an MPI with a compiler wrapper are promised"
        pytest.skip("no octave-cli, or no MPI with a compiler wrapper")
    return build_all()


@pytest.fixture(params=FAMILIES)
def mpi(request: pytest.FixtureRequest, builds: list[Mpi]) -> Mpi:
    """A build of each family."""
    found = [build for build in builds if build.family == request.param]
    if not found:
        pytest.skip(f"no {request.param} with a compiler wrapper")
    return found[0]
