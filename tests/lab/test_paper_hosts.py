"""A paper across emulated hosts: one run holds what crossed the network and what stayed here, each labelled."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib.resources import files
from pathlib import Path

import jsonschema
import pytest
from lab_bench import start

from msgauge.analysis.findings.wire_share import read_points
from msgauge.lab.link import PRESETS
from msgauge.results.run_folder import RunFolder

MSGAUGE = str(Path(sys.executable).parent / "msgauge")


@pytest.mark.timeout(600)
def test_a_paper_on_hosts_holds_every_column_and_labels_it(tmp_path: Path) -> None:
    start(1, PRESETS["bare"]).close()
    words = ["paper", "jyi-lam-mpich", "--systems", "mpich-c", "--stacks", "tcp", "--rounds", "1"]
    with subprocess.Popen(
        [MSGAUGE, *words, "--hosts", "lab:2@100baset", "--json"],
        cwd=tmp_path,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        text=True,
    ) as msgauge:
        said = json.loads(msgauge.communicate(timeout=500)[0])
    jsonschema.validate(said, json.loads((files("msgauge") / "schemas" / "paper.json").read_text()))
    assert said["across"] == "emulated"
    assert "100baset" in said["network"]
    assert said["systems"]["mpich-c"] == ["mpich@4.0.2[tcp]", "mpich@4.0.2[tcp,local]"]
    with RunFolder.open(Path(said["run"])) as run:
        hosts = {one.launch.stack: {placed.host for placed in one.placement} for one in run.records()}
        conditions = {one.launch.stack: dict(one.condition) for one in run.records()}
        assert set(run.host_survey) == {"n1", "n2"}
        assert all(told["kernel"] for told in run.host_survey.values())
        assert [size for size, _ in read_points(run.hosts["bare_half_round_trips_ns"])][:2] == [8, 64]
        assert dict(read_points(run.hosts["bare_half_pings_ns"]))[8] > 30_000, "the lab adds 30 µs one way"
        analysis = run.analysis()
    assert hosts["mpich@4.0.2[tcp]"] == hosts["tcp@1"] == {"n1", "n2"}
    for here in ("mpich@4.0.2[tcp,local]", "tcp@1[local]"):
        assert len(hosts[here]) == 1
        assert not hosts[here] & {"n1", "n2"}
        assert "hosts" not in conditions[here]
    assert conditions["tcp@1"]["hosts"] == "emulated"
    assert not [one for one in analysis.comparisons if one.base.endswith("local]") != one.other.endswith("local]")]
    page = (Path(said["run"]) / "report.html").read_text()
    assert "What the bare link gives" in page
    assert "share of half a round trip" in page
