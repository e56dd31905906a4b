"""Inside an allocation of a real Slurm a comparison takes its hosts, by any stack, and nothing is left on them."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest
from benchmarks.host_processes import processes_on, program_of
from lab_bench import call_on, processes_of

from msgauge.lab.emulation import Lab
from msgauge.results.run_folder import RunFolder

MSGAUGE = str(Path(sys.executable).parent / "msgauge")
ONE_LAUNCH = ("--kernels", "pingpong", "--sizes", "8", "--ranks", "2", "--rounds", "1")
ENDLESS = ("--kernels", "pingpong", "--sizes", "8", "--ranks", "2", "--rounds", "400")
HOWTO = Path(__file__).parents[2] / "docs" / "how-to" / "hosts.md"


def records_of(folder: Path) -> dict[str, str]:
    """Status and reason of the launches of a run, by stack; each launch was on hosts of its own, over the wire."""
    with RunFolder.open(folder) as run:
        found = run.records()
    for record in found:
        if record.status.value == "ok":
            assert [placed.host for placed in record.placement] == ["n1", "n2"], record.launch.stack
            assert " bytes received by eth0 for 524288 " in dict(record.condition)["wire"], record.launch.stack
            assert dict(record.condition)["hosts"] == "emulated"
    return {record.launch.stack.partition("@")[0]: f"{record.status.value} {record.reason}".strip() for record in found}


@contextmanager
def allocation(lab: Lab, hosts: int) -> Iterator[str]:
    """A job that holds hosts until the end, whatever becomes of those that use it."""
    said = call_on(lab, "n1", ["salloc", "--no-shell", f"-N{hosts}"]).stderr
    job = re.findall(r"job allocation (\d+)", said)[0]
    try:
        yield job
    finally:
        call_on(lab, "n1", ["scancel", job])


def start_in(lab: Lab, job: str, words: Sequence[str], folder: Path) -> subprocess.Popen[str]:
    """msgauge in an allocation, as a child of this process's agent; its process on the host is found by its folder."""
    given = {**os.environ, "SLURM_JOB_ID": job, "SLURM_JOB_NODELIST": "n[1-3]", "SLURM_TASKS_PER_NODE": "1(x3)"}
    with (folder / "log").open("w") as log:
        return subprocess.Popen(
            lab.argv_on("n1", [MSGAUGE, *words]),
            cwd=folder,
            env=given,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            text=True,
        )


def await_records(folder: Path, number: int, running: subprocess.Popen[str]) -> Path:
    limit = time.monotonic() + 120
    while len(list(folder.glob("runs/*/launches/*/record.json"))) < number:
        assert running.poll() is None and time.monotonic() < limit, (folder / "log").read_text()
        time.sleep(0.05)
    (found,) = folder.glob("runs/*")
    return found


def inhabitants(lab: Lab) -> set[str]:
    """Processes of the lab's hosts besides Slurm's daemons, and files in their temporary folders and shared memory."""
    own = set(map(str, lab.first_processes))
    found = {program_of(process) for _, process in processes_on(lab) if process.name not in own} - {""}
    left = found - {"munged", "slurmd", "slurmctld", "slurmscriptd"}
    for pid in lab.first_processes:
        for folder in ("tmp", "dev/shm"):
            names = {one.name for one in Path(f"/proc/{pid}/root/{folder}").iterdir()}
            left |= {name for name in names if name.startswith(("mg-", "pvm", "lam"))}
    return {one for one in left if one != lab.folder.name}


def await_nothing(lab: Lab, marker: str) -> None:
    limit = time.monotonic() + 90  # steps whose srun was killed end by and by: Slurm tries to tell it
    while (left := inhabitants(lab)) or processes_of(marker):
        assert time.monotonic() < limit, (left, processes_of(marker))
        time.sleep(0.1)


@pytest.fixture
def workplace(slurm_lab: Lab, tmp_path: Path) -> Path:
    """A folder that all hosts see."""
    slurm_lab.share([tmp_path])
    return tmp_path


@pytest.mark.timeout(600)
def test_the_batch_script_of_the_documents_takes_the_hosts_of_its_job(slurm_lab: Lab, workplace: Path) -> None:
    block = re.search(r"```sh\n(#!/bin/sh\n#SBATCH .*?)```", HOWTO.read_text(encoding="utf-8"), re.DOTALL)
    assert block is not None and len(block.group(1).strip().splitlines()) == 3
    (workplace / "job.sh").write_text(block.group(1).replace("msgauge compare", f"{MSGAUGE} compare"))
    done = call_on(slurm_lab, "n1", ["sbatch", "--wait", "-o", "said", "job.sh"], workplace, 500)
    said = (workplace / "said").read_text()
    assert done.returncode == 0, said + done.stderr
    assert re.match(r"inside Slurm job \d+: ranks stand on its 2 hosts \(n1, n2\); --hosts local", said)
    assert "on 2 emulated hosts" in said and "every number is of emulated hosts" in said
    (folder,) = workplace.glob("runs/*")
    assert records_of(folder) == {"tcp": "ok", "openmpi": "ok", "pvm": "ok"}
    with RunFolder.open(folder) as run:
        assert run.plan.hosts.launcher == "slurm" and run.plan.hosts.names == ("n1", "n2")
        assert run.hosts["scheduler"].startswith("slurm")
    await_nothing(slurm_lab, str(workplace))


