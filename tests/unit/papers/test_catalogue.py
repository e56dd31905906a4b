"""The five documents as data: complete, readable, runnable in pieces, and what is missing is named."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path

import jsonschema
import pytest
from planted_runs import paper_run
from simulated_runs import only_builtin_stacks, only_run

from msgauge import cli
from msgauge.analysis.estimates.observations import Observation
from msgauge.discovery import registry
from msgauge.errors import StudyError
from msgauge.kernels import load_kernels
from msgauge.model import Origin, Stack
from msgauge.papers import catalogue, derived_results, paper_evaluation
from msgauge.papers.paper_evaluation import find_unmeasured
from msgauge.report.terminal.aligned_columns import GridRow, grid

SCHEMAS = Path(catalogue.__file__).parents[1] / "schemas"
FAKE = Stack("fake", "1", Origin("builtin"), simulated=True)


def select(names: Sequence[str]) -> Sequence[Stack]:
    return registry.select([FAKE], names)


SMALL = """\
title = "A small document"
source = "nowhere"
about = "broadcast against ping-pong"
[systems]
one = ["fake"]
other = ["fake[L=2us]"]
gone = ["lam[tcp]"]
[stopping]
budget = "10 s"
minimum_rounds = 5
maximum_rounds = 5
cell_budget = "1 ms"
[[measure]]
kernel = "pingpong"
sizes = ["8", "1KiB"]
[[measure]]
kernel = "teleport"
[[table]]
title = "Times"
column = [{ name = "One", system = "one" }, { name = "Other", system = "other" }]
row = [{ label = "8 B", of = { kernel = "pingpong", size = "8" }, published = [1.0, 2.0] }]
[[table]]
title = "Times of what is gone"
note = "a note on numbers"
column = [{ name = "Gone", system = "gone" }, { name = "Gone, simulated", simulated = "gone" }]
row = [{ label = "8 B", of = { kernel = "teleport" } }]
[[table]]
title = "Times of what did not run"
column = [{ name = "One", system = "one" }, { name = "Gone", system = "gone" }]
row = [{ label = "8 B", of = { kernel = "teleport" }, published = [3.25, nan] }]
[[figure]]
title = "Times again"
of = [{ kernel = "pingpong" }]
across = "size"
[[claim]]
text = "one is faster"
left = { system = "one", kernel = "pingpong" }
right = { system = "other", kernel = "pingpong" }
sizes = ["8", "1KiB"]
high = 1.0
[[claim]]
text = "gone is faster"
left = { system = "gone", kernel = "pingpong" }
right = { system = "one", kernel = "pingpong" }
sizes = ["8"]
high = 1.0
"""


def test_the_five_documents_are_there_and_complete() -> None:
    found = {name: catalogue.load_paper(name) for name in catalogue.list_shipped_papers()}
    assert set(found) == {"arsc-t3d", "broxton-logp", "jyi-lam-mpich", "shue-scripting", "tcp-or-mpi"}
    for paper in found.values():
        assert paper.claims
        assert paper.tables
        assert paper.source
        assert paper.stopping.budget_s <= catalogue.LONGEST_S
    assert sum(claim.question for claim in found["arsc-t3d"].claims) >= 3


PUBLISHED_T3D = {
    "ping": (263, 77, 96, 2495, 2848),
    "100 B": (0.43, 1.03, 0.98, 0.04, 0.03),
    "1 kB": (3.09, 5.08, 8.20, 0.24, 0.28),
    "10 kB": (9.19, 11.89, 33.33, 0.54, 0.77),
    "100 kB": (12.58, 14.56, 49.31, 0.60, 0.99),
    "1 MB": (13.07, 14.77, 51.68, 0.52, 0.88),
}
PUBLISHED_LOGP = [145.7, 140.5, 145.2, 140.5, 1356.5, 1282.5]


def test_the_published_numbers_are_as_printed() -> None:
    t3d = catalogue.load_paper("arsc-t3d").tables[0]
    assert {row.label: row.published[:5] for row in t3d.rows} == PUBLISHED_T3D
    logp = catalogue.load_paper("broxton-logp").tables[0]
    assert [row.published[0] for row in logp.rows] == PUBLISHED_LOGP
    (bandwidth,) = [one for one in catalogue.load_paper("shue-scripting").tables if one.title == "Figure 1: bandwidth"]
    assert bandwidth.rows[-1].published[0] == 100


def test_published_lines_are_those_of_the_table() -> None:
    t3d = catalogue.load_paper("arsc-t3d")
    lines = [line for one in t3d.plots for line in one.published]
    columns = zip(*(row[:5] for label, row in PUBLISHED_T3D.items() if label != "ping"), strict=True)
    assert [tuple(round(y / 1e6, 2) for _, y, _, _ in line.points) for line in lines] == list(columns)


def test_the_bursts_of_the_logp_memo_are_as_long_as_those_of_its_program() -> None:
    """NUMSEND x NUMAVG messages of MSG_LEN bytes, 160 kB: its figure 4 claims a change between 10 and 50 kB of them."""
    paper = catalogue.load_paper("broxton-logp")
    bursts = [asked.measure for asked in paper.measures if asked.measure.kernel == "burst"]
    longest = {
        size: max(int(count) for count in dict(one.options)["messages"])
        for one in bursts
        if dict(one.options).get("receiver", ("waiting",)) == ("waiting",)
        for size in one.sizes
    }
    assert longest[16] == longest[5] == 100 * 100
    (judged,) = (one for one in paper.claims if one.where == "figure 4")
    assert judged.sizes == (16,)
    assert longest[16] * 16 > (judged.left.size_bytes or 0)
    drawn = next(one for one in paper.plots if one.title.startswith("Figure 4"))
    assert {pick.size_bytes for pick in drawn.picks} == {16}


@pytest.mark.parametrize("name", catalogue.list_shipped_papers())
def test_every_kernel_and_choice_of_a_document_is_known(name: str) -> None:
    kernels = load_kernels()
    for asked in catalogue.load_paper(name).measures:
        kernel = kernels[asked.measure.kernel]
        known = {option.name: set(option.choices) for option in kernel.options}
        assert all(set(choices) <= known[option] for option, choices in asked.measure.options)


@pytest.mark.parametrize("name", catalogue.list_shipped_papers())
def test_every_claim_speaks_of_what_is_measured(name: str) -> None:
    paper = catalogue.load_paper(name)
    measured = {asked.measure.kernel for asked in paper.measures}
    picks = [pick for claim in paper.claims for pick in (claim.left, claim.right)]
    assert {pick.kernel for pick in picks if pick.kernel} <= measured
    assert {row.pick.kernel for table in paper.tables for row in table.rows} <= measured


def test_all_mistakes_of_a_file_are_told_at_once() -> None:
    wrong = SMALL.replace('system = "other" }]', 'system = "nobody" }]').replace("high = 1.0", "hi = 1.0")
    with pytest.raises(StudyError) as error:
        catalogue.parse_paper(wrong, "wrong")
    assert "nobody" in str(error.value)
    assert "'hi'" in str(error.value)


@pytest.mark.parametrize("more", ["alone = true", 'less = [{ kernel = "teleport" }]'])
def test_what_is_taken_round_by_round_has_no_extremes(more: str) -> None:
    of = '{ kernel = "pingpong", size = "8" }'
    derived = SMALL.replace(f"of = {of}", f"of = {of[:-2]}, {more} }}")
    assert catalogue.parse_paper(derived, "small").tables
    with pytest.raises(StudyError, match=r'no minimum of all samples; write statistic = "median"'):
        catalogue.parse_paper(derived.replace('title = "Times"', 'title = "Times"\nstatistic = "minimum"'), "small")


def test_a_figure_of_what_is_left_of_a_time_is_refused() -> None:
    with pytest.raises(StudyError, match="draws times as measured; leave out less"):
        catalogue.parse_paper(
            SMALL.replace('[{ kernel = "pingpong" }]', '[{ kernel = "pingpong", alone = true }]'), "s"
        )


def test_what_is_missing_is_named_and_the_rest_is_run() -> None:
    ready = catalogue.make_runnable(catalogue.parse_paper(SMALL, "small"), select, load_kernels())
    assert any(one.startswith("gone (lam[tcp])") for one in ready.missing)
    assert "kernel teleport: not in this version of msgauge" in ready.missing
    assert ready.study.stacks == ("fake@1", "fake@1[L=2us]")
    assert {measure.kernel for measure in ready.study.measures} == {"pingpong"}


def test_only_some_systems_can_be_measured_and_others_added() -> None:
    small = catalogue.only(catalogue.parse_paper(SMALL, "small"), ["one"])
    assert catalogue.make_runnable(small, select, load_kernels(), ["fake[L=9us]"]).study.stacks == (
        "fake@1",
        "fake@1[L=9us]",
    )
    with pytest.raises(StudyError) as error:
        catalogue.only(catalogue.parse_paper(SMALL, "small"), ["nobody"])
    assert "no system nobody" in str(error.value)
    assert "one, other, gone" in str(error.value)


def test_a_run_of_a_system_that_the_paper_has_lost_since_is_still_judged() -> None:
    small = catalogue.parse_paper(SMALL, "small")
    assert [role for role, _ in catalogue.restrict(small, ["one", "lost-since"]).systems] == ["one"]


def test_systems_left_out_on_purpose_are_not_missing(tmp_path: Path) -> None:
    run = paper_run(tmp_path, "broxton-logp")
    found = derived_results.paper(run)
    assert found is not None
    asked = set(run.plan.systems)
    known = {role for role, _ in catalogue.load_paper("broxton-logp").systems}
    assert 0 < len(asked) < len(known)
    assert set(found.left_out) == known - asked
    assert not [one for one in found.missing if one.partition(" (")[0] in known - asked]
    page = (run.path / "report.html").read_text()
    assert all(role in page.partition("Left out by <code>--systems</code>")[2][:400] for role in found.left_out)


def test_a_stack_that_delivered_nothing_is_missing_by_name() -> None:
    seen = Observation("fake@1", "pingpong", 8, 2, (), "time", (0,), (1.0,))
    systems = {"one": ("fake@1",), "other": ("lam@7",), "third": ("pvm@3",)}
    assert find_unmeasured(systems, [seen], {"fake@1", "pvm@3"}) == (
        "third (pvm@3): no samples, the run ended before its turn",
        "other (lam@7): no samples, see the failures",
    )


def test_a_table_wider_than_the_terminal_is_continued_below() -> None:
    rows = [GridRow("a long label on a line of its own"), GridRow("  today", ("1.5", "22", "3"))]
    lines = list(grid(["Open MPI, shared memory", "MPICH", "LAM"], rows, 20))
    assert max(len(line) for line in lines if not line.startswith("a long")) <= 20
    assert sum("a long label" in line for line in lines) == 2
    whole = " ".join(lines)
    assert all(text in whole for text in ("shared", "1.5", "22", "LAM"))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the small document; whichever test comes first in a process runs it there."""
    folder = tmp_path_factory.mktemp("papers")
    (folder / "small.toml").write_text(SMALL)
    return folder


