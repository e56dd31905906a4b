"""The real Slurm of Debian runs on emulated hosts: jobs, steps, scripts, and nothing is left of it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from benchmarks.host_processes import processes_on, program_of
from lab_bench import call_on, start

from msgauge.errors import ToolError
from msgauge.lab import slurm_daemons
from msgauge.lab.emulation import Lab, list_labs
from msgauge.lab.link import PRESETS

MSGAUGE = str(Path(sys.executable).parent / "msgauge")
AS_SOMEBODY = ("setpriv", "--reuid", "nobody", "--regid", "nogroup", "--init-groups")


def daemons_below(lab: Lab) -> list[str]:
    """Daemons of Slurm and munge among the processes of a lab's hosts."""
    found = (program_of(process) for _, process in processes_on(lab))
    return sorted(name for name in found if name in {"munged", "slurmd", "slurmctld"})


def test_a_step_runs_on_every_host(slurm_lab: Lab) -> None:
    done = call_on(slurm_lab, "n1", ["srun", "-N4", "hostname"])
    assert sorted(done.stdout.split()) == ["n1", "n2", "n3", "n4"], done.stderr


def test_jobs_and_scripts_run_as_whoever_asks(slurm_lab: Lab) -> None:
    held = call_on(slurm_lab, "n1", ["salloc", "-N2", "srun", "id", "-un"])
    assert held.stdout.split() == ["root", "root"], held.stderr
    script = "#!/bin/sh\n#SBATCH -N4\nid -un; srun hostname; exit 3\n"
    steps = f"printf '{script}' > job.sh; sbatch --wait -o said job.sh; echo code $?; cat said"
    content = f"cd /tmp && salloc -Q -N2 srun id -un && {steps}"
    done = call_on(slurm_lab, "n1", [*AS_SOMEBODY, "sh", "-c", content])
    assert "code 3\n" in done.stdout, done.stderr
    before, after = done.stdout.split("code 3\n")
    assert before.split()[:2] == ["nobody", "nobody"]
    words = after.split()
    assert words[0] == "nobody" and sorted(words[1:]) == ["n1", "n2", "n3", "n4"], done.stderr


def test_what_pmis_srun_has_is_what_the_documents_say(slurm_lab: Lab) -> None:
    done = call_on(slurm_lab, "n1", ["srun", "--mpi=list"])
    assert {"pmix", "pmi2"} <= set((done.stdout + done.stderr).split())


def test_nothing_of_slurm_is_seen_outside_of_its_hosts(slurm_lab: Lab) -> None:
    assert daemons_below(slurm_lab) == ["munged"] * 4 + ["slurmctld"] + ["slurmd"] * 4
    assert not Path("/run/slurm").exists() and not Path("/etc/slurm/slurm.conf").exists()
    assert (slurm_lab.folder / "slurm" / "munge.key").stat().st_mode & 0o077 == 0


def test_a_keeper_that_is_killed_takes_slurm_with_it() -> None:
    name = f"slurm-{os.getpid()}"
    start(1, PRESETS["bare"]).close()
    argv = [MSGAUGE, "lab", "up", "--hosts", "2", "--slurm", "--name", name, "--json"]
    made = subprocess.run(argv, capture_output=True, text=True, check=False, timeout=90)
    assert made.returncode == 0 and json.loads(made.stdout)["slurm"], made.stderr
    (lab,) = (one for one in list_labs() if one.name == name)
    assert call_on(lab, "n2", ["srun", "-N2", "hostname"]).returncode == 0
    assert len(daemons_below(lab)) == 5
    held = [process.name for _, process in processes_on(lab)]
    os.kill(lab.pid, signal.SIGKILL)
    limit = time.monotonic() + 20
    while (left := [pid for pid in held if Path("/proc", pid).exists()]) and time.monotonic() < limit:
        time.sleep(0.02)
    assert left == []
    list_labs()  # removes what the killed keeper could not
    assert not lab.folder.exists()


def test_a_system_without_slurm_is_told_what_to_install(slurm_lab: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(slurm_daemons, "SEARCH_PATH", "/nowhere")
    with pytest.raises(ToolError, match="no munged, no slurmctld") as refusal:
        slurm_daemons.start_slurm(slurm_lab)
    assert "slurm-wlm" in refusal.value.remedy


def test_daemons_that_do_not_start_are_told_with_what_they_said() -> None:
    with start(1, PRESETS["bare"]) as lab:
        on_host = call_on(lab, "n1", ["sh", "-c", "mkdir -p /run/munge; touch /run/slurm"])
        assert on_host.returncode == 0
        with pytest.raises(ToolError, match=r"Slurm did not start: n1: .*slurm"):
            slurm_daemons.start_slurm(lab)
