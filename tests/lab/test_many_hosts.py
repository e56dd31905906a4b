"""Fan-out over many hosts: a stack starts on all of them, and its start-up is told (100: benchmarks/many_hosts.py)."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from lab_bench import start

from msgauge.lab.link import PRESETS
from msgauge.results.run_folder import RunFolder

MSGAUGE = str(Path(sys.executable).parent / "msgauge")
HOSTS = 24


@pytest.mark.timeout(300)
def test_one_rank_on_each_of_many_hosts_starts_and_ends(tmp_path: Path) -> None:
    start(1, PRESETS["bare"]).close()
    words = ["--hosts", f"lab:{HOSTS}@gigabit", "--kernels", "fanout,startup", "--sizes", "64", "--ranks", str(HOSTS)]
    argv = [MSGAUGE, "compare", "--stacks", "tcp", *words, "--rounds", "1", "--json"]
    done = subprocess.run(argv, cwd=tmp_path, capture_output=True, text=True, timeout=280, check=False)
    assert done.returncode == 0, done.stderr
    said = json.loads(done.stdout)
    with RunFolder.open(Path(said["run"])) as run:
        (record,) = run.records()
        kernels = {cell.id: cell.kernel for cell in run.plan.cells}
        medians = {kernels[key.cell]: float(one.medians_ns[0]) for key, one in run.dataset.cells.items()}
    assert sorted(placed.host for placed in record.placement) == sorted(f"n{one}" for one in range(1, HOSTS + 1))
    assert 0 < medians["fanout"] < medians["startup"] < record.seconds * 1e9
    shown = subprocess.run([MSGAUGE, "show", said["run"]], capture_output=True, text=True, check=True, cwd=tmp_path)
    assert f"Start-up, {HOSTS} ranks, on {HOSTS} emulated hosts" in shown.stdout
