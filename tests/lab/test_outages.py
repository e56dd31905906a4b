"""Hosts that die, links that are cut: launches fail at once with the reason, others go on, --resume ends the run."""

from __future__ import annotations

import json
import os
import subprocess
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from importlib.resources import files
from pathlib import Path

import jsonschema
import pytest
from benchmarks.host_processes import command_line, processes_on
from lab_bench import MSGAUGE, call_msgauge, call_on, start

from msgauge.errors import LaunchError, UsageError
from msgauge.lab.emulation import Lab, find_lab
from msgauge.lab.link import PRESETS
from msgauge.lab.outages import OutageWatch, change_host
from msgauge.model import RECONNECTED, LaunchRecord
from msgauge.results.run_folder import RunFolder

call = partial(call_msgauge, limit_s=120)
REACH = """
import socket, sys
try:
    socket.create_connection((sys.argv[1], 9), timeout=1).close()
except ConnectionRefusedError:
    print("reached")
except OSError:
    print("lost")
"""
STUDY = """\
stacks = ["tcp"]
ranks = [2, 3]
[stopping]
minimum_rounds = 1
maximum_rounds = 1
cell_budget = "1.5s"
cell_precision = "0.01%"
every_cell = true
[[measure]]
kernel = "bcast"
sizes = [8]
"""


def reach(lab: Lab, host: str, other: str) -> str:
    return call_on(lab, host, ["python3", "-c", REACH, other]).stdout.strip()


def ends(pid: int) -> bool:
    """Whether a process that was killed is gone within ten seconds: its parent may take it away after it has died."""
    end = time.monotonic() + 10
    while (there := Path(f"/proc/{pid}").exists()) and time.monotonic() < end:
        time.sleep(0.01)
    return not there


@pytest.mark.parametrize("network", ["bare", "100baset"])
def test_a_cable_is_pulled_and_put_back_and_a_dead_host_comes_back_as_it_was(network: str, tmp_path: Path) -> None:
    """On a bridge of the kernel, and on the switch in user space."""
    with start(3, PRESETS[network]) as lab:
        lab.share([tmp_path])
        watch = OutageWatch(lab)
        change_host(lab, "cut", "n2")
        assert watch.find_lost() == {"n2": "n2 has no link any more"}
        assert (reach(lab, "n1", "n2"), reach(lab, "n1", "n3")) == ("lost", "reached")
        change_host(lab, "mend", "n2")
        assert watch.find_lost() == {} and reach(lab, "n1", "n2") == reach(lab, "n2", "n3") == "reached"
        (before,) = lab.first_processes[2:]
        change_host(lab, "kill", "n3")
        assert watch.find_lost() == {"n3": "n3 has died"} and ends(before)
        assert call_on(lab, "n3", ["true"]).stderr == "agent: n3 is down\n"
        lab.share([tmp_path])  # the others go on
        change_host(lab, "mend", "n3")
        assert watch.find_lost() == {} and watch.first_processes[2] != before
        assert reach(lab, "n1", "n3") == reach(lab, "n3", "n2") == "reached"
        assert call_on(lab, "n3", ["sh", "-c", f"hostname; ls -d {tmp_path}"]).stdout.split() == ["n3", str(tmp_path)]
        watch.close()
        with pytest.raises(UsageError, match="n9"):
            change_host(lab, "kill", "n9")
    with pytest.raises(LaunchError):
        change_host(lab, "kill", "n1")


def test_hosts_that_are_mended_at_once_all_come_back() -> None:
    """Orders that came while the keeper made another host were lost, and said to be carried out."""
    with start(6, PRESETS["bare"]) as lab:
        for _ in range(2):
            for host in lab.hosts:
                change_host(lab, "kill", host)
            with ThreadPoolExecutor(2 * len(lab.hosts)) as pool:
                said = [*pool.map(lambda host: change_host(lab, "mend", host), (*lab.hosts, *lab.hosts))]
            assert {*said} <= {f"{host} comes back" for host in lab.hosts}, said
            assert [call_on(lab, host, ["hostname"]).stdout.strip() for host in lab.hosts] == [*lab.hosts]
            assert {reach(lab, host, "n1") for host in lab.hosts[1:]} == {"reached"}


