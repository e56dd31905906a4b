"""Claims about ``compare --against``: old and new interleaved in one run; what is gone or the same is told by name."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from simulated_runs import measure_fake, only_builtin_stacks, only_run, study_file

from msgauge import evaluation
from msgauge.cli import main
from msgauge.model import Build, serialization
from msgauge.results.run_folder import RunFolder

NOISE = "launch_noise=0.01,round_noise=0.05"
SLOWER = f"fake[{NOISE},slow_pingpong=1.05]"


@pytest.fixture(autouse=True)
def _builtin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    only_builtin_stacks(tmp_path, monkeypatch)
    monkeypatch.chdir(tmp_path)


def against(
    capsys: pytest.CaptureFixture[str], folder: Path, old: object, new: str, *more: str
) -> tuple[int, Any, str]:
    words = ["compare", study_file(folder), "--stacks", new, "--against", str(old), "--json", "--seed", "8", *more]
    code = main(words)
    said = capsys.readouterr()
    return code, json.loads(said.out) if said.out else None, said.err


def test_a_planted_change_is_found_against_an_old_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    old = measure_fake(tmp_path / "old", f"fake[{NOISE}]", seed=1, pace="1.1")
    capsys.readouterr()
    code, printed, said = against(capsys, tmp_path, old, SLOWER, "--rounds", "10", "--fail-on", "slower>1%")
    assert code == 1
    assert printed["stacks"] == [f"fake@1[{NOISE},old]", f"fake@1[{NOISE},slow_pingpong=1.05]"]
    found = {(one["kernel"], one["size_bytes"]): one for one in printed["comparisons"]}
    assert {found[key]["verdict"] for key in found if key[0] == "pingpong"} == {"slower"}
    assert found["pingpong", 8]["ratio_low"] < 1.05 < found["pingpong", 8]["ratio_high"]
    assert found["bcast", 1024]["verdict"] in {"equivalent", "undecided"}
    assert {one["base"] for one in printed["comparisons"]} == {f"fake@1[{NOISE},old]"}
    assert "--fail-on: failed: 2 of 3 are surely slower by more than 1 %" in said


def test_a_stack_that_is_here_can_be_named_as_the_old_one_and_the_study_of_the_run_serves_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, printed, _ = against(capsys, tmp_path, "fake[L=2us]", "fake", "--rounds", "4", "--fail-on", "slower>5%")
    assert code == 0
    assert {one["verdict"] for one in printed["comparisons"]} == {"faster"}
    assert main(["run", f"{printed['run']}/study.toml", "--rounds", "1"]) == 0
    assert main(["compare", "--resume", printed["run"], "--rounds", "5"]) == 0
    assert "old" in capsys.readouterr().out


def forge(folder: Path, **changes: str) -> Path:
    """A run whose recorded stack stands elsewhere, or is another one: then its plan and launches name that too."""
    path = measure_fake(folder / "forged", "fake", seed=1, words=("--rounds", "1"))
    file = path / "stacks.json"
    document = json.loads(file.read_text())
    document["value"][0] |= changes
    file.write_text(json.dumps(document))
    for named in [path / "plan.json", *path.glob("launches/*/record.json")] if "family" in changes else []:
        named.write_text(named.read_text().replace('"fake@1"', f'"{changes["family"]}@1"'))
    return path


@pytest.mark.parametrize(
    ("changes", "message", "code"),
    [
        ({}, "old and new are the same: fake@1 (it comes with msgauge)", 2),
        ({"compiler": "/opt/gone/bin/mpicxx"}, "is not there any more: /opt/gone/bin/mpicxx", 5),
        ({"family": "openmpi"}, "the old run measured no fake: it has openmpi@1", 5),
    ],
)
def test_what_is_gone_or_the_same_is_told_by_name(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], changes: dict[str, str], message: str, code: int
) -> None:
    old = forge(tmp_path, **changes)
    capsys.readouterr()
    got, _, said = against(capsys, tmp_path, old, "fake")
    assert got == code
    assert message in said
    assert "remedy:" in said


def test_wrong_words_are_refused_with_a_remedy(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "empty").mkdir()
    cases = [
        ("./nowhere", "fake", (), "there is no such folder"),
        ("runs/2026-11-20T2314-node-a1b2", "fake", (), "there is no such folder"),
        ("build/before", "fake", (), "there is no such folder"),
        ("fake/prefix", "fake", (), "fake/prefix is not on this machine"),
        (tmp_path / "empty", "fake", (), "there is no fake at"),
        ("fake[L=2us]", "fake,fake[L=3us]", (), "compares one stack with its old version"),
        ("fake[L=2us]", "fake,tcp", (), "has an old version of fake@1 alone, so tcp would not be measured"),
        ("fake[L=2us]", "fake", ("--base", "fake"), "leave out --base"),
        ("nonsense", "fake", (), "there is no family of stacks 'nonsense'"),
        ("tcp", "fake", (), "tcp@1 is no version of fake@1"),
    ]
    for old, new, more, message in cases:
        got, _, said = against(capsys, tmp_path, old, new, *more)
        assert got in {2, 5}
        assert message in said
        assert "remedy:" in said


def test_stacks_that_are_wanted_if_they_are_here_are_no_reason_to_refuse(tmp_path: Path) -> None:
    words = ["--stacks", "fake,openmpi?", "--against", "fake[L=2us]", "--rounds", "1"]
    assert main(["compare", study_file(tmp_path), *words]) == 0
    assert [stack.spec for stack in RunFolder.open(only_run(tmp_path / "runs")).stacks] == [
        "fake@1[L=2us,old]",
        "fake@1",
    ]


def test_two_prefixes_that_hold_the_same_build_are_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", study_file(tmp_path), "--stacks", "fake", "--against", "fake[L=2us]", "--rounds", "1"]) == 0
    folder = RunFolder.open(only_run(tmp_path / "runs"))
    builds = [serialization.to_plain(one) | {"identity": "same"} for one in folder.builds]
    folder.write_builds([serialization.from_plain(one, Build, where="") for one in builds])
    (warning,) = (one for one in evaluation.reanalyse(folder.path)[1].warnings if one.code == "same-build")
    assert "fake@1[L=2us,old] and fake@1 are the same build" in warning.message
