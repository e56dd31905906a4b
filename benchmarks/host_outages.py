"""Hosts that die and links that are cut in the middle of a launch: how long until it is known, and what is left.

    python benchmarks/host_outages.py [--by lab,ssh] [--stacks tcp,openmpi,...] [--outages kill,cut]

For each way to the hosts, each outage and each stack a run of its own, on four emulated hosts (as root): a launch of
two ranks and one of four, six seconds each. When that of four is in its middle, n4 dies or loses its link.
Told are the seconds until that launch has failed, its reason, how the launches of two ranks went, how many processes
of the run are left on any host at its end, and, once n4 is back, how --resume ended.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from host_processes import command_line, processes_on
from msgauge.config import load_config
from msgauge.lab.emulation import Lab, LabPlan, RunningLab, refresh_lab
from msgauge.lab.link import PRESETS
from msgauge.lab.outages import change_host
from msgauge.model import LaunchRecord
from msgauge.paths import cache_folder
from msgauge.results.run_folder import RunFolder

MSGAUGE = str(Path(sys.executable).parent / "msgauge")
ROOT = Path(__file__).parents[1]
STACKS = "tcp,openmpi@4/system,openmpi@5,mpich@4/system,mpich@5,intelmpi,pvm,lam"
STUDY = """\
title = "an outage"
stacks = ["{stack}"]
ranks = [2, 4]
[stopping]
minimum_rounds = 1
maximum_rounds = 1
cell_budget = "6s"
cell_precision = "0.01%"
launch_limit = "60s"
every_cell = true
[[measure]]
kernel = "bcast"
sizes = [8]
"""
_LIMIT_S = 400.0


def main() -> int:
    """Try them all; 1 where something did not end as it must."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--by", default="lab,ssh")
    parser.add_argument("--stacks", default=STACKS)
    parser.add_argument("--outages", default="kill,cut")
    asked = parser.parse_args()
    wrong = 0
    for by in asked.by.split(","):
        plan = LabPlan(4, PRESETS["bare"], name=f"outage-{os.getpid()}", ssh=by == "ssh")
        with RunningLab(plan, [user for user in (load_config().run_as,) if user]) as lab:
            for stack in asked.stacks.split(","):
                for outage in asked.outages.split(","):
                    with tempfile.TemporaryDirectory(dir="/tmp") as place:
                        wrong += _try_one(lab, by, stack, outage, Path(place))
    return 1 if wrong else 0


def _try_one(lab: Lab, by: str, stack: str, outage: str, place: Path) -> bool:
    """Whether something is not as it must be."""
    (place / "study.toml").write_text(STUDY.format(stack=stack))
    lab.share([place, ROOT, Path(sys.prefix), Path(sys.base_prefix), cache_folder()])
    words = ["run", "study.toml", "--hosts", f"lab:{lab.name}" if by == "lab" else "n1,n2,n3,n4"]
    print(f"{by:4} {stack:16} {outage:5}", end=" ", flush=True)
    with (place / "log").open("w") as log, _start(lab, by, words, place, log) as msgauge:
        if not _await_ranks(lab, msgauge):
            print(f"no launch on n4: {(place / 'log').read_text()[-400:]}")
            msgauge.kill()
            return True
        time.sleep(1.5)
        hit = time.monotonic()
        change_host(lab, outage, "n4")
        failed = _await_failure(place, msgauge)
        seconds = time.monotonic() - hit
        msgauge.wait(_LIMIT_S)
    left = _inhabitants(lab, "worker") if by == "lab" else _await_none(lab)
    if by == "ssh" and outage == "cut":
        left = [one for one in left if "n4" not in one]  # it ends them by itself, later: see below
    change_host(lab, "mend", "n4")
    late = _await_none(lab)
    two = [one.status.value for one in _records(place) if one.launch.ranks == 2]
    with (place / "log").open("a") as log, _start(lab, by, ["run", "--resume", *_folders(place)], place, log) as again:
        again.wait(_LIMIT_S)
    after = [one.status.value for one in _records(place)]
    print(f"{seconds:5.1f} s; {failed}; 2 ranks: {','.join(two)}; left: {left + late}; resumed: {','.join(after)}")
    good = bool(failed) and set(two) == {"ok"} and not left + late and set(after) == {"ok"} and seconds < 60
    if not good:
        print((place / "log").read_text()[-1500:])
    return not good


def _start(lab: Lab, by: str, words: Sequence[str], place: Path, log: object) -> subprocess.Popen[bytes]:
    argv = [MSGAUGE, *words]
    environment = dict(os.environ)
    if by == "ssh":
        argv = list(lab.argv_on("n1", argv))
        environment["MSGAUGE_SSH_CONFIG"] = str(lab.ssh_config)
    return subprocess.Popen(argv, cwd=place, env=environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log)  # type: ignore[call-overload, no-any-return]


def _await_ranks(lab: Lab, msgauge: subprocess.Popen[bytes]) -> bool:
    """Until a rank stands on n4."""
    limit = time.monotonic() + _LIMIT_S
    while not any(one.startswith("n4") for one in _inhabitants(lab, "--samples")):
        if msgauge.poll() is not None or time.monotonic() > limit:
            return False
        time.sleep(0.1)
    return True


def _await_failure(place: Path, msgauge: subprocess.Popen[bytes]) -> str:
    """Until a launch of four ranks has failed; its reason."""
    while True:
        over = msgauge.poll() is not None
        failed = [one for one in _records(place) if one.launch.ranks == 4 and one.status.value != "ok"]
        if failed or over:
            return failed[0].reason if failed else ""
        time.sleep(0.1)


def _records(place: Path) -> list[LaunchRecord]:
    folders = _folders(place)
    if not folders:
        return []
    with RunFolder.open(Path(folders[0])) as run:
        return run.records()


def _folders(place: Path) -> list[str]:
    return [str(one) for one in place.glob("runs/*") if (one / "plan.json").exists()]


def _await_none(lab: Lab) -> list[str]:
    """What is left on hosts of a run after some seconds."""
    limit = time.monotonic() + 10
    while (left := _inhabitants(lab, "--samples")) and time.monotonic() < limit:
        time.sleep(0.2)
    return left


def _inhabitants(lab: Lab, word: str) -> list[str]:
    """Processes on hosts with a word in their command line."""
    found = ((name, command_line(process)) for name, process in processes_on(refresh_lab(lab)))
    return [f"{name}: {words[:80]}" for name, words in found if word in words]


if __name__ == "__main__":
    sys.exit(main())
