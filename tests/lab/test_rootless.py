"""A lab of an ordinary user: hosts of namespaces that he may make, programs without any right beyond his own."""

from __future__ import annotations

import shlex

import pytest
from lab_bench import call_on
from test_ssh_launcher import packages, place  # noqa: F401 (fixtures)

from msgauge.lab.emulation import Lab

OWN_LAB = """
import os, subprocess
from msgauge.errors import MsgaugeError
from msgauge.lab.emulation import LabPlan, RunningLab
from msgauge.lab.link import parse_rate, Link
from msgauge.lab.outages import change_host

def call(lab, host, script):
    done = subprocess.run(lab.argv_on(host, ["sh", "-c", script]), capture_output=True, text=True, timeout=60)
    return (done.stdout + done.stderr).split()

with RunningLab(LabPlan(2, Link(parse_rate("1Gbit")))) as lab:
    print(call(lab, "n2", "hostname; id -u; grep CapEff /proc/self/status; cat /sys/class/net/eth0/operstate"))
    change_host(lab, "kill", "n2")
    change_host(lab, "mend", "n2")
    print(call(lab, "n2", "hostname"), os.listdir(lab.folder) != [])
print(os.path.exists(lab.folder))
try:
    RunningLab(LabPlan(2, ssh=True))
except MsgaugeError as refused:
    print(refused.what, "|", refused.remedy)
"""
FORBIDDEN = """
from msgauge.errors import ToolError
from msgauge.lab.emulation import LabPlan, RunningLab
try:
    RunningLab(LabPlan(2))
except ToolError as refused:
    print(refused.what, "|", refused.remedy)
"""


def run_as_nobody(lab: Lab, packages: str, program: str) -> list[str]:  # noqa: F811
    words = shlex.join(["/usr/bin/python3", "-c", program])
    script = f"cd /tmp && exec runuser -u nobody -- env PYTHONPATH={packages} HOME=/tmp {words}"
    done = call_on(lab, "n1", ["sh", "-c", script])
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


@pytest.mark.timeout(120)
def test_an_ordinary_user_has_a_lab_of_his_own(ssh_lab: Lab, packages: str) -> None:  # noqa: F811
    """On a host of another lab, where he finds the packages."""
    inside, back, left, refused = run_as_nobody(ssh_lab, packages, OWN_LAB)
    assert inside == str(["n2", "65534", "CapEff:", "0000000000000000", "up"])
    assert (back, left) == ("['n2'] True", "False")
    assert refused == "hosts with an sshd need root | run it as root: sudo msgauge lab up --ssh ..."


@pytest.mark.timeout(120)
def test_a_kernel_that_forbids_it_is_named_with_the_remedy(ssh_lab: Lab, packages: str) -> None:  # noqa: F811
    """Refused by the kernel itself: in a user namespace whose own limit of further ones is 0."""
    words = shlex.join(["/usr/bin/python3", "-c", FORBIDDEN])
    inner = f"echo 0 > /proc/sys/user/max_user_namespaces && PYTHONPATH={packages} HOME=/tmp exec {words}"
    around = shlex.join(["unshare", "-U", "--map-current-user", "--keep-caps", "sh", "-c", inner])
    done = call_on(ssh_lab, "n1", ["sh", "-c", f"cd /tmp && exec runuser -u nobody -- {around}"])
    assert done.returncode == 0, done.stderr
    assert "does not let this user emulate hosts" in done.stdout
    assert "sysctl user.max_user_namespaces=10000" in done.stdout
