"""A run that is resumed says what is not as it was: the state of the machine; of another build it is not resumed."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve
from simulated_runs import measure_once, only_builtin_stacks

from msgauge import build as building
from msgauge.cli import main
from msgauge.model import Build, Stack
from msgauge.results.run_folder import RunFolder

STACKS = "fake[launch_noise=0.01],fake[L=2us,launch_noise=0.01]"
CHANGED = {
    "system": "Linux 1.0 x86_64",
    "governors": ["powersave"],
    "clocksource": "hpet",
    "smt": "odd",
    "allowed_processors": [7],
    "memory_bytes": 2**34,
}


@pytest.fixture(autouse=True)
def _builtin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    only_builtin_stacks(tmp_path, monkeypatch)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return measure_once(tmp_path_factory, "run", STACKS, rounds=3)


@pytest.fixture
def run(whole: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(whole, tmp_path / "runs" / whole.name))


def change(file: Path, where: Any, value: object) -> None:
    document = json.loads(file.read_text())
    where(document["value"], value)
    file.write_text(json.dumps(document))


def warnings(capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    return {one["code"]: one for one in json.loads(capsys.readouterr().out)["warnings"]}


def test_what_changed_since_is_said_at_once_and_in_every_report(
    whole: Path, run: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nothing was said of any of these."""
    change(run / "machine.json", dict.update, CHANGED)
    assert main(["compare", "--resume", str(run), "--rounds", "5", "--json"]) == 0
    told = capsys.readouterr()
    assert f"warning: {run.name} was resumed under other conditions than before: operating system" in told.err
    notice = {one["code"]: one for one in json.loads(told.out)["warnings"]}["conditions-changed"]
    assert set(notice["evidence"]) == set(CHANGED)
    assert "clock source (hpet / " in notice["message"]
    assert "memory (16.0 GiB / " in notice["message"]
    for words in (["show", str(run)], ["diff", str(whole), str(run)], ["history", str(whole), str(run)]):
        assert main([*words, "--json"]) == 0
        assert warnings(capsys)["conditions-changed"] == notice
    assert main(["report", str(run)]) == 0
    assert "was resumed under other conditions" in (run / "report.html").read_text()


def test_a_resumption_that_measured_nothing_changes_nothing(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    change(run / "machine.json", dict.update, {"smt": "odd"})
    assert main(["compare", "--resume", str(run), "--json"]) == 0
    assert "conditions-changed" not in warnings(capsys)


def test_the_same_conditions_are_no_news(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", "--resume", str(run), "--rounds", "4", "--json"]) == 0
    assert "conditions-changed" not in warnings(capsys)
    assert not (run / "resumptions.json").exists()


def test_launches_of_another_build_are_not_added_to_a_stack(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """They were, and ``diff`` called the whole run the new build."""
    zeros = "0" * 32
    change(run / "builds.json", lambda builds, value: builds[1].update(identity=value), zeros)
    assert main(["compare", "--resume", str(run), "--rounds", "5"]) == 2
    said = capsys.readouterr().err
    assert "was measured with another build of fake@1[L=2us,launch_noise=0.01]" in said
    assert f"identity {zeros} there" in said
    assert f"msgauge diff {run} NEW" in said
    assert [one.identity for one in RunFolder.open(run).builds][1] == zeros
    assert len(list((run / "launches").iterdir())) == 6


def test_a_build_that_failed_does_not_let_another_one_come_after_it(
    run: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It took the place of what was known, and the next resumption mixed launches of two builds without a word."""
    before, spec = RunFolder.open(run).builds[1], "fake@1[L=2us,launch_noise=0.01]"
    build, seen = building.build, dict[str, Build]()

    def build_other(stack: Stack, **how: Any) -> Build:
        return seen.get(stack.spec) or build(stack, **how)

    monkeypatch.setattr(building, "build", build_other)
    seen[spec] = Build(spec, (), None, reason="no such compiler")
    assert main(["compare", "--resume", str(run), "--rounds", "4"]) == 4
    failed = RunFolder.open(run).builds[1]
    assert (failed.reason, failed.identity, failed.installation) == (
        "no such compiler",
        before.identity,
        before.installation,
    )
    seen[spec] = evolve(before, identity="0" * 32)
    capsys.readouterr()
    assert main(["compare", "--resume", str(run), "--rounds", "5"]) == 2
    assert "was measured with another build" in capsys.readouterr().err
    assert RunFolder.open(run).builds[1].reason == "no such compiler", "a refused run is what it was"
    del seen[spec]
    assert main(["compare", "--resume", str(run), "--rounds", "5"]) == 0
    assert RunFolder.open(run).builds[1].identity == before.identity


def test_a_finished_run_of_another_build_is_printed_and_stays_what_it_was(
    run: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    zeros = "0" * 32
    change(run / "builds.json", lambda builds, value: builds[1].update(identity=value), zeros)
    assert main(["compare", "--resume", str(run)]) == 0
    assert "3 rounds, 6 launches" in capsys.readouterr().out
    assert [one.identity for one in RunFolder.open(run).builds][1] == zeros


def test_another_build_of_which_nothing_was_measured_is_taken(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    change(run / "builds.json", lambda builds, value: [one.update(identity=value) for one in builds], "0" * 32)
    shutil.rmtree(run / "launches")
    assert main(["run", "--resume", str(run)]) == 0
    assert "0" * 32 not in (run / "builds.json").read_text()
