"""Claims about tests that differ in nothing but how they were measured: whatever speaks of one says which.

The standard study has such tests: its ping-pong of 8 B is measured in batches, and operation by operation.
"""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path

import pytest
from attrs import evolve
from page_layers import layers_of
from planted_runs import eventful_run, study_run
from rich.console import Console

from msgauge.analysis.between_runs.cell_names import describe_cell
from msgauge.cli import main
from msgauge.model import Cost, FactorEffect
from msgauge.report import factor_effects, json_output, resource_usage, view
from msgauge.report.figure_files import figures_of
from msgauge.results.run_folder import RunFolder

TEST = ("kernel", "size_bytes", "ranks", "options", "mode", "cache")


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return eventful_run(tmp_path_factory.mktemp("runs"), "quick").path


def count_twice(rows: Iterable[Mapping[str, object]], *names: str) -> int:
    """How many rows are called as another one is."""
    called = [call(row, *names) for row in rows]
    assert len(called) > 1
    return len(called) - len(set(called))


def call(row: Mapping[str, object], *names: str) -> str:
    return json.dumps([row.get(name) for name in (*(names or ("stack",)), *TEST)])


@pytest.mark.parametrize(("part", "names"), [("estimates", ["stack"]), ("comparisons", ["base", "other"])])
def test_no_two_results_of_the_json_are_called_alike(
    part: str, names: list[str], run: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["show", str(run), "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)[part]
    assert count_twice(rows, *names) == 0
    assert {row["mode"] for row in rows} == {"batch", "single"}


def test_no_two_rows_of_the_export_are_called_alike(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["export", str(run), "--format", "csv"]) == 0
    assert count_twice(csv.DictReader(io.StringIO(capsys.readouterr().out)), "stack") == 0


def test_no_two_rows_of_all_numbers_are_called_alike(run: Path) -> None:
    data = layers_of((run / "report.html").read_text())[1]
    keys = [column["key"] for column in data["columns"]]
    assert count_twice((dict(zip(keys, row, strict=True)) for row in data["rows"]), "stack") == 0


def test_no_two_comparisons_of_a_diff_are_called_alike(
    run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = str(eventful_run(tmp_path, "quick").path)
    assert main(["diff", str(run), other, "--json"]) == 0
    compared = json.loads(capsys.readouterr().out)["comparisons"]
    assert count_twice(compared, "stack") == 0
    assert main(["show", other, "--json"]) == 0
    measured = {call(one): one["median_ns"] for one in json.loads(capsys.readouterr().out)["estimates"]}
    assert all(one["new_median_ns"] == pytest.approx(measured[call(one)]) for one in compared)
    assert main(["diff", str(run), other]) == 0
    assert "pingpong 8 B, single" in capsys.readouterr().out


def test_costs_say_how_a_test_was_measured(run: Path) -> None:
    loaded = view.load(RunFolder.open(run))
    costs = tuple(
        Cost(one.stack, one.cell, one.kernel, one.size_bytes, one.ranks, one.options, 1.5)
        for one in loaded.analysis.estimates
    )
    analysis = evolve(loaded.analysis, costs=costs)
    assert count_twice(json_output.of_run(run, loaded.plan, analysis)["costs"], "stack") == 0
    (table,) = (
        one
        for one in resource_usage.make_tables(evolve(loaded, analysis=analysis))
        if one.columns == resource_usage.MESSAGE_COLUMNS
    )
    assert len({row[:4] for row in table.rows}) == len(table.rows) > 1


def test_effects_of_a_factor_say_how_a_test_was_measured(run: Path) -> None:
    loaded = view.load(RunFolder.open(run))
    compared = [one for one in loaded.analysis.comparisons if one.other.startswith("mpich")]
    effects = tuple(FactorEffect("version", "1", "2", one) for one in compared)
    (table,) = factor_effects.make_tables(evolve(loaded, analysis=evolve(loaded.analysis, factor_effects=effects)))
    assert len({(line.kernel, line.size, line.ranks) for line in table.lines}) == len(table.lines) > 1
    assert {describe_cell(one) for one in compared} >= {"pingpong 8 B, 2 ranks", "pingpong 8 B, 2 ranks, single"}


def test_no_number_of_a_pair_is_cut_in_a_narrow_terminal(run: Path) -> None:
    loaded = view.load(RunFolder.open(run))
    effects = tuple(FactorEffect("version", "1", "2", one) for one in loaded.analysis.comparisons)
    shown = evolve(loaded, analysis=evolve(loaded.analysis, factor_effects=effects))
    written = io.StringIO()
    factor_effects.print_factor_effects(shown, "version", Console(file=written, width=40))
    told = written.getvalue()
    assert "…" not in told and max(map(len, told.splitlines())) <= 40
    for line in (line for table in factor_effects.make_tables(shown) for line in table.lines):
        assert f" {line.ratio} " in told


@pytest.mark.parametrize("study", ["collectives", "fanout", "complete"])
def test_no_two_figures_are_called_alike_where_all_was_measured_in_two_ways(study: str, tmp_path: Path) -> None:
    """Each by its title, and as a file, which the other would write over."""
    loaded = view.load(study_run(tmp_path, study))
    first = max(cell.id for cell in loaded.plan.cells) + 1
    timed = [evolve(cell, id=cell.id + first, mode="single") for cell in loaded.plan.cells]
    estimates = [evolve(one, cell=one.cell + first) for one in loaded.analysis.estimates]
    curves = [evolve(one, cell=one.cell + first) for one in loaded.curves]
    both = evolve(
        loaded,
        plan=evolve(loaded.plan, cells=(*loaded.plan.cells, *timed)),
        analysis=evolve(loaded.analysis, estimates=(*loaded.analysis.estimates, *estimates)),
        curves=(*loaded.curves, *curves),
    )
    figures = list(figures_of(both))
    assert len(figures) > 5
    assert [key for key, count in Counter(one.key for one in figures).items() if count > 1] == []
    assert [title for title, count in Counter(one.title for one in figures).items() if count > 1] == []
