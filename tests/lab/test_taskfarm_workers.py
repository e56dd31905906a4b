"""`taskfarm workers` starts workers on other hosts by a real sshd and a real Slurm, with TLS."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from lab_bench import call_on
from test_hosts import on, until_gone
from tests.taskfarm.certificate_files import authority
from tests.taskfarm.farms import BUILD

from msgauge.lab.emulation import Lab

PROGRAM = Path(__file__).with_name("farm_of_hosts.py")


class Place:
    """What a farm in a lab needs, where all hosts see it: an interpreter that finds taskfarm, and credentials."""

    def __init__(self, lab: Lab, folder: Path) -> None:
        import taskfarm

        self.lab = lab
        self.python = folder / "python"
        self.python.write_text(f'#!/bin/sh\nPYTHONPATH="{BUILD}/package" exec "{sys.executable}" "$@"\n')
        self.python.chmod(0o755)
        self.key = {"key_file": str(folder / "key")}
        taskfarm.make_key(self.key["key_file"])
        lab.share([folder, BUILD])

    def run(self, launch: Sequence[str], credentials: dict[str, str], count: int, **more: bool) -> dict[str, Any]:
        """What farm_of_hosts.py saw on the first host."""
        given = [f"--{name.replace('_', '-')}={value}" for name, value in credentials.items()]
        words = ["--python", str(self.python), *launch, *given]
        asked = {"credentials": credentials, "launch": words, "count": count, **more}
        done = call_on(self.lab, "n1", [str(self.python), str(PROGRAM), f"{BUILD}/package", json.dumps(asked)])
        assert done.returncode == 0, done.stderr
        seen: dict[str, Any] = json.loads(done.stdout)
        return seen


@pytest.fixture
def by_ssh(ssh_lab: Lab, tmp_path: Path) -> Place:
    return Place(ssh_lab, tmp_path)


def ssh(lab: Lab, *more: str) -> list[str]:
    """Arguments for workers by the lab's ssh."""
    return ["--launch", "ssh", *(f"--launcher-option={word}" for word in ("-F", str(lab.ssh_config), *more))]


def test_many_workers_of_a_host_take_one_login(by_ssh: Place) -> None:
    """At an sshd that has one unauthenticated connection at a time, as a usual one has ten before it refuses some."""
    lab = by_ssh.lab
    settings = "s/^MaxStartups.*/MaxStartups 1:100:1/; s/^PidFile.*/PidFile \\/run\\/few.pid/"
    options = "-f /run/few_config -o Port=2222 -o LogLevel=VERBOSE -E /run/few.log"
    for host in ("n2", "n3"):
        on(lab, host, f"sed '{settings}' {lab.folder}/ssh/sshd_config >/run/few_config; /usr/sbin/sshd {options}")
    logins = f"for i in 1 2 3 4 5 6; do ssh -F {lab.ssh_config} -p 2222 n2 true || echo refused & done; wait"
    try:
        assert "refused" in on(lab, "n1", logins)
        on(lab, "n2", ": >/run/few.log")
        seen = by_ssh.run([*ssh(lab, "-p", "2222"), "--hosts", "n2,n3", "-n", "12"], by_ssh.key, 24)
        logs = [on(lab, host, "cat /run/few.log") for host in ("n2", "n3")]
    finally:
        for host in ("n2", "n3"):
            on(lab, host, "kill $(cat /run/few.pid)")
    assert seen == {"tasks": {"n2": 12, "n3": 12}, "workers": {"n2": 12, "n3": 12}, "transports": ["tls"], "status": 0}
    for log in logs:
        assert log.count("Accepted publickey") == 1, log


def test_workers_by_ssh_join_with_certificates(by_ssh: Place, tmp_path: Path) -> None:
    seen = by_ssh.run([*ssh(by_ssh.lab), "--hosts", "n2", "-n", "2"], authority(tmp_path, "farm"), 2)
    assert seen == {"tasks": {"n2": 2}, "workers": {"n2": 2}, "transports": ["tls"], "status": 0}


def test_workers_by_ssh_end_with_who_started_them(by_ssh: Place) -> None:
    """The command is killed, so it can tell nobody; the farm stays, and would be served for ever."""
    seen = by_ssh.run([*ssh(by_ssh.lab), "--hosts", "n2,n3", "-n", "3"], by_ssh.key, 6, kill=True)
    assert seen["gone_after_s"] < 10 and seen["status"] == -9
    assert until_gone(str(by_ssh.python)) == []


def test_workers_start_by_slurm_on_all_hosts_of_a_job(slurm_lab: Lab, tmp_path: Path) -> None:
    place = Place(slurm_lab, tmp_path)
    seen = place.run(["--launch", "slurm", "-n", "8", "--launcher-option=--ntasks-per-node=2"], place.key, 8)
    every = {"n1": 2, "n2": 2, "n3": 2, "n4": 2}
    assert {**seen, "transports": []} == {"tasks": every, "workers": every, "transports": [], "status": 0}
    assert seen["transports"] in (["shm", "tls"], ["tls"])