def test_what_is_wrong_with_a_lab_is_told_before_anything_is_measured_there(tmp_path: Path) -> None:
    with start(4, PRESETS["bare"], name=f"lost-{os.getpid()}") as lab:
        mend = "remedy: msgauge lab mend {} --name " + lab.name
        assert change_host(lab, "mend", "n1").endswith("nothing to mend") and list_lost(lab) == []
        change_host(lab, "cut", "n2")
        assert list_lost(lab) == ["n2 has no link any more"]
        done = call("map", "--hosts", f"lab:{lab.name}", folder=tmp_path)
        assert done.returncode == 2 and mend.format("n2") in done.stderr, done.stderr
        done = call("doctor", "--hosts", f"lab:{lab.name}", folder=tmp_path)
        assert done.returncode == 1 and "links: n2 is" in done.stdout, done.stderr  # it answers
        change_host(lab, "kill", "n4")
        assert list_lost(lab) == ["n2 has no link any more", "n4 has died"]
        done = call("doctor", "--hosts", f"lab:{lab.name}", folder=tmp_path)
        assert (done.returncode, done.stdout) == (2, "") and mend.format("n4") in done.stderr, done.stderr
        done = call("lab", "run", "n4", "--name", lab.name, "--", "true", folder=tmp_path)
        assert done.returncode == 2 and mend.format("n4") in done.stderr, done.stderr
        assert call("lab", "run", "n2", "--name", lab.name, "--", "true", folder=tmp_path).returncode == 0
        with pytest.raises(UsageError, match="n4 has died"):
            change_host(lab, "cut", "n4")
        assert [change_host(lab, "mend", host) for host in ("n2", "n4")] == ["n2 comes back", "n4 comes back"]
        assert list_lost(lab) == [] and [*tmp_path.iterdir()] == []


def list_lost(lab: Lab) -> list[str]:
    """As ``lab list`` has it, in words and in JSON."""
    said = json.loads(call("lab", "list", "--json", folder=Path("/")).stdout)
    jsonschema.validate(said, json.loads((files("msgauge") / "schemas" / "lab.json").read_text()))
    (found,) = (one["lost"] for one in said["labs"] if one["name"] == lab.name)
    (line,) = (
        one for one in call("lab", "list", folder=Path("/")).stdout.splitlines() if one.startswith(f"{lab.name}:")
    )
    assert all(f"; {one['reason']}" in line and one["reason"].startswith(one["host"]) for one in found)
    return [one["reason"] for one in found]


@pytest.mark.parametrize("network", ["bare", "100baset"])
def test_a_host_comes_back_though_its_network_outlives_it_for_a_while(network: str) -> None:
    """The kernel takes networks down some time after their last process; here a descriptor holds one for longer."""
    with start(2, PRESETS[network]) as lab:
        held = os.open(f"/proc/{lab.first_processes[1]}/ns/net", os.O_RDONLY)
        change_host(lab, "kill", "n2")
        let_go = threading.Timer(1.0, os.close, [held])
        let_go.start()
        change_host(lab, "mend", "n2")
        let_go.join()
        assert reach(lab, "n1", "n2") == "reached"


@pytest.mark.timeout(400)
@pytest.mark.parametrize(("outage", "reason"), [("kill", "n3 has died"), ("cut", "n3 has no link any more")])
def test_an_outage_fails_the_launches_that_need_the_host_and_resume_does_them_again(
    outage: str, reason: str, tmp_path: Path
) -> None:
    (tmp_path / "study.toml").write_text(STUDY)
    with start(3, PRESETS["bare"], name=f"outage-{outage}-{os.getpid()}") as lab:
        words = [MSGAUGE, "run", "study.toml", "--hosts", f"lab:{lab.name}"]
        fail_in_the_middle(lab, words, outage, tmp_path)
        two, three = records(tmp_path)
        assert two.status.value == "ok", two.reason
        assert three.status.value == "failed" and three.reason.startswith(reason), three.reason
        assert three.seconds < 30 and inhabitants(lab) == []
        change_host(lab, "mend", "n3")
        (folder,) = tmp_path.glob("runs/*")
        again = subprocess.run([MSGAUGE, "run", "--resume", str(folder)], capture_output=True, timeout=200, check=False)
        assert again.returncode == 0, again.stderr
        assert [one.status.value for one in records(tmp_path)] == ["ok", "ok"] and inhabitants(lab) == []


