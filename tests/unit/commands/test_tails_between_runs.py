"""Claims about ``--quantile`` of ``diff`` and ``history``, on runs of simulated ranks: a tail came with a version."""

from __future__ import annotations

import json
from importlib.resources import files
from pathlib import Path
from typing import Any

import jsonschema
import numpy as np
import pytest
from simulated_runs import measure_fake, measure_study, only_builtin_stacks

from msgauge.analysis.between_runs.measured_runs import read_quantiles
from msgauge.cli import main
from msgauge.results.run_folder import RunFolder

SINGLE = """\
title = "Tails"
stacks = ["fake"]

[stopping]
minimum_rounds = 5
maximum_rounds = 5

[[measure]]
kernel = "pingpong"
sizes = ["8", "1KiB"]
mode = "single"
"""
PLAIN = "fake[noise=0.05,launch_noise=0.01]"
SPIKES = "fake[noise=0.05,launch_noise=0.01,spike_every=100,spike_ns=5us]"
MOODS = ("1", "1.02", "0.985")


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Path]]:
    """Three runs of each version, of the new one with a late message in a hundred; two without single operations."""
    folder = tmp_path_factory.mktemp("tails")
    study = folder / "tails.toml"
    study.write_text(SINGLE)
    with pytest.MonkeyPatch.context() as monkeypatch:
        only_builtin_stacks(folder, monkeypatch)
        made = {
            name: [
                measure_study(folder / name, str(study), ("--stacks", stack, "--seed", str(10 * at + number)), mood)
                for number, mood in enumerate(MOODS)
            ]
            for at, (name, stack) in enumerate((("old", PLAIN), ("new", SPIKES)), start=1)
        }
        made["batches"] = [measure_fake(folder / "batches", PLAIN, seed=seed) for seed in (3, 4)]
    return made


def ask(capsys: pytest.CaptureFixture[str], command: str, *words: object) -> tuple[int, Any]:
    code = main([command, *map(str, words), "--json"])
    printed = json.loads(capsys.readouterr().out)
    jsonschema.validate(printed, json.loads((files("msgauge") / "schemas" / f"{command}.json").read_text()))
    return code, printed


def test_the_levels_of_a_run_are_the_quantiles_of_the_operations_of_its_launches(runs: dict[str, list[Path]]) -> None:
    run = runs["new"][0]
    levels, dataset = read_quantiles(run), RunFolder.open(run).dataset
    assert {name: len(one.medians_ns) for name, one in levels.items()} == {"p50": 2, "p95": 2, "p99": 2}
    (found,) = (one for key, one in dataset.cells.items() if dataset.plan.cells[key.cell].size_bytes == 8)
    for name, share in (("p50", 0.5), ("p95", 0.95), ("p99", 0.99)):
        (told,) = (values for key, values in levels[name].medians_ns.items() if key.size_bytes == 8)
        expected = [np.quantile(frame.compared / frame.divisor, share) for frame in found.frames]
        assert told == pytest.approx(expected, rel=0.02)
    bare, _ = runs["batches"]
    assert [len(one.medians_ns) for one in read_quantiles(bare).values()] == [3, 0, 0]


def test_two_versions_by_medians_hint_at_a_tail_that_is_seen_and_gated_by_its_quantile(
    runs: dict[str, list[Path]], capsys: pytest.CaptureFixture[str]
) -> None:
    sides = runs["old"][0].parent, runs["new"][0].parent
    code, printed = ask(capsys, "diff", *sides, "--fail-on", "slower>20%")
    assert code == 0
    assert printed["quantile"] == "p50"
    (hint,) = [one for one in printed["warnings"] if one["code"] == "tails-changed"]
    assert "is slower at P99, which medians do not show, in 2 tests: pingpong 8 B" in hint["message"]
    code, printed = ask(capsys, "diff", *sides, "--quantile", "p99", "--fail-on", "slower>20%")
    assert code == 1
    assert printed["quantile"] == "p99"
    assert {one["verdict"] for one in printed["comparisons"]} == {"slower"}
    assert all(one["ratio_low"] > 1.5 for one in printed["comparisons"])
    assert printed["gate"]["sentence"].startswith("--fail-on at P99: failed: ")
    assert "tails-changed" not in {one["code"] for one in printed["warnings"]}
    assert main(["diff", *map(str, sides), "--quantile", "p99"]) == 0
    assert capsys.readouterr().out.startswith("P99 of time, 2 ranks ")


def test_a_history_by_a_tail_says_so_on_each_of_its_outputs(
    runs: dict[str, list[Path]], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "history.html"
    folders = [*runs["old"], *runs["new"]]
    code, printed = ask(capsys, "history", *folders, "--quantile", "p99", "--output", page, "--fail-on", "slower>5%")
    assert code == 3, "six runs are too few"
    assert printed["quantile"] == "p99"
    assert all(one.startswith("P99: ") for one in printed["findings"])
    assert printed["gate"]["sentence"].startswith("--fail-on at P99: undecided")
    tails = {(one["stack"], one["size_bytes"]): one["points"][0]["median_ns"] for one in printed["series"]}
    plain, spikes = sorted({stack for stack, _ in tails}, key=len)
    assert all(tails[spikes, size] > 1.5 * tails[plain, size] for size in (8, 1024))
    assert "by the P99 of launches" in page.read_text()
    assert "P99: No change can be told" in page.read_text()
    assert "pingpong 8 B, 2 ranks, single, P99 of time over runs" in page.read_text()
    assert main(["history", *map(str, folders), "--quantile", "p99"]) == 0
    said = capsys.readouterr().out
    assert said.startswith("P99: No change can be told")
    assert "P99 of time, 2 ranks" in said


@pytest.mark.parametrize("command", ["diff", "history"])
def test_runs_without_single_operations_have_no_tail_and_the_remedy_says_how_to_get_one(
    command: str, runs: dict[str, list[Path]], capsys: pytest.CaptureFixture[str]
) -> None:
    asked = [command, *map(str, runs["batches"])]
    assert main([*asked, "--quantile", "p95"]) == 2
    said = capsys.readouterr().err
    assert "no test of these runs has a P95: no launch timed 200 operations one by one" in said
    assert 'measure with mode = "single"' in said
    assert main([*asked, "--quantile", "p90"]) == 2
    assert "p95" in capsys.readouterr().err
