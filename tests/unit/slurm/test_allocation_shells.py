"""Claims about the shells on the hosts of an allocation, whose srun here is a script: what it says when it fails."""

from __future__ import annotations

from pathlib import Path

import pytest

from msgauge.errors import HostsLostError, LaunchError
from msgauge.slurm.allocation_shells import AllocationShells


def start(folder: Path, script: str) -> AllocationShells:
    srun = folder / "srun"
    srun.write_text(f"#!/bin/sh\n{script}\n")
    srun.chmod(0o755)
    return AllocationShells([str(srun)], ["n1"], "msgauge-test", "")


@pytest.mark.parametrize(
    ("script", "told"),
    [
        ("echo 'srun: error: Unable to create step: Memory required by task is not available' >&2; exit 1", "Memory"),
        ("echo 'srun: error: step creation still disabled' >&2", "still disabled"),
        ("exit 0", "it ended at once without a word"),
    ],
)
def test_an_srun_that_ends_at_once_is_not_said_to_be_an_ended_allocation(
    script: str, told: str, tmp_path: Path
) -> None:
    with pytest.raises(LaunchError, match=f"srun starts nothing on n1: .*{told}") as caught:
        start(tmp_path, script)
    assert not isinstance(caught.value, HostsLostError)
    assert caught.value.remedy == "try it in the same job: srun hostname"


def test_shells_that_answered_and_then_are_gone_are(tmp_path: Path) -> None:
    shells = start(tmp_path, 'echo "n1 ."; read -r line; echo "n1 $line"; echo "n1 ."; echo "srun: job ended" >&2')
    try:
        assert shells.ask("hostname") == {"n1": ["hostname"]}
        with pytest.raises(HostsLostError, match="the allocation has ended"):
            shells.ask("hostname")
    finally:
        shells.close()
