"""The page and the figures: one file, nothing from outside, every name escaped, small enough."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import pytest
from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st
from report_example import HOSTILE, example_view

from msgauge.errors import StoreError, UsageError
from msgauge.model import Cell, Finding, Notice, Plan, StackCost
from msgauge.report import figure_files, page
from msgauge.report.figures import chart_parts, grid_charts
from msgauge.report.figures.figure import make_name_lookup
from msgauge.report.figures.theme import PAPER_COLOURS, dash, paper, screen, shape, size_ticks, ticks
from msgauge.report.figures.vega_render import minify, render_svg
from msgauge.report.template import data
from msgauge.report.view import RunView

VOID = {"meta", "link", "input", "br", "hr", "img", "wbr"}


class Reader(HTMLParser):
    """Collects what an HTML page holds, and insists that its elements close in order."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.texts.append(data)

    def named(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.tags if name == tag]


@pytest.fixture(scope="module")
def text() -> str:
    return page.render(example_view())


@pytest.fixture(scope="module")
def read(text: str) -> Reader:
    return Reader(text)


def test_the_page_is_well_formed_and_says_the_findings_first(text: str, read: Reader) -> None:
    assert read.open == []
    keys = ("summary", "measurements", "all-numbers", "warnings", "failures", "stacks", "machine", "how-to-read")
    order = [text.index(f'id="{key}"') for key in keys]
    assert order == sorted(order)


def test_many_findings_are_all_there_and_the_first_five_in_sight() -> None:
    found = tuple(Finding(f"Sentence number {index}.", -index) for index in range(20))
    text = page.render(
        RunView(name="run", plan=Plan("s", 1, (), (), ()), analysis=evolve(example_bare(), findings=found))
    )
    assert (
        text.index("Sentence number 4.") < text.index("<summary>15 more</summary>") < text.index("Sentence number 5.")
    )
    assert "Sentence number 19." in text


def test_what_is_printed_tells_of_warnings_and_of_findings_that_it_leaves_out() -> None:
    """Numbers on paper would else stand there without what puts them in doubt."""
    view = example_view()
    found = tuple(Finding(f"Sentence number {index}.", -index) for index in range(20))
    warned = tuple(Notice(f"code-{index}", f"doubt number {index}", "look") for index in range(11))
    text = page.render(evolve(view, analysis=evolve(view.analysis, findings=found, warnings=warned)))
    printed = text.partition('<div class="print-only">')[2].partition("</div>")[0]
    assert "15 more findings, and all numbers, are on the page itself." in printed
    assert [f"<li>doubt number {index}</li>" in printed for index in range(11)] == [True] * 8 + [False] * 3
    assert "And 3 more." in printed


def test_kernels_with_a_figure_are_those_that_are_printed() -> None:
    text = page.render(example_view())
    blocks = [block for block in text.split('<article class="block')[1:] if "<h3>" in block[:60]]
    drawn = [block for block in blocks if "<figure" in block.partition("<details")[0]]
    assert len(blocks) > 1 and drawn
    assert [block.startswith(" key-block") for block in drawn[:2]] == [True] * len(drawn[:2])
    assert sum(block.startswith(" key-block") for block in blocks) == min(2, len(drawn))


def test_the_title_of_a_study_stands_at_the_head_and_is_plain_text() -> None:
    view = RunView(name="run", plan=Plan("s", 1, (), (), (), title=f"Halo {HOSTILE}"), analysis=example_bare())
    head = page.render(view).partition("<section")[0]
    assert "<p>Halo " in head
    assert HOSTILE not in head
    assert "<p>Halo" not in page.render(evolve(view, plan=evolve(view.plan, title="")))


def test_a_stack_says_how_its_ranks_were_seen_to_wait() -> None:
    view = example_view()
    name = view.stacks[1].spec
    costs = tuple(StackCost(name, ranks, wait_mode=word) for ranks, word in ((2, "spins"), (8, "sleeps"), (16, "")))
    (card,) = (
        one
        for one in page.render(evolve(view, analysis=evolve(view.analysis, stack_costs=costs))).split(
            '<li class="card">'
        )
        if "a rank that waits" in one
    )
    assert "spins (2 ranks), sleeps (8 ranks)" in card


def test_hostile_names_make_no_element_and_are_shown_as_they_are(text: str, read: Reader) -> None:
    scripts = read.named("script")
    assert len(scripts) == 2
    assert {script.get("type") for script in scripts} == {None, "application/json"}
    assert not read.named("img")
    assert not [name for _, attributes in read.tags for name in attributes if name.startswith("on")]
    assert HOSTILE in "".join(read.texts)
    assert HOSTILE not in text


def test_nothing_on_the_page_points_outside_it(text: str, read: Reader) -> None:
    for _, attributes in read.tags:
        for name in ("src", "href", "xlink:href", "action", "data", "poster", "srcset"):
            assert (attributes.get(name) or "#").startswith(("#", "data:"))
    assert "@import" not in text
    assert not re.search(r"url\((?!#)", text)


