"""Claims about ``history``: folders in, a table, JSON and a page out; the gate's exit code; bad folders."""

from __future__ import annotations

import json
import shutil
from importlib.resources import files
from pathlib import Path

import jsonschema
import pytest
from attrs import evolve
from simulated_histories import simulate_history, stand_in
from simulated_runs import measure_fake, only_builtin_stacks

from msgauge.cli import main


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three runs of one study, the last of a slower version."""
    place = tmp_path_factory.mktemp("history")
    with pytest.MonkeyPatch.context() as monkeypatch:
        only_builtin_stacks(place, monkeypatch)
        for seed, stack in enumerate(("fake", "fake[launch_noise=0.01]", "fake[launch_noise=0.01]"), start=1):
            measure_fake(place / "runs", stack, seed=seed, pace=f"1.0{seed}")
    return place / "runs"


def test_a_few_runs_are_shown_and_decide_nothing(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    page = folder.parent / "history.html"
    assert main(["history", str(folder), "--fail-on", "slower>5%", "--json", "--output", str(page)]) == 3
    printed = json.loads(capsys.readouterr().out)
    jsonschema.validate(printed, json.loads((files("msgauge") / "schemas" / "history.json").read_text()))
    assert [run["started"] for run in printed["runs"]] == sorted(run["started"] for run in printed["runs"])
    series = {(one["stack"], one["kernel"], one["size_bytes"]): one for one in printed["series"]}
    assert len(series) == 6
    noisy = series["fake@1[launch_noise=0.01]", "pingpong", 8]["points"]
    assert [point["number"] for point in noisy] == [2, 3]
    assert all(point["low_ns"] < point["median_ns"] < point["high_ns"] for point in noisy)
    assert printed["gate"]["judgement"] == "undecided"
    assert printed["page"] == str(page)
    assert page.read_text().startswith("<!doctype html>")
    assert main(["history", *(str(plan.parent) for plan in folder.glob("*/plan.json"))]) == 0
    said = capsys.readouterr().out
    assert "needs 12 of the same stack" in said
    assert max(map(len, said.splitlines())) <= 100


def test_a_regression_fails_and_the_first_run_after_it_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    runs = {Path(run.path): run for run in simulate_history(30, seed=1, steps={"openmpi": (20, 0.2)})}
    stand_in(monkeypatch, runs)
    assert main(["history", "--fail-on", "slower>5%"]) == 1
    said = " ".join(capsys.readouterr().out.split())
    assert "first run after the change: 2026-01-21T0200-node-0014, number 21 of 30 (exit code 1)" in said
    assert "from run 21" in said
    assert main(["history", "--fail-on", "slower>5%", "--since", "2026-01-25"]) == 0
    assert "2026-01-21 02:00" in said, "how the sentence writes a time is how --since reads it"
    for time, code in (("2026-01-21 02:00", 1), ("2026-01-21 12:00", 0), ("2026-01-21T12:00", 0)):
        assert main(["history", "--fail-on", "slower>5%", "--since", time]) == code
    capsys.readouterr()
    assert main(["history", "--fail-on", "faster>5%", "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    jsonschema.validate(printed, json.loads((files("msgauge") / "schemas" / "history.json").read_text()))
    assert {change["first_run"] for one in printed["series"] for change in one["changes"]} == {
        "2026-01-21T0200-node-0014"
    }


def test_beside_a_reference_a_gate_passes_that_the_machine_would_fail_and_the_output_says_what_times_are(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    steps = dict.fromkeys(("openmpi", "tcp"), (20, 0.2))
    runs = {Path(run.path): run for run in simulate_history(30, seed=1, stacks=("openmpi", "tcp"), steps=steps)}
    stand_in(monkeypatch, runs)
    gate, page = ("--fail-on", "slower>5%"), tmp_path / "history.html"
    assert main(["history", *gate]) == 1
    capsys.readouterr()
    assert main(["history", *gate, "--reference", "tcp", "--output", str(page), "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    jsonschema.validate(printed, json.loads((files("msgauge") / "schemas" / "history.json").read_text()))
    assert printed["references"] == ["tcp"]
    assert {one["stack"] for one in printed["series"]} == {"openmpi"}
    assert "references-changed" in {one["code"] for one in printed["warnings"]}, "its version changed with the step"
    said = "what tcp took in the same rounds is taken out"
    assert said in printed["findings"][-1]
    assert said in page.read_text()
    assert main(["history", "--reference", "tcp"]) == 0
    assert said in " ".join(capsys.readouterr().out.split())
    assert main(["history", "--reference", "lam"]) == 2
    assert "no run has a stack 'lam'" in capsys.readouterr().err
    newest = max(runs)
    runs[newest] = evolve(
        runs[newest], medians_ns={key: one for key, one in runs[newest].medians_ns.items() if "tcp" not in key.stack}
    )
    assert main(["history", "--reference", "tcp"]) == 0
    assert "1 of 30 runs lack a reference" in " ".join(capsys.readouterr().out.split())
    assert main(["history", *gate, "--reference", "tcp"]) == 2, "a gate would pass what came with it"
    assert f"the newest run, {newest.name}, has no test of tcp beside another stack" in capsys.readouterr().err


def test_where_all_stacks_changed_beside_a_reference_it_may_be_that_and_not_the_machine(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    stacks = ("openmpi", "mpich", "tcp")
    runs = {
        Path(run.path): run
        for run in simulate_history(30, seed=1, stacks=stacks, steps={"tcp": (20, 0.2)}, cells=(("pingpong", 8),))
    }
    stand_in(monkeypatch, runs)
    assert main(["history", "--reference", "tcp"]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "Both stacks changed alike, so it may be tcp." in said
    assert "the machine." not in said


def test_the_last_line_in_a_pipe_is_the_whole_sentence_of_the_gate(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    runs = {Path(run.path): run for run in simulate_history(30, seed=1, steps={"openmpi": (20, 0.2)})}
    stand_in(monkeypatch, runs)
    monkeypatch.delenv("COLUMNS", raising=False)
    words = ["history", "--fail-on", "slower>5%", "--output", str(tmp_path / "history.html")]
    assert main(words) == 1
    said = capsys.readouterr().out
    assert main([*words, "--json"]) == 1
    assert said.splitlines()[-1] == json.loads(capsys.readouterr().out)["gate"]["sentence"]
    monkeypatch.setenv("COLUMNS", "60")
    assert main(words) == 1
    assert max(map(len, capsys.readouterr().out.splitlines()[-3:])) <= 60


def test_wrong_folders_are_refused_with_a_remedy(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first, second, _ = sorted(folder.glob("*/plan.json"))
    damaged, hollow = tmp_path / "damaged", tmp_path / "hollow"
    shutil.copytree(second.parent, damaged)
    next(damaged.glob("launches/*/samples.bin")).write_bytes(b"\0 rubbish\n")
    shutil.copytree(second.parent, hollow)
    shutil.rmtree(hollow / "launches")
    cases = [
        ([first.parent], "one run is no history"),
        ([tmp_path / "nowhere"], "is no folder"),
        ([first.parent, damaged], "damaged samples"),
        ([first.parent, hollow], "nothing was measured in this run"),
        ([first.parent, first.parent], "is named twice"),
        ([folder, "--since", "2090"], "no run of this history"),
        ([folder, "--fail-on", "awful"], "slower>5%"),
    ]
    for words, message in cases:
        assert main(["history", *map(str, words)]) == 2
        said = capsys.readouterr().err
        assert message in said
        assert "remedy:" in said


def test_a_run_of_a_folder_that_measured_nothing_is_left_out_by_name_but_is_no_pass(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    runs = tmp_path / "runs"
    whole = next(folder.glob("*/plan.json")).parent
    old, _, newest = (Path(shutil.copytree(whole, runs / f"2026-11-0{day}")) for day in (1, 2, 3))
    shutil.rmtree(old / "launches")
    assert main(["history", str(runs), "--fail-on", "slower>5%"]) == 3
    printed = capsys.readouterr()
    assert f"{old} is left out: nothing was measured in it" in printed.err
    assert old.name not in printed.out
    shutil.copytree(whole / "launches", old / "launches")
    shutil.rmtree(newest / "launches")
    assert main(["history", str(runs)]) == 0
    assert f"{newest} is left out" in capsys.readouterr().err
    assert main(["history", str(runs), "--fail-on", "slower>5%"]) == 2
    assert "nothing was measured in this run" in capsys.readouterr().err


def test_the_newest_run_is_the_one_that_began_last_whatever_its_name(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    runs = tmp_path / "runs"
    whole = next(folder.glob("*/plan.json")).parent
    for number in (8, 9, 10):
        place = Path(shutil.copytree(whole, runs / f"nightly-{number}"))
        set_start(place, f"2026-11-{number:02}T00:00:00.000+00:00")
    saved = tmp_path / "saved"
    for name, code in (("nightly-10", 2), ("nightly-9", 3)):
        shutil.copytree(runs / name, saved)
        for samples in (runs / name).glob("launches/*/samples.bin"):
            samples.write_bytes(b"")
        set_start(runs / name, "", status="failed")
        assert main(["history", str(runs), "--fail-on", "slower>5%"]) == code
        assert "nothing was measured in" in capsys.readouterr().err
        shutil.rmtree(runs / name)
        shutil.move(saved, runs / name)


def set_start(run: Path, started: str, status: str = "ok") -> None:
    """Let the launches of a run have begun at a time, or as before where it is empty, and ended so."""
    for place in run.glob("launches/*/record.json"):
        record = json.loads(place.read_text())
        record["value"].update(status=status, started=started or record["value"]["started"], samples_digest="")
        place.write_text(json.dumps(record))
