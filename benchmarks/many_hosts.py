"""Fan-out over many emulated hosts: does every stack start on them and end, and how long does it take to start?

    python benchmarks/many_hosts.py [--hosts 100] [--network gigabit] [--by lab] [--stacks tcp,openmpi@5,...]

One rank on each host, one launch for each stack, as root. Told are the start-up (from nothing to the first message of
every rank to rank 0), the time of a round of fan-out with 64 B, how long the whole launch took, or the reason why a
stack did not end. Ends with 1 where a launch neither ended well nor has a reason.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from msgauge import units
from msgauge.config import load_config
from msgauge.lab.emulation import LabPlan, RunningLab
from msgauge.lab.link import find_preset
from msgauge.paths import cache_folder
from msgauge.results.run_folder import RunFolder

MSGAUGE = str(Path(sys.executable).parent / "msgauge")
ROOT = Path(__file__).parents[1]
STACKS = "tcp,zeromq,openmpi@4/system,openmpi@5,mpich@4/system,mpich@5,intelmpi,lam,pvm"
STUDY = """\
title = "fan-out over many hosts"
stacks = [{stacks}]
ranks = [{hosts}]
[stopping]
budget = "3600s"
minimum_rounds = 1
maximum_rounds = 1
cell_budget = "2s"
launch_limit = "60s"
[[measure]]
kernel = "fanout"
sizes = [64]
[[measure]]
kernel = "startup"
"""


def main() -> int:
    """Run the study and tell how each launch went."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--hosts", type=int, default=100)
    parser.add_argument("--network", default="gigabit")
    parser.add_argument("--by", choices=("lab", "ssh"), default="lab")
    parser.add_argument("--stacks", default=STACKS)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(dir="/tmp") as folder:
        place = Path(folder)
        listed = ", ".join(json.dumps(one) for one in asked.stacks.split(","))
        (place / "study.toml").write_text(STUDY.format(stacks=listed, hosts=asked.hosts))
        plan = LabPlan(asked.hosts, find_preset(asked.network), name=f"many-{os.getpid()}", ssh=asked.by == "ssh")
        with RunningLab(plan, [user for user in (load_config().run_as,) if user]) as lab:
            lab.share([place, ROOT, Path(sys.prefix), Path(sys.base_prefix), cache_folder()])
            words = [MSGAUGE, "run", "study.toml", "--hosts"]
            environment = dict(os.environ)
            if asked.by == "lab":
                words.append(f"lab:{lab.name}")
            else:
                words = list(lab.argv_on("n1", [*words, f"n[1-{asked.hosts}]"]))
                environment["MSGAUGE_SSH_CONFIG"] = str(lab.ssh_config)
            subprocess.run(words, cwd=place, env=environment, stdin=subprocess.DEVNULL, check=False)
        return tell(next(place.glob("runs/*")))


def tell(folder: Path) -> int:
    """Print a line for each stack; 1 where something is wrong without a reason."""
    wrong = 0
    with RunFolder.open(folder) as run:
        kernels = {cell.id: cell.kernel for cell in run.plan.cells}
        print(f"{'stack':18} {'start-up':>9} {'a round':>9} {'launch':>8}")
        medians = {
            (key.stack, kernels[key.cell]): float(samples.medians_ns[0]) for key, samples in run.dataset.cells.items()
        }
        for record in run.records():
            stack, well = record.launch.stack, record.status.value == "ok"
            times = [medians.get((stack, kernel)) for kernel in ("startup", "fanout")]
            told = " ".join(f"{'-' if one is None else units.format_time(one):>9}" for one in times)
            print(f"{stack:18} {told} {record.seconds:6.1f} s  {'' if well else record.status.value} {record.reason}")
            wrong += not well and not record.reason
        for refusal in run.plan.refusals:
            print(f"{refusal.key.stack:18} refused: {refusal.reason}")
        for built in run.builds:
            if built.reason:
                print(f"{built.stack:18} {built.reason}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
