"""The level of an interval is said wherever it is labelled: that of an interrupted or resumed run is no 95 %."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from simulated_runs import measure_once, only_builtin_stacks

from msgauge.cli import main
from msgauge.units import format_level

STACKS = "fake[launch_noise=0.1],fake[L=1.05us,launch_noise=0.1]"


@pytest.fixture(autouse=True)
def _builtin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    only_builtin_stacks(tmp_path, monkeypatch)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return measure_once(tmp_path_factory, "run", STACKS, rounds=9)


def print_everything(run: Path, capsys: pytest.CaptureFixture[str]) -> tuple[dict[str, str], dict[str, Any]]:
    """What each form says of a run, with blanks for all white space, and its JSON."""
    said = {}
    for name, words in {
        "terminal": ["show", str(run)],
        "markdown": ["export", str(run), "--format", "markdown"],
        "latex": ["export", str(run), "--format", "latex"],
        "factors": ["show", str(run), "--by", "L"],
        "json": ["show", str(run), "--json"],
    }.items():
        capsys.readouterr()
        if main(words) == 0:
            said[name] = " ".join(capsys.readouterr().out.split()).replace("\\%", "%")
    assert main(["report", str(run)]) == 0
    said["page"] = " ".join((run / "report.html").read_text().split())
    answer = json.loads(said.pop("json"))
    return said, answer


def test_a_run_of_set_rounds_says_95(whole: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said, answer = print_everything(whole, capsys)
    assert answer["interval_level"] == 0.95
    for name, text in said.items():
        if name != "factors":
            assert "± 95 % interval" in text or "$\\pm$ 95 % interval" in text, name
        assert "99" not in {word for word in text.split() if word in ("99", "99.75")}, name


def test_a_run_whose_end_is_not_known_says_9975(
    whole: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its intervals were three times as wide, and called of 95 % as before."""
    run = Path(shutil.copytree(whole, tmp_path / "runs" / whole.name))
    (run / "findings.json").unlink()
    said, answer = print_everything(run, capsys)
    assert answer["interval_level"] == 0.9975
    assert all("95 % interval" not in one["sentence"] for one in answer["findings"])
    assert any("99.75 % interval" in one["sentence"] for one in answer["findings"])
    for name in ("terminal", "markdown", "latex", "page"):
        assert "± 99.75 % interval" in said[name] or "$\\pm$ 99.75 % interval" in said[name], name
    assert "| 99.75 % interval |" in said["markdown"]
    assert "99.75 % intervals. Each interval" in said["markdown"]
    assert "larger half-width of the 99.75 % confidence interval" in said["terminal"]
    assert "larger half-width of the 99.75 % confidence interval" in said["page"]
    assert "with a <span>99.75 % interval</span> over launches" in said["page"]
    assert "± 95 %" not in said["page"]


def test_the_report_of_a_run_that_goes_on_says_99(
    whole: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run = Path(shutil.copytree(whole, tmp_path / "runs" / whole.name))
    assert main(["compare", "--resume", str(run), "--rounds", "12"]) == 0
    assert "± 99 % interval" in " ".join(capsys.readouterr().out.split())
    assert main(["show", str(run), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["interval_level"] == 0.99


@pytest.mark.parametrize(
    ("level", "text"),
    [(0.95, "95 %"), (0.9575, "95 %"), (0.97, "95 %"), (0.99, "99 %"), (0.9975, "99.75 %"), (1 - 0.05 / 30, "99.83 %")],
)
def test_levels_of_reports_of_runs_that_ended_by_themselves_are_95(level: float, text: str) -> None:
    assert format_level(level) == text


@pytest.mark.parametrize(
    ("level", "text"),
    [(0.99994, "99.99 %"), (0.99996, "99.996 %"), (0.9999963, "99.99963 %"), (1 - 1e-9, "99.9999999 %")],
)
def test_a_level_is_never_called_100_percent(level: float, text: str) -> None:
    """As it was of a run from its ninth resume on: four digits of 99.996 are 100."""
    assert format_level(level) == text