@pytest.mark.timeout(400)
@pytest.mark.parametrize("outage", ["kill", "cut"])
def test_a_run_waits_for_a_host_that_is_mended_and_goes_on_with_it(outage: str, tmp_path: Path) -> None:
    study = (
        STUDY.replace("ranks = [2, 3]", "ranks = [3]").replace('"1.5s"', '"0.5s"').replace("_rounds = 1", "_rounds = 5")
    )
    (tmp_path / "study.toml").write_text(study)
    with start(3, PRESETS["bare"], name=f"flap-{outage}-{os.getpid()}") as lab:
        words = [MSGAUGE, "run", "study.toml", "--hosts", f"lab:{lab.name}"]
        mended = threading.Timer(4, change_host, (lab, "mend", "n3"))
        fail_in_the_middle(lab, words, outage, tmp_path, mended)
        found = sorted(all_records(tmp_path), key=lambda one: one.launch.number)
        assert [one.lost for one in found] == [True, False, False, False, False], [one.reason for one in found]
        assert [one.status.value for one in found[1:]] == ["ok"] * 4
        assert dict(found[1].condition)[RECONNECTED] == "n3"
        assert inhabitants(lab) == []


@pytest.mark.timeout(400)
def test_by_ssh_a_dead_host_is_known_by_its_connection(tmp_path: Path) -> None:
    (tmp_path / "study.toml").write_text(STUDY)
    with start(3, PRESETS["bare"], name=f"outage-ssh-{os.getpid()}", ssh=True) as lab:
        lab.share([tmp_path])
        words = [MSGAUGE, "run", "study.toml", "--hosts", "n1,n2,n3", "--ssh-config", str(lab.ssh_config)]
        fail_in_the_middle(lab, list(lab.argv_on("n1", words)), "kill", tmp_path)
        two, three = records(tmp_path)
        assert two.status.value == "ok", two.reason
        assert three.status.value == "failed" and three.reason.startswith("the connection to n3 has ended")
        assert three.lost and inhabitants(lab) == []


def fail_in_the_middle(
    lab: Lab, words: list[str], outage: str, folder: Path, then: threading.Timer | None = None
) -> None:
    """A run until its end, in which n3 is hit while a rank stands there; ``then``: begun right after that."""
    log = folder / "log"
    with log.open("w") as said, subprocess.Popen(words, cwd=folder, stdin=subprocess.DEVNULL, stderr=said) as msgauge:
        limit = time.monotonic() + 200
        while not any(one.startswith("n3") for one in inhabitants(lab)):
            assert msgauge.poll() is None and time.monotonic() < limit, log.read_text()
            time.sleep(0.05)
        change_host(lab, outage, "n3")
        if then is not None:
            then.start()
        msgauge.wait(200)
    assert msgauge.returncode == 4, log.read_text()


def records(folder: Path) -> list[LaunchRecord]:
    """Of the one run there, by the number of ranks."""
    return sorted(all_records(folder), key=lambda record: record.launch.ranks)


def all_records(folder: Path) -> list[LaunchRecord]:
    """Of the one run there."""
    (path,) = folder.glob("runs/*")
    with RunFolder.open(path) as run:
        return list(run.records())


def inhabitants(lab: Lab) -> list[str]:
    """Ranks on hosts."""
    found = ((name, command_line(process)) for name, process in processes_on(find_lab(lab.name)))
    return [f"{name}: {words}" for name, words in found if " --samples " in words]