def test_the_policy_admits_the_pages_own_script_and_no_other(text: str, read: Reader) -> None:
    policy = next(m["content"] or "" for m in read.named("meta") if m.get("http-equiv") == "Content-Security-Policy")
    script = text[text.rindex("<script>") + 8 : text.rindex("</script>")]
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert f"script-src 'sha256-{digest}'" in policy
    assert "default-src 'none'" in policy


def test_every_figure_has_a_text_alternative_a_legend_and_a_table(read: Reader) -> None:
    drawings = [a for tag, a in read.tags if tag == "div" and a.get("class") == "drawing"]
    assert len(drawings) >= 5 * 3
    assert all(a.get("role") == "img" and a.get("aria-label") for a in drawings)
    tables = [a.get("aria-label") or "" for tag, a in read.tags if tag == "div" and a.get("class") == "scroll"]
    assert len([label for label in tables if label.startswith("Table: ")]) >= 5
    assert len([a for a in read.named("ul") if a.get("class") == "legend"]) >= 5


def test_the_data_of_the_table_is_whole(text: str, read: Reader) -> None:
    start = text.index('id="data">') + len('id="data">')
    table = json.loads(text[start : text.index("</script>", start)])
    view = example_view()
    assert len(table["rows"]) == len(view.analysis.estimates)
    keys = [column["key"] for column in table["columns"]]
    first = dict(zip(keys, table["rows"][0], strict=True))
    assert table["texts"][first["stack"]] == "openmpi@5.0.11"
    assert first["median_ns"] == pytest.approx(view.analysis.estimates[0].median_ns, rel=1e-4)
    assert first["bandwidth_bytes_per_s"] is None, "no bandwidth at 0 B"


@pytest.mark.parametrize("stacks", [4, 16])
def test_a_page_stays_within_its_limit_and_says_what_it_leaves_out(stacks: int) -> None:
    text = page.render(_with_options(example_view(stacks=stacks), stacks > 4))
    assert len(text.encode()) <= page.LIMIT_BYTES
    assert ("This run is large" in text) == (stacks > 4)


def _with_options(view: RunView, many: bool) -> RunView:
    """The same measurements once more under three further options, so that there is much to draw."""
    if not many:
        return view
    cells, estimates = list(view.plan.cells), list(view.analysis.estimates)
    for turn in range(1, 4):
        shift = turn * len(view.plan.cells)
        cells += [evolve(c, id=c.id + shift, options=(("turn", str(turn)),)) for c in view.plan.cells]
        estimates += [evolve(e, cell=e.cell + shift, options=(("turn", str(turn)),)) for e in view.analysis.estimates]
    plan = evolve(view.plan, cells=tuple(cells))
    return evolve(view, plan=plan, analysis=evolve(view.analysis, estimates=tuple(estimates)))


def test_a_run_in_which_everything_failed_still_has_a_page() -> None:
    view = example_view()
    nothing = evolve(view.analysis, estimates=(), comparisons=(), findings=())
    read = Reader(page.render(evolve(view, analysis=nothing, sketches=(), machine={})))
    assert "No comparable measurements." in "".join(read.texts)
    assert not [a for a in read.named("section") if a.get("id") in ("measurements", "machine")]


@given(st.text(max_size=60))
@settings(max_examples=40, deadline=None)
def test_any_text_survives_the_page_as_text(name: str) -> None:
    view = RunView(
        name="run", plan=Plan("s", 1, (), (), ()), analysis=evolve(example_bare(), findings=(Finding(f"[{name}]"),))
    )
    read = Reader(page.render(view))
    assert read.open == []
    assert len(read.named("script")) == 1


def example_bare() -> object:
    from msgauge.model import Analysis

    return Analysis("run", "study", "rounds", 1)


@given(
    st.recursive(
        st.text() | st.integers() | st.none(), lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner)
    )
)
def test_data_cannot_end_its_script_element(value: object) -> None:
    text = str(data(value))
    assert "<" not in text
    assert "&" not in text
    assert json.loads(text) == value


# --- figures --------------------------------------------------------------------------------------------------


def test_figures_are_written_in_every_format_and_nothing_else(tmp_path: Path) -> None:
    view = _few_sizes(example_view())
    files = figure_files.write(view, tmp_path / "new folder", ["svg", "pdf", "png"])
    assert sorted(files) == sorted((tmp_path / "new folder").iterdir())
    starts = {".svg": b"<svg", ".pdf": b"%PDF", ".png": b"\x89PNG"}
    assert all(file.read_bytes().startswith(starts[file.suffix]) for file in files)
    kinds = {file.stem.split("-")[2] for file in files}
    assert kinds == {"time", "bandwidth", "ratio", "samples"}


def _few_sizes(view: RunView) -> RunView:
    cells = tuple(cell for cell in view.plan.cells if cell.kernel == "pingpong")[::6]
    return evolve(view, plan=evolve(view.plan, cells=cells))


