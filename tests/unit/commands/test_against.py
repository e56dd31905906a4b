"""Claims about ``compare --against``: old and new interleaved in one run; what is gone or the same is told by name."""

from __future__ import annotations

import json
import shlex
import shutil
from pathlib import Path
from typing import Any

import pytest
from benchmarks.truth import real_runs
from simulated_runs import measure_fake, only_builtin_stacks, only_run, study_file

from msgauge import evaluation
from msgauge.cli import main
from msgauge.discovery.old_run import take_from_run
from msgauge.errors import UsageError
from msgauge.model import Build, Origin, Stack, VariantMark, serialization
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


def test_runs_against_an_old_build_are_one_row_of_the_page_of_proof(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    runs = [
        Path(against(capsys, tmp_path, "fake[L=2us]", new, "--rounds", str(rounds))[1]["run"])
        for new, rounds in (("fake[L=1us]", 5), ("fake[L=3us]", 6))
    ]
    row = real_runs.examine_against(runs, "takes longer", "nothing")
    assert row.what == "compare --against, 2 runs of fake beside its old build, 5 to 6 rounds"
    assert row.outcome == (
        "takes longer: of 2 runs the new one is faster in 1, slower in 1; of 6 tests faster in 3, slower in 3"
    )


def test_a_stack_that_is_here_can_be_named_as_the_old_one_and_the_study_of_the_run_serves_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, printed, _ = against(capsys, tmp_path, "fake[L=2us]", "fake", "--rounds", "4", "--fail-on", "slower>5%")
    assert code == 0
    assert {one["verdict"] for one in printed["comparisons"]} == {"faster"}
    assert main(["run", f"{printed['run']}/study.toml", "--rounds", "1"]) == 0
    assert main(["compare", "--resume", printed["run"], "--rounds", "5"]) == 0
    assert "old" in capsys.readouterr().out


def forge(folder: Path, **changes: object) -> Path:
    """A run whose recorded stack stands elsewhere, or is another one: then its plan and launches name that too."""
    path = measure_fake(folder / "forged", "fake", seed=1, words=("--rounds", "1"))
    file = path / "stacks.json"
    document = json.loads(file.read_text())
    document["value"][0] |= changes
    file.write_text(json.dumps(document))
    for named in [path / "plan.json", *path.glob("launches/*/record.json")] if "family" in changes else []:
        named.write_text(named.read_text().replace('"fake@1"', f'"{changes["family"]}@1"'))
    return path


def write_tools(prefix: Path, says: str = "") -> dict[str, object]:
    """A wrapper of the system's compiler and a launcher in a prefix, as what a recorded stack is made with."""
    (prefix / "bin").mkdir(parents=True, exist_ok=True)
    for name in ("mpicxx", "mpiexec"):
        (prefix / "bin" / name).write_text(f'#!/bin/sh\n# {says}\nexec g++ "$@"\n')
        (prefix / "bin" / name).chmod(0o755)
    return {
        "origin": {"kind": "prefix", "where": str(prefix)},
        "compiler": str(prefix / "bin" / "mpicxx"),
        "launcher": str(prefix / "bin" / "mpiexec"),
    }


@pytest.fixture
def prefix_run(tmp_path: Path) -> Path:
    """A run whose old version stood in a prefix, with the files of that noted by msgauge."""
    forged = forge(tmp_path, **write_tools(tmp_path / "prefix", says="first build"))
    words = ["--stacks", "fake[L=2us]", "--against", str(forged), "--rounds", "1", "--runs", str(tmp_path / "noted")]
    assert main(["compare", study_file(tmp_path), *words]) == 0
    return only_run(tmp_path / "noted")


def test_an_installation_that_was_replaced_in_place_is_not_called_the_old_version(
    tmp_path: Path, prefix_run: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (old,) = (built for built in RunFolder.open(prefix_run).builds if built.stack == "fake@1[old]")
    assert [path for path, _ in old.installation] == [f"{tmp_path}/prefix/bin/{name}" for name in ("mpicxx", "mpiexec")]
    write_tools(tmp_path / "prefix", says="another build")
    capsys.readouterr()
    code, printed, said = against(capsys, tmp_path, f"{prefix_run}:fake@1[old]", "fake[L=3us]", "--rounds", "1")
    assert (code, printed) == (5, None)
    assert f"another installation stands at {tmp_path}/prefix where the old run measured fake@1" in said
    assert f"{tmp_path}/prefix/bin/mpicxx" in said
    assert "remedy: name where the old build stands now: --against PREFIX" in said


def test_an_installation_that_stands_yet_is_measured_though_msgauge_was_changed_since(
    tmp_path: Path, prefix_run: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = RunFolder.open(prefix_run)
    builds = [serialization.to_plain(one) | {"identity": "of a worker from other sources"} for one in folder.builds]
    folder.write_builds([serialization.from_plain(one, Build, where="") for one in builds])
    capsys.readouterr()
    code, printed, _ = against(capsys, tmp_path, f"{prefix_run}:fake@1[old]", "fake[L=3us]", "--rounds", "1")
    assert code == 0
    assert printed["stacks"] == ["fake@1[old]", "fake@1[L=3us]"]
    (warning,) = (one for one in printed["warnings"] if one["code"] == "old-not-known")
    assert "did not note the files of its library" in warning["message"], "its worker has the library within it"


def test_of_an_old_run_without_notes_the_version_is_asked_and_what_that_leaves_open_is_a_warning(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tools = write_tools(tmp_path / "prefix")
    other = forge(tmp_path / "other", **tools, library="msgauge fake of another day")
    capsys.readouterr()
    code, _, said = against(capsys, tmp_path, other, "fake[L=3us]", "--rounds", "1")
    assert code == 5
    assert "its library says 'msgauge fake' now, and said 'msgauge fake of another day'" in said
    same = forge(tmp_path / "same", **tools)
    capsys.readouterr()
    code, printed, _ = against(capsys, tmp_path, same, "fake[L=3us]", "--rounds", "1")
    assert code == 0
    assert "old-not-known" in {one["code"] for one in printed["warnings"]}
    assert main(["show", printed["run"]]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "fake@1[old] may be another installation than the one whose run was named" in said


def test_what_comes_with_msgauge_is_never_doubted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    old = measure_fake(tmp_path / "old", "fake", seed=1, words=("--rounds", "1"))
    capsys.readouterr()
    code, printed, _ = against(capsys, tmp_path, old, "fake[L=3us]", "--rounds", "1")
    assert code == 0
    assert "old-not-known" not in {one["code"] for one in printed["warnings"]}


def test_two_installations_of_one_version_in_a_run_are_told_apart_by_name(tmp_path: Path) -> None:
    path = forge(tmp_path)
    places = {place: write_tools(tmp_path / place) for place in ("before", "after")}
    before, after = (
        Stack(
            "fake",
            "1",
            Origin("prefix", str(tmp_path / place)),
            compiler=str(tools["compiler"]),
            launcher=str(tools["launcher"]),
            library="msgauge fake",
        )
        for place, tools in places.items()
    )
    new = Stack("fake", "2", Origin("prefix", str(tmp_path / "third")))
    document = json.loads((path / "stacks.json").read_text())
    stacks = (after, before.with_mark(VariantMark.OLD))
    for measured in (stacks, stacks[::-1]):
        document["value"] = [serialization.to_plain(one) for one in measured]
        (path / "stacks.json").write_text(json.dumps(document))
        plan = json.loads((path / "plan.json").read_text())
        plan["value"]["stacks"] = [one.spec for one in measured]
        (path / "plan.json").write_text(json.dumps(plan))
        folder = RunFolder.open(path)
        with pytest.raises(UsageError) as refused:
            take_from_run(folder, new)
        for place in (f"fake@1 ({tmp_path}/after)", f"fake@1[old] ({tmp_path}/before)"):
            assert place in refused.value.what
        assert f"{path}:{measured[0].spec}" in refused.value.remedy
        assert take_from_run(folder, new, "fake@1[old]")[0].origin == before.origin
        assert take_from_run(folder, new, "fake@1")[0].origin == after.origin


def test_the_command_that_diff_prints_for_two_runs_by_against_can_be_run(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    runs = []
    for slow in ("1.1", "1.3"):
        new = f"fake[launch_noise=0.01,slow_pingpong={slow}]"
        code, printed, _ = against(capsys, tmp_path, "fake[launch_noise=0.01]", new, "--rounds", "3")
        assert code == 0
        runs.append(printed["run"])
    main(["diff", *runs, "--json"])
    (command,) = json.loads(capsys.readouterr().out)["commands"]
    assert main([*shlex.split(command)[1:], "--rounds", "1", "--runs", str(tmp_path / "decides")]) == 0
    measured = [stack.spec for stack in RunFolder.open(only_run(tmp_path / "decides")).stacks]
    assert measured == [
        "fake@1[launch_noise=0.01,slow_pingpong=1.1,old]",
        "fake@1[launch_noise=0.01,slow_pingpong=1.3]",
    ]


def test_diff_says_that_marks_are_why_two_runs_have_no_stack_in_common(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plain = measure_fake(tmp_path / "old", f"fake[{NOISE}]", seed=1, words=("--rounds", "1"))
    capsys.readouterr()
    _, printed, _ = against(capsys, tmp_path, plain, "fake[L=3us]", "--rounds", "1")
    assert main(["diff", str(plain), printed["run"]]) == 2
    said = " ".join(capsys.readouterr().err.split())
    assert f"the old one has fake@1[{NOISE}], the new one fake@1[{NOISE},old], fake@1[L=3us]" in said
    assert "the mark [old] of a run by --against is part of a name" in said
    assert f"msgauge show {printed['run']}" in said


def test_a_folder_that_lost_its_plan_or_holds_runs_is_no_prefix(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    old = measure_fake(tmp_path / "old", "fake", seed=1, words=("--rounds", "1"))
    shutil.copytree(old, tmp_path / "damaged")
    (tmp_path / "damaged" / "plan.json").unlink()
    capsys.readouterr()
    for place, message in (
        (tmp_path / "damaged", "this run cannot be read, for its plan.json is gone"),
        (old.parent, "this is a folder of runs, and one run is compared with"),
    ):
        code, _, said = against(capsys, tmp_path, place, "fake[L=2us]")
        assert code == 2
        assert message in said
        assert "remedy:" in said


def test_a_folder_that_is_called_like_a_stack_is_taken_and_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    old = measure_fake(tmp_path / "old", "fake[L=4us]", seed=1, words=("--rounds", "1"))
    shutil.copytree(old, tmp_path / "fake@1")
    capsys.readouterr()
    code, printed, said = against(capsys, tmp_path, "fake@1", "fake[L=2us]", "--rounds", "1")
    assert code == 0
    assert printed["stacks"] == ["fake@1[L=4us,old]", "fake@1[L=2us]"]
    assert "--against fake@1 is the folder of that name here, not a stack" in said
    _, _, said = against(capsys, tmp_path, "fake", "fake[L=2us]", "--rounds", "1")
    assert "is the folder of that name" not in said


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