@pytest.mark.timeout(600)
def test_srun_itself_starts_ranks_by_the_pmi_that_works(slurm_lab: Lab, workplace: Path) -> None:
    stacks = "openmpi@5,openmpi@4,mpich@5,mpich@4,intelmpi,tcp"
    argv = [MSGAUGE, "compare", "--hosts", "slurm:srun", "--stacks", stacks, *ONE_LAUNCH, "--json"]
    done = call_on(slurm_lab, "n1", ["salloc", "-Q", "-N2", *argv], workplace, 400)
    said = json.loads(done.stdout)
    with RunFolder.open(Path(said["run"])) as run:
        records = run.records()
    assert {one.status.value for one in records} == {"ok"}, [one.reason for one in records]
    words = {one.launch.stack: one.command.argv for one in records if one.command}
    by = {stack.partition(".")[0]: next(word for word in argv if "--mpi=" in word) for stack, argv in words.items()}
    assert by == {
        "openmpi@5": "--mpi=pmix",
        "openmpi@4": "--mpi=pmix",
        "mpich@5": "--mpi=pmi2",
        "mpich@4": "--mpi=pmi2",
        "intelmpi@2021": "--mpi=pmi2",
    }
    records_of(Path(said["run"]))
    (refusal,) = {(one["stack"], one["reason"]) for one in said["refusals"]}
    assert refusal[0] == "tcp@1" and "speaks no PMI" in refusal[1]


PLANTED = """
import sys
from msgauge import pipeline
from msgauge.cli import main
from msgauge.config import load_config
from msgauge.discovery import registry
from msgauge.hosts import this_host
from msgauge.launchers.known_launchers import read_hosts
from msgauge.stacks.base.families import families
wrong = {"openmpi@5": "pmi2", "mpich@4": "pmix"}
here = registry.discover(this_host(), load_config())
for stack in registry.select(here, tuple(wrong)):
    pmi = wrong[stack.spec.partition(".")[0]]
    assert "each process would be rank 0 of 1" in pipeline.offer_of(stack, read_hosts(f"slurm:{pmi}")).confined
    families()[stack.family].pmis = lambda stack, pmi=pmi: (pmi,)
sys.exit(main())
"""


@pytest.mark.timeout(300)
def test_a_wrong_pmi_is_refused_and_where_it_comes_about_found_out(slurm_lab: Lab, workplace: Path) -> None:
    """Both really start N processes that are rank 0 of 1, and end with exit code 0."""
    words = ["compare", "--hosts", "slurm:srun", "--stacks", "openmpi@5,mpich@4", *ONE_LAUNCH, "--json"]
    argv = ["salloc", "-Q", "-N2", sys.executable, "-c", PLANTED, *words]
    done = call_on(slurm_lab, "n1", argv, workplace)
    assert done.returncode in (4, 5), done.stderr
    (folder,) = workplace.glob("runs/*")
    records = records_of(folder)
    assert set(records) == {"openmpi", "mpich"}
    for status in records.values():
        assert status.startswith("failed started with the wrong number of ranks"), status


@pytest.mark.timeout(600)
def test_killed_or_cancelled_it_leaves_nothing_on_any_host_and_is_resumed(slurm_lab: Lab, workplace: Path) -> None:
    """After the kill the job goes on, so that nobody but msgauge's own means can have ended its processes."""
    with allocation(slurm_lab, 3) as job:
        running = start_in(slurm_lab, job, ["run", "--stacks", "pvm,tcp", *ENDLESS], workplace)
        folder = await_records(workplace, 2, running)
        assert "pvmd" in inhabitants(slurm_lab)
        (victim,) = call_on(slurm_lab, "n1", ["pgrep", "-f", f"^[^ ]*python[^ ]* {MSGAUGE} run"]).stdout.split()
        assert call_on(slurm_lab, "n1", ["kill", "-9", victim]).returncode == 0
        running.wait(60)
        await_nothing(slurm_lab, str(workplace))
        assert f" {job} " in call_on(slurm_lab, "n1", ["squeue", "-h", "-o", " %i "]).stdout
        safe = len(list(folder.glob("launches/*/record.json")))
        running = start_in(slurm_lab, job, ["run", "--resume", str(folder)], workplace)
        await_records(workplace, safe + 2, running)
        call_on(slurm_lab, "n1", ["scancel", job])
        assert running.wait(60) == 130, (workplace / "log").read_text()
    await_nothing(slurm_lab, str(workplace))
    with RunFolder.open(folder) as run:
        kept = run.records()
    assert {record.status.value for record in kept} == {"ok"}
    rounds = max(record.launch.round for record in kept) + 1
    argv = [MSGAUGE, "run", "--resume", str(folder), "--rounds", str(rounds)]
    resumed = call_on(slurm_lab, "n1", ["salloc", "-Q", "-N3", "-w", "n1,n2,n3", *argv], workplace)
    assert resumed.returncode == 0, resumed.stderr
    with RunFolder.open(folder) as run:
        assert [record.status.value for record in run.records()] == ["ok"] * 2 * rounds
