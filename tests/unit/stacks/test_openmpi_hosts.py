"""Where Open MPI is told to put ranks: as the layout says, also when every host has its ranks and gets more."""

from __future__ import annotations

from pathlib import Path

import pytest

from msgauge.model import HostSet, Origin, Reach, Stack
from msgauge.stacks.base.family import LaunchOptions
from msgauge.stacks.openmpi import FAMILY


@pytest.mark.parametrize(
    ("mapping", "ranks", "hosts", "mapped"),
    [
        ("core", 3, "n1:2,n2:1", "slot"),
        ("core", 5, "n1,n1,n2,n1,n1", "seq"),
        ("node", 5, "n1:1,n2:1", "node"),
    ],
)
def test_filled_hosts_get_a_second_turn_rank_by_rank(mapping: str, ranks: int, hosts: str, mapped: str) -> None:
    found = HostSet("ssh:n1:2,n2", "ssh", ("n1", "n2"), 2, "core" if mapping == "core" else "node", takes=(2, 1))
    stack = Stack("openmpi", "5.0.11", Origin("system", "/usr"), compiler="mpicxx", launcher="mpiexec")
    argv = FAMILY.launch_command(
        stack, ("worker",), LaunchOptions(ranks, 8, Path("/f"), reach=Reach(found, "/rsh"))
    ).argv
    assert argv[argv.index("--host") + 1] == hosts
    assert argv[argv.index("--map-by") + 1] == mapped