def test_a_figure_on_paper_names_its_stacks_and_keeps_to_real_colours() -> None:
    drawing = render_svg(next(grid_charts.figures_of(example_view())), paper())
    assert "var(" not in drawing
    texts = "".join(ElementTree.fromstring(drawing).itertext())
    assert "openmpi@5.0.11" in texts
    assert "<script>alert(" in texts


def test_a_figure_on_the_screen_takes_all_inks_from_the_page() -> None:
    for narrow in (True, False):
        for figure in grid_charts.figures_of(_few_sizes(example_view())):
            drawing = minify(render_svg(figure, screen(narrow=narrow)))
            ElementTree.fromstring(drawing)
            assert not re.search(r'(?:fill|stroke)="#', drawing)


def test_every_measured_point_of_a_curve_is_drawn() -> None:
    view = example_view()
    curve = next(grid_charts.figures_of(view))
    drawn = render_svg(curve, screen()).count('aria-roledescription="point"')
    assert drawn == sum(e.kernel == "pingpong" for e in view.analysis.estimates)


def test_an_interval_of_ten_decades_leaves_room_for_the_lines() -> None:
    points = [{"y": 10.0, "low": 1e-4, "high": 1e6}, {"y": 80.0, "low": 79.0, "high": 81.0}]
    cut = chart_parts.clip_intervals(points)
    assert [(p["y"], p["low"], p["high"]) for p in cut] == [(10.0, 5.0, 160.0), (80.0, 79.0, 81.0)]
    assert [p.get("cuts") for p in cut] == ["lowhigh", None]
    assert chart_parts.make_y_axis(cut, "Time", "datum.value")["scale"]["domain"] == pytest.approx(
        [5 / 1.08, 160 * 1.08]
    )


def test_a_heading_says_that_bands_are_cut_where_they_are_and_only_there() -> None:
    view = example_view()
    assert not any("cut" in figure.title for figure in grid_charts.figures_of(view))
    wild = tuple(evolve(one, high_ns=1e6 * one.high_ns) for one in view.analysis.estimates)
    view = evolve(view, analysis=evolve(view.analysis, estimates=wild))
    curves = [figure for figure in grid_charts.figures_of(view) if figure.kind in ("time", "bandwidth")]
    assert curves
    for figure in curves:
        assert figure.title.endswith("(bands are cut at the edge)") and figure.short.endswith("at the edge)")
        assert "cut at the edge" in figure.text


def test_formats_that_do_not_exist_and_runs_without_numbers_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="gif"):
        figure_files.write(example_view(), tmp_path, ["gif"])
    empty = evolve(example_view(), analysis=evolve(example_view().analysis, estimates=()))
    with pytest.raises(UsageError, match="nothing that could be drawn"):
        figure_files.write(empty, tmp_path)


def test_a_folder_that_cannot_be_made_is_a_clear_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError) as caught:
        figure_files.write(_few_sizes(example_view()), tmp_path / "file" / "figures", ["svg"])
    assert caught.value.remedy


def test_stacks_are_told_apart_without_colour() -> None:
    count = len(PAPER_COLOURS)
    seen = {(index % count, tuple(dash(index)), shape(index)) for index in range(40)}
    assert len(seen) == 40
    assert len({tuple(dash(index)) for index in range(count)}) == count
    assert len({shape(index) for index in range(count)}) == count


@given(st.floats(1e-2, 1e12), st.floats(1.05, 1e9))
def test_ticks_lie_within_the_axis_and_are_few(low: float, factor: float) -> None:
    found = ticks(low, low * factor)
    assert len(found) <= 8
    assert all(low * 0.99 <= value <= low * factor * 1.01 for value in found)


@given(st.sets(st.integers(0, 2**30), min_size=1))
def test_size_ticks_lie_within_the_sizes_and_are_few(sizes: set[int]) -> None:
    found = size_ticks(sorted(sizes), 6)
    assert len(found) <= 8
    assert all(min(sizes) <= value <= max(sizes) for value in found)


@given(st.text())
def test_a_name_stays_a_plain_string_inside_an_expression(name: str) -> None:
    body = make_name_lookup([name]).removeprefix("['").removesuffix("'][datum.value]")
    assert re.fullmatch(r"(?:[A-Za-z0-9 @.\-_/\[\]=,+:]|\\u[0-9a-f]{4})*", body)


def test_a_new_section_is_one_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from msgauge.report import sections

    (tmp_path / "greeting.py").write_text(
        "from markupsafe import Markup\norder = 15\ntitle = 'A <new> part'\n"
        "def applies(view): return view.name == 'run'\n"
        "def render(view): return Markup('<p>hello {}</p>').format(view.folder)\n"
    )
    monkeypatch.setattr(sections, "__path__", [*sections.__path__, str(tmp_path)])
    plan = Plan("s", 1, (), (Cell(0, "pingpong", 8, 2),), ())
    view = RunView(name="run", plan=plan, analysis=example_bare(), folder="<b>")  # type: ignore[arg-type]
    text = page.render(view)
    assert "<p>hello &lt;b&gt;</p>" in text
    assert "A &lt;new&gt; part" in text
