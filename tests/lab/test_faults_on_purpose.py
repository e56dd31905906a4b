"""Faults that a lab has on purpose are those of its wires, whether the kernel makes them or the switch in user space.

Bounds hold on a loaded machine: a wire is never faster or earlier than asked, and faults are large against the load.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

import jsonschema
import pytest
from lab_bench import start

from msgauge.lab.bare_link import SMALLEST, BareLink, probe_link
from msgauge.lab.emulation import Lab
from msgauge.lab.faults import Faults, HostFault
from msgauge.lab.link import PRESETS, Link

MSGAUGE = str(Path(sys.executable).parent / "msgauge")
SLOW, LOSSY, LATE = HostFault(2, rate_bits=5_000_000), HostFault(3, lost_ppm=300_000), HostFault(4, late_ns=1_500_000)
SENDER = "import socket; s = socket.socket(2, 2); [s.sendto(b'x', ('{}', 5000)) for _ in range(400)]"
COUNTER = """
import socket
s = socket.socket(2, 2); s.bind(('', 5000)); print('ready', flush=True)
count = 0
try:
    while True:
        s.settimeout(10.0 if not count else 1.0); s.recv(9); count += 1
except TimeoutError:
    print(count)
"""


@pytest.fixture(scope="module")
def faulty() -> Iterator[Lab]:
    """n1 n2 | n3 n4, each but the first with a fault of its own."""
    with start(4, Link(100_000_000, 30_000), faults=Faults((SLOW, LOSSY, LATE), Link(100_000_000, 2_000_000))) as lab:
        yield lab


def measure(lab: Lab, host: int) -> BareLink:
    found = probe_link(lab, host - 1, SMALLEST)
    assert found is not None
    return found


def test_a_slow_link_has_its_own_rate(faulty: Lab) -> None:
    found = measure(faulty, 2)
    assert found.bytes_per_s < 5_000_000 / 8
    assert found.half_round_trip_ns < 1_500_000, "it is neither late nor beyond the uplink"


def test_a_late_host_beyond_the_uplink_is_late_by_both(faulty: Lab) -> None:
    assert 3_500_000 < measure(faulty, 4).half_round_trip_ns < 9_000_000


def test_a_lossy_link_loses_its_share_of_frames(faulty: Lab) -> None:
    argv = faulty.argv_on("n3", ["python3", "-c", COUNTER])
    with subprocess.Popen(argv, stdout=subprocess.PIPE, text=True) as counter:
        assert counter.stdout is not None and counter.stdout.readline() == "ready\n"
        send = faulty.argv_on("n1", ["python3", "-c", SENDER.format(faulty.addresses()[2])])
        subprocess.run(send, check=True, timeout=30)
        came = int(counter.communicate(timeout=60)[0])
    assert 200 < came < 350, "of 400 datagrams about 280; 6 standard deviations are 55"


def test_the_kernel_alone_slows_a_link_and_joins_two_switches() -> None:
    with start(3, PRESETS["bare"], faults=Faults((HostFault(3, rate_bits=5_000_000),), Link(20_000_000))) as lab:
        assert lab.wire == "bridge"
        near, far = measure(lab, 2), measure(lab, 3)
    assert near.bytes_per_s > 20_000_000 / 8, "two hosts of one switch have no limit"
    assert far.bytes_per_s < 5_000_000 / 8 * 1.1


def test_the_faults_of_a_lab_are_told_wherever_it_is_listed() -> None:
    start(1, PRESETS["bare"]).close()
    name = f"faults-{os.getpid()}"
    words = ["--slow", "n3:50Mbit", "--switches", "2", "--uplink-rate", "200Mbit"]
    command = [MSGAUGE, "lab", "up", "bare", "--hosts", "3", "--name", name, *words, "--json"]
    made = json.loads(subprocess.run(command, capture_output=True, check=True, timeout=60).stdout)
    try:
        assert made["faults"] == {
            "hosts": [{"host": "n3", "rate_bits_per_s": 50_000_000, "late_ns": 0, "lost_ppm": 0}],
            "switches": 2,
            "uplink": {"rate_bits_per_s": 200_000_000, "latency_ns": 0},
        }
        told = subprocess.run([MSGAUGE, "lab", "list", "--json"], capture_output=True, check=True, timeout=60).stdout
        for printed in (made, all_labs := json.loads(told)):
            jsonschema.validate(printed, json.loads((files("msgauge") / "schemas" / "lab.json").read_text()))
        assert made["faults"] in [lab["faults"] for lab in all_labs["labs"] if lab["name"] == name]
        listed = subprocess.run([MSGAUGE, "lab", "list"], capture_output=True, text=True, check=True, timeout=60).stdout
        (line,) = [line for line in listed.splitlines() if line.startswith(f"{name}:")]
        assert "n3 at 50 Mbit/s; n1 to n2 and n3 on two switches, uplink 200 Mbit/s" in line
    finally:
        subprocess.run([MSGAUGE, "lab", "down", name], capture_output=True, check=False, timeout=60)


def test_a_link_of_a_long_way_is_measured_in_the_sizes_that_it_allows() -> None:
    """It took 20 s for all of them, and was said not to be reached."""
    with start(2, Link(0, 150_000_000)) as lab:
        found = probe_link(lab)
    assert found is not None and found.half_round_trip_ns >= 150_000_000
    assert 1 <= len(found.exchanges) < 7 and found.bytes_per_s > 0
