"""The map of a lab names what is wrong with it on purpose, keeps its samples, and ends as a health check does."""

from __future__ import annotations

import json
import shutil
from functools import partial
from importlib.resources import files
from pathlib import Path

import jsonschema
import pytest
from lab_bench import call_msgauge, start

from msgauge.lab.emulation import LabPlan, RunningLab
from msgauge.lab.faults import Faults, HostFault
from msgauge.lab.link import PRESETS, Link
from msgauge.results.run_folder import RunFolder

call = partial(call_msgauge, columns=100)
SLOW, LATE = HostFault(2, rate_bits=30_000_000), HostFault(5, late_ns=1_000_000)


@pytest.fixture(scope="module")
def mapped(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, object]]:
    """A map of n1 n2 n3 | n4 n5 n6 with a slow link and a late host, as JSON; the folder that it was called in."""
    start(1, PRESETS["bare"]).close()
    folder = tmp_path_factory.mktemp("map")
    faults = Faults((SLOW, LATE), Link(1_000_000_000, 600_000))
    with RunningLab(LabPlan(6, PRESETS["gigabit"], f"map-{folder.name[-8:].strip('-')}a", faults=faults)) as lab:
        done = call("map", "--hosts", f"lab:{lab.name}", "--size", "32KiB", "--seed", "3", "--json", folder=folder)
    assert done.returncode == 1, done.stderr
    return folder, json.loads(done.stdout)


def test_a_slow_link_a_late_host_and_two_switches_are_named(mapped: tuple[Path, dict[str, object]]) -> None:
    answer = mapped[1]
    jsonschema.validate(answer, json.loads((files("msgauge") / "schemas" / "map.json").read_text()))
    (one,) = answer["maps"]  # type: ignore[misc]
    found = {(each["kind"], each["quantity"], *each["hosts"]) for each in one["findings"]}
    assert found >= {("host", "bandwidth", "n2"), ("host", "latency", "n5"), ("group", "latency")}
    assert one["groups"] == [["n1", "n2", "n3"], ["n4", "n5", "n6"]]
    assert one["health"] == "slow" and one["schedule"] == "sequence" and one["launches"] == 5
    latency, bandwidth = one["tables"]
    assert latency["values"][0][5] > 600_000 and latency["values"][0][4] > 1_600_000 and latency["values"][0][0] == 0
    assert max(bandwidth["values"][1]) < 30_000_000 / 8 * 1.3, (
        "nothing leaves n2 faster than its link, but what tbf lets by"
    )
    assert answer["hosts"]["emulated"] and "on purpose: n2 at 30 Mbit/s" in answer["hosts"]["network"]  # type: ignore[index]


def test_a_map_is_a_run_that_can_be_shown_again(mapped: tuple[Path, dict[str, object]]) -> None:
    folder, answer = mapped
    with RunFolder.open(Path(str(answer["run"]))) as run:
        assert [record.status.value for record in run.records()] == ["ok"] * 5
        assert all(" bytes received by eth0 " in dict(record.condition)["wire"] for record in run.records())
    again = call("map", str(answer["run"]), "--html", "map.html", folder=folder)
    assert again.returncode == 1
    lines = again.stdout.splitlines()
    assert any(line.startswith(" • n5 is late: short messages to and from it take ") for line in lines)
    assert any(line.startswith(" • n2 has a slow link: ") for line in lines)
    table = lines[next(i for i, line in enumerate(lines) if line.startswith("Above the diagonal")) + 1 :][:7]
    assert max(map(len, table)) <= 100 and [line.split()[0] for line in table[1:]] == [f"n{i}" for i in range(1, 7)]
    page = (folder / "map.html").read_text()
    assert "Map of the hosts" in page and page.count('class="map"') == 2 and "n5 is late" in page


def test_a_map_with_launches_that_failed_is_not_healthy_when_it_is_shown_again(
    mapped: tuple[Path, dict[str, object]], tmp_path: Path
) -> None:
    copy = shutil.copytree(str(mapped[1]["run"]), tmp_path / "copy")
    record = copy / "launches" / "0003" / "record.json"
    document = json.loads(record.read_text())
    document["value"] |= {"status": "failed", "reason": "n4 went away", "exit_code": 255}
    record.write_text(json.dumps(document))
    again = call("map", str(copy), "--json", folder=tmp_path)
    assert again.returncode == 4, again.stderr
    answer = json.loads(again.stdout)
    jsonschema.validate(answer, json.loads(files("msgauge.schemas").joinpath("map.json").read_text()))
    assert [(one["stack"], "n4 went away" in one["reason"]) for one in answer["failures"]] == [("tcp@1", True)]
    told = call("map", str(copy), folder=tmp_path)
    assert told.returncode == 4 and " × tcp@1: " in told.stdout and "n4 went away" in told.stdout
    assert mapped[1]["failures"] == mapped[1]["refusals"] == []


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ((), "a map needs hosts"),
        (("--hosts", "lab:1"), "two hosts or more"),
        (("--hostfile", "one"), "two hosts or more"),
        (("--hosts", "lab:4", "--hostfile", "one"), "both name hosts"),
        (("--hosts", "lab:4", "--size", "0"), "no larger than the short message of 8 B"),
        (("--hosts", "lab:4", "--size", "8B"), "no larger than the short message of 8 B"),
        (("--hosts", "lab:4", "--stack", "tcp,tcp[local]"), "tcp@1[local]: messages do not leave this computer"),
        (("--hosts", "lab:4", "--size", "1023GiB"), "tcp@1: 4 ranks with 1023 GiB take about"),
        (("--hosts", "lab:4", "--stack", "fake"), "fake@1: messages do not leave this computer"),
        (("nowhere", "--hostfile", "one"), "takes no options of measuring"),
        (("--hosts", "lab:4", "--schedule", "now"), "unknown --schedule"),
        (("nowhere", "--hosts", "lab:4"), "takes no options of measuring"),
    ],
)
def test_a_map_of_nothing_is_refused_with_a_remedy(words: tuple[str, ...], says: str, tmp_path: Path) -> None:
    (tmp_path / "one").write_text("n1 slots=4\n")
    done = call("map", *words, folder=tmp_path)
    assert done.returncode == 2 and says in done.stderr and "remedy" in done.stderr
