"""Every stack that can leave its computer runs across emulated hosts, over the wire, and nothing is left of it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import sysconfig
import tempfile
import time
from functools import partial
from pathlib import Path

import pytest
from lab_bench import MSGAUGE, call_msgauge, processes_of, start

from msgauge.config import load_config
from msgauge.discovery import registry
from msgauge.hosts import this_host
from msgauge.lab.emulation import list_labs
from msgauge.lab.link import PRESETS
from msgauge.results.run_folder import RunFolder
from msgauge.stacks.base.families import families

call = partial(call_msgauge, limit_s=900)
TRAVELLERS = {"openmpi", "mpich", "intelmpi", "lam", "pvm", "tcp", "zeromq", "ucx", "mpi4py"}
OF_TASKS_OR_FILES = {"taskfarm", "filempi"}
"""Their ranks can leave the computer too, each under conditions of its own."""


def travelling() -> list[str]:
    """The plain stacks of this machine whose ranks can leave it, and one in Fortran."""
    found = registry.discover(this_host(), load_config())
    able = [one for one in found if one.usable and families()[one.family].needs is not None]
    fortran = next(one.spec for one in able if (one.family, one.origin.kind) == ("openmpi", "system"))
    return [*(one.spec for one in able if one.family not in OF_TASKS_OR_FILES), f"{fortran}[fortran]"]


@pytest.mark.timeout(1200)
def test_every_stack_that_can_travel_crosses_the_wire(tmp_path: Path) -> None:
    start(1, PRESETS["bare"]).close()
    stacks = travelling()
    names = {spec.partition("@")[0] for spec in stacks}
    assert names - {"mexmpi"} == TRAVELLERS, "a stack that the tests install is missing"
    words = ["--hosts", "lab:3@bare", "--kernels", "pingpong", "--sizes", "8", "--ranks", "2", "--rounds", "1"]
    argv = [MSGAUGE, "compare", "--stacks", ",".join([*stacks, "shm"]), *words, "--json"]
    with subprocess.Popen(argv, cwd=tmp_path, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True) as msgauge:
        output = msgauge.communicate(timeout=900)[0]
    assert msgauge.returncode in (0, 4)
    said = json.loads(output)
    with RunFolder.open(Path(said["run"])) as run:
        records = {record.launch.stack: record for record in run.records()}
    assert set(records) == set(stacks)
    for spec, record in records.items():
        assert record.status.value == "ok", f"{spec}: {record.reason}\n{record.log}"
        assert [placed.host for placed in record.placement] == ["n1", "n2"], spec
        assert " bytes received by eth0 for 524288 " in dict(record.condition)["wire"], spec
        assert dict(record.condition)["groups"] == "one for all ranks", spec
    assert {one["stack"] for one in said["refusals"]} == {"shm@1"}
    assert said["hosts"]["emulated"] and float(said["hosts"]["facts"]["bare_half_round_trip_ns"]) > 0
    assert "emulated-hosts" in {one["code"] for one in said["warnings"]}
    own = f"mg-lab-{os.getuid()}-run-{msgauge.pid}-"
    assert processes_of(own) == [] and not list(Path("/tmp").glob(f"{own}*"))
    shown = call("show", said["run"], folder=tmp_path).stdout
    assert "Ping-pong, 2 ranks, on 2 emulated hosts" in shown and "bare link" in shown


SITE = """
[[prefix]]
name = "site"
path = "/usr"
compiler = "bin/mpicxx.mpich"
launcher = "bin/mpiexec.mpich"
library = "MPICH"
"""
ON_HOSTS = """launch_on_hosts = [
    "{launcher}", "-n", "{ranks}", "-hosts", "{hosts}", "-launcher", "rsh",
    "-launcher-exec", "{agent}", "-bind-to", "none", "{program}",
]
"""


@pytest.mark.timeout(300)
def test_an_mpi_of_the_configuration_crosses_the_wire_where_its_entry_says_how(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    start(1, PRESETS["bare"]).close()
    monkeypatch.setenv("MSGAUGE_CONFIG", str(tmp_path))
    words = ["--kernels", "pingpong", "--sizes", "8", "--ranks", "2", "--rounds", "1", "--json"]
    said = {}
    for entry, how in ((SITE, "core"), (SITE + ON_HOSTS, "node")):
        (tmp_path / "config.toml").write_text(entry, encoding="utf-8")
        asked = ["--stacks", "custom@site,tcp", "--hosts", "lab:2@bare", "--map", how, *words]
        said[entry] = json.loads(call("compare", *asked, folder=tmp_path).stdout)
    assert "it needs launch_on_hosts in its entry of config.toml" in said[SITE]["refusals"][0]["reason"]
    assert said[SITE + ON_HOSTS]["refusals"] == []
    with RunFolder.open(Path(said[SITE + ON_HOSTS]["run"])) as run:
        records = {record.launch.stack.partition("@")[0]: record for record in run.records()}
    record = records["custom"]
    assert record.status.value == "ok", f"{record.reason}\n{record.log}"
    assert [placed.host for placed in record.placement] == ["n1", "n2"]
    assert " bytes received by eth0 for 524288 " in dict(record.condition)["wire"]


@pytest.mark.timeout(300)
def test_what_ends_at_one_computer_is_refused_and_tasks_travel_by_tls(tmp_path: Path) -> None:
    start(1, PRESETS["bare"]).close()
    stacks = ["taskfarm[tls]", "taskfarm[tcp]", "openmpi@4[shm]", "filempi", "filempi[protocol=file]"]
    words = ["--kernels", "fanout", "--sizes", "8", "--ranks", "3", "--rounds", "1", "--json"]
    done = call("compare", "--hosts", "lab:3@bare", "--stacks", ",".join(stacks), *words, folder=tmp_path)
    said = json.loads(done.stdout)
    told = {one["stack"].partition("@")[0]: one["reason"] for one in said["refusals"]}
    assert "takes TLS alone" in told["taskfarm"]
    assert "shared memory, which ends at one computer" in told["openmpi"]
    assert [one["reason"] for one in said["refusals"] if "filempi" in one["stack"]] == [told["filempi"]] * 2
    assert "a folder that hosts share over their network" in told["filempi"]
    with RunFolder.open(Path(said["run"])) as run:
        (record,) = run.records()
    assert record.launch.stack.endswith("[tls]") and record.status.value == "ok", record.reason
    assert [placed.host for placed in record.placement] == ["n1", "n2", "n3"]
    assert " bytes received by eth0 for 786432 " in dict(record.condition)["wire"]
    assert not list(Path(said["run"]).glob("**/*.key")), "the key of a launch goes with it"


@pytest.mark.timeout(300)
def test_ranks_fill_the_hosts_of_a_standing_lab(tmp_path: Path) -> None:
    start(1, PRESETS["bare"]).close()
    name = f"fill-{os.getpid()}"
    assert call("lab", "up", "bare", "--hosts", "2", "--name", name, folder=tmp_path).returncode == 0
    try:
        words = ["--kernels", "bcast", "--sizes", "8", "--ranks", "4", "--rounds", "1", "--json"]
        done = call("compare", "--stacks", "tcp", "--hosts", f"lab:{name}:2", "--map", "core", *words, folder=tmp_path)
        assert done.returncode == 0, done.stderr
        with RunFolder.open(Path(json.loads(done.stdout)["run"])) as run:
            (record,) = run.records()
        assert [placed.host for placed in record.placement] == ["n1", "n1", "n2", "n2"]
        assert record.oversubscribed == (this_host().cores < 4)
        assert name in {lab.name for lab in list_labs()}, "a standing lab outlives the runs that use it"
    finally:
        call("lab", "down", name, folder=tmp_path)
    assert processes_of(f"mg-lab-{os.getuid()}-{name}") == []


@pytest.mark.timeout(300)
def test_two_placements_are_measured_in_the_same_rounds(tmp_path: Path) -> None:
    start(1, PRESETS["bare"]).close()
    words = ["--stacks", "tcp,openmpi@5", "--kernels", "pingpong", "--sizes", "8", "--ranks", "2", "--rounds", "1"]
    done = call("compare", "--hosts", "lab:2x2@bare", "--by", "map", *words, folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "Ping-pong, 2 ranks, on 2 emulated hosts; [map=core] on 1 emulated host" in done.stdout
    assert "tcp@1[map=core] vs tcp@1\n" in done.stdout
    (folder,) = (tmp_path / "runs").iterdir()
    with RunFolder.open(folder) as run:
        found = {record.launch.stack: record for record in run.records()}
    assert len(found) == 4
    for spec, record in found.items():
        within = spec.endswith("[map=core]")
        assert record.status.value == "ok", f"{spec}: {record.reason}"
        assert [placed.host for placed in record.placement] == ["n1", "n1" if within else "n2"], spec
        assert ("wire" in dict(record.condition)) != within, spec


@pytest.mark.timeout(300)
def test_msgauge_itself_may_stand_in_a_folder_that_each_host_has_for_itself(tmp_path: Path) -> None:
    """Hosts have a /tmp of their own; the interpreter that starts the ranks there is one below this computer's."""
    start(1, PRESETS["bare"]).close()
    words = ["--stacks", "tcp", "--kernels", "pingpong", "--sizes", "8", "--ranks", "2", "--rounds", "1", "--json"]
    with tempfile.TemporaryDirectory(dir="/tmp") as place:
        subprocess.run([sys.executable, "-m", "venv", "--without-pip", place], check=True, timeout=120)
        (packages,) = Path(place).glob("lib/python*/site-packages")
        folders = [sysconfig.get_path("purelib"), str(Path(registry.__file__).parents[2])]
        (packages / "outside.pth").write_text("\n".join(folders) + "\n")
        argv = [f"{place}/bin/python", "-c", "from msgauge.cli import main; main()", "compare"]
        argv += ["--hosts", "lab:2@bare", *words]
        done = subprocess.run(argv, cwd=tmp_path, capture_output=True, text=True, timeout=240, check=False)
    assert done.returncode == 0, done.stderr
    with RunFolder.open(Path(json.loads(done.stdout)["run"])) as run:
        (record,) = run.records()
    assert [placed.host for placed in record.placement] == ["n1", "n2"]


