"""Every host of a lab has a real sshd where that is asked for, with keys of the lab's own, and it ends with the lab."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from lab_bench import start
from test_hosts import living, on, until_gone

from msgauge.lab.emulation import Lab, list_labs
from msgauge.lab.link import PRESETS


def ssh(lab: Lab, *words: str, user: str = "root") -> subprocess.CompletedProcess[str]:
    """Call ssh on the first host as a user."""
    argv = lab.argv_on("n1", ["runuser", "-u", user, "--", "ssh", "-F", str(lab.ssh_config), *words])
    return subprocess.run(argv, capture_output=True, text=True, timeout=60, check=False, stdin=subprocess.DEVNULL)


@pytest.mark.parametrize("user", ["root", "nobody"])
def test_a_user_of_the_lab_reaches_every_host_by_ssh_as_himself(ssh_lab: Lab, user: str) -> None:
    for host in ("n2", "10.99.0.3"):
        done = ssh(ssh_lab, host, "hostname; id -un; test -w ~ && echo home", user=user)
        assert done.stdout.split() == [{"n2": "n2"}.get(host, "n3"), user, "home"], done.stderr


def test_a_key_opens_the_account_of_its_user_alone(ssh_lab: Lab) -> None:
    """Whoever is root on an emulated host is root of this computer."""
    for words in (["root@n2", "id"], ["daemon@n2", "id"]):
        refused = ssh(ssh_lab, *words, user="nobody")
        assert refused.returncode == 255 and "Permission denied" in refused.stderr
    assert ssh(ssh_lab, "n2", "id", user="daemon").returncode == 255
    mode = {path.name: path.stat().st_mode & 0o777 for path in (ssh_lab.folder / "ssh").iterdir()}
    assert mode["hostkey"] == 0o600 and mode["root"] == 0o700 and mode["shadow"] == 0o600
    assert ssh_lab.folder.stat().st_uid == os.getuid()
    hashes = (ssh_lab.folder / "ssh" / "shadow").read_text().splitlines()
    assert all(line.split(":")[1] == "*" for line in hashes), "no password of this computer goes to hosts"


def test_every_host_says_that_it_is_emulated(lab: Lab) -> None:
    told = json.loads(on(lab, "n3", "cat /run/msgauge-lab.json"))
    assert told == {"lab": lab.name, "network": "emulated bare (no limit of rate, no latency added)"}
    assert lab.ssh_config is None and not Path("/run/msgauge-lab.json").exists()


def test_sshd_and_what_it_started_end_with_a_keeper_that_is_killed() -> None:
    start(1, PRESETS["bare"]).close()
    program = (
        "import time; from msgauge.lab.emulation import *\n"
        "with RunningLab(LabPlan(2, ssh=True)) as lab: print(lab.pid, lab.folder, flush=True); time.sleep(60)"
    )
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True) as msgauge:
        assert msgauge.stdout is not None
        pid, folder = msgauge.stdout.readline().split()
        script = f"ssh -F {folder}/ssh_config n2 'setsid sleep 7657.5 </dev/null >/dev/null 2>&1 &'"
        subprocess.run([f"{folder}/rsh", "n1", script], timeout=60, check=True)
        assert living("sleep\0007657.5") and living(f"{folder}/ssh/sshd_config")
        os.kill(int(pid), signal.SIGKILL)
        assert until_gone("sleep\0007657.5") == [] and until_gone(f"{folder}/ssh/sshd_config") == []
        msgauge.kill()
    assert until_gone(folder) == []
    list_labs()  # removes what a killed keeper could not
    assert not Path(folder).exists()
