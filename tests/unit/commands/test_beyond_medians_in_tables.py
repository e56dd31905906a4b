"""What medians hide stands in the tables for papers too: tails, and launches that are slow as a whole."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from simulated_runs import measure_study, only_builtin_stacks

from msgauge.cli import main

STUDY = """\
title = "Tails"
stacks = ["fake", "fake[spike_every=40,spike_ns=2800]", "fake[mode=2.8,mode_every=5]"]
seed = 4

[stopping]
minimum_rounds = 20
maximum_rounds = 20
cell_budget = "5 ms"

[[measure]]
kernel = "pingpong"
sizes = "8"
mode = "single"
"""


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("tails")
    (folder / "tails.toml").write_text(STUDY)
    with pytest.MonkeyPatch.context() as monkeypatch:
        only_builtin_stacks(folder, monkeypatch)
        return measure_study(folder / "runs", str(folder / "tails.toml"), ())


@pytest.mark.parametrize("form", ["markdown", "latex"])
def test_verdicts_in_tables_say_what_medians_hide(run: Path, form: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["export", str(run), "--format", form]) == 0
    lines = capsys.readouterr().out.splitlines()
    (spiky,) = (line for line in lines if "spike" in line and "but at P99 it is slower (ratio 1.9" in line)
    (slow,) = (line for line in lines if "mode" in line and "of its launches" in line)
    assert "equivalent" in spiky and "2.8" in slow
    if form == "latex":
        assert "\\begin{tabular}{llllllp{4cm}}" in lines, "such a sentence would leave the page in one line"


def test_the_csv_has_tails_and_slow_launches(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["export", str(run)]) == 0
    base, spiky, slow = csv.DictReader(io.StringIO(capsys.readouterr().out))
    assert (base["p99_ratio"], base["slow_share"]) == ("", "")
    assert spiky["p99_verdict"] == "slower" and 1.9 < float(spiky["p99_ratio"]) < 2.1 and spiky["slow_share"] == ""
    assert float(slow["slow_share_low"]) < 0.2 < float(slow["slow_share_high"])
    assert float(slow["slow_factor"]) == pytest.approx(2.8, rel=0.01)
