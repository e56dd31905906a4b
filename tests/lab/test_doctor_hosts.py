"""``msgauge doctor --hosts``: every host is asked once, and what differs is named."""

from __future__ import annotations

import json
from collections.abc import Iterator
from importlib.resources import files

import jsonschema
import pytest
from test_hosts import on
from test_ssh_launcher import call

from msgauge.lab.emulation import Lab


@pytest.fixture
def other_mtu(ssh_lab: Lab) -> Iterator[str]:
    """A host whose interface takes shorter packets than those of the others."""
    on(ssh_lab, "n2", "ip link set dev eth0 mtu 1400")
    yield "n2"
    on(ssh_lab, "n2", "ip link set dev eth0 mtu 1500")


@pytest.mark.timeout(200)
def test_hosts_are_asked_by_ssh_and_the_one_that_differs_is_named(ssh_lab: Lab, other_mtu: str) -> None:
    done = call(ssh_lab, "/", "doctor", "--hosts", "n1,n2,n3", "--json")
    said = json.loads(done.stdout)
    jsonschema.validate(said, json.loads((files("msgauge") / "schemas" / "doctor.json").read_text()))
    assert [(one["name"], one["answers"], one["facts"]["interface"]) for one in said["hosts"]] == [
        (name, True, "eth0") for name in ("n1", "n2", "n3")
    ]
    levels = {one["code"]: one["level"] for one in said["findings"]}
    assert [code for code, level in levels.items() if level != "fine"] == ["host-mtu"]
    assert {"host-stack-openmpi@5.0.11", "host-clocks", "host-kernel"} <= set(levels)
    assert levels["host-ports"] == "fine"
    (found,) = (one for one in said["findings"] if one["code"] == "host-mtu")
    assert found["message"] == f"MTU differs: 1500 on 2 hosts, 1400 on {other_mtu}" and found["remedy"]
    assert done.returncode == 1 and said["suitable"] == "no"


@pytest.fixture
def closed_way(ssh_lab: Lab) -> Iterator[None]:
    """What n3 answers to n2 is dropped, as a firewall drops it; ssh from n1 reaches both."""
    on(ssh_lab, "n3", "ip route add blackhole 10.99.0.2/32")
    yield
    on(ssh_lab, "n3", "ip route del blackhole 10.99.0.2/32")


@pytest.mark.timeout(200)
def test_a_closed_way_between_two_hosts_is_found_in_both_directions(ssh_lab: Lab, closed_way: None) -> None:
    done = call(ssh_lab, "/", "doctor", "--hosts", "n1,n2,n3", "--json")
    (found,) = (one for one in json.loads(done.stdout)["findings"] if one["code"] == "host-ports")
    assert found["level"] == "problem" and "firewalls" in found["remedy"]
    assert found["evidence"] == {"n2 to n3": "no answer", "n3 to n2": "no way there (EINVAL)"}


@pytest.fixture
def no_python(ssh_lab: Lab) -> Iterator[str]:
    """A host on which nothing can listen: an empty file lies over its python3."""
    each = "for one in /usr/local/bin/python3 /usr/bin/python3; do [ ! -e $one ] || {}; done"
    on(ssh_lab, "n2", "touch /run/none && " + each.format("mount --bind /run/none $(readlink -f $one)"))
    yield "n2"
    on(ssh_lab, "n2", each.format("umount $(readlink -f $one)"))


@pytest.mark.timeout(200)
def test_a_host_without_python_is_not_told_as_a_firewall(ssh_lab: Lab, no_python: str) -> None:
    done = call(ssh_lab, "/", "doctor", "--hosts", "n1,n2,n3", "--json")
    (found,) = (one for one in json.loads(done.stdout)["findings"] if one["code"] == "host-ports")
    assert found["level"] == "unknown" and found["message"].startswith(f"ranks' ports: not tried on {no_python}: ")
    assert f"install python3 on {no_python}" in found["remedy"] and "firewall" not in found["remedy"]
    assert done.returncode == 3


@pytest.mark.timeout(200)
def test_a_host_that_cannot_be_reached_is_named_with_its_reason(ssh_lab: Lab) -> None:
    done = call(ssh_lab, "/", "doctor", "--hosts", "n1,nowhere")
    assert done.returncode == 2
    assert "1 of 2 hosts cannot be reached:\n  nowhere: " in done.stderr