@pytest.fixture(scope="module")
def printed(folder: Path) -> tuple[str, str]:
    """What the run of the small document said on standard output and on standard error."""
    out, err = StringIO(), StringIO()
    with pytest.MonkeyPatch.context() as monkeypatch, redirect_stdout(out), redirect_stderr(err):
        only_builtin_stacks(folder, monkeypatch)
        monkeypatch.setattr(catalogue, "FOLDER", folder)
        added = ["--stacks", "fake[L=9us]"]
        assert cli.main(["paper", "small", "--runs", str(folder / "runs"), "--seed", "3", *added]) == 0
    return out.getvalue(), err.getvalue()


def test_a_document_is_run_and_judged(folder: Path, printed: tuple[str, str]) -> None:
    out, err = printed
    assert "missing: gone" in err
    assert "holds: one is faster" in out
    assert "undecided: gone is faster" in out
    page = (only_run(folder / "runs") / "report.html").read_text()
    assert "The paper repeated" in page
    assert "figure-paper-1" in page
    assert page.count("fake@1[L=9us]") > 2


@pytest.mark.usefixtures("printed")
def test_a_table_without_a_number_is_a_sentence_that_names_what_is_missing(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(catalogue, "FOLDER", folder)
    monkeypatch.setenv("COLUMNS", "300")
    run = only_run(folder / "runs")
    assert cli.main(["paper", "--resume", str(run)]) == 0
    told = capsys.readouterr().out
    page = (run / "report.html").read_text()
    gone = "No results for this table: gone"
    one = "measured none of its rows"
    for shown in (told, page):
        assert gone in shown
        assert one in shown
        assert "Times of what is gone" in shown
    empty = re.findall(r"<thead>(?:(?!</table>).)*<tbody></tbody>", page, re.DOTALL)
    assert not empty
    assert "a note on numbers" not in page
    assert "3.25" in page


@pytest.mark.usefixtures("printed")
def test_the_answer_fits_its_schema(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(catalogue, "FOLDER", folder)
    run = only_run(folder / "runs")
    assert cli.main(["paper", "--resume", str(run), "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    jsonschema.validate(answer, json.loads((SCHEMAS / "paper.json").read_text()))
    assert [one["verdict"] for one in answer["claims"]] == ["holds", "undecided"]


@pytest.mark.usefixtures("printed")
def test_a_finished_run_says_the_same_however_often_it_is_printed(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Only a run that goes on to other limits has further reports, each of which has to be surer."""
    monkeypatch.setattr(catalogue, "FOLDER", folder)
    run = only_run(folder / "runs")
    plan, told = (run / "plan.json").read_bytes(), []
    for _ in range(2):
        assert cli.main(["paper", "small", "--resume", str(run), "--json"]) == 0
        told.append(json.loads(capsys.readouterr().out)["claims"])
    assert told[0] == told[1]
    assert (run / "plan.json").read_bytes() == plan


@pytest.mark.usefixtures("printed")
@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["tcp-or-mpi"], "is a run of small, not of tcp-or-mpi"),
        (["--stacks", "unix", "--systems", "one", "--ranks", "2"], "not --stacks, --systems, --ranks"),
        (["--seed", "4"], "not --seed"),
    ],
)
def test_what_a_run_that_goes_on_cannot_take_is_refused(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], words: list[str], said: str
) -> None:
    monkeypatch.setattr(catalogue, "FOLDER", folder)
    monkeypatch.setattr("msgauge.pipeline.resume", lambda *_: pytest.fail("it went on"))
    assert cli.main(["paper", *words, "--resume", str(only_run(folder / "runs"))]) == 2
    told = capsys.readouterr().err
    assert said in told
    assert "remedy: leave out" in told


@pytest.mark.usefixtures("printed")
def test_a_run_of_no_paper_is_refused_before_it_goes_on(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was measured to its end, and then refused."""
    run = only_run(folder / "runs")  # of a paper that is none of those that are shipped
    monkeypatch.setattr("msgauge.pipeline.resume", lambda *_: pytest.fail("it was measured"))
    assert cli.main(["paper", "--resume", str(run)]) == 2
    assert "is not the run of a paper" in capsys.readouterr().err


@pytest.mark.usefixtures("printed")
def test_a_paper_is_judged_once_for_all_that_shows_it(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(catalogue, "FOLDER", folder)
    judged = []
    judge = paper_evaluation.judge_paper
    monkeypatch.setattr(paper_evaluation, "judge_paper", lambda *given: judged.append(given) or judge(*given))
    assert cli.main(["paper", "--resume", str(only_run(folder / "runs"))]) == 0
    assert len(judged) == 1


def test_the_list_names_every_document(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["paper", "--list"]) == 0
    assert all(name in capsys.readouterr().out for name in ("arsc-t3d",))
    assert cli.main(["paper", "no-such"]) == 2
