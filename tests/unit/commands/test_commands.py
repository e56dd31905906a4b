"""Claims about the commands, on simulated ranks: results on standard output, progress beside, JSON by its schema."""

from __future__ import annotations

import csv
import io
import json
from importlib.resources import files
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from simulated_runs import Interrupting, only_builtin_stacks, only_run, study_file

from msgauge import pipeline
from msgauge.cli import main
from msgauge.commands.stacks import as_text
from msgauge.frontend import measurement
from msgauge.model import Obtainable, Origin
from msgauge.results.run_folder import RunFolder

SCHEMAS = files("msgauge") / "schemas"


@pytest.fixture(autouse=True)
def _builtin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    only_builtin_stacks(tmp_path, monkeypatch)
    monkeypatch.chdir(tmp_path)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One finished run with a refused cell, a slower stack and one that crashes."""
    folder = tmp_path_factory.mktemp("run")
    with pytest.MonkeyPatch.context() as monkeypatch:
        only_builtin_stacks(folder, monkeypatch)
        stacks = "fake[launch_noise=0.01],fake[L=2us,launch_noise=0.01],fake[crash=3]"
        words = ["run", study_file(folder, rounds=5), "--stacks", stacks, "--runs", str(folder / "runs")]
        assert main([*words, "--ranks", "2,3", "--base", "fake@1[launch_noise=0.01]"]) == 4
    return only_run(folder / "runs")


def answer(capsys: pytest.CaptureFixture[str], schema: str) -> Any:
    """What was printed, as JSON that fits its schema."""
    printed = json.loads(capsys.readouterr().out)
    description = json.loads((SCHEMAS / f"{schema}.json").read_text())
    jsonschema.Draft202012Validator.check_schema(description)
    jsonschema.validate(printed, description)
    return printed


def test_compare_prints_the_fields_that_are_promised(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["compare", study_file(tmp_path), "--stacks", "fake,fake[L=2us]", "--rounds", "4", "--json", "--seed", "3"]
    assert main(words) == 0
    printed = answer(capsys, "compare")
    assert Path(printed["run"]).parent == tmp_path / "runs"
    assert printed["seed"] == 3
    assert printed["rounds"] == 4
    assert {one["stack"] for one in printed["estimates"]} == {"fake@1", "fake@1[L=2us]"}
    assert {(one["kernel"], one["size_bytes"]) for one in printed["estimates"]} == {
        ("pingpong", 8),
        ("pingpong", 65536),
        ("bcast", 1024),
    }
    assert {one["verdict"] for one in printed["comparisons"]} == {"slower"}
    assert printed["failures"] == []
    assert (Path(printed["run"]) / "report.html").exists()


def test_progress_goes_to_standard_error_and_the_report_to_standard_output(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["compare", study_file(tmp_path), "--rounds", "1"]) == 0
    said = capsys.readouterr()
    assert "fake@1" in said.out
    assert "measuring" in said.err


@pytest.mark.parametrize(
    ("stacks", "base", "code"),
    [
        ("fake,fake[L=2us]", "fake@1", 1),
        ("fake,fake[L=2us]", "fake@1[L=2us]", 0),
        ("fake[launch_noise=0.3],fake[L=1001ns,launch_noise=0.3]", "", 3),
    ],
)
def test_fail_on_sets_the_exit_code(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], stacks: str, base: str, code: int
) -> None:
    words = [
        "compare",
        study_file(tmp_path),
        "--stacks",
        stacks,
        "--rounds",
        "5",
        "--fail-on",
        "slower>5%",
        "--seed",
        "4",
    ]
    assert main([*words, *(["--base", base] if base else [])]) == code


def test_no_usable_stack_is_exit_5(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", study_file(tmp_path), "--stacks", "openmpi"]) == 5
    assert main(["compare", study_file(tmp_path), "--stacks", "fake[wrong_size=1]", "--rounds", "2"]) == 5
    assert "remedy" in capsys.readouterr().err


class InterruptingLive(Interrupting):
    """A view of progress at which Ctrl-C comes after three launches."""

    def __init__(self, **_: object) -> None:
        super().__init__(3)

    def __enter__(self) -> InterruptingLive:
        return self

    def __exit__(self, *_: object) -> None:
        return None


def test_ctrl_c_is_exit_130_and_resume_ends_the_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(measurement, "ProgressView", InterruptingLive)
        assert main(["compare", study_file(tmp_path), "--json"]) == 130
    assert answer(capsys, "compare")["stop_reason"] == "interrupted"
    assert main(["compare", "--resume", str(only_run(tmp_path / "runs")), "--json"]) == 0
    assert answer(capsys, "compare")["rounds"] == 5


def test_ctrl_c_in_a_model_is_exit_130_and_the_way_to_go_on_works(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["model", "--stacks", "fake", "--rounds", "2", "--runs", str(tmp_path / "runs")]
    with monkeypatch.context() as patched:
        patched.setattr(measurement, "ProgressView", InterruptingLive)
        assert main(words) == 130
    run = only_run(tmp_path / "runs")
    assert f"msgauge compare --resume {run}, then: msgauge model {run}" in capsys.readouterr().err
    assert main(["compare", "--resume", str(run)]) == 0
    assert main(["model", str(run)]) == 0


def test_a_run_that_ended_goes_on_to_more_rounds(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["run", study_file(tmp_path), "--stacks", "fake,fake[launch_noise=0.1]", "--json"]
    assert main([*words, "--rounds", "2"]) == 0
    first = answer(capsys, "compare")
    assert main(["run", "--resume", first["run"], "--rounds", "4", "--json"]) == 0
    more = answer(capsys, "compare")
    assert main([*words, "--rounds", "4"]) == 0
    whole = answer(capsys, "compare")
    assert (first["rounds"], more["rounds"]) == (2, 4)
    for resumed, planned in zip(more["estimates"], whole["estimates"], strict=True):
        low, high = resumed.pop("low_ns"), resumed.pop("high_ns")
        assert low <= planned.pop("low_ns") and planned.pop("high_ns") <= high  # of a second report: wider
        assert resumed == planned


def test_more_time_for_a_run_whose_rounds_are_all_done_is_refused_and_rounds_are_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["run", study_file(tmp_path), "--stacks", "fake,fake[launch_noise=0.1]", "--json", "--rounds", "3"]
    assert main(words) == 0
    path = answer(capsys, "compare")["run"]
    before = sorted(Path(path).rglob("*"))
    assert main(["compare", "--resume", path, "--budget", "5min"]) == 2
    assert "all 3 rounds of this run are done" in (told := capsys.readouterr().err)
    assert "--rounds 6" in told
    assert sorted(Path(path).rglob("*")) == before


def test_show_prints_a_run_again(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", str(run)]) == 0
    assert "Ping-pong" in capsys.readouterr().out
    assert main(["show", str(run), "--json"]) == 0
    printed = answer(capsys, "compare")
    assert {(one["stack"], one["kernel"], one["ranks"]) for one in printed["refusals"]} == {
        (stack, "pingpong", 3) for stack in printed["stacks"]
    }
    assert "fake@1[crash=3]" in {one["stack"] for one in printed["failures"]}
    assert all(one["reason"] for one in printed["failures"])


def test_findings_fit_their_schema(run: Path) -> None:
    schema = json.loads((SCHEMAS / "findings.json").read_text())
    jsonschema.validate(json.loads((run / "findings.json").read_text()), schema)


def test_report_and_figures_say_where_they_are(run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", str(run), "--json", "--output", str(tmp_path / "page.html")]) == 0
    assert Path(answer(capsys, "report")["page"]).read_text().startswith("<!")
    assert main(["figures", str(run), "--json", "--formats", "svg", "--output", str(tmp_path / "figures")]) == 0
    drawn = answer(capsys, "figures")["figures"]
    assert drawn
    assert all(Path(one).suffix == ".svg" and Path(one).stat().st_size for one in drawn)
    assert main(["figures", str(run), "--formats", "bmp"]) == 2


def test_exports_hold_every_estimate_and_every_sample(
    run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    import duckdb

    assert main(["show", str(run), "--json"]) == 0
    shown = answer(capsys, "compare")
    assert main(["export", str(run)]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [(row["stack"], float(row["median_ns"])) for row in rows] == [
        (one["stack"], one["median_ns"]) for one in shown["estimates"]
    ]
    series = [one["series"] for one in shown["estimates"]]
    assert any("root" in one for one in series)
    assert [row["root_ns"] for row in rows] == [str(one["root"]) if "root" in one else "" for one in series]
    assert {row["messages_per_s"] for row in rows} == {""}
    assert main(["export", str(run), "--format", "json"]) == 0
    assert answer(capsys, "compare") == shown
    target = tmp_path / "all.parquet"
    assert main(["export", str(run), "--format", "parquet", "--output", str(target)]) == 0
    counted = duckdb.sql(f"SELECT count(*) FROM '{target}'").fetchall()[0][0]
    assert counted == sum(frame.values.size for frame in RunFolder.open(run).dataset.frames)
    assert main(["export", str(run), "--format", "xml"]) == 2


def test_a_plan_prints_commands_and_runs_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["plan", study_file(tmp_path), "--ranks", "1,2", "--output", str(tmp_path / "plans")]
    assert main([*words, "--json"]) == 0
    printed = answer(capsys, "plan")
    assert printed["expected_s"] > 0
    assert {one["reason"] for one in printed["refusals"]}
    command = next(one for one in printed["commands"] if one["ranks"] == 2)
    assert "worker.cpp" in command["compile"]
    assert "--plan" in command["launch"]
    assert not list(tmp_path.rglob("samples*"))
    assert not (tmp_path / "runs").exists()
    assert main(words) == 0
    assert command["compile"] in capsys.readouterr().out


def test_kernels_are_listed_with_what_they_mean(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["kernels", "--json"]) == 0
    assert {"pingpong", "stream", "exchange", "bcast"} <= {one["name"] for one in answer(capsys, "kernels")["kernels"]}
    assert main(["kernels"]) == 0
    assert "pingpong: " in capsys.readouterr().out


def test_stacks_are_listed_by_their_schema(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["stacks", "--json"]) == 0
    assert {"fake@1", "tcp@1"} <= {one["spec"] for one in answer(capsys, "stacks")["stacks"]}


@pytest.mark.parametrize("name", ["$(touch pwned)", "<script>alert(1)</script>".replace("/", "_"), "a b'\"; x", "-rf"])
def test_hostile_names_of_studies_do_no_harm(tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str) -> None:
    path = study_file(tmp_path, rounds=1, name=f"./{name}")
    Path(path).write_text(Path(path).read_text().replace("Small", "<img src=x onerror=alert(1)>"))
    assert main(["compare", path, "--json"]) == 0
    printed = answer(capsys, "compare")
    page = (Path(printed["run"]) / "report.html").read_text()
    assert "<script>alert" not in page
    assert "<img src=x" not in page
    assert not list(tmp_path.rglob("pwned"))
    assert main(["plan", path]) == 0


def test_a_study_can_be_narrowed_and_widened_on_the_command_line(tmp_path: Path) -> None:
    from msgauge.frontend.study_options import StudyOptions, make_study
    from msgauge.kernels import load_kernels

    kernels = load_kernels()
    study = make_study(
        study_file(tmp_path), StudyOptions(kernels="pingpong,stream", sizes="8..32 x2", ranks="4,2", rounds=7), kernels
    )
    assert [(one.kernel, one.sizes) for one in study.measures] == [("pingpong", (8, 16, 32)), ("stream", (8, 16, 32))]
    assert study.ranks == (2, 4)
    assert (study.stopping.minimum_rounds, study.stopping.maximum_rounds) == (7, 7)
    assert pipeline.prepare(study).plan.rank_counts == (2, 4)


def test_all_numbers_of_processes_of_the_document_of_fanout_can_be_asked_for() -> None:
    from msgauge.frontend.study_options import StudyOptions, make_study
    from msgauge.kernels import load_kernels

    asked = StudyOptions(stacks="tcp", ranks="10,20,40,50,100,150,200", budget="60min")
    plan = pipeline.prepare(make_study("fanout", asked, load_kernels())).plan
    assert plan.rank_counts == (10, 20, 40, 50, 100, 150, 200)
    assert plan.refusals == ()
    assert (plan.stopping.budget_s, plan.stopping.deadline_s) == (3600.0, 0.0), "no deadline leaves numbers out"


def test_an_offer_without_a_version_is_listed_without_a_bare_at_sign() -> None:
    offers = [
        Obtainable("mexmpi", "", Origin("managed"), "get it"),
        Obtainable("lam", "7.1.4", Origin("system"), "do so"),
    ]
    lines = as_text([], offers).splitlines()
    assert "  mexmpi: get it" in lines and "  lam@7.1.4: do so" in lines