@pytest.mark.timeout(300)
def test_a_run_that_is_killed_leaves_nothing_on_any_host_and_goes_on(tmp_path: Path) -> None:
    start(1, PRESETS["bare"]).close()
    words = ["--stacks", "tcp", "--kernels", "pingpong", "--sizes", "8", "--ranks", "2", "--hosts", "lab:2@bare"]
    log = (tmp_path / "log").open("w")
    msgauge = subprocess.Popen(
        [MSGAUGE, "run", *words, "--rounds", "400"], cwd=tmp_path, stdout=log, stderr=log, stdin=subprocess.DEVNULL
    )
    limit = time.monotonic() + 200
    while len(list(tmp_path.glob("runs/*/launches/*/record.json"))) < 2 and time.monotonic() < limit:
        time.sleep(0.05)
        assert msgauge.poll() is None, (tmp_path / "log").read_text()
    os.kill(msgauge.pid, signal.SIGKILL)
    msgauge.wait()
    (folder,) = tmp_path.glob("runs/*")
    limit, marks = time.monotonic() + 20, (str(tmp_path), f"mg-lab-{os.getuid()}-run-{msgauge.pid}-")
    while (left := [words for mark in marks for words in processes_of(mark)]) and time.monotonic() < limit:
        time.sleep(0.05)
    assert left == []
    done = len(list(folder.glob("launches/*/record.json")))
    resumed = call("run", "--resume", str(folder), "--rounds", str(done + 1), folder=tmp_path)
    assert resumed.returncode == 0, resumed.stderr
    with RunFolder.open(folder) as run:
        assert [record.status.value for record in run.records()] == ["ok"] * (done + 1)
