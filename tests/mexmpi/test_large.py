"""Messages of 8 MB, of 1 GB, and of more bytes than a signed 32-bit count can say."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from mexmpi_jobs import ALL, SANITIZED, Mpi

WAYS = ["Allreduce", "Bcast", "Bcast_into", "Recv", "Recv_into"]
SIZES = [8_000_000, 1_000_000_000, 2_400_000_000] if ALL and not SANITIZED else [8_000_000]
NEEDED = 7
"""Memory of a job: two ranks, each with one array, a second one in a reduction, and what the MPI needs besides."""


def available_bytes() -> int:
    found = re.search(r"MemAvailable:\s+(\d+) kB", Path("/proc/meminfo").read_text())
    assert found
    return int(found[1]) * 1024


@pytest.mark.parametrize("size", SIZES)
def test_a_large_message_arrives_as_sent(mpi: Mpi, size: int) -> None:
    if available_bytes() < NEEDED * size:
        pytest.skip(f"{NEEDED * size / 1e9:.0f} GB of memory are not free; pieces are tested with MPI's limit lowered")
    result = mpi.run("mexmpi_use(); send_large", 2, limit_s=600, LARGE_BYTES=str(size))
    assert result.status == 0, result.output[-2000:]
    assert sorted(set(re.findall(r"as sent by (\w+)", result.output))) == WAYS, result.output[-2000:]
