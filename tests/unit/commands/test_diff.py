"""Claims about ``diff``: runs of the same binary are no change, whatever mood the machine is in; what it rests on."""

from __future__ import annotations

import json
import shutil
from importlib.resources import files
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from simulated_runs import measure_fake, only_builtin_stacks

from msgauge.analysis.between_runs.run_comparison import Level
from msgauge.cli import main
from msgauge.report.terminal import diff_terminal

REFERENCES = tuple(f"fake[launch_noise={noise}]" for noise in ("0.01", "0.012", "0.014"))
MOODS = ("1", "1.02", "0.985", "1.01", "0.97")


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Path]]:
    """Five runs of one build in five moods of the machine, and two of builds that are 1.25 and 1.002 times slower.

    All with three stacks that did not change.
    """
    folder = tmp_path_factory.mktemp("runs")
    with pytest.MonkeyPatch.context() as monkeypatch:
        only_builtin_stacks(folder, monkeypatch)
        made = {
            "old": [
                measure_fake(folder / "old", "fake[launch_noise=0.01]", seed=number + 1, pace=mood)
                for number, mood in enumerate(MOODS)
            ]
        }
        both = f"{','.join(REFERENCES)},tcp_like"
        for name, (pace, slow) in {"before": ("1", "1"), "slower": ("1.03", "1.25")}.items():
            stacks = both.replace("tcp_like", f"fake[L=2us,launch_noise=0.01,slow_pingpong={slow}]")
            made[name] = [measure_fake(folder / name, stacks, seed=len(name), pace=pace)]
        words = ("--kernels", "pingpong")
        made["fewer kernels"] = [measure_fake(folder / "fewer", ",".join(REFERENCES), seed=8, words=words)]
        made["changed"] = [measure_fake(folder / "changed", "fake[L=4us,launch_noise=0.01]", seed=9)]
    return made


def diff(capsys: pytest.CaptureFixture[str], *words: object) -> tuple[int, Any]:
    code = main(["diff", *map(str, words), "--json"])
    printed = json.loads(capsys.readouterr().out)
    jsonschema.validate(printed, json.loads((files("msgauge") / "schemas" / "diff.json").read_text()))
    return code, printed


def test_two_runs_alone_decide_nothing_and_name_the_command_that_would(
    runs: dict[str, list[Path]], capsys: pytest.CaptureFixture[str]
) -> None:
    old, (new,) = runs["old"][0], runs["changed"]
    code, printed = diff(capsys, old, new, "--fail-on", "slower>5%")
    assert code == 3
    assert printed["basis"] == "nothing"
    assert {one["verdict"] for one in printed["comparisons"]} == {"undecided"}
    assert {one["ratio_low"] for one in printed["comparisons"]} == {None}
    (command,) = printed["commands"]
    assert command == (f"msgauge compare {new}/study.toml --stacks 'fake@1[L=4us,launch_noise=0.01]' --against {old}")
    assert printed["gate"]["sentence"].startswith("--fail-on: undecided: 3 of 3 may be slower by more than 5 %")


def test_runs_of_the_same_binary_in_other_moods_are_no_change(
    runs: dict[str, list[Path]], capsys: pytest.CaptureFixture[str]
) -> None:
    for number, new in enumerate(runs["old"]):
        others = [run for run in runs["old"] if run != new]
        code, printed = diff(capsys, others[0], new, "--old", *others[1:], "--fail-on", "different>5%")
        assert printed["basis"] == "repeated runs"
        assert {one["verdict"] for one in printed["comparisons"]} <= {"undecided", "equivalent"}, number
        assert code in {0, 3}
        assert "same-build" in {one["code"] for one in printed["warnings"]}
        assert printed["commands"] == []


