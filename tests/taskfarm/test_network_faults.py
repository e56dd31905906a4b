"""The network between coordinator and workers breaks: in a network namespace, by the kernel's own means."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import farms

SCRIPT = Path(__file__).with_name("network_faults.py")
TIMEOUT_S = 0.6
"""The heartbeat timeout of network_faults.py."""


def broken(case: str) -> dict[str, Any]:
    """What network_faults.py saw of one case with all its tasks."""
    seen = seen_of(case)
    assert (seen["results"], seen["distinct"], seen["right"]) == (4000, 4000, True)
    assert seen["stats"]["dead"] == seen["stats"]["foreign_results"] == 0
    return seen


def seen_of(case: str) -> dict[str, Any]:
    """What network_faults.py saw of one case."""
    assert farms.BUILD.is_dir()
    command = ["unshare", "--user", "--map-root-user", "--net", sys.executable, str(SCRIPT), case]
    done = subprocess.run(command, capture_output=True, text=True, timeout=100, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    seen: dict[str, Any] = json.loads(done.stdout)
    return seen


def test_a_partition_is_survived_by_both_sides() -> None:
    """Workers cut off for twice the heartbeat timeout are the same workers afterwards."""
    stats = broken("partition")["stats"]
    assert stats["workers_joined"] == 2
    assert stats["workers_lost"] >= 2
    assert stats["reconnects"] >= 2


def test_connections_that_are_reset_in_the_middle_lose_and_double_nothing() -> None:
    stats = broken("resets")["stats"]
    assert stats["workers_joined"] == 2
    assert stats["reconnects"] >= 10


def test_a_link_that_drops_packets_costs_time_only() -> None:
    seen = broken("losses")
    assert seen["dropped"] > 0
    assert seen["stats"]["protocol_errors"] == 0


def test_workers_that_die_unheard_are_missed_after_the_heartbeat_timeout() -> None:
    """Half-open connections: no end of them ever arrives. Other load may delay the notice, not the library."""
    seen = broken("half-open")
    assert seen["stats"]["silent"] == 2
    assert 0.5 * TIMEOUT_S < seen["noticed_s"] < 10 * TIMEOUT_S


def test_a_worker_whose_answer_finds_no_room_stays_until_nothing_is_heard_of_the_coordinators_host() -> None:
    assert seen_of("stalled").items() >= {"lived": True, "left": 0}.items()
