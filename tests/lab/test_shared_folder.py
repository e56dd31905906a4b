"""Messages that are files cross hosts by a folder that these share; one disk below all hosts is found out."""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from test_hosts import on
from test_ssh_launcher import ONE, call, records

from msgauge.lab.emulation import Lab
from msgauge.paths import cache_folder

SFTP = "/usr/lib/openssh/sftp-server"
NOTHING_KEPT = "dir_cache=no,entry_timeout=0,attr_timeout=0,negative_timeout=0"
"""A look at the folder is a look at the other host's disk, at once."""


@pytest.fixture
def place() -> Iterator[str]:
    """A folder on the disk below all hosts; each of them has a /tmp of its own."""
    with tempfile.TemporaryDirectory(dir=cache_folder(), prefix="shared-") as folder:
        yield folder


@pytest.fixture
def shared(ssh_lab: Lab, place: str) -> Iterator[str]:
    """The folder, which the second host mounts from the first one over the network."""
    if not Path("/dev/fuse").exists():
        pytest.skip("no /dev/fuse here, so no folder can be mounted over a network")
    mount = f"sshfs -F {ssh_lab.ssh_config} n1:{place} {place} -o sftp_server={SFTP},{NOTHING_KEPT}"
    on(ssh_lab, "n2", f"{mount} </dev/null >/dev/null 2>&1")
    yield place
    on(ssh_lab, "n2", f"umount {place}")


@pytest.mark.timeout(300)
def test_files_cross_the_wire_to_a_host_that_mounts_the_folder(ssh_lab: Lab, shared: str) -> None:
    done = call(ssh_lab, shared, "compare", "--hosts", "n1,n2", "--stacks", "filempi[protocol=file]", *ONE)
    (record,) = records(ssh_lab, done.stdout).values()
    assert record["status"] == "ok", f"{record['reason']} {record['log']}"
    assert [one["host"] for one in record["placement"]] == ["n1", "n2"]  # type: ignore[attr-defined]
    assert " bytes received by eth0 for 524288 " in dict(record["condition"])["wire"]  # type: ignore[call-overload]
    assert on(ssh_lab, "n2", f"find {shared} -name 'filempi-*'") == ""


@pytest.mark.timeout(300)
def test_one_disk_below_all_hosts_is_no_network(ssh_lab: Lab, place: str) -> None:
    done = call(ssh_lab, place, "compare", "--hosts", "n1,n2", "--stacks", "filempi[protocol=file]", *ONE)
    (record,) = records(ssh_lab, done.stdout).values()
    assert record["status"] == "failed" and "0 came in by a network interface" in str(record["reason"])
    assert [one["host"] for one in record["placement"]] == ["n1", "n2"]  # type: ignore[attr-defined]


@pytest.mark.timeout(300)
def test_hosts_without_the_folder_say_so(ssh_lab: Lab) -> None:
    own = "/tmp/of-n1-alone"
    on(ssh_lab, "n1", f"mkdir {own}")
    try:
        done = call(ssh_lab, own, "compare", "--hosts", "n1,n2", "--stacks", "filempi[protocol=file]", *ONE)
        (record,) = records(ssh_lab, done.stdout).values()
    finally:
        on(ssh_lab, "n1", f"rm -r {own}")
    assert record["status"] == "failed" and "rank.sh: No such file" in str(record["reason"])


def test_the_tools_for_a_folder_over_the_network_are_installed() -> None:
    assert subprocess.run(["sshfs", "--version"], capture_output=True, check=False).returncode == 0
    assert Path(SFTP).exists()