def test_where_all_stacks_go_one_way_it_may_be_the_machine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    only_builtin_stacks(tmp_path, monkeypatch)
    stacks = "fake[launch_noise=0.01],fake[L=2us,launch_noise=0.01]"
    sides = {"old": ("0.99", "1", "1.01"), "new": ("1.39", "1.4", "1.41")}
    for name, paces in sides.items():
        for seed, pace in enumerate(paces, start=1):
            measure_fake(tmp_path / name, stacks, seed=seed + len(name) * len(pace), pace=pace)
    capsys.readouterr()
    code, printed = diff(capsys, tmp_path / "old", tmp_path / "new")
    assert (code, printed["basis"]) == (0, "repeated runs")
    (notice,) = (one for one in printed["warnings"] if one["code"] == "stacks-changed-alike")
    assert notice["message"].startswith("2 of 2 stacks changed, all of them slower, so it may be the machine")
    assert "--against" in notice["remedy"]
    _, printed = diff(capsys, tmp_path / "old", tmp_path / "new", "--reference", "fake@1[L=2us,launch_noise=0.01]")
    assert "stacks-changed-alike" not in {one["code"] for one in printed["warnings"]}, "a reference tells the machine"


def test_a_change_beyond_the_moods_is_found_from_repeated_runs(
    runs: dict[str, list[Path]], capsys: pytest.CaptureFixture[str]
) -> None:
    code, printed = diff(capsys, runs["old"][0].parent, runs["changed"][0], "--fail-on", "slower>5%")
    assert code == 1
    assert {one["verdict"] for one in printed["comparisons"]} == {"slower"}
    assert {(one["old_stack"], one["stack"]) for one in printed["comparisons"]} == {
        ("fake@1[launch_noise=0.01]", "fake@1[L=4us,launch_noise=0.01]")
    }
    cells = [(one["kernel"], one["size_bytes"]) for one in printed["comparisons"]]
    assert cells == [("pingpong", 8), ("pingpong", 65536), ("bcast", 1024)]
    (mean,) = printed["geometric_means"]
    assert mean["verdict"] == "slower"
    assert mean["ratio_low"] < mean["ratio"] < mean["ratio_high"]
    assert len(printed["old_runs"]) == 5
    main(["diff", str(runs["old"][0].parent), str(runs["changed"][0])])
    assert "taken off" not in capsys.readouterr().out, "there are no references"


def test_stacks_of_the_same_build_in_both_take_the_mood_out(
    runs: dict[str, list[Path]], capsys: pytest.CaptureFixture[str]
) -> None:
    (old,), (new,) = runs["before"], runs["slower"]
    code, printed = diff(capsys, old, new, "--fail-on", "slower>5%")
    assert printed["basis"] == "reference stacks"
    assert printed["references"] == [one.replace("fake", "fake@1") for one in REFERENCES]
    assert "few-references" not in {one["code"] for one in printed["warnings"]}
    changed = {
        one["kernel"]: one for one in printed["comparisons"] if not one["reference"] and one["size_bytes"] < 2000
    }
    assert changed["pingpong"]["verdict"] == "slower"
    assert changed["pingpong"]["ratio_low"] < 1.25 < changed["pingpong"]["ratio_high"]
    assert changed["bcast"]["verdict"] in {"equivalent", "undecided"}
    assert changed["bcast"]["ratio"] == pytest.approx(1, abs=0.02)
    assert code == 1
    assert "surely slower by more than 5 %" in printed["gate"]["sentence"]


def test_a_run_of_fewer_kernels_says_why_no_stack_counts_as_unchanged(
    runs: dict[str, list[Path]], capsys: pytest.CaptureFixture[str]
) -> None:
    (old,), (fewer,), (new,) = runs["before"], runs["fewer kernels"], runs["slower"]
    _, printed = diff(capsys, old, fewer)
    assert printed["references"] == []
    (warning,) = (one for one in printed["warnings"] if one["code"] == "kernels-differ")
    assert warning["message"].startswith("only one side measured bcast")
    for words in ((old, fewer, "--reference", "fake@1[launch_noise=0.01]"), (old, new)):
        _, printed = diff(capsys, *words)
        assert "kernels-differ" not in {one["code"] for one in printed["warnings"]}


@pytest.mark.parametrize("count", [1, 2])
def test_one_or_two_references_are_said_to_tell_little_and_the_command_that_would_decide_is_named(
    runs: dict[str, list[Path]], count: int, capsys: pytest.CaptureFixture[str]
) -> None:
    (old,), (new,) = runs["before"], runs["slower"]
    names = "fake@1[launch_noise=0.01],fake@1[launch_noise=0.012]" if count == 2 else "fake@1[launch_noise=0.01]"
    _, printed = diff(capsys, old, new, "--reference", names)
    assert printed["basis"] == "reference stacks"
    (warning,) = (one for one in printed["warnings"] if one["code"] == "few-references")
    assert "by how much runs shift single stacks" in warning["message"]
    if count == 1:
        changed = [one for one in printed["comparisons"] if "L=2us" in one["stack"]]
        assert {one["verdict"] for one in changed} == {"undecided"}
        assert all(one["ratio_low"] < 1 < one["ratio_high"] for one in changed)
        assert any("--against" in command for command in printed["commands"])


