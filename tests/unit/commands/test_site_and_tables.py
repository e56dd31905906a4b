"""A site of many runs works offline and links to every page; exported tables say the verdicts of the run."""

from __future__ import annotations

import json
import re
import shutil
from html.parser import HTMLParser
from importlib.resources import files
from math import nan
from pathlib import Path
from urllib.parse import unquote, urlsplit

import jsonschema
import pytest
from attrs import evolve
from planted_runs import study_run

from msgauge import evaluation, units
from msgauge.cli import main
from msgauge.commands.show import keep_kernels
from msgauge.kernels import load_kernels
from msgauge.model import Analysis, CellKey, Cost, ProgramEfficiency, Refusal
from msgauge.report import table_export
from msgauge.report.decision_table import explain_numbers
from msgauge.report.site_page import SiteEntry, render_index
from msgauge.report.table_export import ExportTable
from msgauge.results.run_folder import RunFolder


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("runs")
    first = study_run(place, "quick").path
    shutil.copytree(first, place / "second-run", ignore=shutil.ignore_patterns(".*"))
    return place


class Links(HTMLParser):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found += [value for name, value in attrs if name in ("href", "src") and value]


def test_a_site_is_an_index_with_a_page_of_each_run_and_asks_nobody(
    runs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["site", str(runs), "--output", str(tmp_path / "site"), "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    jsonschema.validate(printed, json.loads((files("msgauge") / "schemas" / "site.json").read_text()))
    index = Path(printed["index"]).read_text()
    linked = {link for link in Links(index).found if not link.startswith(("#", "data:"))}
    assert linked == {Path(page).name for page in printed["pages"]}
    assert len(linked) == 2
    assert all((tmp_path / "site" / link).is_file() for link in linked)
    assert "http" not in index.replace("http-equiv", "")
    assert "openmpi<wbr>@5.0.11" in index


def test_a_damaged_run_among_others_is_named_and_the_others_have_their_pages(
    runs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    place = tmp_path / "runs"
    shutil.copytree(runs, place)
    (place / "damaged").mkdir()
    (place / "damaged" / "plan.json").write_text("{")
    assert main(["site", str(place), "--output", str(tmp_path / "site"), "--json"]) == 4
    said = capsys.readouterr()
    printed = json.loads(said.out)
    jsonschema.validate(printed, json.loads((files("msgauge") / "schemas" / "site.json").read_text()))
    assert len(printed["pages"]) == 2
    assert [one["run"] for one in printed["unread"]] == [str(place / "damaged")]
    assert "damaged has no page: " in said.err
    assert "remedy: " in said.err
    index = Path(printed["index"]).read_text()
    assert "damaged: not JSON" in index
    assert "<h1>2 runs</h1>" in index
    assert "damaged.html" not in index


def test_a_site_of_damaged_runs_alone_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "damaged").mkdir()
    (tmp_path / "damaged" / "plan.json").write_text("{")
    assert main(["site", str(tmp_path / "damaged"), "--output", str(tmp_path / "site")]) == 2
    assert "plan.json" in capsys.readouterr().err


def test_two_runs_of_one_name_are_refused(runs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shutil.copytree(runs / "second-run", tmp_path / "second-run")
    assert main(["site", str(runs), str(tmp_path / "second-run"), "--output", str(tmp_path / "s")]) == 2
    assert "two runs are called second-run" in capsys.readouterr().err


def test_no_page_of_a_run_takes_the_place_of_the_index_or_of_another(
    runs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    names = ["index", "index-run", "x %41#?", "a:b"]
    for name in names:
        shutil.copytree(runs / "second-run", tmp_path / "runs" / name)
    assert main(["site", str(tmp_path / "runs"), "--output", str(tmp_path / "site"), "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    index = Path(printed["index"]).read_text()
    assert "<h1>4 runs</h1>" in index
    links = {link for link in Links(index).found if not link.startswith(("#", "data:"))}
    pages = {Path(page).name for page in printed["pages"]}
    assert pages == {"index-run-run.html", "index-run.html", "x %41#?.html", "a:b.html"}
    assert {unquote(urlsplit(link).path) for link in links} == pages, "as a browser reads them"
    assert "x%20%2541%23%3F.html" in links


def test_one_round_is_one_in_the_index() -> None:
    entry = SiteEntry("a", "a.html", "quick", "n1", "2026-11-28T05:57", ("tcp@1",), 1, "")
    index = render_index([entry, evolve(entry, name="b", page="b.html", rounds=6)])
    assert "<small>1 round</small>" in index
    assert "<small>6 rounds</small>" in index
    assert "<h1>1 run</h1>" in render_index([entry])


@pytest.fixture(scope="module")
def analysis(runs: Path) -> Analysis:
    return evaluation.reanalyse(runs / "second-run")[1]


def test_markdown_has_every_ratio_with_its_verdict(
    runs: Path, analysis: Analysis, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["export", str(runs / "second-run"), "--format", "markdown"]) == 0
    lines = capsys.readouterr().out.splitlines()
    rows = [
        line for line in lines if line.startswith("|") and line.rstrip("| ").endswith(("undecided", "faster", "slower"))
    ]
    assert len(rows) >= len(analysis.comparisons)
    for one in analysis.comparisons:
        assert any(one.other.replace("_", "\\_") in row and one.verdict in row for row in rows)
    tables = [block for block in "\n".join(lines).split("\n\n") if block.startswith("|")]
    assert all(len({line.count(" | ") for line in block.splitlines()[2:]}) == 1 for block in tables)


@pytest.mark.parametrize("form", ["markdown", "latex"])
def test_a_table_for_a_paper_says_what_its_numbers_and_verdicts_are(
    runs: Path, analysis: Analysis, form: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["export", str(runs / "second-run"), "--format", form]) == 0
    said = capsys.readouterr().out.replace("\\", "").replace("$pm$", "±")
    assert analysis.summary is not None
    assert explain_numbers(analysis.summary).replace("\\", "") in said
    assert "verdicts are corrected for all pairs of stacks in all tests, those of means for all pairs of means" in said
    first = said.partition("95 % intervals.")[0]
    means = [row.mean for row in analysis.summary.stacks if row.mean is not None and row.stack != row.base]
    assert means
    for mean in means:
        ratio, limits = units.format_estimate(mean.ratio, mean.ratio_low, mean.ratio_high)
        assert f"{ratio} ({limits}), {mean.verdict}" in first


def test_an_interval_that_is_not_known_leaves_its_field_empty_and_a_star_is_not_told_twice(
    runs: Path, analysis: Analysis
) -> None:
    """One round gave ``– to –``, and ``* 135 ns may be fastest`` beside ``* 160 ns e``."""
    folder = RunFolder.open(runs / "second-run")
    pairs = tuple(evolve(one, ratio_low=nan, ratio_high=nan) for one in analysis.comparisons)
    assert analysis.summary is not None
    rows = tuple(
        evolve(row, results=tuple(one and evolve(one, low=nan, high=nan, flags=()) for one in row.results))
        for row in analysis.summary.stacks
    )
    vague = evolve(analysis, comparisons=pairs, summary=evolve(analysis.summary, stacks=rows))
    text = table_export.write_markdown(table_export.make_tables(folder.plan, vague, tuple(load_kernels().values())))
    assert "– to –" not in text
    assert "ns may be fastest" not in text


def test_latex_is_balanced_and_every_special_character_escaped() -> None:
    hostile = ExportTable("a_b & 100 % {x}", ("$", "#"), (("~^\\", "1 µs ±2% | <b>"),))
    text = table_export.write_latex([hostile])
    assert text.count("\\begin{") == text.count("\\end{")
    body = re.sub(r"\\(?:[&%$#_{}]|[a-z]+\{?\}?)", "", text.split("\\toprule")[1].split("\\bottomrule")[0])
    assert not set("%#_~^") & set(body)
    assert "\\textbackslash{}" in text


def test_markdown_cells_end_no_column_and_make_no_markup() -> None:
    text = table_export.write_markdown([ExportTable("c", ("a|b",), (("<script>*x*",),))])
    assert "a\\|b" in text
    assert "\\<script\\>\\*x\\*" in text


def test_a_misspelt_format_is_answered_with_the_nearest(runs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["export", str(runs / "second-run"), "--format", "latx"]) == 2
    assert "did you mean latex?" in capsys.readouterr().err


def test_a_kernel_that_a_run_has_not_is_answered_with_those_it_has(
    runs: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["show", str(runs / "second-run"), "--kernels", "alltoallv"]) == 2
    said = capsys.readouterr().err
    assert "this run has no kernel 'alltoallv'" in said
    assert "it has " in said


def test_kernels_that_are_asked_for_alone_are_told_of_in_every_list(runs: Path) -> None:
    folder, analysis = evaluation.reanalyse(runs / "second-run", None)
    cells, stack = folder.plan.cells, folder.plan.stacks[0]
    whole = evolve(
        analysis,
        costs=tuple(Cost(stack, cell.id, cell.kernel, cell.size_bytes, cell.ranks) for cell in cells),
        efficiencies=tuple(ProgramEfficiency(CellKey(stack, cell.id), 1.0, 0.9, 1.1) for cell in cells),
        refusals=tuple(Refusal(stack, cell.id, "it has none") for cell in cells),
    )
    mine = {cell.id for cell in cells if cell.kernel == "pingpong"}
    kept = keep_kernels(whole, ["latency"], folder)
    assert {one.kernel for one in (*kept.estimates, *kept.comparisons)} == {"pingpong"}
    assert mine == {one.cell for one in kept.costs} == {one.cell for one in kept.refusals}
    assert mine == {one.key.cell for one in kept.efficiencies} < {cell.id for cell in cells}