def test_the_table_fits_a_hundred_columns_and_says_what_it_rests_on(
    runs: dict[str, list[Path]], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    assert main(["diff", str(runs["before"][0]), str(runs["slower"][0])]) == 0
    said = capsys.readouterr().out
    lines = [line for line in said.splitlines() if not line.startswith("  msgauge compare")]
    assert max(map(len, lines)) <= 100
    for text in ("old", "new vs old", "(reference)", "geometric mean of", "reference stacks", "corrected for 3"):
        assert text in said
    assert "the mean change of the references is taken off the changes of the others" in " ".join(said.split())


@pytest.mark.parametrize("columns", [100, 80, 60])
def test_the_table_is_whole_and_aligned_in_a_terminal_of_any_width(
    runs: dict[str, list[Path]],
    columns: int,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    before, slower = runs["before"][0], runs["slower"][0]
    assert main(["diff", str(before), str(slower)]) == 0
    said = capsys.readouterr().out
    assert "intervals rest on" in said
    table = said.partition("intervals rest on")[0].splitlines()
    assert max(map(len, table)) <= columns
    ends = {line.index(word) for line in table for word in VERDICTS if line.endswith(f" {word}")}
    assert len(ends) == 1, "verdicts stand in one column"


def test_an_interval_without_bounds_is_more_than_a_hundred_percent() -> None:
    """Of two runs it may be ±212584129 %, which nobody reads and no column holds."""
    level = Level(median_ns=1.49e6, low_ns=1.0, high_ns=3e12, launches=12)
    assert diff_terminal.format_level(level) == "1.49 ms >±100%"
    assert diff_terminal.format_level(Level(344.0, 340.0, 349.0, 12)) == "344 ns ±2%"


VERDICTS = ("faster", "slower", "equivalent", "undecided")


def test_wrong_folders_are_refused_with_a_remedy(
    runs: dict[str, list[Path]], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    old, new = runs["old"][:2]
    damaged = tmp_path / "damaged"
    shutil.copytree(new, damaged)
    next(damaged.glob("launches/*/samples.bin")).write_bytes(b"\0 rubbish\n")
    empty = tmp_path / "empty"
    empty.mkdir()
    other = measure_fake(tmp_path / "other", "fake[launch_noise=0.01]", seed=3, words=("--sizes", "16"))
    cases = [
        ([old, old], "stands for both versions"),
        ([old, tmp_path / "nowhere"], "is no folder"),
        ([old, empty], "holds no run folder"),
        ([old, damaged], "damaged samples"),
        ([old, other], "no test of the same stack in common"),
        ([old, new, "--reference", "openmpi"], "those in both are: fake@1"),
        ([old, new, "--old", old], "named twice"),
    ]
    for words, message in cases:
        assert main(["diff", *map(str, words)]) == 2
        said = capsys.readouterr().err
        assert message in said
        assert "remedy:" in said


@pytest.mark.parametrize("command", ["diff", "history"])
def test_a_difference_of_the_machines_is_named_in_words_in_text_and_json(
    command: str, runs: dict[str, list[Path]], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """``memory_bytes`` was a key of ours, without the two values that tell what happened."""
    old, other = runs["old"][0], tmp_path / "other"
    shutil.copytree(runs["old"][1], other, ignore=shutil.ignore_patterns(".*"))
    facts = json.loads((other / "machine.json").read_text())
    facts["value"]["cpu_model"] = "Another"
    (other / "machine.json").write_text(json.dumps(facts))
    said = "the runs were made under different conditions: processor model ("
    main([command, str(old), str(other)])
    assert said in " ".join(capsys.readouterr().out.split())
    main([command, str(old), str(other), "--json"])
    (one,) = (one for one in json.loads(capsys.readouterr().out)["warnings"] if one["code"] == "machines-differ")
    assert one["message"].startswith(said) and one["message"].endswith(" / Another)")
